import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { pingDatabase } from '#db/query.ts';
import { AppError } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { describe } from './describe.ts';

const Health = z.object({ status: z.literal('ok') });

/** /api/health: whether the worker and its database work. */
export const health = new Hono<HonoEnv>().get(
  '/',
  describe({
    summary: msg`Whether the app and its database work`,
    answers: { 200: Health },
    answerHeaders: { 'X-Release': msg`The version and the commit that answer` },
  }),
  async (c) => {
    try {
      await pingDatabase(c.get('ctx'));
    } catch (cause) {
      throw new AppError('unavailable', { cause });
    }
    c.header('X-Release', c.get('env').release);
    return c.json({ status: 'ok' } satisfies z.infer<typeof Health>);
  },
);
