import 'server-only';
import type { HonoRequest } from 'hono';
import { createMiddleware } from 'hono/factory';
import { describing } from '#api/describe.ts';
import { AppError } from '#lib/app-error.ts';
import { clockToleranceMs } from '#lib/tokens.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { findActor, type ViewerContext, type ViewerQueries, withViewer } from './find-actor.ts';

/**
 * Lets only signed-in callers through, with `viewerCtx` and the answers of queries as `own`.
 *
 * @param viewerQueriesOf queries for the caller's own data, run in the same trip to the database
 * @throws AppError `unauthenticated`; `unavailable` if the database fails; what the queries throw
 */
export function requireViewer<Answers = object>(
  viewerQueriesOf = (_request: HonoRequest) => ({}) as ViewerQueries<Answers>,
) {
  return describing(
    { isSignedIn: true },
    createMiddleware<HonoEnv & { Variables: { viewerCtx: ViewerContext; own: Answers } }>(
      async function requireViewer(c, next) {
        const ctx = c.get('ctx');
        const actor = await findActor(ctx, c.get('sessionToken'), viewerQueriesOf(c.req));
        if (actor === null) {
          throw new AppError('unauthenticated');
        }
        c.set('viewerCtx', withViewer(ctx, actor.viewer));
        c.set('own', actor.answers);
        return next();
      },
    ),
  );
}

const proofSeconds = 15 * 60;

/**
 * Requires a recent sign-in, for actions that can't be undone or that reveal everything.
 *
 * @throws AppError `proof_required`; the user then signs in again with a new link
 */
export function requireRecentLogin(ctx: ViewerContext): void {
  const age = ctx.now().getTime() - ctx.viewer.session.createdAt.getTime();
  // A session from the future would count as recent for too long.
  if (age > proofSeconds * 1000 || age < -clockToleranceMs) {
    ctx.observe.log('proof_demanded', { userId: ctx.viewer.id });
    throw new AppError('proof_required');
  }
}
