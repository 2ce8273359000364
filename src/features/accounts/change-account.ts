import 'server-only';
import { and, eq, isNotNull } from 'drizzle-orm';
import { links } from '#db/schema/links.ts';
import { users } from '#db/schema/users.ts';
import { addressTaken } from '#email/address-taken.ts';
import type { ViewerContext } from '#features/auth/find-viewer.ts';
import { linkMailDraws, mailLink } from '#features/auth/links.ts';
import { requireFreshProof } from '#features/auth/require-fresh-proof.ts';
import { takeFrom } from '#features/limits/take-from.ts';
import type { EmailAddress } from '#lib/email-address.ts';
import { accountOf } from './account-of.ts';
import { requireOwnAccount } from './require-own-account.ts';
import type { Account, AccountChange } from './schema.ts';

/**
 * Changes names and language at once. A new address waits until the link mailed to it is clicked; the present one given again
 * calls off a change that waits.
 *
 * Whether the new address has an account already is told to its mailbox alone, never here.
 *
 * @throws AppError `not_found`; with a new address also `proof_required`, `rate_limited` and `mail_unavailable`, after which
 *   nothing has changed
 */
export async function changeAccount(
  ctx: ViewerContext,
  id: string,
  change: AccountChange,
): Promise<Account> {
  requireOwnAccount(ctx, id);
  const { viewer } = ctx;
  const changed = {
    firstName: change.first_name ?? viewer.firstName,
    lastName: change.last_name ?? viewer.lastName,
    language: change.language ?? viewer.language,
  };
  const pendingEmail = change.email
    ? await changeAddress({ ...ctx, viewer: { ...viewer, ...changed } }, change.email)
    : viewer.pendingEmail;
  await ctx.db.update(users).set(changed).where(eq(users.id, viewer.id));
  ctx.log('account_changed', { userId: viewer.id });
  return accountOf({ ...viewer, ...changed, pendingEmail });
}

/** @returns the address that waits from now on; null when none does */
async function changeAddress(ctx: ViewerContext, wanted: EmailAddress): Promise<string | null> {
  const { db, viewer } = ctx;
  const [present] = await db
    .select({ emailCanonical: users.emailCanonical })
    .from(users)
    .where(eq(users.id, viewer.id));
  if (present?.emailCanonical === wanted.canonical) {
    const waiting = and(eq(links.userId, viewer.id), eq(links.purpose, 'address_change'));
    await db.delete(links).where(waiting);
    return null;
  }
  requireFreshProof(ctx);
  const draws = [
    ...linkMailDraws(ctx, wanted.canonical),
    { limit: 'address_changes_per_user', subject: viewer.id } as const,
  ];
  await takeFrom(ctx, draws, { whenBroken: 'refuse' });
  const owner = await db
    .select({ language: users.language })
    .from(users)
    .where(and(eq(users.emailCanonical, wanted.canonical), isNotNull(users.emailVerifiedAt)))
    .get();
  const recipient = {
    id: viewer.id,
    firstName: viewer.firstName,
    language: viewer.language,
    email: wanted.address,
    emailCanonical: wanted.canonical,
  };
  // The link is made in either case, so that the answers are alike; one that nobody was sent opens nothing.
  await (owner === undefined
    ? mailLink(ctx, 'address_change', recipient)
    : mailLink(ctx, 'address_change', recipient, (to) => addressTaken({ ...to, ...owner })));
  ctx.log('address_change_requested', { userId: viewer.id });
  return wanted.address;
}
