import 'server-only';
import { and, eq, exists, gt } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db } from '#db/query.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';

const daySeconds = 24 * 60 * 60;
/** Without a visit a session ends after this. */
const idleLifetimeSeconds = 30 * daySeconds;
/** However often it is used, a session ends after this; the cookie is kept as long. */
export const sessionLifetimeSeconds = 90 * daySeconds;

/** The moments before which a session has expired: since its last visit, and since it began. */
export function sessionDeadlines(now: Date): { lastSeenAt: Date; createdAt: Date } {
  return {
    lastSeenAt: secondsBefore(now, idleLifetimeSeconds),
    createdAt: secondsBefore(now, sessionLifetimeSeconds),
  };
}

/** True for sessions that have not expired. */
export function isLiveSession(now: Date) {
  const { lastSeenAt, createdAt } = sessionDeadlines(now);
  return and(gt(sessions.lastSeenAt, lastSeenAt), gt(sessions.createdAt, createdAt));
}

/** The query for whose session this is: nobody's, as long as it was not made. */
export function sessionOwner(tokenHash: string) {
  return db
    .select({ userId: sessions.userId })
    .from(sessions)
    .where(eq(sessions.tokenHash, tokenHash));
}

/** True for links that a live session has asked for: an address change ends with its session. */
export function isAskedByLiveSession({ now }: Context) {
  return exists(
    db
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.id, links.sessionId), isLiveSession(now()))),
  );
}

function secondsBefore(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() - seconds * 1000);
}
