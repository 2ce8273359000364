import 'server-only';
import { msg } from '@lingui/core/macro';
import type { Context } from '#context.ts';
import { tableText } from '#lib/csv.ts';
import type { FoundColumns } from './columns.ts';
import type { JudgedLine } from './judge.ts';
import type { Table } from './read-table.ts';
import { wordsOf } from './verdict-words.ts';

/** Whether the line can be corrected in the list. */
export function isFaulty({ entry, verdict }: JudgedLine): boolean {
  return entry.kind === 'fault' || verdict === 'undeliverable';
}

/**
 * The lines of a list that can be corrected, as a file of the same form in which each says what is
 * wrong. Corrected, it can be imported: that column is none of a list. Null without any.
 */
export async function faultyLines(
  ctx: Context,
  { delimiter, rows }: Table,
  { kinds, hasHeader }: FoundColumns,
  lines: readonly JudgedLine[],
): Promise<string | null> {
  const faulty = lines.filter(isFaulty);
  if (faulty.length === 0) {
    return null;
  }
  const header = hasHeader ? (rows[0]?.cells ?? []) : kinds;
  const width = Math.max(header.length, ...faulty.map(({ entry }) => entry.cells.length));
  const wide = (cells: readonly string[]) =>
    Array.from({ length: width }, (_, index) => cells[index] ?? '');
  const what = ctx.request.i18n._(msg`what is wrong`);
  const said = faulty.map((line) => [
    ...wide(line.entry.cells),
    // None of these depends on the time zone.
    wordsOf(ctx, line, { isDone: false, timeZone: 'UTC' }),
  ]);
  return tableText([[...wide(header), what], ...said], delimiter);
}
