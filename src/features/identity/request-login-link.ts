import 'server-only';
import type { Context } from '#context.ts';
import { ask } from '#db/query.ts';
import { consume, limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { refuseSuppressed } from '#features/suppression/suppression-list.ts';
import { AppError } from '#lib/app-error.ts';
import { createToken } from '#lib/tokens.ts';
import type { LimitName } from '#vocabulary.ts';
import type { Attempt } from './codes.ts';
import { knownTo, originsOf } from './known-sign-ins.ts';
import { accountWith, mailLink, newLink } from './new-link.ts';
import type { LoginInput } from './schema.ts';
import { missesOf } from './vocabulary.ts';

/**
 * Emails a login link and its code to a verified account, or a new verification link and its code
 * to an unverified one.
 *
 * The product reveals whether an account exists, so misses are limited per client network and in
 * total. When the total is used up, only known browsers and networks are served. The limits of an
 * address apply even if it has no account, so that a refusal reveals nothing.
 *
 * Browsers and networks known to the account have their own limit, out of strangers' reach.
 *
 * @param deviceToken the browser's device cookie; null without one
 * @returns the address that the email went to, the attempt, and which of the two emails it was
 * @throws AppError `account_not_found`; `address_bounced` or `address_complained`, before the
 *   address is counted; `mail_unavailable`; `rate_limited`
 */
export async function requestLoginLink(
  ctx: Context,
  input: LoginInput,
  deviceToken: string | null,
): Promise<Attempt & { purpose: 'login' | 'verification' }> {
  const { canonical } = input.email;
  const origins = await originsOf(ctx, deviceToken);
  const limit = await limitOn(
    ctx,
    [mailsHere, { ...missHere, cost: 0 }, { ...missAnywhere, cost: 0 }],
    'refuse',
  );
  const {
    accounts: [user],
    origins: [knownOrigin],
    usage: { full, counted },
  } = await ask(ctx, {
    accounts: accountWith(canonical),
    origins: knownTo(ctx, canonical, origins),
    usage: limit.count(),
  });
  const isOther = ({ limit }: { limit: LimitName }) => limit !== missAnywhere.limit;
  refuseFull(ctx, knownOrigin === undefined ? full : full.filter(isOther));
  if (user === undefined) {
    // Not counted as emails, so that trying to log in does not use up the emails of a sign-up.
    const miss = { limit: 'mails_per_address', subject: missesOf(canonical) } as const;
    await consume(ctx, [miss, missHere, missAnywhere], 'refuse');
    throw new AppError('account_not_found');
  }
  refuseSuppressed(ctx.observe.log, user.undeliverable, user.id);
  const purpose = user.emailVerifiedAt === null ? 'verification' : 'login';
  const attempt = createToken();
  const { link } = await ask(ctx, {
    link: await newLink(ctx, purpose, user, {
      attempt,
      uses: [
        {
          limit: knownOrigin === undefined ? 'mails_per_address' : 'mails_per_address_reserved',
          subject: canonical,
        },
        // If the limit of misses was full, nothing was counted above.
        ...(full.length === 0 ? [] : [mailsHere]),
      ],
      whenGone: 'account_not_found',
    }),
  });
  await mailLink(ctx, link, { countedBefore: counted });
  return { email: input.email.address, attempt, purpose };
}

const mailsHere = { limit: 'mails_per_ip' } as const;
const missHere = { limit: 'unknown_addresses_per_ip' } as const;
const missAnywhere = { limit: 'unknown_addresses', subject: 'all' } as const;
