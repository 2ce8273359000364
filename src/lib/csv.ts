import 'server-only';
import { withGuards } from '#features/lists/cells.ts';

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
