import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { forgetSecrets } from './secrets.ts';

// Before every file, which shares its worker with others.
await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
forgetSecrets();
