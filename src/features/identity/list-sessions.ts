import 'server-only';
import { and, eq, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { sessions } from '#db/schema/sessions.ts';
import { toJson } from '#lib/to-json.ts';
import type { Viewer } from './find-actor.ts';
import { isLiveSession } from './live-links-and-sessions.ts';
import { Session } from './schema.ts';

/** The viewer's sessions, the last active first. */
export function listSessions({ now }: Context, userId: SQL) {
  return query(
    { rows: liveRows({ userId, now: now() }) },
    ({ rows }) =>
      (viewer: Viewer): Session[] =>
        // Sorted here, because an index would have to be updated on every visit.
        rows
          .toSorted(
            (one, other) =>
              other.lastSeenAt.getTime() - one.lastSeenAt.getTime() || (one.id < other.id ? 1 : -1),
          )
          .map((row) => toJson(Session, { ...row, isCurrent: row.id === viewer.session.id })),
  );
}

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
