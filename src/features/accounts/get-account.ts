import 'server-only';
import type { ViewerContext } from '#features/auth/find-viewer.ts';
import { accountOf } from './account-of.ts';
import { requireOwnAccount } from './require-own-account.ts';
import type { Account } from './schema.ts';

/**
 * The viewer's account by its id.
 *
 * @throws AppError `not_found` for every other id
 */
export function getAccount(ctx: ViewerContext, id: string): Account {
  requireOwnAccount(ctx, id);
  return accountOf(ctx.viewer);
}
