import 'server-only';
import { AppError } from '#lib/app-error.ts';
import { clockToleranceMs } from '#lib/clock.ts';
import type { ViewerContext } from './find-actor.ts';

/** How long a sign-in counts as a proof of who is there. */
const proofSeconds = 15 * 60;

/**
 * For what cannot be undone or gives everything away: an open laptop is not enough, the session must have begun just now.
 *
 * @throws AppError `proof_required`, after which a fresh link leads to a fresh session
 */
export function requireRecentLogin(ctx: ViewerContext): void {
  const age = ctx.now().getTime() - ctx.viewer.session.createdAt.getTime();
  // One that begins in the future would count for as long as the clock was ahead.
  if (age > proofSeconds * 1000 || age < -clockToleranceMs) {
    ctx.observe.log('proof_demanded', { userId: ctx.viewer.id });
    throw new AppError('proof_required');
  }
}
