import 'server-only';
import { AppError } from '#lib/app-error.ts';
import { clockToleranceMs } from '#lib/tokens.ts';
import type { ViewerContext } from './find-actor.ts';

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
