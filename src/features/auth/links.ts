import 'server-only';
import {
  and,
  eq,
  exists,
  gt,
  isNotNull,
  isNull,
  lt,
  ne,
  notExists,
  or,
  type SQL,
} from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, insertWhere, type Query, query, type Statement } from '#db/query.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { suppressedAddresses } from '#db/schema/suppressed-addresses.ts';
import { users } from '#db/schema/users.ts';
import type { LinkPurpose } from '#db/values.ts';
import { addressChangeLink } from '#email/address-change-link.ts';
import type { Addressee, Asked } from '#email/layout.ts';
import { loginLink } from '#email/login-link.ts';
import { isRefusedMail, type Message } from '#email/send.ts';
import { verifyEmail } from '#email/verify-email.ts';
import {
  type CountedBucket,
  type LimitUse,
  limitOn,
  refund,
  refuseFull,
} from '#features/limits/limit-on.ts';
import { isPerNetwork } from '#features/limits/limits.ts';
import { budgetUses } from '#features/limits/mail-budget.ts';
import {
  refuseSuppressed,
  type SuppressionEntry,
  suppressionOf,
} from '#features/suppression/suppression-list.ts';
import { AppError } from '#lib/app-error.ts';
import { browserName } from '#lib/browser-name.ts';
import { clockToleranceMs } from '#lib/clock.ts';
import { createToken, hashToken } from '#lib/tokens.ts';
import { paths } from '#paths.ts';
import type { ErrorCode } from '#vocabulary.ts';
import { isAskedByLiveSession } from './live-sessions.ts';

/**
 * What a link must be to its user, besides live: of a purpose that fits, and of the address the
 * user has (or, with an address change, does not have yet). A verification link is for an unproven
 * mailbox and the others for a proven one, whatever parallel requests have left behind. An address
 * change works only while the session that asked for it is live.
 */
export function fitsItsUser(ctx: Context) {
  return or(
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
      isAskedByLiveSession(ctx),
    ),
  );
}

/**
 * Cancels a pending address change. Signing in and ending other sessions do so too, because a thief
 * may have requested it.
 *
 * @param whose a condition on `links.userId`
 */
export function endChange(whose: SQL) {
  return db.delete(links).where(and(eq(links.purpose, 'address_change'), whose));
}

/**
 * True for links that have not expired. Links from the future, made while the clock was ahead,
 * would live too long, so they don't count.
 */
export function isLiveLink(now: Date) {
  return and(
    gt(links.expiresAt, now),
    lt(links.createdAt, new Date(now.getTime() + clockToleranceMs)),
  );
}

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
type Recipient = Addressee & { id: string; emailCanonical: string };

/** The query for the account with an address, verified or not, with the mark that may stand by the address. */
export function accountWith(emailCanonical: string) {
  return db
    .select({
      id: users.id,
      firstName: users.firstName,
      email: users.email,
      emailCanonical: users.emailCanonical,
      language: users.language,
      emailVerifiedAt: users.emailVerifiedAt,
      undeliverable: suppressedAddresses.reason,
    })
    .from(users)
    .leftJoin(suppressedAddresses, eq(suppressedAddresses.emailCanonical, users.emailCanonical))
    .where(eq(users.emailCanonical, emailCanonical));
}

/** A link that stands in the database, and of which nobody has been told yet. */
export type MadeLink = {
  id: string;
  purpose: LinkPurpose;
  user: Recipient;
  token: string;
  mark: SuppressionEntry;
  counted: CountedBucket[];
};

type ChangeFacts = {
  sessionId: string;
  /** Of the token that the present address is given to stop the change. */
  stopTokenHash: string;
};

type LinkOptions = {
  /** With an address change and with nothing else. */
  change?: ChangeFacts;
  /** What the mail is counted against, besides the budget of all mails. */
  uses?: LimitUse[];
  /**
   * What whoever asked is told when the account is deleted meanwhile, or the session that asks for
   * a change ended.
   */
  whenGone: ErrorCode;
};

type NewLink = Query<MadeLink> & {
  /** True after the link is made: a condition for what goes with it, and comes after it. */
  isMade: SQL;
};

/**
 * The query that makes a link for an address; it replaces an older one of the same purpose. Where no
 * email may be sent, the link that was emailed before keeps working.
 *
 * Reading its answer throws AppError, after which nothing has changed but counters: `rate_limited`;
 * `mail_unavailable` when the email budget is used up; `address_bounced`, `address_complained`;
 * `whenGone`. When counting fails, the batch throws `unavailable`.
 *
 * @param user the columns of their row; with an address change, the new address in the place of the present one
 */
export async function newLink(
  ctx: Context,
  purpose: LinkPurpose,
  user: Recipient,
  { change, uses = [], whenGone }: LinkOptions,
): Promise<NewLink> {
  const token = createToken();
  const id = crypto.randomUUID();
  const now = ctx.now();
  const fresh = {
    id,
    tokenHash: await hashToken(token),
    emailCanonical: user.emailCanonical,
    newEmail: change === undefined ? null : user.email,
    sessionId: change?.sessionId ?? null,
    stopTokenHash: change?.stopTokenHash ?? null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeSeconds[purpose] * 1000),
  };
  const marks = suppressionOf(user.emailCanonical);
  const isThere =
    change === undefined
      ? exists(db.select({ id: users.id }).from(users).where(eq(users.id, user.id)))
      : // Ended meanwhile, with its user or without.
        exists(
          db.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, change.sessionId)),
        );
  const limit = await limitOn(ctx, [...uses, ...budgetUses(purpose === 'login')], 'refuse');
  const row = { ...fresh, userId: user.id, purpose, subject: '' };
  const asked = {
    made: db
      .insert(links)
      .select(insertWhere(links, row, limit.hasRoom, isThere, notExists(marks)))
      .onConflictDoUpdate({ target: [links.userId, links.purpose, links.subject], set: fresh })
      .returning({ id: links.id }),
    // To know why there is no link, and for the mailer.
    marks,
    usage: limit.count(),
  };
  const making = query(asked, ({ made, marks: [mark], usage: { full, counted } }): MadeLink => {
    refuseFull(ctx, full);
    const reason = mark?.reason ?? null;
    if (made.length === 0) {
      refuseSuppressed(ctx.observe.log, reason, user.id);
      throw new AppError(whenGone);
    }
    const { emailCanonical } = user;
    return { id, purpose, user, token, mark: { emailCanonical, reason }, counted };
  });
  const isMade = exists(db.select({ id: links.id }).from(links).where(eq(links.id, id)));
  return { ...making, isMade };
}

type MailOptions = {
  /** Makes the mail around the link. */
  compose?: Compose;
  /** Sends what has to be accepted before anyone gets the link. */
  sendFirst?: (asked: Asked) => Promise<void>;
  /** What goes back with the link when a mail was not accepted. */
  undo?: Statement;
  /** What was counted for the mail in an earlier trip than the one that made the link. */
  countedBefore?: CountedBucket[];
};

/**
 * Emails a newly made link, in the language of its user. If the email is not accepted, its counts
 * are refunded, except those of the place if Resend rejected this particular email: otherwise an
 * address that Resend always rejects would allow unlimited requests.
 *
 * @throws AppError `mail_unavailable`, `address_bounced`, `address_complained`, after which no link of this purpose is live
 */
export async function mailLink(
  ctx: Context,
  { id, purpose, user, token, mark, counted }: MadeLink,
  { compose = messageFor[purpose], sendFirst, undo, countedBefore = [] }: MailOptions = {},
): Promise<void> {
  const asked = { at: ctx.now(), browser: browserName(ctx.request.userAgent) };
  let wasFirstSent = false;
  try {
    if (sendFirst !== undefined) {
      await sendFirst(asked);
      wasFirstSent = true;
    }
    const message = await compose(user, paths.confirmLink(ctx.config.appOrigin, token), asked);
    await ctx.sendMail(message, `${purpose}/${id}`, mark);
  } catch (error) {
    const isRefunded = ({ limit }: CountedBucket) =>
      !(isRefusedMail(error) && isPerNetwork(limit)) &&
      // Nothing else limits how often the present address is told.
      !(wasFirstSent && limit === 'address_changes_per_user');
    await ask(ctx, {
      // Only this very link: a parallel request may have put, and mailed, a newer one in its place.
      link: db.delete(links).where(eq(links.id, id)),
      counters: refund([...countedBefore, ...counted].filter(isRefunded)),
      undo,
    });
    throw error;
  }
  ctx.observe.log('link_requested', { userId: user.id, purpose });
}
