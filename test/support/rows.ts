import { eq, getTableName } from 'drizzle-orm';
import { counters } from '#db/schema/counters.ts';
import { users } from '#db/schema/users.ts';
import { webhookDeliveries } from '#db/schema/webhook-deliveries.ts';
import { db } from './factories.ts';
import { tables } from './tables.ts';

/** All user data by table, to show that a request left it unchanged. Counters belong to no user. */
export async function everything(): Promise<Record<string, Record<string, unknown>[]>> {
  const owned = tables.filter((table) => table !== counters && table !== webhookDeliveries);
  const rows = owned.map(async (table) => [getTableName(table), await db.select().from(table)]);
  return Object.fromEntries(await Promise.all(rows));
}

export function userRow(id: string) {
  return db.select().from(users).where(eq(users.id, id)).get();
}

/** The id of a user's selected course; null without one. */
export async function selectionOf(userId: string) {
  return (await userRow(userId))?.selectedCourseId;
}
