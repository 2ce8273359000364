import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A database with all migrations, in memory. */
export function migratedDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const file of globSync(path.join(import.meta.dirname, '../migrations/*.sql')).toSorted()) {
    database.exec(readFileSync(file, 'utf8'));
  }
  return database;
}

/** The statements that make what all migrations have made, in an order, as SQL. */
export function schemaOfMigrations(order: string): string[] {
  const made = migratedDatabase().prepare(
    `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'
      ORDER BY ${order}`,
  );
  return made.all().map(({ sql }) => String(sql));
}
