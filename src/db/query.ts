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

// Drizzle takes nothing but `prepare` of it, and never looks at what that returns.
const builder = drizzle({ prepare: () => null } as unknown as D1Database);
const select = builder.select.bind(builder) as (fields?: object) => unknown;

/**
 * Builds statements and can't ask them: there is no database behind it. `ask` is the one way to the
 * database, with its time limit.
 */
export const db = Object.assign(builder, {
  // Of the same types: another name changes no value.
  select: ((fields) => select(fields && withOwnNames(fields))) as typeof builder.select,
});

/**
 * D1 gives the rows of a batch as objects, in which the second of two columns of one name, as in a
 * join, would take the place of the first. So the second gets a name of its own.
 */
function withOwnNames(fields: object, taken = new Set<string>()): object {
  const named = Object.entries(fields).map(([key, field]) => {
    if (!is(field, Column)) {
      return [key, field.constructor === Object ? withOwnNames(field, taken) : field];
    }
    if (taken.has(field.name)) {
      return [key, sql`${field}`.mapWith(field).as(`${field.name}_${taken.size}`)];
    }
    taken.add(field.name);
    return [key, field];
  });
  return Object.fromEntries(named);
}

export type Statement = BatchItem<'sqlite'>;

/** Statements, and what their results are read as. Made by `query`. */
export type Query<T> = {
  statements: () => Statement[];
  read: (results: unknown[]) => T;
  /**
   * Called when D1 has refused the batch.
   *
   * @returns whether to ask once more, because `statements` has left out what was wrong
   */
  recover: (error: unknown) => boolean;
};

/** What is asked, by names of one's own; a plain statement gives its rows. */
export type Asked = Record<string, Statement | Query<unknown> | undefined>;

export type Answer<One> =
  One extends Query<infer T> ? T : One extends Statement ? One['_']['result'] : undefined;

export type Answers<All extends Asked> = { [Name in keyof All]: Answer<All[Name]> };

/** A query made of others, asked in their order. */
export function query<const All extends Asked, T>(
  asked: All,
  read: (answers: Answers<All>) => T,
): Query<T> {
  const parts = Object.entries(asked).flatMap(([name, one]) =>
    one === undefined ? [] : [{ name, part: 'read' in one ? one : rowsOf(one) }],
  );
  return {
    statements: () => parts.flatMap(({ part }) => part.statements()),
    read(results) {
      const rest = [...results];
      const answers = parts.map(({ name, part }) => [
        name,
        part.read(rest.splice(0, part.statements().length)),
      ]);
      // Each part has read what its own statements gave.
      return read(Object.fromEntries(answers) as Answers<All>);
    },
    recover: (error) => parts.some(({ part }) => part.recover(error)),
  };
}

function rowsOf(statement: Statement): Query<unknown> {
  return { statements: () => [statement], read: ([rows]) => rows, recover: () => false };
}

/**
 * Asks the database in one trip and one transaction: either all of it happens or nothing.
 *
 * @returns the answers by the names of what was asked
 */
export async function ask<const All extends Asked>(
  ctx: { db: Database },
  asked: All,
): Promise<Answers<All>> {
  const all = query(asked, (answers) => answers);
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

async function batch(database: Database, statements: Statement[]): Promise<unknown[]> {
  if (statements.length === 0) {
    return [];
  }
  // What Drizzle makes of a statement for a batch of its own, and keeps out of its types.
  const prepared = statements.map((statement) =>
    (
      statement as unknown as { _prepare: () => SQLitePreparedQuery<PreparedQueryConfig> }
    )._prepare(),
  );
  const queries = prepared.map((one) => one.getQuery());
  const results = await database.batch(queries).catch((cause: Error) => {
    // As Drizzle does it, but without the bound values.
    throw new DrizzleQueryError(queries.map((one) => one.sql).join('; '), [], cause);
  });
  return results.map((result, index) => prepared[index]?.mapResult(result, true));
}

/** One trivial read: whether the database answers at all. */
export async function pingDatabase(ctx: { db: Database }): Promise<void> {
  await ask(ctx, { ping: db.run(sql`SELECT 1`) });
}

/**
 * One row for `insert(table).select(…)`, only if all conditions hold: nothing is looked up first,
 * and no other request can come in between.
 */
export function insertWhere<Table extends SQLiteTable>(
  table: Table,
  row: InferInsertModel<Table>,
  ...conditions: (SQLWrapper | undefined)[]
) {
  const given = new Map<string, unknown>(Object.entries(row));
  const values = Object.entries(getTableColumns(table)).map(([name, column]) =>
    sql.param(given.get(name) ?? null, column),
  );
  return sql`SELECT ${sql.join(values, sql`, `)} WHERE ${and(...conditions)}`;
}
