import 'server-only';
import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { AppError } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';

/** /api/health: whether the worker can do its work. */
export const health = new Hono<HonoEnv>()
  /** → 200 `{"status":"ok"}` after one trivial read, else 503. */
  .get('/', async (c) => {
    try {
      await c.get('ctx').db.run(sql`SELECT 1`);
    } catch (cause) {
      throw new AppError('unavailable', { cause });
    }
    return c.json({ status: 'ok' });
  });
