import 'server-only';
import { and, eq, exists, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Context } from '#context.ts';
import { db } from '#db/query.ts';
import { sessions } from '#db/schema/sign-in.ts';
import { createToken, hashToken } from '#lib/tokens.ts';
import { originsOf } from './known-sign-ins.ts';
import { sessionOwner } from './live-links-and-sessions.ts';

export type SignInDevice = {
  /** The token of its current session, which the new one replaces; null without one. */
  sessionToken: string | null;
  /** The token that recognizes the browser after a sign-in; it grants no access. */
  deviceToken: string;
  /** The User-Agent header, cut to the length that a session stores. */
  userAgent: string;
};

export type NewSession = Awaited<ReturnType<typeof newSession>>;

/** A session to insert. Every sign-in creates one, and never uses a token from the client. */
export async function newSession(ctx: Context, device: SignInDevice) {
  const token = createToken();
  const tokenHash = await hashToken(token);
  return {
    /** For the cookie; never stored. */
    token,
    tokenHash,
    replacedHash: await hashToken(device.sessionToken ?? ''),
    /** The origins of the sign-in; see known-sign-ins.ts. */
    origins: await originsOf(ctx, device.deviceToken),
    /** The row, for `INSERT … SELECT` from a table with the user's id. */
    selectFor: (userId: SQLiteColumn) => sessionRow(userId, tokenHash, device.userAgent, ctx.now()),
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

/** Deletes the browser's previous session if the new one was created. */
export function deleteReplaced(session: NewSession) {
  return db
    .delete(sessions)
    .where(
      and(eq(sessions.tokenHash, session.replacedHash), exists(sessionOwner(session.tokenHash))),
    );
}
