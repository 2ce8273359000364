import 'server-only';
import { and, eq } from 'drizzle-orm';
import { sessions } from '#db/schema/sessions.ts';
import type { ViewerContext } from './find-viewer.ts';
import { isLiveSession } from './live-sessions.ts';
import type { Session } from './schema.ts';

/** Where the viewer is signed in, the browser seen last first. */
export async function listSessions(ctx: ViewerContext): Promise<Session[]> {
  const { viewer } = ctx;
  const rows = await ctx.db
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      userAgent: sessions.userAgent,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, viewer.id), isLiveSession(ctx.now())));
  // Put in order here: an index that is would have to be written at every visit, and without one the database sorts anyway.
  rows.sort(
    (one, other) =>
      other.lastSeenAt.getTime() - one.lastSeenAt.getTime() || (one.id < other.id ? 1 : -1),
  );
  return rows.map((row) => ({
    id: row.id,
    created_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    user_agent: row.userAgent,
    is_current: row.id === viewer.session.id,
  }));
}
