import 'server-only';
import { msg } from '@lingui/core/macro';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { describe } from '#api/describe.ts';
import { requireViewer } from '#api/require-viewer.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { endSessions } from './end-sessions.ts';
import { listSessions } from './list-sessions.ts';
import { Session } from './schema.ts';

/** /api/accounts/auth/sessions: the caller's sessions. */
export const sessions = new Hono<HonoEnv>()
  .get(
    '/',
    describe({
      summary: msg`Where the caller is signed in, the browser seen last first`,
      answers: { 200: z.array(Session) },
    }),
    requireViewer(() => ({ sessions: listSessions })),
    (c) => c.json(c.get('own').sessions),
  )
  .delete(
    '/:id/',
    describe({
      summary: msg`Ends one session; “current” and “others” also serve as ids`,
      answers: { 204: null },
    }),
    requireViewer(),
    async (c) => {
      const which = c.req.param('id');
      if (await endSessions(c.get('viewerCtx'), which, c.get('deviceToken'))) {
        c.set('sessionToken', null);
      }
      return c.body(null, 204);
    },
  );
