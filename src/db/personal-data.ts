import type { BatchItem } from 'drizzle-orm/batch';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import * as z from 'zod/mini';
import { type RowOf, toJson } from '#lib/to-json.ts';

// Not D1's type, because plain Node imports vocabularies too.
type Database = BaseSQLiteDatabase<'async', unknown>;
type Owner = { id: string; email: string; emailCanonical: string };

type ExportedRows<Shape extends z.core.$ZodShape> = {
  rows: (db: Database, owner: Owner) => BatchItem<'sqlite'>;
  schema: z.ZodMiniArray<z.ZodMiniObject<Shape>>;
  /** Converts the rows to exported items. */
  toJson: (rows: unknown) => z.infer<z.ZodMiniObject<Shape>>[];
};

/** Combines a query with the schema of its exported items. */
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
    schema: z.array(schema),
    // A batch returns the rows of the query that it ran.
    toJson: (results) => (results as Row[]).map((row) => toJson(schema, row)).sort(byAge),
  };
}

/** Oldest first. Not in SQL, because no index has this order and a user has few rows. */
function byAge(one: unknown, other: unknown): number {
  return ageOf(one).localeCompare(ageOf(other));
}

function ageOf(item: unknown): string {
  return String(Object(item).created_at ?? '');
}

/** The statement that deletes rows that do not cascade from the user's row. */
export type Erasure = (db: Database, owner: Owner) => BatchItem<'sqlite'>;

/** The subjects of a limit whose counters are deleted with an account. */
export type CountedFor = (owner: Owner) => string[];
