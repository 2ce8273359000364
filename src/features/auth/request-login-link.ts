import 'server-only';
import { eq } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { users } from '#db/schema/users.ts';
import { takeFrom } from '#features/limits/take-from.ts';
import { AppError } from '#lib/app-error.ts';
import { linkMailDraws, mailLink, recipientColumns } from './links.ts';
import type { LoginInput, MailSent } from './schema.ts';

/**
 * Mails a login link to the address of a verified account. An unverified one gets a fresh verification link instead.
 *
 * That there is no account is told, as the product wants it, but not often to the same place. Once it has been, nobody there is
 * told anything before a while has passed, so that the refusal itself tells nothing.
 *
 * @returns where the mail went
 * @throws AppError `account_not_found`; `email_not_verified`, after the verification link went out; `mail_unavailable`;
 *   `rate_limited`
 */
export async function requestLoginLink(ctx: Context, input: LoginInput): Promise<MailSent> {
  const { canonical } = input.email;
  const unknown = { limit: 'unknown_addresses_per_ip', subject: ctx.place } as const;
  await takeFrom(ctx, [{ ...unknown, cost: 0 }], { whenBroken: 'refuse' });
  const user = await ctx.db
    .select({ ...recipientColumns, emailVerifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.emailCanonical, canonical))
    .get();
  if (user === undefined) {
    await takeFrom(ctx, [unknown], { whenBroken: 'refuse' });
    throw new AppError('account_not_found');
  }
  await takeFrom(ctx, linkMailDraws(ctx, canonical), { whenBroken: 'refuse' });
  if (user.emailVerifiedAt === null) {
    await mailLink(ctx, 'verification', user);
    throw new AppError('email_not_verified');
  }
  await mailLink(ctx, 'login', user);
  return { email: input.email.address };
}
