import 'server-only';
import { and, eq, ne, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { ask, db, type RowFrom } from '#db/query.ts';
import { links, sessions } from '#db/schema/sign-in.ts';
import { AppError } from '#lib/app-error.ts';
import { pick, toJson } from '#lib/to-json.ts';
import { hashToken } from '#lib/tokens.ts';
import type { Viewer, ViewerContext } from './find-actor.ts';
import { forgetSignIns, originsOf } from './known-sign-ins.ts';
import { endChange, isLiveSession } from './live-links-and-sessions.ts';
import { Session } from './schema.ts';

/** The rows of the viewer's sessions. */
export function findSessions({ now }: Context, userId: SQL) {
  return liveRows({ userId, now: now() });
}

/** Sessions as JSON, the last active first. */
export function toSessions(rows: RowFrom<typeof liveRows>[], viewer: Viewer): Session[] {
  // Sorted here, because an index would have to be updated on every visit.
  return rows
    .toSorted(
      (one, other) =>
        other.lastSeenAt.getTime() - one.lastSeenAt.getTime() || (one.id < other.id ? 1 : -1),
    )
    .map((row) => toJson(Session, { ...row, isCurrent: row.id === viewer.session.id }));
}

const shownColumns = pick(sessions, ['id', 'createdAt', 'lastSeenAt', 'userAgent']);

const liveRows = prepared(({ userId, now }: Given<'userId' | 'now'>) =>
  db
    .select(shownColumns)
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isLiveSession(now))),
);

/**
 * Ends sessions of the viewer, and with each the address change that it requested. `others` is for
 * users who see a session they don't recognize: it also cancels a change requested by this session,
 * and forgets all other known browsers and networks.
 *
 * @param which a session's id, `current` for this request's session, or `others` for all others
 * @param deviceToken the browser's device cookie; null without one
 * @returns whether this request's session was ended
 * @throws AppError `not_found` for an id that is not of the viewer's sessions; never for `others`
 */
export async function endSessions(ctx: ViewerContext, which: string, deviceToken: string | null) {
  const currentId = ctx.viewer.session.id;
  const isChosen =
    which === 'others'
      ? ne(sessions.id, currentId)
      : eq(sessions.id, which === 'current' ? currentId : which);
  const { ended } = await ask(ctx, {
    ended: db
      .delete(sessions)
      .where(and(eq(sessions.userId, ctx.viewer.id), isChosen))
      .returning({ id: sessions.id }),
    ...(which === 'others' && {
      change: endChange(eq(links.userId, ctx.viewer.id)),
      signIns: forgetSignIns(ctx.viewer.id, await originsOf(ctx, deviceToken)),
    }),
  });
  if (ended.length === 0 && which !== 'others') {
    throw new AppError('not_found');
  }
  ctx.observe.log('sessions_ended', { userId: ctx.viewer.id, count: ended.length });
  return ended.some(({ id }) => id === currentId);
}

/** Ends the session of this token, if any, and with it the address change that it requested. */
export async function logOut(ctx: Context, token: string): Promise<void> {
  const tokenHash = await hashToken(token);
  const { ended } = await ask(ctx, {
    ended: db
      .delete(sessions)
      .where(eq(sessions.tokenHash, tokenHash))
      .returning({ userId: sessions.userId }),
  });
  if (ended[0] !== undefined) {
    ctx.observe.log('logged_out', ended[0]);
  }
}
