import 'server-only';
import { Hono } from 'hono';
import { pingDatabase } from '#db/client.ts';
import { AppError } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';

/** /api/health: whether the worker can do its work. */
export const health = new Hono<HonoEnv>()
  /** → 200 `{"status":"ok"}` after one trivial read, else 503. */
  .get('/', async (c) => {
    try {
      await pingDatabase(c.get('ctx').db);
    } catch (cause) {
      throw new AppError('unavailable', { cause });
    }
    return c.json({ status: 'ok' });
  });
