import 'server-only';
import { msg } from '@lingui/core/macro';
import type { Context } from '#context.ts';
import { tableText } from '#lib/csv.ts';
import type { CheckedLine } from './check-lines.ts';
import type { ListColumns } from './columns.ts';
import { lineWords } from './line-words.ts';
import type { Table } from './read-table.ts';

/** Whether the line can be corrected in the list. */
export function isFaulty({ source, verdict }: CheckedLine): boolean {
  return source.kind === 'fault' || verdict === 'undeliverable';
}

/**
 * The lines of a list that can be corrected, as a file of the same form in which each says what is
 * wrong. Corrected, it can be imported: that column is none of a list. Null without any.
 */
export async function faultyLines(
  ctx: Context,
  { delimiter, rows }: Table,
  { kinds, hasHeader }: ListColumns,
  lines: readonly CheckedLine[],
): Promise<string | null> {
  const faulty = lines.filter(isFaulty);
  if (faulty.length === 0) {
    return null;
  }
  const header = hasHeader ? (rows[0]?.cells ?? []) : kinds;
  const width = Math.max(header.length, ...faulty.map(({ source }) => source.cells.length));
  const wide = (cells: readonly string[]) =>
    Array.from({ length: width }, (_, index) => cells[index] ?? '');
  const what = ctx.request.i18n._(msg`what is wrong`);
  const cells = faulty.map((line) => [
    ...wide(line.source.cells),
    // None of these depends on the time zone.
    lineWords(ctx, line, { isDone: false, timeZone: 'UTC' }),
  ]);
  return tableText([[...wide(header), what], ...cells], delimiter);
}
