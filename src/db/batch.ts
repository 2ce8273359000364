import 'server-only';
import { and, getTableColumns, type InferInsertModel, type SQL, sql } from 'drizzle-orm';
import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';

/** What goes to the database in one batch with something else. */
export type Statements = readonly BatchItem<'sqlite'>[];

/** What a batch gave for these statements: whoever calls hands over their results and no others, in their order. */
export function resultsOf<Along extends Statements>(results: unknown[]): BatchResponse<Along> {
  return results as BatchResponse<Along>;
}

/**
 * One row for `insert(table).select(…)`, there only where all of the conditions hold: nothing is looked up first, and nobody can
 * come in between.
 */
export function insertWhere<Table extends SQLiteTable>(
  table: Table,
  row: InferInsertModel<Table>,
  ...conditions: (SQL | undefined)[]
): SQL {
  const given = new Map<string, unknown>(Object.entries(row));
  const values = Object.entries(getTableColumns(table)).map(([name, column]) =>
    sql.param(given.get(name) ?? null, column),
  );
  return sql`SELECT ${sql.join(values, sql`, `)} WHERE ${and(...conditions)}`;
}

/**
 * A column by another name. In a batch, the rows of a statement come by the names of their columns, and the second of one name would
 * take the place of the first.
 */
export function named<Column extends SQLiteColumn>(
  name: string,
  column: Column,
): SQL.Aliased<Column['_']['data']> {
  return sql<Column['_']['data']>`${column}`.mapWith(column).as(name);
}
