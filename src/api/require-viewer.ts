import 'server-only';
import type { HonoRequest } from 'hono';
import { createMiddleware } from 'hono/factory';
import { findViewer, type ViewerContext } from '#features/auth/find-viewer.ts';
import type { OwnRead } from '#features/auth/own-read.ts';
import { AppError } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { describing } from './describe.ts';

/**
 * Lets signed-in callers through only and gives their verbs `viewerCtx`; routes that read get their answer as `own`.
 *
 * @param readOf what is read of the caller's own, in the same trip to the database
 * @throws AppError `unauthenticated`; `unavailable` when it cannot be found out; whatever the read throws
 */
export function requireViewer<Answer>(readOf?: (request: HonoRequest) => OwnRead<Answer>) {
  return describing(
    { isSignedIn: true },
    createMiddleware<HonoEnv & { Variables: { viewerCtx: ViewerContext; own: Answer } }>(
      async function requireViewer(c, next) {
        const ctx = c.get('ctx');
        const reads: OwnRead<Answer>[] = readOf === undefined ? [] : [readOf(c.req)];
        const found = await findViewer(ctx, c.get('sessionToken'), ...reads);
        if (found === null) {
          throw new AppError('unauthenticated');
        }
        c.set('viewerCtx', { ...ctx, viewer: found.viewer });
        for (const answer of found.answers) {
          c.set('own', answer);
        }
        await next();
      },
    ),
  );
}
