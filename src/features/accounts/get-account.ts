import 'server-only';
import type { Viewer, ViewerContext } from '#features/auth/find-actor.ts';
import { AppError } from '#lib/app-error.ts';
import type { Account } from './schema.ts';

/**
 * Lets nobody near an account but their own.
 *
 * @param id of any shape
 * @throws AppError `not_found` for every other id, whether there is such an account or not
 */
export function requireOwnAccount(ctx: ViewerContext, id: string): void {
  if (id !== ctx.viewer.id) {
    throw new AppError('not_found');
  }
}

/**
 * The viewer's account by its id.
 *
 * @throws AppError `not_found` for every other id
 */
export function getAccount(ctx: ViewerContext, id: string): Account {
  requireOwnAccount(ctx, id);
  return toAccount(ctx.viewer);
}

/** The viewer's own account as the API tells it: picked field by field, never a row as a whole. */
export function toAccount(viewer: Viewer): Account {
  return {
    id: viewer.id,
    first_name: viewer.firstName,
    last_name: viewer.lastName,
    email: viewer.email,
    ...(viewer.pendingEmail !== null && { pending_email: viewer.pendingEmail }),
    avatar: viewer.avatarUrl,
    // A viewer is signed in, and nobody signs in unverified.
    email_verified: true,
    language: viewer.language,
    created_at: viewer.createdAt.toISOString(),
  };
}
