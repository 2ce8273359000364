import 'server-only';
import { AppError } from '#lib/app-error.ts';
import { withoutGuards } from '#lib/csv.ts';
import { maxBytes } from './decode-file.ts';

/** The longest list. */
export const maxRows = 5_000;

/** A list of people has fewer; what is beyond is not looked at. */
const maxColumns = 50;

/** A row of a list, and the line of the file in which it begins. */
export type Row = {
  line: number;
  cells: string[];
  /** Whether its quotation marks do not match, so that no one knows where its cells end. */
  isBroken: boolean;
};

export type Table = { delimiter: string; rows: Row[] };

const delimiters = [',', ';', '\t', '|'];
/** What Excel writes first, for itself. */
const separatorLine = /^sep=(.)\n/i;
/** Enough to find the delimiter. */
const sampleLength = 64 * 1024;

/**
 * Reads a list in any of the forms that spreadsheets write. Empty lines count as lines, and are no
 * rows.
 *
 * @throws AppError `import_too_large`; `import_empty`; `import_not_text` for what a picture or a
 *   workbook is as a text
 */
export async function readTable(typed: string): Promise<Table> {
  if (new TextEncoder().encode(typed).byteLength > maxBytes) {
    throw new AppError('import_too_large');
  }
  if (typed.includes('\0')) {
    throw new AppError('import_not_text');
  }
  // One line end, because Papaparse takes the first that it finds for that of all lines.
  const text = typed.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const [separator = '', named] = separatorLine.exec(text) ?? [];
  const list = text.slice(separator.length);
  const { default: papaparse } = await import('papaparse');
  const found =
    named ??
    papaparse.parse(list.slice(0, sampleLength), {
      delimitersToGuess: delimiters,
      newline: '\n',
      skipEmptyLines: 'greedy',
      preview: 10,
    }).meta.delimiter;
  const rows: Row[] = [];
  let line = separator === '' ? 1 : 2;
  papaparse.parse<string[]>(list, {
    delimiter: found,
    newline: '\n',
    step({ data, errors }, parser) {
      if (data.some((cell) => cell.trim() !== '')) {
        const isBroken = errors.some(({ type }) => type === 'Quotes');
        rows.push({ line, cells: data.slice(0, maxColumns).map(withoutGuards), isBroken });
      }
      line += data.reduce((sum, cell) => sum + cell.split('\n').length - 1, 1);
      // With a header, which counts as none.
      if (rows.length > maxRows + 1) {
        parser.abort();
      }
    },
  });
  if (rows.length === 0) {
    throw new AppError('import_empty');
  }
  return { delimiter: found, rows };
}
