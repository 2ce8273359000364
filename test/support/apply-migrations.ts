import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

// Applies only what has not been applied yet, so it may run before every file.
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
