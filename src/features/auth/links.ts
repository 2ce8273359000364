import 'server-only';
import { and, eq, exists, isNotNull, isNull, ne, notExists, or, type SQL } from 'drizzle-orm';
import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import type { Context } from '#context.ts';
import { resultsOf, rowIf, type Statements } from '#db/batch.ts';
import { links } from '#db/schema/links.ts';
import { undeliverableAddresses } from '#db/schema/undeliverable-addresses.ts';
import { users } from '#db/schema/users.ts';
import type { LinkPurpose } from '#db/values.ts';
import { addressChangeLink } from '#email/address-change-link.ts';
import type { Addressee, Asked } from '#email/layout.ts';
import { loginLink } from '#email/login-link.ts';
import type { Message } from '#email/send.ts';
import { verifyEmail } from '#email/verify-email.ts';
import { budgetDraws } from '#features/limits/mail-budget.ts';
import { type Draw, takeFrom } from '#features/limits/take-from.ts';
import type { Mark } from '#features/undeliverable/guard-mailer.ts';
import { refuseUndeliverable } from '#features/undeliverable/refuse-undeliverable.ts';
import { AppError, type ErrorCode } from '#lib/app-error.ts';
import { browserName } from '#lib/browser-name.ts';
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

/** What a mail with a link needs of a user. */
export type Recipient = Addressee & { id: string; emailCanonical: string };

/** The query for the account with an address, verified or not, with the mark that may stand by the address. */
export function accountWith({ db }: Context, emailCanonical: string) {
  return db
    .select({
      id: users.id,
      firstName: users.firstName,
      email: users.email,
      emailCanonical: users.emailCanonical,
      language: users.language,
      emailVerifiedAt: users.emailVerifiedAt,
      undeliverable: undeliverableAddresses.reason,
    })
    .from(users)
    .leftJoin(
      undeliverableAddresses,
      eq(undeliverableAddresses.emailCanonical, users.emailCanonical),
    )
    .where(eq(users.emailCanonical, emailCanonical));
}

/** What every mail with a link is counted against: three ways of asking for one make no three budgets. */
export function linkMailDraws(ctx: Context, emailCanonical: string): Draw[] {
  return [
    { limit: 'mails_per_address', subject: emailCanonical },
    { limit: 'mails_per_ip', subject: ctx.place },
  ];
}

/** A link that stands in the database, and of which nobody has been told yet. */
type MadeLink = { id: string; purpose: LinkPurpose; user: Recipient; token: string; mark: Mark };

type MakeOptions<Along extends Statements> = {
  /** What the mail is counted against, besides the budget of all mails. */
  draws?: Draw[];
  /**
   * What else goes to the database in the same trip.
   *
   * @param isMade a condition that every write has to carry: whether the link has been made
   */
  along?: (isMade: SQL) => Along;
  /** What whoever asked is told when the account is deleted meanwhile. */
  whenGone: ErrorCode;
};

/**
 * Makes a link for an address; it replaces an older one of the same purpose. Where no mail may be sent, the link that was mailed
 * before keeps working.
 *
 * @param user the columns of their row; with an address change, the new address in the place of the present one
 * @returns the link, and what came of the statements of `along`
 * @throws AppError, after which nothing has changed but counters: `unavailable`; `rate_limited`; `mail_unavailable` when the budget of mails is used up;
 *   `address_bounced`, `address_complained`; `whenGone`
 */
export async function makeLink<const Along extends Statements = []>(
  ctx: Context,
  purpose: LinkPurpose,
  user: Recipient,
  { draws = [], along, whenGone }: MakeOptions<Along>,
): Promise<{ link: MadeLink; results: BatchResponse<Along> }> {
  const { db } = ctx;
  const token = createToken();
  const id = crypto.randomUUID();
  const now = ctx.now();
  const fresh = {
    id,
    tokenHash: await hashToken(token),
    emailCanonical: user.emailCanonical,
    newEmail: purpose === 'address_change' ? user.email : null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeSeconds[purpose] * 1000),
  };
  const marks = db
    .select({ reason: undeliverableAddresses.reason })
    .from(undeliverableAddresses)
    .where(eq(undeliverableAddresses.emailCanonical, user.emailCanonical));
  const isThere = exists(db.select({ id: users.id }).from(users).where(eq(users.id, user.id)));
  const isMade = exists(db.select({ id: links.id }).from(links).where(eq(links.id, id)));
  const [made, [mark], ...results] = await takeFrom(
    ctx,
    [...draws, ...budgetDraws(purpose === 'login')],
    {
      whenBroken: 'refuse',
      along: (hasRoom) => [
        db
          .insert(links)
          .select(
            rowIf(
              links,
              { ...fresh, userId: user.id, purpose },
              hasRoom,
              isThere,
              notExists(marks),
            ),
          )
          .onConflictDoUpdate({ target: [links.userId, links.purpose], set: fresh })
          .returning({ id: links.id }),
        // To know why there is no link, and for the mailer.
        marks,
        ...(along?.(isMade) ?? []),
      ],
    },
  );
  const reason = mark?.reason ?? null;
  if (made.length === 0) {
    refuseUndeliverable(ctx.log, reason, user.id);
    throw new AppError(whenGone);
  }
  const link = { id, purpose, user, token, mark: { emailCanonical: user.emailCanonical, reason } };
  return { link, results: resultsOf<Along>(results) };
}

type MailOptions = {
  /** Makes the mail around the link. */
  compose?: Compose;
  /** What goes back with the link when the mail was not accepted. */
  undo?: BatchItem<'sqlite'>[];
};

/**
 * Mails a link that was made just now, in the language of its user.
 *
 * @throws AppError `mail_unavailable`, `address_bounced`, `address_complained`, after which no link of this purpose is live
 */
export async function mailLink(
  ctx: Context,
  { id, purpose, user, token, mark }: MadeLink,
  { compose = messageFor[purpose], undo = [] }: MailOptions = {},
): Promise<void> {
  const asked = { at: ctx.now(), browser: browserName(ctx.userAgent) };
  try {
    const message = await compose(user, paths.confirmLink(ctx.appOrigin, token), asked);
    await ctx.sendMail(message, `${purpose}/${id}`, mark);
  } catch (error) {
    // Only this very link: a parallel request may have put, and mailed, a newer one in its place.
    await ctx.db.batch([ctx.db.delete(links).where(eq(links.id, id)), ...undo]);
    throw error;
  }
  ctx.log('link_requested', { userId: user.id, purpose });
}
