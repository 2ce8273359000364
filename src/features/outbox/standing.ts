import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { isPaused, isProven } from '#features/letters/bulk.ts';
import type { LimitUse } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';

/** How well the emails of an instructor are received. */
export type Standing = { isProven: boolean; isPaused: boolean };

/** Reads the standing of the viewer. */
export function findStanding(_ctx: Context, userId: SQL) {
  return query(
    { rows: standingOf({ userId }) },
    ({ rows: [row] }) =>
      (): Standing => ({ isProven: row?.isProven === 1, isPaused: row?.isPaused === 1 }),
  );
}

const standingOf = prepared(({ userId }: Given<'userId'>) =>
  db.all<{ isProven: 0 | 1; isPaused: 0 | 1 }>(
    sql`SELECT ${isProven(userId)} AS isProven, ${isPaused(userId)} AS isPaused`,
  ),
);

/** The limit of how many strangers an instructor emails, for one of them. */
export function invitationUse(
  { viewer }: ViewerContext,
  { isProven: isKnown }: Standing,
): LimitUse {
  const limit = isKnown ? 'proven_invitations_per_user' : 'invitations_per_user';
  return { limit, subject: viewer.id };
}

/** @throws AppError `invitations_paused` if too many people have called their emails spam */
export function refuseInvitationsIfPaused(standing: Standing): void {
  if (standing.isPaused) {
    throw new AppError('invitations_paused');
  }
}
