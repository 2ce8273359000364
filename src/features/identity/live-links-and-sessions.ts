import 'server-only';
import { and, eq, exists, gt, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { type Moment, millisecondsOf } from '#db/prepared.ts';
import { db } from '#db/query.ts';
import { links, sessions } from '#db/schema/sign-in.ts';
import { users } from '#db/schema/users.ts';
import { clockToleranceMs } from '#lib/tokens.ts';

/**
 * True for links that match the state of their user, which parallel requests may have changed: the
 * address is the user's (or, for an address change, not yet), and is verified unless the link is to
 * verify it. The session that requested an address change must still be valid.
 */
export function fitsItsUser(now: Moment) {
  return or(
    and(
      eq(links.purpose, 'verification'),
      eq(users.emailCanonical, links.emailCanonical),
      isNull(users.emailVerifiedAt),
    ),
    and(
      eq(links.purpose, 'login'),
      eq(users.emailCanonical, links.emailCanonical),
      isNotNull(users.emailVerifiedAt),
    ),
    and(
      eq(links.purpose, 'address_change'),
      ne(users.emailCanonical, links.emailCanonical),
      isNotNull(users.emailVerifiedAt),
      isAskedByLiveSession(now),
    ),
  );
}

/**
 * Cancels a pending address change. Signing in does so too: a thief may have requested it.
 *
 * @param whose a condition on `links.userId`
 */
export function endChange(whose: SQL) {
  return db.delete(links).where(and(eq(links.purpose, 'address_change'), whose));
}

/** Deletes the unverified account with an address. */
export function deleteUnproven(emailCanonical: string, condition: SQL) {
  return db
    .delete(users)
    .where(and(eq(users.emailCanonical, emailCanonical), isNull(users.emailVerifiedAt), condition));
}

/** True for links that have not expired, and were not made while the clock was ahead. */
export function isLiveLink(now: Moment) {
  const at = millisecondsOf(now);
  return and(gt(links.expiresAt, at), lt(links.createdAt, sql`${at} + ${clockToleranceMs}`));
}

const daySeconds = 24 * 60 * 60;
const idleLifetimeSeconds = 30 * daySeconds;
/** A session ends this long after sign-in, even if it is used; the cookie has the same lifetime. */
export const sessionLifetimeSeconds = 90 * daySeconds;

/** True for sessions that have expired, for the clean-up, which finds them by both indexes. */
export function isExpiredSession(now: Date): SQL {
  const before = (seconds: number) => now.getTime() - seconds * 1000;
  return sql`(${sessions.lastSeenAt} <= ${before(idleLifetimeSeconds)}
    OR ${sessions.createdAt} <= ${before(sessionLifetimeSeconds)})`;
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
