import type { BatchItem } from 'drizzle-orm/batch';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import * as z from 'zod/mini';
import { type RowOf, toJson } from '#lib/to-json.ts';

// By the least that it takes: vocabularies are read by plain Node too, which knows no D1.
type Database = BaseSQLiteDatabase<'async', unknown>;
type Owner = { id: string; email: string; emailCanonical: string };

/** Rows that the export of an account holds as a list, each with the fields of `item`. */
type ExportedRows<Shape extends z.core.$ZodShape> = {
  rows: (db: Database, owner: Owner) => BatchItem<'sqlite'>;
  item: z.ZodMiniObject<Shape>;
  schema: z.ZodMiniArray<z.ZodMiniObject<Shape>>;
  /** What these come to. */
  toJson: (rows: unknown) => z.infer<z.ZodMiniObject<Shape>>[];
};

/** Ties the rows of a query to the schema that says what is told of each. */
export function exportedRows<
  Shape extends z.core.$ZodShape,
  Row extends RowOf<z.infer<z.ZodMiniObject<Shape>>>,
>({
  rows,
  schema,
}: {
  rows: (db: Database, owner: Owner) => BatchItem<'sqlite'> & { _: { result: Row[] } };
  schema: z.ZodMiniObject<Shape>;
}): ExportedRows<Shape> {
  return {
    rows,
    item: schema,
    schema: z.array(schema),
    // The rows are those of the query: a batch returns what it was asked.
    toJson: (found) => (found as Row[]).map((row) => toJson(schema, row)).sort(byAge),
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
