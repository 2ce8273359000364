import 'server-only';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { ask, db, type Statement } from '#db/query.ts';
import { links } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { addressChangeRequested, addressTaken } from '#email/account-letters.ts';
import type { RequestOrigin } from '#email/layout.ts';
import { AppError } from '#lib/app-error.ts';
import type { ParsedEmail } from '#lib/email-address.ts';
import { fromJson, pick } from '#lib/to-json.ts';
import { hashToken, sign } from '#lib/tokens.ts';
import { serverPaths } from '#paths.ts';
import type { AccountChange } from './account-schema.ts';
import type { Viewer, ViewerContext } from './find-actor.ts';
import { requireOwnAccount, toAccount } from './get-account.ts';
import { endChange } from './live-links-and-sessions.ts';
import { mailLink, newLink, type UnsentLink } from './new-link.ts';
import { requireRecentLogin } from './require-viewer.ts';

/**
 * Changes names, bio, language and daily news immediately. A new address takes effect with the
 * link emailed to it; the current address cancels a pending change. The change belongs to the
 * session that requested it, and the current address gets a notice with a link that cancels it.
 *
 * Does not reveal whether the new address has an account already; only an email to it does.
 *
 * @throws AppError `not_found`; with a new address also `proof_required`, `address_bounced`,
 *   `address_complained`, `rate_limited` and `mail_unavailable`, which change nothing, except that
 *   a pending change may be canceled; `unauthenticated` if the account or session is gone
 */
export async function changeAccount(ctx: ViewerContext, id: string, change: AccountChange) {
  requireOwnAccount(ctx, id);
  const { viewer } = ctx;
  const { email, ...fields } = change;
  const profile: Profile = fromJson(fields);
  if (email === undefined) {
    return toAccount({ ...viewer, ...(await changeUser(ctx, profile)) });
  }
  if (email.canonical === viewer.emailCanonical) {
    const user = await changeUser(ctx, profile, endChange(eq(links.userId, viewer.id)));
    return toAccount({ ...viewer, ...user, pendingEmail: null });
  }
  await changeAddress(ctx, email, profile);
  return toAccount({ ...viewer, ...profile, pendingEmail: email.address });
}

/** Only the requested fields: another request may be changing the others. */
type Profile = Partial<Pick<Viewer, (typeof profileColumns)[number]>>;

const profileColumns = ['firstName', 'lastName', 'bio', 'language', 'rosterNews'] as const;

/** @param change the statement that cancels an address change, in the same trip */
async function changeUser(ctx: ViewerContext, profile: Profile, change?: Statement) {
  const columns = pick(users, profileColumns);
  const isTheirs = eq(users.id, ctx.viewer.id);
  const isChange = Object.keys(profile).length > 0;
  if (!isChange && change === undefined) {
    return {};
  }
  const {
    rows: [user],
  } = await ask(ctx, {
    rows: isChange
      ? db.update(users).set(profile).where(isTheirs).returning(columns)
      : db.select(columns).from(users).where(isTheirs),
    change,
  });
  if (user === undefined) {
    throw new AppError('unauthenticated');
  }
  if (isChange) {
    ctx.observe.log('account_changed', { userId: ctx.viewer.id });
  }
  return user;
}

/** Changes the other fields too, and reverts them if one of the two emails is not accepted. */
async function changeAddress(ctx: ViewerContext, address: ParsedEmail, profile: Profile) {
  requireRecentLogin(ctx);
  const { viewer } = ctx;
  const owners = db
    .select({ language: users.language })
    .from(users)
    .where(and(eq(users.emailCanonical, address.canonical), isNotNull(users.emailVerifiedAt)));
  const isTheirs = eq(users.id, viewer.id);
  const isChange = Object.keys(profile).length > 0;
  const recipient = {
    id: viewer.id,
    firstName: profile.firstName ?? viewer.firstName,
    language: profile.language ?? viewer.language,
    email: address.address,
    emailCanonical: address.canonical,
  };
  // Every change from this address has this token, so that older notices cancel the pending one too.
  const stopToken = await sign(
    `stop address change:${viewer.id}:${viewer.emailCanonical}`,
    ctx.config.appSecret,
  );
  // Created even if the address is taken, so that responses are alike; an unsent link is useless.
  const newAddressLink = await newLink(ctx, 'address_change', recipient, {
    change: { sessionId: viewer.session.id, stopTokenHash: await hashToken(stopToken) },
    // Counted even if the address is suppressed, so that no one can probe the suppression list.
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
    link: newAddressLink,
    owners,
    ...(isChange && {
      names: db.update(users).set(profile).where(and(isTheirs, newAddressLink.isMade)),
    }),
  });
  const names = Object.keys(profile) as (keyof Profile)[];
  const before: Profile = Object.fromEntries(names.map((name) => [name, viewer[name]]));
  await mailLink(ctx, link, {
    ...(owner !== undefined && { compose: (to) => addressTaken({ ...to, ...owner }) }),
    sendFirst: (request) => notifyCurrentAddress(ctx, { link, stopToken, request }),
    // Except fields that another request has changed meanwhile.
    ...(isChange && {
      undo: db
        .update(users)
        .set(before)
        .where(and(isTheirs, ...names.map((name) => sql`${users[name]} IS ${profile[name]}`))),
    }),
  });
  if (isChange) {
    ctx.observe.log('account_changed', { userId: viewer.id });
  }
  ctx.observe.log('address_change_requested', { userId: viewer.id });
}

/**
 * Sent even if the new address is taken, so that it reveals nothing. Not counted in the email
 * budget: requests are already limited. A suppressed current address doesn't block the change.
 */
async function notifyCurrentAddress(
  ctx: ViewerContext,
  { link, stopToken, request }: { link: UnsentLink; stopToken: string; request: RequestOrigin },
): Promise<void> {
  const { email, emailCanonical, undeliverable: reason, id: userId } = ctx.viewer;
  if (reason !== null) {
    ctx.observe.log('notice_not_sent', { userId, reason: `address_${reason}` });
    return;
  }
  const message = await addressChangeRequested(
    { ...link.user, email },
    link.user.email,
    serverPaths.undoAddressChangeLink(ctx.config.appOrigin, stopToken),
    request,
  );
  await ctx.sendMail(message, `address_change_requested/${link.id}`, { emailCanonical, reason });
}
