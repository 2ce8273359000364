import 'server-only';
import { and, eq, exists, gt, sql } from 'drizzle-orm';
import { type Moment, millisecondsOf } from '#db/prepared.ts';
import { db } from '#db/query.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';

const daySeconds = 24 * 60 * 60;
/** A session ends this long after its last visit. */
const idleLifetimeSeconds = 30 * daySeconds;
/** A session ends this long after sign-in, even if it is used; the cookie has the same lifetime. */
export const sessionLifetimeSeconds = 90 * daySeconds;

/** A session has expired if its last visit or its beginning is before these times. */
export function sessionDeadlines(now: Date): { lastSeenAt: Date; createdAt: Date } {
  return {
    lastSeenAt: secondsBefore(now, idleLifetimeSeconds),
    createdAt: secondsBefore(now, sessionLifetimeSeconds),
  };
}

/** True for sessions that have not expired. */
export function isLiveSession(now: Moment) {
  const at = millisecondsOf(now);
  return and(
    gt(sessions.lastSeenAt, sql`${at} - ${idleLifetimeSeconds * 1000}`),
    gt(sessions.createdAt, sql`${at} - ${sessionLifetimeSeconds * 1000}`),
  );
}

/** The query for the user of a new session; no rows if it was not created. */
export function sessionOwner(tokenHash: string) {
  return db
    .select({ userId: sessions.userId })
    .from(sessions)
    .where(eq(sessions.tokenHash, tokenHash));
}

/** True for links that a valid session requested: an address change ends with its session. */
export function isAskedByLiveSession(now: Moment) {
  return exists(
    db
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.id, links.sessionId), isLiveSession(now))),
  );
}

function secondsBefore(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() - seconds * 1000);
}
