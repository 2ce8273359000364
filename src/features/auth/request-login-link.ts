import 'server-only';
import type { Context } from '#context.ts';
import { takeFrom } from '#features/limits/take-from.ts';
import { refuseUndeliverable } from '#features/undeliverable/refuse-undeliverable.ts';
import { AppError } from '#lib/app-error.ts';
import { accountWith, mailLink, makeLink } from './links.ts';
import type { LoginInput, MailSent } from './schema.ts';

/**
 * Mails a login link to the address of a verified account. An unverified one gets a fresh verification link instead.
 *
 * That there is no account is told, as the product wants it, but not often to the same place: once it has been, nobody there is
 * told anything for a while. The limits of an address count where there is no account too, so that their refusal tells nothing.
 *
 * @returns where the mail went
 * @throws AppError `account_not_found`; `email_not_verified`, after the verification link went out; `address_bounced` or
 *   `address_complained`, before anything is counted for the address; `mail_unavailable`; `rate_limited`
 */
export async function requestLoginLink(ctx: Context, input: LoginInput): Promise<MailSent> {
  const { canonical } = input.email;
  const missHere = { limit: 'unknown_addresses_per_ip', subject: ctx.place } as const;
  const draws = [
    { limit: 'mails_per_ip', subject: ctx.place },
    { ...missHere, cost: 0 },
  ] as const;
  const [[user]] = await takeFrom(ctx, [...draws], {
    whenBroken: 'refuse',
    along: () => [accountWith(ctx, canonical)],
  });
  if (user === undefined) {
    // Apart from the mails, so that whoever tries to log in first still has all of them to sign up with.
    const miss = { limit: 'mails_per_address', subject: missesOf(canonical) } as const;
    await takeFrom(ctx, [miss, missHere], { whenBroken: 'refuse' });
    throw new AppError('account_not_found');
  }
  refuseUndeliverable(ctx.log, user.undeliverable, user.id);
  const mail = { limit: 'mails_per_address', subject: canonical } as const;
  const purpose = user.emailVerifiedAt === null ? 'verification' : 'login';
  const { link } = await makeLink(ctx, purpose, user, {
    draws: [mail],
    whenGone: 'account_not_found',
  });
  await mailLink(ctx, link);
  if (purpose === 'verification') {
    throw new AppError('email_not_verified');
  }
  return { email: input.email.address };
}

/** What logins with an address are counted under while it has no account. */
export function missesOf(emailCanonical: string): string {
  return `no account: ${emailCanonical}`;
}
