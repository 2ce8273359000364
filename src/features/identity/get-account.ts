import 'server-only';
import { AppError } from '#lib/app-error.ts';
import type { Account } from './account-schema.ts';
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
  return {
    id: viewer.id,
    first_name: viewer.firstName,
    last_name: viewer.lastName,
    email: viewer.email,
    ...(viewer.pendingEmail !== null && { pending_email: viewer.pendingEmail }),
    avatar: viewer.avatarUrl,
    // A viewer is signed in, which requires a verified address.
    email_verified: true,
    language: viewer.language,
    roster_news: viewer.rosterNews,
    created_at: viewer.createdAt.toISOString(),
  };
}
