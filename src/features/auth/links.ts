import 'server-only';
import { and, eq, isNotNull, isNull, ne, or } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { links } from '#db/schema/links.ts';
import { users } from '#db/schema/users.ts';
import type { LinkPurpose } from '#db/values.ts';
import { addressChangeLink } from '#email/address-change-link.ts';
import type { Addressee, Asked } from '#email/layout.ts';
import { loginLink } from '#email/login-link.ts';
import type { Message } from '#email/send.ts';
import { verifyEmail } from '#email/verify-email.ts';
import type { Draw } from '#features/limits/take-from.ts';
import { takeMail } from '#features/limits/take-mail.ts';
import { createToken, hashToken } from '#lib/tokens.ts';
import { paths } from '#paths.ts';

/**
 * What a link must be to its user, besides live: of a purpose that fits, and of the address the user has (or, with an address
 * change, does not have yet). A verification link is for an unproven mailbox and the others for a proven one, whatever
 * parallel requests have left behind.
 */
export const fitsItsUser = or(
  and(
    eq(links.purpose, 'verification'),
    eq(users.emailCanonical, links.emailCanonical),
    isNull(users.emailVerifiedAt),
  ),
  and(
    eq(links.purpose, 'login'),
    eq(users.emailCanonical, links.emailCanonical),
    isNotNull(users.emailVerifiedAt),
  ),
  and(
    eq(links.purpose, 'address_change'),
    ne(users.emailCanonical, links.emailCanonical),
    isNotNull(users.emailVerifiedAt),
  ),
);

const daySeconds = 24 * 60 * 60;

const lifetimeSeconds: Record<LinkPurpose, number> = {
  verification: daySeconds,
  login: 10 * 60,
  address_change: daySeconds,
};

type Compose = (to: Addressee, link: string, asked: Asked) => Promise<Message>;

const messageFor: Record<LinkPurpose, Compose> = {
  verification: verifyEmail,
  login: loginLink,
  address_change: addressChangeLink,
};

/** The columns of a user that a mail with a link needs. */
export type Recipient = Addressee & { id: string; emailCanonical: string };

export const recipientColumns = {
  id: users.id,
  firstName: users.firstName,
  email: users.email,
  emailCanonical: users.emailCanonical,
  language: users.language,
};

/** What every mail with a link is counted against: three ways of asking for one make no three budgets. */
export function linkMailDraws(ctx: Context, emailCanonical: string): Draw[] {
  return [
    { limit: 'mails_per_address', subject: emailCanonical },
    { limit: 'mails_per_ip', subject: ctx.place },
  ];
}

/**
 * Mails a fresh link to an address, in the user's language; the newer link replaces an older one of the same purpose.
 *
 * @param user the columns of their row; with an address change, the new address in the place of the present one
 * @param compose makes the mail around the link
 * @throws AppError `mail_unavailable`: when the mail was not accepted, after which no link of this purpose is live; when the budget
 *   of mails is used up, in which case nothing has changed. An error of a foreign key when the user was deleted meanwhile: see
 *   `unlessGone`
 */
export async function mailLink(
  ctx: Context,
  purpose: LinkPurpose,
  user: Recipient,
  compose: Compose = messageFor[purpose],
): Promise<void> {
  // First: where no mail may be sent, the link that was mailed before keeps working.
  await takeMail(ctx, purpose === 'login');
  const token = createToken();
  const id = crypto.randomUUID();
  const tokenHash = await hashToken(token);
  const now = ctx.now();
  const fresh = {
    id,
    tokenHash,
    emailCanonical: user.emailCanonical,
    newEmail: purpose === 'address_change' ? user.email : null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeSeconds[purpose] * 1000),
  };
  await ctx.db
    .insert(links)
    .values({ ...fresh, userId: user.id, purpose })
    .onConflictDoUpdate({ target: [links.userId, links.purpose], set: fresh });

  const asked = { at: now, browser: ctx.browser };
  const message = await compose(user, paths.confirmLink(ctx.appOrigin, token), asked);
  try {
    await ctx.sendMail(message, `${purpose}/${id}`);
  } catch (error) {
    // Only this very link: a parallel request may have put, and mailed, a newer one in its place.
    await ctx.db.delete(links).where(eq(links.id, id));
    throw error;
  }
  ctx.log('link_requested', { userId: user.id, purpose });
}
