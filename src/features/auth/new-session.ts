import 'server-only';
import { and, eq, exists, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Context } from '#context.ts';
import { db } from '#db/query.ts';
import { sessions } from '#db/schema/sessions.ts';
import { createToken, hashToken } from '#lib/tokens.ts';
import { originsOf } from './known-sign-ins.ts';
import { sessionOwner } from './live-sessions.ts';

/** The browser that signs in. */
export type SignInDevice = {
  /** The token of its present session, which the new one takes the place of; null without one. */
  sessionToken: string | null;
  /** The token by which the browser is recognized after it has signed in; it opens nothing. */
  deviceToken: string;
  /** What it calls itself, cut to what a session keeps. */
  userAgent: string;
};

/** A session that is about to be inserted. Every sign-in makes one; an id that a client brought along is never taken. */
export type NewSession = {
  /** For the cookie, and kept nowhere. */
  token: string;
  tokenHash: string;
  replacedHash: string;
  /** Where the sign-in comes from; see known-sign-ins.ts. */
  origins: string[];
  /** The row, for `INSERT … SELECT` from a table that says whose it is. */
  selectFor: (userId: SQLiteColumn) => ReturnType<typeof sessionRow>;
};

export async function newSession(ctx: Context, browser: SignInDevice): Promise<NewSession> {
  const token = createToken();
  const tokenHash = await hashToken(token);
  return {
    token,
    tokenHash,
    replacedHash: await hashToken(browser.sessionToken ?? ''),
    origins: await originsOf(ctx, browser.deviceToken),
    selectFor: (userId) => sessionRow(userId, tokenHash, browser.userAgent, ctx.now()),
  };
}

function sessionRow(userId: SQLiteColumn, tokenHash: string, userAgent: string, now: Date) {
  return {
    id: sql`${crypto.randomUUID()}`.as('id'),
    tokenHash: sql`${tokenHash}`.as('token_hash'),
    userId,
    userAgent: sql`${userAgent}`.as('user_agent'),
    createdAt: sql`${now.getTime()}`.as('created_at'),
    lastSeenAt: sql`${now.getTime()}`.as('last_seen_at'),
  };
}

/** The session that the browser had before, unless the new one was not made. */
export function deleteReplaced(session: NewSession) {
  return db
    .delete(sessions)
    .where(
      and(eq(sessions.tokenHash, session.replacedHash), exists(sessionOwner(session.tokenHash))),
    );
}
