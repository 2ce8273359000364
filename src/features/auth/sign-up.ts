import 'server-only';
import { and, eq, isNull, notExists } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { isUniqueViolation, unlessGone } from '#db/errors.ts';
import { links } from '#db/schema/links.ts';
import { users } from '#db/schema/users.ts';
import { takeFrom } from '#features/limits/take-from.ts';
import { AppError } from '#lib/app-error.ts';
import { linkMailDraws, mailLink, recipientColumns } from './links.ts';
import type { MailSent, SignUpInput } from './schema.ts';

/**
 * Makes an account that stays unusable until its address is verified, and mails the verification link. On an address whose
 * account is still unverified nothing changes but that a fresh mail goes out.
 *
 * @returns where the mail went
 * @throws AppError `validation_failed` on `email` when the address has a verified account; `mail_unavailable` when nothing
 *   was sent, after which neither a new account nor a live link remains; `rate_limited`
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
  const isNew = await insertUser(ctx, newUser);
  const user = isNew ? newUser : await findUnverified(ctx, input.email.canonical);
  if (user === null) {
    throw new AppError('validation_failed', { fields: { email: ['email_taken'] } });
  }
  try {
    await unlessGone(mailLink(ctx, 'verification', user), 'mail_unavailable');
  } catch (error) {
    if (isNew) {
      await removeUnproven(ctx, user.id);
    }
    throw error;
  }
  ctx.log('signed_up', { userId: user.id, outcome: isNew ? 'new' : 'again' });
  return { email: input.email.address };
}

/** The UNIQUE constraint decides who was first, never a look-up: two parallel sign-ups would both pass one. */
async function insertUser(ctx: Context, user: typeof users.$inferInsert): Promise<boolean> {
  try {
    await ctx.db.insert(users).values(user);
    return true;
  } catch (error) {
    if (isUniqueViolation(error, 'users.email_canonical')) {
      return false;
    }
    throw error;
  }
}

async function findUnverified(ctx: Context, emailCanonical: string) {
  const user = await ctx.db
    .select(recipientColumns)
    .from(users)
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
