import 'server-only';
import { and, eq, gt } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { links } from '#db/schema/links.ts';
import { users } from '#db/schema/users.ts';
import type { LinkPurpose } from '#db/values.ts';
import { hashToken, isToken } from '#lib/tokens.ts';

/** A link that would still work, and whose it is. */
export type LiveLink = { purpose: LinkPurpose; userId: string; email: string };

/**
 * Looks a link up without spending it: opening a link, by people or by mail scanners, changes nothing.
 *
 * @param token what the request carried, of any shape
 * @returns null for a token that is malformed, unknown, used, expired, or for an address the user no longer has
 */
export async function findLink(ctx: Context, token: unknown): Promise<LiveLink | null> {
  if (!isToken(token)) {
    return null;
  }
  const link = await ctx.db
    .select({ purpose: links.purpose, userId: links.userId, email: users.email })
    .from(links)
    .innerJoin(
      users,
      and(eq(users.id, links.userId), eq(users.emailCanonical, links.emailCanonical)),
    )
    .where(and(eq(links.tokenHash, await hashToken(token)), gt(links.expiresAt, ctx.now())))
    .get();
  return link ?? null;
}
