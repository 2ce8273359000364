import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_readConfig, unstable_splitSqlQuery } from 'wrangler';
import { PlainFailure } from './plain-failure.ts';
import type { LocalSettings } from './settings.ts';

type Database = Awaited<ReturnType<Miniflare['getD1Database']>>;

/** As wrangler.toml binds it. */
type BoundDatabase = { binding: string; database_id?: string };

/**
 * Migrates the local D1 to the latest schema and keeps its data, in wrangler's own table of what is
 * applied. Not with `wrangler d1 migrations apply`, which starts workerd again for each migration
 * and would take ten seconds of a first start.
 *
 * @throws PlainFailure with the database's error, and the migration that it comes from
 */
export async function migrate({ stateFolder }: LocalSettings): Promise<void> {
  const databases: BoundDatabase[] = unstable_readConfig({ config: 'wrangler.toml' }).d1_databases;
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: '',
      cf: false,
      resourcePersistencePath: path.join(stateFolder, 'v3'),
      d1Databases: Object.fromEntries(
        databases.map(({ binding, database_id: id = '' }) => [binding, id]),
      ),
    }),
  );
  try {
    const database = await miniflare.getD1Database('DB');
    await applyMigrations(database);
    // The stand-in for Google gives its people new ids at each start. They are matched by address,
    // except those whose mailbox Google does not run, who have to log in by email.
    await database.prepare('UPDATE users SET google_sub = NULL').run();
  } catch (error) {
    throw error instanceof PlainFailure
      ? error
      : new PlainFailure(`The database in ${stateFolder} failed: ${messageOf(error)}.`);
  } finally {
    await miniflare.dispose();
  }
}

/** Each in a transaction of its own. */
async function applyMigrations(database: Database): Promise<void> {
  await database
    .prepare(
      `CREATE TABLE IF NOT EXISTS d1_migrations(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT UNIQUE,
        applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
      )`,
    )
    .run();
  const { results } = await database
    .prepare('SELECT name FROM d1_migrations')
    .all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const files = readdirSync('migrations').filter((file) => file.endsWith('.sql'));
  for (const name of files.filter((file) => !applied.has(file)).sort()) {
    const statements = unstable_splitSqlQuery(readFileSync(path.join('migrations', name), 'utf8'));
    try {
      await database.batch([
        ...statements.map((statement) => database.prepare(statement)),
        database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
      ]);
    } catch (error) {
      throw new PlainFailure(`The database migration ${name} failed: ${messageOf(error)}.`);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
