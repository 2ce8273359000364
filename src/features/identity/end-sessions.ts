import 'server-only';
import { and, eq, ne } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { AppError } from '#lib/app-error.ts';
import { hashToken } from '#lib/tokens.ts';
import type { ViewerContext } from './find-actor.ts';
import { forgetSignIns, originsOf } from './known-sign-ins.ts';
import { endChange } from './live-links-and-sessions.ts';

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
