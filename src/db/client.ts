import 'server-only';
import { sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';

/** The database of one request. Writes of more than one statement are a `batch`: D1 has no transactions. */
export type Database = DrizzleD1Database;

export function openDatabase(binding: D1Database): Database {
  return drizzle(binding);
}

/** One trivial read: whether the database answers at all. */
export async function pingDatabase(db: Database): Promise<void> {
  await db.run(sql`SELECT 1`);
}
