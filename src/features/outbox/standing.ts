import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import type { LimitUse } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';
import { kindIn } from './kind-in.ts';

/** How well the emails of an instructor are received. */
export type Standing = { isProven: boolean; isPaused: boolean };

/** Reads the standing of the viewer. */
export function findStanding(_ctx: Context, ownerId: SQL) {
  return query(
    { rows: standingOf({ ownerId }) },
    ({ rows: [row] }): Standing => ({
      isProven: row?.isProven === 1,
      isPaused: row?.isPaused === 1,
    }),
  );
}

const standingOf = prepared(({ ownerId }: Given<'ownerId'>) =>
  db.all<{ isProven: 0 | 1; isPaused: 0 | 1 }>(
    sql`SELECT ${isProven(ownerId)} AS isProven, ${isPaused(ownerId)} AS isPaused`,
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

/** After this many accepted invitations, an instructor is trusted. */
const provenAfter = 10;
/** This many complaints about the last emails pause an instructor; a new one, the first. */
const mostComplaints = 3;
const lastEmails = 100;

/**
 * Whether so many different people have accepted an owner's invitations, by themselves, that they
 * may send more. Spellings of one mailbox are one person. The owner does not count, nor does
 * someone whose address was corrected after they accepted.
 */
export function isProven(ownerId: SQL | string): SQL<0 | 1> {
  return sql`((SELECT count(*) FROM (SELECT DISTINCT ${mailboxOf('g.email_canonical')} AS mailbox
    FROM enrollment_events v JOIN enrollments a ON a.id = v.enrollment_id
      JOIN people g ON g.id = a.person_id JOIN users h ON h.id = v.owner_id
    WHERE v.owner_id = ${ownerId} AND v.actor = 'person' AND v.from_status = 'invited'
      AND v.to_status IN ('enrolled', 'waitlisted') AND v.at >= coalesce(g.corrected_at, 0)
      AND ${mailboxOf('g.email_canonical')} <> ${mailboxOf('h.email_canonical')}
    LIMIT ${provenAfter}) AS mailboxes) >= ${provenAfter})`;
}

/** An address without what mail providers ignore in it: dots, and what follows a plus sign. */
function mailboxOf(address: string): SQL {
  const local = `substr(${address}, 1, instr(${address}, '@') - 1)`;
  return sql.raw(`(replace(substr(${local}, 1, instr(${local} || '+', '+') - 1), '.', '')
    || substr(${address}, instr(${address}, '@')))`);
}

/** How many of an owner's last emails to others were marked as spam. */
function complaintsAbout(ownerId: SQL | string): SQL<number> {
  const toOthers = sql`x.owner_id = ${ownerId} AND x.sent_at IS NOT NULL
    AND NOT ${kindIn('x', ({ reader }) => reader === 'instructor')}`;
  return sql`(SELECT count(x.complained_at) FROM mails_due x WHERE ${toOthers}
    AND x.sent_at >= coalesce((SELECT x.sent_at FROM mails_due x WHERE ${toOthers}
      ORDER BY x.sent_at DESC LIMIT 1 OFFSET ${lastEmails - 1}), 0))`;
}

/** Whether people mark so much of what an owner sends as spam that invitations pause. */
export function isPaused(ownerId: SQL | string): SQL<0 | 1> {
  // A CASE, because AND would evaluate both: hardly anyone has a complaint at all.
  return sql<0 | 1>`CASE WHEN EXISTS (SELECT 1 FROM mails_due f WHERE f.owner_id = ${ownerId}
      AND f.complained_at IS NOT NULL)
    THEN ${complaintsAbout(ownerId)} >=
      CASE WHEN ${isProven(ownerId)} THEN ${mostComplaints} ELSE 1 END
    ELSE 0 END`;
}
