/**
 * What a spreadsheet may execute: a sign that begins a formula, also after spaces or line breaks,
 * and the full-width twins of these signs. With the guards themselves in front, so that a text that
 * begins with one comes back as it was.
 */
export const formulaPattern = /^'*[\s\u00a0\ufeff]*[=+\-@＝＋－＠\t\r]/;

/** The same, but for a negative number, which is no formula. For files with amounts. */
export const formulaButNumberPattern = new RegExp(
  `^(?!-\\d+(?:[.,]\\d+)?$)${formulaPattern.source.slice(1)}`,
);

/** Takes the guard off a cell, which the export puts before what a spreadsheet may execute. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && formulaPattern.test(cell) ? cell.slice(1) : cell;
}
