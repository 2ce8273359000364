import 'server-only';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { links } from '#db/schema/links.ts';
import { users } from '#db/schema/users.ts';
import type { LinkPurpose } from '#db/values.ts';
import type { Addressee } from '#email/layout.ts';
import { hashToken, isToken } from '#lib/tokens.ts';
import { fitsItsUser } from './links.ts';

/** A link that would still work, whose it is, and the address it was mailed to. */
export type LiveLink = {
  purpose: LinkPurpose;
  userId: string;
  email: string;
  emailCanonical: string;
  /** The user's row as it is before the link is spent. */
  user: Addressee;
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
  const link = await ctx.db
    .select({
      purpose: links.purpose,
      userId: links.userId,
      email: sql<string>`coalesce(${links.newEmail}, ${users.email})`,
      emailCanonical: links.emailCanonical,
      user: { email: users.email, firstName: users.firstName, language: users.language },
    })
    .from(links)
    .innerJoin(users, eq(users.id, links.userId))
    .where(
      and(eq(links.tokenHash, await hashToken(token)), fitsItsUser, gt(links.expiresAt, ctx.now())),
    )
    .get();
  return link ?? null;
}
