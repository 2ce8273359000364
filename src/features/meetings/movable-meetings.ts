import 'server-only';
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { type AnswerFrom, db, query } from '#db/query.ts';
import { daysOff, meetings } from '#db/schema/meetings.ts';
import { announceIfNobody } from './announcements.ts';
import type { CohortMove } from './shift-meetings.ts';

/** What moving and copying a cohort need of its sessions; those that are canceled stay behind. */
export type MovableMeetings = AnswerFrom<typeof findMovableMeetings>;

/** The sessions of one of the viewer's cohorts that go with it, read at one moment. */
export function findMovableMeetings(cohortId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      {
        rows: db
          .select()
          .from(meetings)
          .where(
            and(
              eq(meetings.cohortId, cohortId),
              eq(meetings.ownerId, ownerId),
              isNull(meetings.cancelledAt),
            ),
          )
          .orderBy(asc(meetings.startsAt), asc(meetings.id)),
        daysOff: offRows({ ownerId, cohortId }),
        mark: markRow({ ownerId, cohortId }),
      },
      // The mark is another one after any change of a session, so that none moves unseen.
      ({ rows, daysOff: off, mark: [row] }) => ({ rows, daysOff: off, mark: row?.mark ?? '' }),
    );
}

/** The days off of one of an owner's cohorts. */
export const offRows = prepared(({ ownerId, cohortId }: Given<'ownerId' | 'cohortId'>) =>
  db
    .select({ on_date: daysOff.onDate, reason: daysOff.reason })
    .from(daysOff)
    .where(and(eq(daysOff.cohortId, cohortId), eq(daysOff.ownerId, ownerId)))
    .orderBy(asc(daysOff.onDate)),
);

/** The mark of one of an owner's cohorts. */
export const markRow = prepared(({ ownerId, cohortId }: Given<'ownerId' | 'cohortId'>) =>
  db.all<{ mark: string }>(sql`SELECT ${meetingsMark(cohortId)} AS mark FROM cohorts c
    WHERE c.id = ${cohortId} AND c.owner_id = ${ownerId}`),
);

/** How many sessions and days off a cohort has, and how often and when they have changed. */
export function meetingsMark(cohortId: SQL): SQL {
  return sql`(SELECT count(*) || '-' || coalesce(sum(sequence), 0) || '-'
    || coalesce(max(updated_at), 0) FROM meetings WHERE cohort_id = ${cohortId})
    || (SELECT '-' || count(*) || '-' || coalesce(max(created_at), 0)
    FROM days_off WHERE cohort_id = ${cohortId})`;
}

/** Raises the number of the sessions that meet where their cohort does, after that has changed. */
export function countPlaceChange({ cohortId, now, hasMoved }: CohortMove) {
  return query(
    {
      counted: db.run(sql`UPDATE meetings SET sequence = sequence + 1, updated_at = ${now.getTime()}
        FROM cohorts c WHERE c.id = ${cohortId} AND meetings.cohort_id = c.id
          AND meetings.place IS NULL AND meetings.cancelled_at IS NULL AND ${hasMoved}`),
      announced: announceIfNobody(cohortId, now),
    },
    () => null,
  );
}
