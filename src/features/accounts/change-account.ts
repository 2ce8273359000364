import 'server-only';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { ask, db, type Statement } from '#db/query.ts';
import { links } from '#db/schema/links.ts';
import { users } from '#db/schema/users.ts';
import { addressChangeRequested } from '#email/address-change-requested.ts';
import { addressTaken } from '#email/address-taken.ts';
import type { Asked } from '#email/layout.ts';
import type { Viewer, ViewerContext } from '#features/auth/find-actor.ts';
import { endChange, type MadeLink, mailLink, newLink } from '#features/auth/links.ts';
import { requireRecentLogin } from '#features/auth/require-recent-login.ts';
import { AppError } from '#lib/app-error.ts';
import type { EmailAddress } from '#lib/email-address.ts';
import { hashToken, sign } from '#lib/tokens.ts';
import { paths } from '#paths.ts';
import { requireOwnAccount, toAccount } from './get-account.ts';
import type { Account, AccountChange } from './schema.ts';

/**
 * Changes names and language at once. A new address waits until the link mailed to it is clicked; the present one given again
 * cancels a pending change. The change belongs to the session that requested it, and the present
 * address gets a notice with a link that stops it.
 *
 * Whether the new address has an account already is told to its mailbox alone, never here.
 *
 * @throws AppError `not_found`; with a new address also `proof_required`, `address_bounced`, `address_complained`, `rate_limited`
 *   and `mail_unavailable`, after which nothing has changed but that a change which waited before may be off; `unauthenticated`
 *   when the account is deleted or the session ended meanwhile
 */
export async function changeAccount(
  ctx: ViewerContext,
  id: string,
  change: AccountChange,
): Promise<Account> {
  requireOwnAccount(ctx, id);
  const { viewer } = ctx;
  const { first_name: firstName, last_name: lastName, language } = change;
  const given = Object.entries({ firstName, lastName, language });
  const wanted: Wanted = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  if (change.email === undefined) {
    return toAccount({ ...viewer, ...(await changeUser(ctx, wanted)) });
  }
  if (change.email.canonical === viewer.emailCanonical) {
    const changed = await changeUser(ctx, wanted, endChange(eq(links.userId, viewer.id)));
    return toAccount({ ...viewer, ...changed, pendingEmail: null });
  }
  await changeAddress(ctx, change.email, wanted);
  return toAccount({ ...viewer, ...wanted, pendingEmail: change.email.address });
}

/** Only what was asked for: another request may be changing the rest. */
type Wanted = Partial<Pick<Viewer, 'firstName' | 'lastName' | 'language'>>;

/** @param change the statement that cancels an address change, in the same trip */
async function changeUser(ctx: ViewerContext, wanted: Wanted, change?: Statement): Promise<Wanted> {
  const names = { firstName: users.firstName, lastName: users.lastName, language: users.language };
  const isTheirs = eq(users.id, ctx.viewer.id);
  const isChange = Object.keys(wanted).length > 0;
  if (!isChange && change === undefined) {
    return {};
  }
  const { changed } = await ask(ctx, {
    changed: isChange
      ? db.update(users).set(wanted).where(isTheirs).returning(names)
      : db.select(names).from(users).where(isTheirs),
    change,
  });
  if (changed[0] === undefined) {
    throw new AppError('unauthenticated');
  }
  if (isChange) {
    ctx.observe.log('account_changed', { userId: ctx.viewer.id });
  }
  return changed[0];
}

/**
 * The rest changes with the link, and goes back with it when one of the two mails is not accepted.
 */
async function changeAddress(
  ctx: ViewerContext,
  address: EmailAddress,
  wanted: Wanted,
): Promise<void> {
  requireRecentLogin(ctx);
  const { viewer } = ctx;
  const owners = db
    .select({ language: users.language })
    .from(users)
    .where(and(eq(users.emailCanonical, address.canonical), isNotNull(users.emailVerifiedAt)));
  const isTheirs = eq(users.id, viewer.id);
  const isChange = Object.keys(wanted).length > 0;
  const recipient = {
    id: viewer.id,
    firstName: wanted.firstName ?? viewer.firstName,
    language: wanted.language ?? viewer.language,
    email: address.address,
    emailCanonical: address.canonical,
  };
  // The same for every change from this address: whoever opens an older email stops whichever one
  // waits.
  const stopToken = await sign(
    `stop address change:${viewer.id}:${viewer.emailCanonical}`,
    ctx.config.appSecret,
  );
  // The link is made in either case, so that the answers are alike; one that nobody was sent opens nothing.
  const making = await newLink(ctx, 'address_change', recipient, {
    change: { sessionId: viewer.session.id, stopTokenHash: await hashToken(stopToken) },
    // Counted though the address may be marked: who could ask without end would learn of all addresses which ones were mailed.
    uses: [
      { limit: 'mails_per_address', subject: address.canonical },
      { limit: 'mails_per_ip' },
      { limit: 'address_changes_per_user', subject: viewer.id },
    ],
    whenGone: 'unauthenticated',
  });
  const {
    link,
    owners: [owner],
  } = await ask(ctx, {
    link: making,
    owners,
    ...(isChange && {
      names: db.update(users).set(wanted).where(and(isTheirs, making.isMade)),
    }),
  });
  const names = Object.keys(wanted) as (keyof Wanted)[];
  const before: Wanted = Object.fromEntries(names.map((name) => [name, viewer[name]]));
  await mailLink(ctx, link, {
    ...(owner !== undefined && { compose: (to) => addressTaken({ ...to, ...owner }) }),
    sendFirst: (asked) => tellPresentAddress(ctx, { link, stopToken, asked }),
    // Not what another request has changed meanwhile.
    ...(isChange && {
      undo: db
        .update(users)
        .set(before)
        .where(and(isTheirs, ...names.map((name) => sql`${users[name]} = ${wanted[name]}`))),
    }),
  });
  if (isChange) {
    ctx.observe.log('account_changed', { userId: viewer.id });
  }
  ctx.observe.log('address_change_requested', { userId: viewer.id });
}

/**
 * Sent even if the new address is taken, so that it reveals nothing. Not counted in the email
 * budget: requests are already limited. An undeliverable present address doesn't block the change.
 */
async function tellPresentAddress(
  ctx: ViewerContext,
  { link, stopToken, asked }: { link: MadeLink; stopToken: string; asked: Asked },
): Promise<void> {
  const { email, emailCanonical, undeliverable: reason, id: userId } = ctx.viewer;
  if (reason !== null) {
    ctx.observe.log('notice_not_sent', { userId, reason: `address_${reason}` });
    return;
  }
  const message = await addressChangeRequested(
    { ...link.user, email },
    link.user.email,
    paths.undoAddressChangeLink(ctx.config.appOrigin, stopToken),
    asked,
  );
  await ctx.sendMail(message, `address_change_requested/${link.id}`, { emailCanonical, reason });
}
