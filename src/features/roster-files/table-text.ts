import 'server-only';
import { formulaPattern } from './cells.ts';

/** A table as a file that spreadsheets read, and of which they execute nothing. */
export async function tableText(
  rows: readonly string[][],
  delimiter: string,
  guarded = formulaPattern,
): Promise<string> {
  const { default: papaparse } = await import('papaparse');
  const text = papaparse.unparse(rows as string[][], {
    delimiter,
    newline: '\r\n',
    escapeFormulae: guarded,
  });
  // By the mark at its beginning, Excel knows UTF-8.
  return `\ufeff${text}\r\n`;
}
