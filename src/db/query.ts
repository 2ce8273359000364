import 'server-only';
import {
  and,
  Column,
  DrizzleQueryError,
  getTableColumns,
  type InferInsertModel,
  is,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/d1';
import type {
  PreparedQueryConfig,
  SQLitePreparedQuery,
  SQLiteTable,
} from 'drizzle-orm/sqlite-core';
import type { Database } from './client.ts';

// Drizzle only calls `prepare`, and does not use what it returns.
const builder = drizzle({ prepare: () => null } as unknown as D1Database);
const select = builder.select.bind(builder) as (fields?: object) => unknown;

/** Builds statements without running them. Only `ask` runs statements, with a timeout. */
export const db = Object.assign(builder, {
  // Same types, because renaming columns does not change their values.
  select: ((fields) => select(fields && withOwnNames(fields))) as typeof builder.select,
});

/**
 * D1 returns the rows of a batch as objects, in which the second of two columns with the same name,
 * as in a join, would overwrite the first. So the second gets an alias.
 */
function withOwnNames(fields: object, taken = new Set<string>()): object {
  const named = Object.entries(fields).map(([key, field]) => {
    if (!is(field, Column)) {
      return [key, field.constructor === Object ? withOwnNames(field, taken) : field];
    }
    if (taken.has(field.name)) {
      const alias = `${field.name}_${taken.size}`;
      taken.add(alias);
      return [key, sql`${field}`.mapWith(field).as(alias)];
    }
    taken.add(field.name);
    return [key, field];
  });
  return Object.fromEntries(named);
}

export type Statement = BatchItem<'sqlite'>;

/** A statement as SQL with its values, and how to read the result that D1 gives. */
export type Built = {
  sql: string;
  params: unknown[];
  readResult: (result: unknown) => unknown;
};

/** Drizzle's own way to build a statement for a batch; its types omit it. */
export function buildStatement(statement: Statement): Built {
  const { _prepare } = statement as unknown as {
    _prepare: () => SQLitePreparedQuery<PreparedQueryConfig>;
  };
  const prepared = _prepare.call(statement);
  const { sql, params } = prepared.getQuery();
  return { sql, params, readResult: (result) => prepared.mapResult(result, true) };
}

/** Statements, and how to read their results. Created by `query`. */
export type Query<T> = {
  statements: () => (Statement | Built)[];
  /** Takes the results of its own statements off the front. */
  read: (results: unknown[]) => T;
  /**
   * Called when D1 has rejected the batch.
   *
   * @returns whether to retry, because `statements` now omits what D1 rejected
   */
  recover: (error: unknown) => boolean;
};

/** A row of a prepared read. */
export type RowFrom<Read extends (values: never) => Query<unknown>> =
  ReturnType<Read> extends Query<(infer Row)[]> ? Row : never;

/** What a read for a viewer answers, where there is anything. */
export type AnswerFrom<Find extends (...given: never[]) => (...viewer: never[]) => Query<unknown>> =
  ReturnType<ReturnType<Find>> extends Query<infer Answer> ? NonNullable<Answer> : never;

/** Queries by name; a plain statement returns its rows. */
export type Queries = Record<string, Statement | Query<unknown> | undefined>;

type Answer<One> =
  One extends Query<infer T> ? T : One extends Statement ? One['_']['result'] : undefined;

export type Answers<All extends Queries> = { [Name in keyof All]: Answer<All[Name]> };

/** A query composed of others, which run in this order. */
export function query<const All extends Queries, T>(
  queries: All,
  read: (answers: Answers<All>) => T,
): Query<T> {
  const parts = Object.entries(queries).flatMap(([name, one]) =>
    one === undefined ? [] : [{ name, part: 'read' in one ? one : rowsOf(one) }],
  );
  return {
    statements: () => parts.flatMap(({ part }) => part.statements()),
    read(results) {
      const answers = parts.map(({ name, part }) => [name, part.read(results)]);
      // Each part has read the results of its own statements.
      return read(Object.fromEntries(answers) as Answers<All>);
    },
    recover: (error) => parts.map(({ part }) => part.recover(error)).some(Boolean),
  };
}

/** A query of one statement, with its rows as they are. */
export function rowsOf(statement: Statement | Built): Query<unknown> {
  return {
    statements: () => [statement],
    read: (results) => results.shift(),
    recover: () => false,
  };
}

/**
 * Runs queries in one trip to the database and in one transaction.
 *
 * @returns the answers by the names of the queries
 */
export async function ask<const All extends Queries>(
  ctx: { db: Database },
  queries: All,
): Promise<Answers<All>> {
  const all = query(queries, (answers) => answers);
  let results: unknown[];
  try {
    results = await batch(ctx.db, all.statements());
  } catch (error) {
    if (!all.recover(error)) {
      throw error;
    }
    results = await batch(ctx.db, all.statements());
  }
  return all.read(results);
}

async function batch(database: Database, statements: (Statement | Built)[]): Promise<unknown[]> {
  if (statements.length === 0) {
    return [];
  }
  const built = statements.map((one) => ('readResult' in one ? one : buildStatement(one)));
  const results = await database.batch(built).catch((cause: Error) => {
    // As Drizzle does, but without the bound values.
    throw new DrizzleQueryError(built.map((one) => one.sql).join('; '), [], cause);
  });
  return results.map((result, index) => built[index]?.readResult(result));
}

/** Checks with a trivial read whether the database answers. */
export async function pingDatabase(ctx: { db: Database }): Promise<void> {
  await ask(ctx, { ping: db.run(sql`SELECT 1`) });
}

/** One row for `insert(table).select(…)` if all conditions hold, checked in the same statement. */
export function insertWhere<Table extends SQLiteTable>(
  table: Table,
  row: InferInsertModel<Table>,
  ...conditions: (SQLWrapper | undefined)[]
) {
  const columns = new Map<string, unknown>(Object.entries(row));
  const values = Object.entries(getTableColumns(table)).map(([name, column]) =>
    // A SELECT applies no defaults.
    sql.param(columns.get(name) ?? column.default ?? null, column),
  );
  return sql`SELECT ${sql.join(values, sql`, `)} WHERE ${and(...conditions)}`;
}
