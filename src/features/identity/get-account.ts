import 'server-only';
import { AppError } from '#lib/app-error.ts';
import { toJson } from '#lib/to-json.ts';
import { clockToleranceMs } from '#lib/tokens.ts';
import { Account } from './account-schema.ts';
import type { Viewer, ViewerContext } from './find-actor.ts';

/**
 * Allows access only to the viewer's own account.
 *
 * @param id any text
 * @throws AppError `not_found` for all other ids, whether or not the account exists
 */
export function requireOwnAccount(ctx: ViewerContext, id: string): void {
  if (id !== ctx.viewer.id) {
    throw new AppError('not_found');
  }
}

/**
 * The viewer's account by its id.
 *
 * @throws AppError `not_found` for all other ids
 */
export function getAccount(ctx: ViewerContext, id: string): Account {
  requireOwnAccount(ctx, id);
  return toAccount(ctx.viewer);
}

/** The viewer's account as the API returns it, picked field by field so that nothing leaks. */
export function toAccount(viewer: Viewer): Account {
  const { pendingEmail, avatarUrl, ...columns } = viewer;
  return toJson(Account, {
    ...columns,
    ...(pendingEmail !== null && { pendingEmail }),
    avatar: avatarUrl,
    // A viewer is signed in, which requires a verified address.
    emailVerified: true,
  });
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
