import 'server-only';
import type { Context } from '#context.ts';
import type { LimitName } from '#features/limits/limits.ts';
import { refuseFull, takeFrom, tryToTake } from '#features/limits/take-from.ts';
import { refuseSuppressed } from '#features/suppression/refuse-suppressed.ts';
import { AppError } from '#lib/app-error.ts';
import { knownTo, originsOf } from './known-sign-ins.ts';
import { accountWith, mailLink, makeLink } from './links.ts';
import type { LoginInput, MailSent } from './schema.ts';

/**
 * Mails a login link to the address of a verified account. An unverified one gets a fresh verification link instead.
 *
 * The product reveals whether an account exists, so misses are limited for each place and for all
 * places together. When the latter is full, only known browsers and networks are served.
 * The limits of an address apply even if it has no account, so that a refusal reveals nothing.
 *
 * Browsers and networks known to the account have an email limit of their own, which strangers
 * can't use up.
 *
 * @param deviceToken what the cookie of the browser holds; null without one
 * @returns where the mail went
 * @throws AppError `account_not_found`; `email_not_verified`, after the verification link went out; `address_bounced` or
 *   `address_complained`, before anything is counted for the address; `mail_unavailable`; `rate_limited`
 */
export async function requestLoginLink(
  ctx: Context,
  input: LoginInput,
  deviceToken: string | null,
): Promise<MailSent> {
  const { canonical } = input.email;
  const origins = await originsOf(ctx, deviceToken);
  const { results, full, drawn } = await tryToTake(
    ctx,
    [mailsHere, { ...missHere, cost: 0 }, { ...missAnywhere, cost: 0 }],
    {
      whenBroken: 'refuse',
      along: () => [accountWith(ctx, canonical), knownTo(ctx, canonical, origins)],
    },
  );
  const [[user], [known]] = results;
  const isOther = ({ limit }: { limit: LimitName }) => limit !== missAnywhere.limit;
  refuseFull(ctx, known === undefined ? full : full.filter(isOther));
  if (user === undefined) {
    // Apart from the mails, so that whoever tries to log in first still has all of them to sign up with.
    const miss = { limit: 'mails_per_address', subject: missesOf(canonical) } as const;
    await takeFrom(ctx, [miss, missHere, missAnywhere], { whenBroken: 'refuse' });
    throw new AppError('account_not_found');
  }
  refuseSuppressed(ctx.observe.log, user.undeliverable, user.id);
  const purpose = user.emailVerifiedAt === null ? 'verification' : 'login';
  const { link } = await makeLink(ctx, purpose, user, {
    draws: [
      {
        limit: known === undefined ? 'mails_per_address' : 'mails_per_address_reserved',
        subject: canonical,
      },
      // Where that of the misses was full, nothing was counted above.
      ...(full.length === 0 ? [] : [mailsHere]),
    ],
    whenGone: 'account_not_found',
  });
  await mailLink(ctx, link, { drawnBefore: drawn });
  if (purpose === 'verification') {
    throw new AppError('email_not_verified');
  }
  return { email: input.email.address };
}

const mailsHere = { limit: 'mails_per_ip' } as const;
const missHere = { limit: 'unknown_addresses_per_ip' } as const;
const missAnywhere = { limit: 'unknown_addresses', subject: 'all' } as const;

/** What logins with an address are counted under while it has no account. */
export function missesOf(emailCanonical: string): string {
  return `no account: ${emailCanonical}`;
}
