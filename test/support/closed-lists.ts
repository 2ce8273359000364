import { type Column, getTableColumns, getTableName, is } from 'drizzle-orm';
import { SQLiteCustomColumn } from 'drizzle-orm/sqlite-core';
import * as values from '#db/values.ts';
import { outboxKinds } from '#email/kinds.ts';
import { tables } from './tables.ts';

const known = new Set([...Object.values(values), outboxKinds].filter(Array.isArray).flat());

/**
 * What the columns without a CHECK on their closed list accept of all that our lists have, by
 * `table.column`; see db/one-of.ts.
 */
export const closedLists: Record<string, readonly string[]> = Object.fromEntries(
  tables.flatMap((table) =>
    Object.values(getTableColumns(table))
      .filter((column) => is(column, SQLiteCustomColumn))
      .map((column) => [
        `${getTableName(table)}.${column.name}`,
        [...known].filter((value) => accepts(column, value)),
      ]),
  ),
);

function accepts(column: Column, value: unknown): boolean {
  try {
    column.mapToDriverValue(value);
    return true;
  } catch {
    return false;
  }
}
