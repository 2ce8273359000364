import 'server-only';
import { and, eq, isNull, notExists } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, insertWhere } from '#db/query.ts';
import { links } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { refuseSuppressed } from '#features/suppression/suppression-list.ts';
import { AppError } from '#lib/app-error.ts';
import { createToken } from '#lib/tokens.ts';
import type { Attempt } from './codes.ts';
import { accountWith, mailLink, newLink } from './new-link.ts';
import type { SignUpInput } from './schema.ts';

/**
 * Creates an account that can't be used until its address is verified, and emails the verification
 * link and its code. If the address has an unverified account, only sends new ones.
 *
 * @returns the address that the email went to, and the attempt
 * @throws AppError `validation_failed` on `email` if the address has a verified account;
 *   `address_bounced`, `address_complained` and `mail_unavailable` if nothing was sent, which
 *   leaves neither a new account nor a valid link; `rate_limited`
 */
export async function signUp(ctx: Context, input: SignUpInput): Promise<Attempt> {
  const { address, canonical } = input.email;
  const newUser = {
    id: crypto.randomUUID(),
    firstName: input.first_name,
    lastName: input.last_name,
    email: address,
    emailCanonical: canonical,
    language: ctx.request.locale,
    createdAt: ctx.now(),
  };
  // Counted for all addresses alike. Emails of the address are counted only if one is sent:
  // otherwise signing up with a taken address would use up its owner's emails.
  const limit = await limitOn(
    ctx,
    [{ limit: 'sign_ups_per_address', subject: canonical }, { limit: 'mails_per_ip' }],
    'refuse',
  );
  const {
    accounts: [user],
    usage,
  } = await ask(ctx, {
    // The UNIQUE constraint decides, because two parallel sign-ups would both pass a lookup.
    rows: db
      .insert(users)
      .select(insertWhere(users, newUser, limit.hasRoom))
      .onConflictDoNothing({ target: users.emailCanonical }),
    accounts: accountWith(canonical),
    usage: limit.count(),
  });
  refuseFull(ctx, usage.full);
  if (user === undefined) {
    throw new AppError('internal');
  }
  if (user.emailVerifiedAt !== null) {
    throw new AppError('validation_failed', { fields: { email: ['email_taken'] } });
  }
  const isNew = user.id === newUser.id;
  const attempt = createToken();
  try {
    refuseSuppressed(ctx.observe.log, user.undeliverable, isNew ? undefined : user.id);
    const { link } = await ask(ctx, {
      link: await newLink(ctx, 'verification', user, {
        attempt,
        uses: [{ limit: 'mails_per_address', subject: canonical }],
        whenGone: 'mail_unavailable',
      }),
    });
    await mailLink(ctx, link, { countedBefore: usage.counted });
  } catch (error) {
    if (isNew) {
      await removeUnproven(ctx, user.id);
    }
    throw error;
  }
  ctx.observe.log('signed_up', { userId: user.id, outcome: isNew ? 'new' : 'again' });
  return { email: address, attempt };
}

/** Keeps the account if a parallel sign-up with the address has sent a link. */
async function removeUnproven(ctx: Context, userId: string): Promise<void> {
  const liveLinks = db.select({ id: links.id }).from(links).where(eq(links.userId, userId));
  await ask(ctx, {
    removed: db
      .delete(users)
      .where(and(eq(users.id, userId), isNull(users.emailVerifiedAt), notExists(liveLinks))),
  });
}
