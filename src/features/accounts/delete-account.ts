import 'server-only';
import { eq, inArray } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import { counters } from '#db/schema/counters.ts';
import { suppressedAddresses } from '#db/schema/suppressed-addresses.ts';
import { users } from '#db/schema/users.ts';
import type { ViewerContext } from '#features/auth/find-actor.ts';
import { missesOf } from '#features/auth/request-login-link.ts';
import { requireRecentLogin } from '#features/auth/require-recent-login.ts';
import { counterKeys } from '#features/limits/limit-on.ts';
import { requireOwnAccount } from './require-own-account.ts';

/**
 * Deletes the viewer's account and everything that belongs to it, in one batch: sessions, links,
 * address restores, known sign-ins and courses cascade from the user's row; counters and the mark
 * of the address are deleted by key. The address and the Google identity are free again.
 *
 * @throws AppError `not_found`, `proof_required`
 */
export async function deleteAccount(ctx: ViewerContext, id: string): Promise<void> {
  requireOwnAccount(ctx, id);
  requireRecentLogin(ctx);
  const { viewer } = ctx;
  // Not of an address that is waiting: it may be anybody's, and they would get more mails than one address is to get.
  const address = viewer.emailCanonical;
  const keys = await counterKeys(ctx, [
    { limit: 'mails_per_address', subject: address },
    { limit: 'mails_per_address', subject: missesOf(address) },
    { limit: 'mails_per_address_reserved', subject: address },
    { limit: 'sign_ups_per_address', subject: address },
    { limit: 'address_changes_per_user', subject: viewer.id },
    { limit: 'courses_per_user', subject: viewer.id },
    { limit: 'exports_per_user', subject: viewer.id },
  ]);
  await ask(ctx, {
    counters: db.delete(counters).where(inArray(counters.key, keys)),
    mark: db.delete(suppressedAddresses).where(eq(suppressedAddresses.emailCanonical, address)),
    user: db.delete(users).where(eq(users.id, viewer.id)),
  });
  ctx.observe.log('account_deleted', { userId: viewer.id });
}
