import 'server-only';
import { and, eq, exists, gt, inArray, ne, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Context } from '#context.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { users } from '#db/schema/users.ts';
import { AppError } from '#lib/app-error.ts';
import { createToken, hashToken, isToken } from '#lib/tokens.ts';
import { findLink } from './find-link.ts';
import { fitsItsUser } from './links.ts';

const userAgentLength = 255;

type Browser = {
  /** The token of the browser's present session, which the new one takes the place of; null without one. */
  sessionToken: string | null;
  userAgent: string;
};

/**
 * Spends a link and signs the browser in. One batch claims the link, makes the session and removes what must not outlive
 * the link, so that of many parallel calls exactly one wins and a crash in between cannot burn the link.
 *
 * - A verification link proves the mailbox for the first time: everything from before the proof goes, sessions and links.
 * - A login link is for verified accounts only; other sessions stay.
 *
 * @param token what the request carried, of any shape
 * @returns the token for the session cookie
 * @throws AppError `link_invalid`, the same for a token that is malformed, unknown, used or expired
 */
export async function confirmLink(ctx: Context, token: unknown, browser: Browser): Promise<string> {
  const link = await findLink(ctx, token);
  if (link === null || !isToken(token)) {
    throw new AppError('link_invalid');
  }
  const { db } = ctx;
  const now = ctx.now();
  const sessionToken = createToken();
  const sessionHash = await hashToken(sessionToken);

  const claim = db.insert(sessions).select(
    db
      .select({
        id: sql`${crypto.randomUUID()}`.as('id'),
        tokenHash: sql`${sessionHash}`.as('token_hash'),
        userId: links.userId,
        userAgent: sql`${browser.userAgent.slice(0, userAgentLength)}`.as('user_agent'),
        createdAt: sql`${now.getTime()}`.as('created_at'),
        lastSeenAt: sql`${now.getTime()}`.as('last_seen_at'),
      })
      .from(links)
      .innerJoin(users, eq(users.id, links.userId))
      .where(
        and(
          eq(links.tokenHash, await hashToken(token)),
          eq(links.purpose, link.purpose),
          gt(links.expiresAt, now),
          fitsItsUser,
        ),
      ),
  );
  // Empty for all who lost the race, so that every further statement of theirs does nothing.
  const winner = db
    .select({ userId: sessions.userId })
    .from(sessions)
    .where(eq(sessions.tokenHash, sessionHash));
  const replacedHash = await hashToken(browser.sessionToken ?? '');
  const spent: BatchItem<'sqlite'>[] = [
    db.delete(sessions).where(and(eq(sessions.tokenHash, replacedHash), exists(winner))),
    db.delete(links).where(and(inArray(links.userId, winner), eq(links.purpose, link.purpose))),
  ];
  const proven: BatchItem<'sqlite'>[] = [
    db.update(users).set({ emailVerifiedAt: now }).where(inArray(users.id, winner)),
    db.delete(links).where(inArray(links.userId, winner)),
    db
      .delete(sessions)
      .where(and(inArray(sessions.userId, winner), ne(sessions.tokenHash, sessionHash))),
  ];
  const [claimed] = await db.batch([
    claim.returning({ id: sessions.id }),
    ...spent,
    ...(link.purpose === 'verification' ? proven : []),
  ]);
  if (claimed.length === 0) {
    throw new AppError('link_invalid');
  }
  return sessionToken;
}
