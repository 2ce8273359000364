import { and, type Column, eq, getTableColumns, type SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { BaseSQLiteDatabase, SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
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

type OwnRows = {
  /** Columns that are not exported, beside the owner. */
  except?: readonly string[];
  /** Schemas for columns whose type the table does not fully say. */
  fields?: Record<string, z.ZodMiniType>;
  /** What is read instead of columns, by their properties. */
  columns?: Record<string, SQL.Aliased>;
  /** Which of the owner's rows. */
  where?: SQL;
};

/** The rows of an owner with the columns of their table. */
export function ownRows(
  table: SQLiteTable & ({ ownerId: SQLiteColumn } | { userId: SQLiteColumn }),
  { except = [], fields = {}, columns: others, where }: OwnRows = {},
) {
  const owner = 'ownerId' in table ? table.ownerId : table.userId;
  const columns = Object.entries(getTableColumns(table)).filter(
    ([, { name }]) => name !== owner.name && !except.includes(name),
  );
  return exportedRows({
    rows: (db, { id }) =>
      db
        .select({ ...Object.fromEntries(columns), ...others })
        .from(table)
        .where(and(eq(owner, id), where)),
    schema: z.object(
      Object.fromEntries(
        columns.map(([, column]) => [column.name, fields[column.name] ?? fieldOf(column)]),
      ),
    ),
  });
}

/** The schema of a column: ids of ours are UUIDs, but for those of users, who may be gone. */
function fieldOf({ name, columnType, notNull }: Column): z.ZodMiniType {
  const isOurId = /^(?!.*user_id$)(.+_)?id$/.test(name);
  const field = {
    SQLiteText: isOurId ? z.uuid() : z.string(),
    SQLiteInteger: z.int(),
    SQLiteBoolean: z.boolean(),
    SQLiteTimestamp: z.iso.datetime(),
  }[columnType];
  if (field === undefined) {
    throw new Error(`The column ${name} needs a schema of its own`);
  }
  return notNull ? field : z.nullable(field);
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
