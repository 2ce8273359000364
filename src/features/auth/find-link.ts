import 'server-only';
import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, query } from '#db/query.ts';
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

/**
 * Looks a link up without spending it: opening a link, by people or by mail scanners, changes nothing.
 *
 * @param token what the request carried, of any shape
 * @returns null for a token that is malformed, unknown, used, expired, or no longer fits its user
 */
export async function findLink(ctx: Context, token: unknown): Promise<LiveLink | null> {
  if (!isToken(token)) {
    return null;
  }
  const { rows } = await ask(ctx, { rows: linkRows(ctx, await hashToken(token)) });
  return rows[0] ?? null;
}

/** The same, in one trip with the viewer. */
export async function linkForViewer(token: unknown) {
  const tokenHash = isToken(token) ? await hashToken(token) : '';
  return (ctx: Context) =>
    query(
      { rows: linkRows(ctx, tokenHash) },
      ({ rows }) =>
        (): LiveLink | null =>
          rows[0] ?? null,
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
