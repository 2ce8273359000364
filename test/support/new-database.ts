import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { forgetSecrets } from './secrets.ts';

// Before every file, because files share workers.
await reset();
if (await hasTables()) {
  // Seen once in thousands of files: the database of the file before was still there.
  await reset();
}
// What all migrations make (architecture/schema.test.ts), in one batch instead of one for each.
await env.DB.batch(env.TEST_SCHEMA.map((statement) => env.DB.prepare(statement)));
forgetSecrets();

async function hasTables(): Promise<boolean> {
  return (
    (await env.DB.prepare("SELECT 1 FROM sqlite_master WHERE name = 'users'").first()) !== null
  );
}
