import 'server-only';
import { and, eq, isNotNull } from 'drizzle-orm';
import { unlessGone } from '#db/errors.ts';
import { links } from '#db/schema/links.ts';
import { undeliverableAddresses } from '#db/schema/undeliverable-addresses.ts';
import { users } from '#db/schema/users.ts';
import { addressTaken } from '#email/address-taken.ts';
import type { ViewerContext } from '#features/auth/find-viewer.ts';
import { linkMailDraws, mailLink } from '#features/auth/links.ts';
import { requireFreshProof } from '#features/auth/require-fresh-proof.ts';
import { takeFrom } from '#features/limits/take-from.ts';
import { refuseUndeliverable } from '#features/undeliverable/refuse-undeliverable.ts';
import { AppError } from '#lib/app-error.ts';
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
 * @throws AppError `not_found`; with a new address also `proof_required`, `address_bounced`, `address_complained`, `rate_limited`
 *   and `mail_unavailable`, after which nothing has changed but that a change which waited before may be off; `unauthenticated`
 *   when the account is deleted meanwhile
 */
export async function changeAccount(
  ctx: ViewerContext,
  id: string,
  change: AccountChange,
): Promise<Account> {
  requireOwnAccount(ctx, id);
  const { viewer } = ctx;
  // Only what was asked for: another request may be changing the rest.
  const wanted = {
    ...(change.first_name !== undefined && { firstName: change.first_name }),
    ...(change.last_name !== undefined && { lastName: change.last_name }),
    ...(change.language !== undefined && { language: change.language }),
  };
  const pendingEmail = change.email
    ? await changeAddress({ ...ctx, viewer: { ...viewer, ...wanted } }, change.email)
    : viewer.pendingEmail;
  const changed = Object.keys(wanted).length > 0 ? await changeUser(ctx, wanted) : {};
  return accountOf({ ...viewer, ...changed, pendingEmail });
}

async function changeUser(
  { db, log, viewer }: ViewerContext,
  wanted: Partial<typeof users.$inferInsert>,
) {
  const [changed] = await db.update(users).set(wanted).where(eq(users.id, viewer.id)).returning({
    firstName: users.firstName,
    lastName: users.lastName,
    language: users.language,
  });
  if (changed === undefined) {
    throw new AppError('unauthenticated');
  }
  log('account_changed', { userId: viewer.id });
  return changed;
}

/** @returns the address that waits from now on; null when none does */
async function changeAddress(ctx: ViewerContext, wanted: EmailAddress): Promise<string | null> {
  const { db, viewer } = ctx;
  if (wanted.canonical === viewer.emailCanonical) {
    const waiting = and(eq(links.userId, viewer.id), eq(links.purpose, 'address_change'));
    await db.delete(links).where(waiting);
    return null;
  }
  requireFreshProof(ctx);
  // Of the mark the answer tells whether or not the address has an account.
  const [[mark], [owner]] = await db.batch([
    db
      .select({ reason: undeliverableAddresses.reason })
      .from(undeliverableAddresses)
      .where(eq(undeliverableAddresses.emailCanonical, wanted.canonical)),
    db
      .select({ language: users.language })
      .from(users)
      .where(and(eq(users.emailCanonical, wanted.canonical), isNotNull(users.emailVerifiedAt))),
  ]);
  const draws = [
    ...linkMailDraws(ctx, wanted.canonical),
    { limit: 'address_changes_per_user', subject: viewer.id } as const,
  ];
  await takeFrom(ctx, draws, { whenBroken: 'refuse' });
  // Counted first: who could ask without end would learn of all addresses which ones were mailed.
  refuseUndeliverable(ctx.log, mark?.reason ?? null, viewer.id);
  const recipient = {
    id: viewer.id,
    firstName: viewer.firstName,
    language: viewer.language,
    email: wanted.address,
    emailCanonical: wanted.canonical,
  };
  // The link is made in either case, so that the answers are alike; one that nobody was sent opens nothing.
  await unlessGone(
    owner === undefined
      ? mailLink(ctx, 'address_change', recipient)
      : mailLink(ctx, 'address_change', recipient, (to) => addressTaken({ ...to, ...owner })),
    'unauthenticated',
  );
  ctx.log('address_change_requested', { userId: viewer.id });
  return wanted.address;
}
