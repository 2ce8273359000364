import 'server-only';
import { eq, exists, notExists } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, insertWhere, query, type Statement } from '#db/query.ts';
import { links, sessions } from '#db/schema/sign-in.ts';
import { suppressedAddresses } from '#db/schema/suppression.ts';
import { users } from '#db/schema/users.ts';
import type { LinkPurpose } from '#db/values.ts';
import { addressChangeLink, loginLink, verifyEmail } from '#email/account-letters.ts';
import type { Addressee, RequestOrigin } from '#email/layout.ts';
import { isRefusedMail, type Message } from '#email/send.ts';
import {
  budgetUses,
  type CountedBucket,
  type LimitUse,
  limitOn,
  refund,
  refuseFull,
} from '#features/limits/limit-on.ts';
import { isPerNetwork } from '#features/limits/limits.ts';
import {
  refuseSuppressed,
  type SuppressionEntry,
  suppressionOf,
  suppressionRows,
} from '#features/suppression/suppression-list.ts';
import { AppError } from '#lib/app-error.ts';
import { browserName } from '#lib/browser-name.ts';
import { createToken, hashToken } from '#lib/tokens.ts';
import { serverPaths } from '#paths.ts';
import type { ErrorCode } from '#vocabulary.ts';
import { newCode } from './codes.ts';
import { recipient } from './find-link.ts';

const daySeconds = 24 * 60 * 60;

/** @param code the six digits that can be typed instead; null for a link without a code */
type Compose = (
  to: Addressee,
  link: string,
  request: RequestOrigin,
  code: string | null,
) => Promise<Message>;

const purposes: Record<LinkPurpose, { lifetimeSeconds: number; compose: Compose }> = {
  verification: { lifetimeSeconds: daySeconds, compose: verifyEmail },
  login: { lifetimeSeconds: 10 * 60, compose: loginLink },
  address_change: { lifetimeSeconds: daySeconds, compose: addressChangeLink },
};

type Recipient = Addressee & { id: string; emailCanonical: string };

/** The query for the account with an address, verified or not, and the address's suppression. */
export function accountWith(emailCanonical: string) {
  return db
    .select({
      id: users.id,
      ...recipient,
      emailVerifiedAt: users.emailVerifiedAt,
      undeliverable: suppressedAddresses.reason,
    })
    .from(users)
    .leftJoin(suppressedAddresses, eq(suppressedAddresses.emailCanonical, users.emailCanonical))
    .where(eq(users.emailCanonical, emailCanonical));
}

/** A stored link that has not been emailed yet. */
export type UnsentLink = {
  id: string;
  purpose: LinkPurpose;
  user: Recipient;
  token: string;
  /** The digits of the code in the same email; null for an address change. */
  code: string | null;
  suppression: SuppressionEntry;
  counted: CountedBucket[];
};

type LinkOptions = {
  /** Only for address changes; the token is emailed to the current address, to cancel the change. */
  change?: { sessionId: string; stopTokenHash: string };
  /** For all others: the token of the attempt cookie of the browser that may use the code. */
  attempt?: string;
  /** The limit uses of the email, in addition to the email budget. */
  uses?: LimitUse[];
  /** The error if the account was deleted, or the requesting session ended, meanwhile. */
  whenGone: ErrorCode;
};

/**
 * The query that creates a link for an address, with its code; it replaces an older one of the same
 * purpose. If no email may be sent, the previous link stays valid.
 *
 * Reading its result throws AppError, after which only counters have changed: `rate_limited`;
 * `mail_unavailable` if the email budget is used up; `address_bounced`, `address_complained`;
 * `whenGone`. If counting fails, the batch throws `unavailable`.
 *
 * @param user the recipient; for an address change, with the new address
 */
export async function newLink(
  ctx: Context,
  purpose: LinkPurpose,
  user: Recipient,
  { change, attempt, uses = [], whenGone }: LinkOptions,
) {
  const token = createToken();
  const id = crypto.randomUUID();
  const now = ctx.now();
  const code = attempt === undefined ? null : await newCode(ctx, id, attempt);
  const columns = {
    id,
    tokenHash: await hashToken(token),
    emailCanonical: user.emailCanonical,
    newEmail: change === undefined ? null : user.email,
    sessionId: change?.sessionId ?? null,
    stopTokenHash: change?.stopTokenHash ?? null,
    ...(code?.columns ?? { attemptHash: null, codeHash: null }),
    codeTries: 0,
    browser: browserName(ctx.request.userAgent),
    createdAt: now,
    expiresAt: new Date(now.getTime() + purposes[purpose].lifetimeSeconds * 1000),
  };
  // Either may have been deleted meanwhile, and with the user their sessions.
  const requester =
    change === undefined
      ? db.select({ id: users.id }).from(users).where(eq(users.id, user.id))
      : db.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, change.sessionId));
  const limit = await limitOn(ctx, [...uses, ...budgetUses(purpose === 'login')], 'refuse');
  const row = { ...columns, userId: user.id, purpose, subject: '' };
  const queries = {
    rows: db
      .insert(links)
      .select(
        insertWhere(
          links,
          row,
          limit.hasRoom,
          exists(requester),
          notExists(suppressionRows(user.emailCanonical)),
        ),
      )
      .onConflictDoUpdate({ target: [links.userId, links.purpose, links.subject], set: columns })
      .returning({ id: links.id }),
    // For the error if no link was created, and for the mailer.
    suppression: suppressionOf(user.emailCanonical),
    usage: limit.count(),
  };
  const link = query(queries, ({ rows, suppression, usage: { full, counted } }): UnsentLink => {
    refuseFull(ctx, full);
    if (rows.length === 0) {
      refuseSuppressed(ctx.observe.log, suppression.reason, user.id);
      throw new AppError(whenGone);
    }
    return { id, purpose, user, token, code: code?.digits ?? null, suppression, counted };
  });
  /** True if the link was inserted: a condition for later statements of the batch. */
  const isMade = exists(db.select({ id: links.id }).from(links).where(eq(links.id, id)));
  return { ...link, isMade };
}

type MailOptions = {
  /** Composes the email; by default, the one of the purpose. */
  compose?: Compose;
  /** Sends an email that must be accepted before the link is sent. */
  sendFirst?: (request: RequestOrigin) => Promise<void>;
  /** A statement to run with the deletion of the link if an email was not accepted. */
  undo?: Statement;
  /** The buckets that an earlier trip counted the email in. */
  countedBefore?: CountedBucket[];
};

/**
 * Emails a new link, in the language of its user. If the email is not accepted, its counts are
 * refunded, except those of the client network if Resend rejected this particular email: otherwise
 * an address that Resend always rejects would allow unlimited requests.
 *
 * @throws AppError `mail_unavailable`, `address_bounced`, `address_complained`; the link is gone
 */
export async function mailLink(
  ctx: Context,
  { id, purpose, user, token, code, suppression, counted }: UnsentLink,
  { compose = purposes[purpose].compose, sendFirst, undo, countedBefore = [] }: MailOptions = {},
): Promise<void> {
  const request = { at: ctx.now(), browser: browserName(ctx.request.userAgent) };
  let wasFirstSent = false;
  try {
    if (sendFirst !== undefined) {
      await sendFirst(request);
      wasFirstSent = true;
    }
    const link = serverPaths.confirmLink(ctx.config.appOrigin, token);
    const message = await compose(user, link, request, code);
    await ctx.sendMail(message, `${purpose}/${id}`, suppression);
  } catch (error) {
    const isRefunded = ({ limit }: CountedBucket) =>
      !(isRefusedMail(error) && isPerNetwork(limit)) &&
      // No other limit applies to notices to the current address.
      !(wasFirstSent && limit === 'address_changes_per_user');
    await ask(ctx, {
      // Only this link: a parallel request may have replaced and emailed it.
      link: db.delete(links).where(eq(links.id, id)),
      counters: refund([...countedBefore, ...counted].filter(isRefunded)),
      undo,
    });
    throw error;
  }
  ctx.observe.log('link_requested', { userId: user.id, purpose });
}
