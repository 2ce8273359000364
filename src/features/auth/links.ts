import 'server-only';
import { and, eq, isNotNull, isNull, or } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { links } from '#db/schema/links.ts';
import { users } from '#db/schema/users.ts';
import type { LinkPurpose, Locale } from '#db/values.ts';
import { loginLink } from '#email/login-link.ts';
import type { Message } from '#email/send.ts';
import { verifyEmail } from '#email/verify-email.ts';
import { createToken, hashToken } from '#lib/tokens.ts';
import { paths } from '#paths.ts';

/** The purposes whose links sign somebody in. */
export type SignInPurpose = Extract<LinkPurpose, 'verification' | 'login'>;

/**
 * What a link must be to its user, besides live: of the address the user has, and of a purpose that fits. A verification link
 * is for an unproven mailbox and a login link for a proven one, whatever parallel requests have left behind.
 */
export const fitsItsUser = and(
  eq(users.emailCanonical, links.emailCanonical),
  or(
    and(eq(links.purpose, 'verification'), isNull(users.emailVerifiedAt)),
    and(eq(links.purpose, 'login'), isNotNull(users.emailVerifiedAt)),
  ),
);

const lifetimeSeconds: Record<SignInPurpose, number> = {
  verification: 24 * 60 * 60,
  login: 10 * 60,
};

const messageFor: Record<SignInPurpose, (to: Recipient, link: string) => Promise<Message>> = {
  verification: verifyEmail,
  login: loginLink,
};

/** The columns of a user that a mail needs. */
export type Recipient = {
  id: string;
  firstName: string;
  email: string;
  emailCanonical: string;
  language: Locale;
};

export const recipientColumns = {
  id: users.id,
  firstName: users.firstName,
  email: users.email,
  emailCanonical: users.emailCanonical,
  language: users.language,
};

/**
 * Mails a fresh link to the address in the user's row, in the user's language; the newer link replaces an older one of the
 * same purpose.
 *
 * @param purpose `verification` (24 hours) or `login` (10 minutes)
 * @throws AppError `mail_unavailable`, after which no link of this purpose is live
 */
export async function mailLink(
  ctx: Context,
  purpose: SignInPurpose,
  user: Recipient,
): Promise<void> {
  const token = createToken();
  const id = crypto.randomUUID();
  const tokenHash = await hashToken(token);
  const now = ctx.now();
  const fresh = {
    id,
    tokenHash,
    emailCanonical: user.emailCanonical,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeSeconds[purpose] * 1000),
  };
  await ctx.db
    .insert(links)
    .values({ ...fresh, userId: user.id, purpose })
    .onConflictDoUpdate({ target: [links.userId, links.purpose], set: fresh });

  const message = await messageFor[purpose](user, paths.confirmLink(ctx.appOrigin, token));
  try {
    await ctx.sendMail(message, `${purpose}/${id}`);
  } catch (error) {
    // Only this very link: a parallel request may have put, and mailed, a newer one in its place.
    await ctx.db.delete(links).where(eq(links.id, id));
    throw error;
  }
}
