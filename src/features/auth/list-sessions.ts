import 'server-only';
import { and, eq } from 'drizzle-orm';
import { sessions } from '#db/schema/sessions.ts';
import { isLiveSession } from './live-sessions.ts';
import { ownRead } from './own-read.ts';
import type { Session } from './schema.ts';

/** Where the viewer is signed in, the browser seen last first. */
export const listSessions = ownRead(
  ({ db, now }, userId) =>
    db
      .select({
        id: sessions.id,
        createdAt: sessions.createdAt,
        lastSeenAt: sessions.lastSeenAt,
        userAgent: sessions.userAgent,
      })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isLiveSession(now()))),
  (rows, viewer): Session[] =>
    // Put in order here: an index that is would have to be written at every visit, and without one the database sorts anyway.
    rows
      .toSorted(
        (one, other) =>
          other.lastSeenAt.getTime() - one.lastSeenAt.getTime() || (one.id < other.id ? 1 : -1),
      )
      .map((row) => ({
        id: row.id,
        created_at: row.createdAt.toISOString(),
        last_seen_at: row.lastSeenAt.toISOString(),
        user_agent: row.userAgent,
        is_current: row.id === viewer.session.id,
      })),
);
