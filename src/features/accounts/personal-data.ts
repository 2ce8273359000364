import type { BatchItem } from 'drizzle-orm/batch';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import * as z from 'zod/mini';

// By the least that it takes: vocabularies are read by plain Node too, which knows no D1.
type Database = BaseSQLiteDatabase<'async', unknown>;
type Owner = { id: string; email: string; emailCanonical: string };

type Source<Query extends BatchItem<'sqlite'>, Item> = {
  /** The query for the rows of the account. */
  rows: (db: Database, owner: Owner) => Query;
  /** What one of them is in the file. */
  schema: z.ZodMiniType<Item>;
  toJson: (row: RowOf<Query>, owner: Owner) => NoInfer<Item>;
};

type RowOf<Query extends BatchItem<'sqlite'>> = Query['_']['result'] extends (infer Row)[]
  ? Row
  : never;

/** Rows that the export of an account holds as a list. */
export type ExportedRows<Item = unknown> = {
  rows: (db: Database, owner: Owner) => BatchItem<'sqlite'>;
  item: z.ZodMiniType<Item>;
  schema: z.ZodMiniArray<z.ZodMiniType<Item>>;
  /** What these come to. */
  toJson: (rows: unknown, owner: Owner) => Item[];
};

/** Ties the rows of a query to their schema and to what is made of each. */
export function exportedRows<Query extends BatchItem<'sqlite'>, Item>({
  rows,
  schema,
  toJson,
}: Source<Query, Item>): ExportedRows<Item> {
  return {
    rows,
    item: schema,
    schema: z.array(schema),
    // The rows are those of the query: a batch returns what it was asked.
    toJson: (found, owner) =>
      (found as RowOf<Query>[]).map((row) => toJson(row, owner)).sort(byAge),
  };
}

/** Oldest first. Not in SQL: no index has this order, and the rows of one person are few. */
function byAge(one: unknown, other: unknown): number {
  return ageOf(one).localeCompare(ageOf(other));
}

function ageOf(item: unknown): string {
  return String(Object(item).created_at ?? '');
}

/** The statement that deletes what does not go with the row of the user. */
export type Erasure = (db: Database, owner: Owner) => BatchItem<'sqlite'>;

/** Whose counters go with an account: the subjects that a limit is counted for, by its name. */
export type CountedFor = (owner: Owner) => string[];
