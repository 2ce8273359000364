import 'server-only';
import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { ask, db, type Query, query, type RowFrom } from '#db/query.ts';
import { links } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';
import { pick } from '#lib/to-json.ts';
import { hashToken, isToken } from '#lib/tokens.ts';
import { fitsItsUser, isLiveLink } from './live-links-and-sessions.ts';

/** The user's columns that an email about a link needs. */
export const recipient = pick(users, ['email', 'emailCanonical', 'firstName', 'language']);

/** The query for a token's hash: `linkRows` or `undoRows`. */
export type LinkRows<Row> = (values: { tokenHash: string; now: Date }) => Query<Row[]>;

/**
 * Looks up an emailed link without using it, because email scanners open links too.
 *
 * @param token the unchecked token of the request
 * @returns a query whose result is null if the token is malformed, unknown, used or expired
 */
export async function linkQuery<Row>(token: unknown, rowsOf: LinkRows<Row>) {
  const tokenHash = isToken(token) ? await hashToken(token) : '';
  return (ctx: Context) =>
    query(
      { rows: rowsOf({ tokenHash, now: ctx.now() }) },
      ({ rows: [row = null] }): Row | null => row,
    );
}

/**
 * Looks up an emailed link that is about to be used.
 *
 * @param token the unchecked token of the request
 * @throws AppError `link_invalid` for a malformed, unknown, used or expired token; `rate_limited`
 */
export async function findLinkToUse<Row>(ctx: Context, token: unknown, rowsOf: LinkRows<Row>) {
  const tokenHash = isToken(token) ? await hashToken(token) : '';
  const limit = await limitOn(ctx, [{ limit: 'confirmations_per_ip' }], 'allow');
  const { rows, usage } = await ask(ctx, {
    rows: rowsOf({ tokenHash, now: ctx.now() }),
    usage: limit.count(),
  });
  refuseFull(ctx, usage.full);
  const [link] = rows;
  if (link === undefined) {
    ctx.observe.log('link_refused');
    throw new AppError('link_invalid');
  }
  return { link, tokenHash };
}

/** The columns of a `LiveLink`. */
export const linkColumns = {
  ...pick(links, ['purpose', 'userId', 'emailCanonical', 'browser', 'createdAt', 'expiresAt']),
  email: sql<string>`coalesce(${links.newEmail}, ${users.email})`,
  user: recipient,
};

/** A valid link, with its user as they are before it is used, and the address it was emailed to. */
export type LiveLink = RowFrom<typeof linkRows>;

/** The query for the valid link with a token. */
export const linkRows = prepared(({ tokenHash, now }: Given<'tokenHash' | 'now'>) =>
  db
    .select(linkColumns)
    .from(links)
    .innerJoin(users, eq(users.id, links.userId))
    .where(and(eq(links.tokenHash, tokenHash), fitsItsUser(now), isLiveLink(now))),
);
