import 'server-only';
import { eq } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { users } from '#db/schema/users.ts';
import { AppError } from '#lib/app-error.ts';
import { mailLink, recipientColumns } from './links.ts';
import type { LoginInput, MailSent } from './schema.ts';

/**
 * Mails a login link to the address of a verified account. An unverified one gets a fresh verification link instead.
 *
 * @returns where the mail went
 * @throws AppError `account_not_found`; `email_not_verified`, after the verification link went out; `mail_unavailable`
 */
export async function requestLoginLink(ctx: Context, input: LoginInput): Promise<MailSent> {
  const user = await ctx.db
    .select({ ...recipientColumns, emailVerifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.emailCanonical, input.email.canonical))
    .get();
  if (user === undefined) {
    throw new AppError('account_not_found');
  }
  if (user.emailVerifiedAt === null) {
    await mailLink(ctx, 'verification', user);
    throw new AppError('email_not_verified');
  }
  await mailLink(ctx, 'login', user);
  return { email: input.email.address };
}
