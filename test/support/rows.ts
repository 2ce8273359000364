import { env } from 'cloudflare:workers';
import { eq, getTableName } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core';
import { counters } from '#db/schema/counters.ts';
import { webhookDeliveries } from '#db/schema/suppression.ts';
import { users } from '#db/schema/users.ts';
import { db } from './factories.ts';
import { tables } from './tables.ts';

/** All user data by table, to show that a request left it unchanged. Counters belong to no user. */
export async function everything(): Promise<Record<string, Record<string, unknown>[]>> {
  const names = tables
    .filter((table) => table !== counters && table !== webhookDeliveries)
    .map(getTableName);
  const answers = await env.DB.batch<Record<string, unknown>>(
    names.map((name) => env.DB.prepare(`SELECT * FROM "${name}"`)),
  );
  return Object.fromEntries(names.map((name, index) => [name, answers[index]?.results ?? []]));
}

export function userRow(id: string) {
  return db.select().from(users).where(eq(users.id, id)).get();
}

/** The id of a user's selected course; null without one. */
export async function selectionOf(userId: string) {
  return (await userRow(userId))?.selectedCourseId;
}

/** Changes a row as no request does: time has passed, or something else happened meanwhile. */
export async function updateRow<Table extends SQLiteTable & { id: SQLiteColumn }>(
  table: Table,
  row: { id: string } | undefined,
  values: SQLiteUpdateSetSource<Table>,
): Promise<void> {
  if (row === undefined) {
    throw new Error(`No row of ${getTableName(table)} was given.`);
  }
  await db.update(table).set(values).where(eq(table.id, row.id));
}
