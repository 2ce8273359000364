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

/** A link that would still work, whose it is, and the address it was mailed to. */
export type LiveLink = {
  purpose: LinkPurpose;
  userId: string;
  email: string;
  emailCanonical: string;
  /** The user's row as it is before the link is spent. */
  user: Addressee & { emailCanonical: string };
};

/** The query for what has the hash of a token: `linkRows` or `undoRows`. */
export type LinkRows<Row> = (
  ctx: Context,
  tokenHash: string,
) => Statement & { _: { result: Row[] } };

/**
 * Looks up what a mailed link would do, without spending it: opening a link, by people or by mail
 * scanners, changes nothing. For any reader, signed in or not.
 *
 * @param token what the request carried, of any shape
 * @returns an own query for null if the token is malformed, unknown, used, expired, or of no use
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

/** The query for the link with a token, as far as it would still work. */
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
