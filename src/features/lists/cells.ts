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
