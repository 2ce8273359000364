import { env } from 'cloudflare:workers';
import { getTableColumns, getTableName } from 'drizzle-orm';
import { closedLists } from './closed-lists.ts';
import { tables } from './tables.ts';

export const day = 24 * 60 * 60 * 1000;

/**
 * A user who comes last in every index. An index walk ends at the next entry and counts it, so
 * there must always be one: otherwise rows read would depend on where an id falls in an index.
 */
export async function putLast(): Promise<void> {
  const later = Date.now() + 1000 * day;
  const inserts = tables.map((table) => {
    const [name, columns] = [getTableName(table), Object.values(getTableColumns(table))];
    const names = columns.map((column) => `"${column.name}"`);
    const values = columns.map((column) => {
      const last = closedLists[`${name}.${column.name}`]?.toSorted().at(-1) ?? '~';
      return column.getSQLType() === 'integer' ? later : `'${last}'`;
    });
    return `INSERT OR IGNORE INTO "${name}" (${names.join()}) VALUES (${values.join()})`;
  });
  // A user points to a course and the course to its owner.
  const statements = ['PRAGMA defer_foreign_keys = on', ...inserts];
  await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)));
}
