import 'server-only';
import { readableName } from './text.ts';

export const delimiters = [',', ';'] as const;
/** What stands between the cells of an exported file. */
export type Delimiter = (typeof delimiters)[number];

/**
 * Where a spreadsheet may find a formula: at a sign that begins one (also its full-width twin), at
 * the beginning of a cell or after what any program may take for its end. Behind spaces and what
 * cannot be seen, and behind guards themselves, so that a text that has one comes back as it was.
 */
const unguarded = /(?=[=+\-@＝＋－＠])(?<=(?:^|[,;，；\t|"\r\n])['\s\p{Cf}]*)/gu;
const guard = /'(?=[=+\-@＝＋－＠])(?<=(?:^|[,;，；\t|"\r\n])['\s\p{Cf}]*')/gu;

/** Puts a guard before each sign by which a spreadsheet may execute a part of a cell. */
export function withGuards(cell: string): string {
  return cell.replace(unguarded, "'");
}

/** Takes the guards off a cell, which the export has put there. */
export function withoutGuards(cell: string): string {
  return cell.replace(guard, '');
}

/**
 * A table as a file that spreadsheets read, and of which they execute nothing, at whichever
 * delimiter they split it.
 *
 * @param numbers cells that stay as they are, because a sign at their beginning is that of a number
 */
export async function tableText(
  rows: readonly string[][],
  delimiter: string,
  numbers: RegExp | null = null,
): Promise<string> {
  const { default: papaparse } = await import('papaparse');
  const guarded = rows.map((row) =>
    row.map((cell) => (numbers?.test(cell) ? cell : withGuards(cell))),
  );
  const text = papaparse.unparse(guarded, { delimiter, newline: '\r\n', quotes: true });
  // By the mark at its beginning, Excel knows UTF-8.
  return `\ufeff${text}\r\n`;
}

/** The header Content-Disposition of a CSV file: `the-short-story-winter-2027-roster.csv`. */
export function fileDisposition(names: readonly string[], what: string): string {
  const readable = readableName(names.join(' '));
  const asciiName = [readable, what].filter(Boolean).join('-');
  // Where ASCII can't write them, as they are, without what no file name has.
  const whole =
    readable === '' ? [...names, what].join(' ').replace(/[/\\:*?"<>|\p{Cc}]/gu, ' ') : asciiName;
  const encoded = encodeURIComponent(`${whole}.csv`).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${asciiName}.csv"; filename*=UTF-8''${encoded}`;
}
