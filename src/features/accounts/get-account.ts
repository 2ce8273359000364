import 'server-only';
import type { ViewerContext } from '#features/auth/find-actor.ts';
import { requireOwnAccount } from './require-own-account.ts';
import type { Account } from './schema.ts';
import { toAccount } from './to-account.ts';

/**
 * The viewer's account by its id.
 *
 * @throws AppError `not_found` for every other id
 */
export function getAccount(ctx: ViewerContext, id: string): Account {
  requireOwnAccount(ctx, id);
  return toAccount(ctx.viewer);
}
