import 'server-only';
import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db, query, type Statement } from '#db/query.ts';
import { links } from '#db/schema/links.ts';
import { users } from '#db/schema/users.ts';
import type { LinkPurpose } from '#db/values.ts';
import type { Addressee } from '#email/layout.ts';
import { hashToken, isToken } from '#lib/tokens.ts';
import { fitsItsUser, isLiveLink } from './links.ts';

/** A valid link, with its user and the address it was emailed to. */
export type LiveLink = {
  purpose: LinkPurpose;
  userId: string;
  email: string;
  emailCanonical: string;
  /** The user's row before the link is used. */
  user: Addressee & { emailCanonical: string };
};

/** The query for a token's hash: `linkRows` or `undoRows`. */
export type LinkRows<Row> = (
  ctx: Context,
  tokenHash: string,
) => Statement & { _: { result: Row[] } };

/**
 * Looks up an emailed link without using it, because email scanners open links too. For signed-in
 * and signed-out users.
 *
 * @param token the unchecked token of the request
 * @returns a query whose result is null if the token is malformed, unknown, used, expired, or of no
 *   use
 */
export async function linkQuery<Row>(token: unknown, rowsOf: LinkRows<Row>) {
  const tokenHash = isToken(token) ? await hashToken(token) : '';
  return (ctx: Context) =>
    query(
      { rows: rowsOf(ctx, tokenHash) },
      ({ rows: [row = null] }) =>
        (): Row | null =>
          row,
    );
}

/** The query for the valid link with a token. */
export function linkRows(ctx: Context, tokenHash: string) {
  const now = ctx.now();
  return db
    .select({
      purpose: links.purpose,
      userId: links.userId,
      email: sql<string>`coalesce(${links.newEmail}, ${users.email})`,
      emailCanonical: links.emailCanonical,
      user: {
        email: users.email,
        emailCanonical: users.emailCanonical,
        firstName: users.firstName,
        language: users.language,
      },
    })
    .from(links)
    .innerJoin(users, eq(users.id, links.userId))
    .where(and(eq(links.tokenHash, tokenHash), fitsItsUser(ctx), isLiveLink(now)));
}
