import 'server-only';
import { sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { type Source, withTimeLimit } from './time-limit.ts';

/** The database of one request. Writes of more than one statement are a `batch`: D1 has no transactions. */
export type Database = DrizzleD1Database;

export function openDatabase(source: Source): Database {
  return drizzle(asBinding(withTimeLimit(source)));
}

/** Drizzle knows no sessions; of a binding it uses `prepare` and `batch` alone. */
function asBinding(source: Source): D1Database {
  return source as D1Database;
}

/** One trivial read: whether the database answers at all. */
export async function pingDatabase(db: Database): Promise<void> {
  await db.run(sql`SELECT 1`);
}
