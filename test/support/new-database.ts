import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { forgetSecrets } from './secrets.ts';

// Before every file, because files share workers.
await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
forgetSecrets();
