import 'server-only';
import { and, eq, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, type RowFrom } from '#db/query.ts';
import { sessions } from '#db/schema/sessions.ts';
import { toJson } from '#lib/to-json.ts';
import type { Viewer } from './find-actor.ts';
import { isLiveSession } from './live-links-and-sessions.ts';
import { Session } from './schema.ts';

/** The rows of the viewer's sessions. */
export function findSessions({ now }: Context, userId: SQL) {
  return liveRows({ userId, now: now() });
}

/** Sessions as JSON, the last active first. */
export function toSessions(rows: SessionRow[], viewer: Viewer): Session[] {
  // Sorted here, because an index would have to be updated on every visit.
  return rows
    .toSorted(
      (one, other) =>
        other.lastSeenAt.getTime() - one.lastSeenAt.getTime() || (one.id < other.id ? 1 : -1),
    )
    .map((row) => toJson(Session, { ...row, isCurrent: row.id === viewer.session.id }));
}

type SessionRow = RowFrom<typeof liveRows>;

const liveRows = prepared(({ userId, now }: Given<'userId' | 'now'>) =>
  db
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      userAgent: sessions.userAgent,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isLiveSession(now))),
);
