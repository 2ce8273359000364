import 'server-only';
import { createMiddleware } from 'hono/factory';
import { findViewer, type ViewerContext } from '#features/auth/find-viewer.ts';
import { AppError } from '#lib/app-error.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { describing } from './describe.ts';

/**
 * Lets signed-in callers through only and gives their verbs `viewerCtx`.
 *
 * @throws AppError `unauthenticated`; `unavailable` when it cannot be found out
 */
export function requireViewer() {
  return describing(
    { isSignedIn: true },
    createMiddleware<HonoEnv & { Variables: { viewerCtx: ViewerContext } }>(
      async function requireViewer(c, next) {
        const viewer = await findViewer(c.get('ctx'), c.get('sessionToken'));
        if (viewer === null) {
          throw new AppError('unauthenticated');
        }
        c.set('viewerCtx', { ...c.get('ctx'), viewer });
        await next();
      },
    ),
  );
}
