import 'server-only';
import { and, eq, isNull, notExists } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { isUniqueViolation, unlessGone } from '#db/errors.ts';
import { links } from '#db/schema/links.ts';
import { undeliverableAddresses } from '#db/schema/undeliverable-addresses.ts';
import { users } from '#db/schema/users.ts';
import { takeFrom } from '#features/limits/take-from.ts';
import { refuseUndeliverable } from '#features/undeliverable/refuse-undeliverable.ts';
import { AppError } from '#lib/app-error.ts';
import { linkMailDraws, mailLink, recipientColumns } from './links.ts';
import type { MailSent, SignUpInput } from './schema.ts';

/**
 * Makes an account that stays unusable until its address is verified, and mails the verification link. On an address whose
 * account is still unverified nothing changes but that a fresh mail goes out.
 *
 * @returns where the mail went
 * @throws AppError `validation_failed` on `email` when the address has a verified account; `address_bounced`,
 *   `address_complained` and `mail_unavailable` when nothing was sent, after which neither a new account nor a live link remains; `rate_limited`
 */
export async function signUp(ctx: Context, input: SignUpInput): Promise<MailSent> {
  await takeFrom(ctx, linkMailDraws(ctx, input.email.canonical), { whenBroken: 'refuse' });
  const newUser = {
    id: crypto.randomUUID(),
    firstName: input.first_name,
    lastName: input.last_name,
    email: input.email.address,
    emailCanonical: input.email.canonical,
    language: ctx.locale,
    createdAt: ctx.now(),
  };
  const made = await insertUser(ctx, newUser);
  const user = made ?? (await findUnverified(ctx, input.email.canonical));
  if (user === null) {
    throw new AppError('validation_failed', { fields: { email: ['email_taken'] } });
  }
  try {
    refuseUndeliverable(ctx.log, user.undeliverable, made === null ? user.id : undefined);
    await unlessGone(mailLink(ctx, 'verification', user), 'mail_unavailable');
  } catch (error) {
    if (made !== null) {
      await removeUnproven(ctx, user.id);
    }
    throw error;
  }
  ctx.log('signed_up', { userId: user.id, outcome: made !== null ? 'new' : 'again' });
  return { email: input.email.address };
}

/**
 * The UNIQUE constraint decides who was first, never a look-up: two parallel sign-ups would both pass one.
 *
 * @returns null when the address has an account
 */
async function insertUser({ db }: Context, user: typeof users.$inferInsert) {
  try {
    const [, [mark]] = await db.batch([
      db.insert(users).values(user),
      db
        .select({ reason: undeliverableAddresses.reason })
        .from(undeliverableAddresses)
        .where(eq(undeliverableAddresses.emailCanonical, user.emailCanonical)),
    ]);
    return { ...user, undeliverable: mark?.reason ?? null };
  } catch (error) {
    if (isUniqueViolation(error, 'users.email_canonical')) {
      return null;
    }
    throw error;
  }
}

async function findUnverified({ db }: Context, emailCanonical: string) {
  const user = await db
    .select({ ...recipientColumns, undeliverable: undeliverableAddresses.reason })
    .from(users)
    .leftJoin(
      undeliverableAddresses,
      eq(undeliverableAddresses.emailCanonical, users.emailCanonical),
    )
    .where(and(eq(users.emailCanonical, emailCanonical), isNull(users.emailVerifiedAt)))
    .get();
  return user ?? null;
}

/** Unless somebody else asked for the same address meanwhile and holds a live link to it. */
async function removeUnproven(ctx: Context, userId: string): Promise<void> {
  const liveLinks = ctx.db.select({ id: links.id }).from(links).where(eq(links.userId, userId));
  await ctx.db
    .delete(users)
    .where(and(eq(users.id, userId), isNull(users.emailVerifiedAt), notExists(liveLinks)));
}
