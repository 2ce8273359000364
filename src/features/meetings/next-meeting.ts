import 'server-only';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, type Moment, millisecondsOf, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { longestMs } from './meeting-state.ts';
import type { PublicMeeting } from './public-meetings.ts';

/** The session that runs or comes next, as its cohort shows it. */
export type NextMeeting = Pick<
  PublicMeeting,
  'title' | 'startsLocal' | 'startsAt' | 'durationMinutes'
> & { joinUrl: string | null };

/** What cohorts show of their sessions, as columns of a query for `cohorts`. */
export function nextMeetingColumn(now: Moment) {
  const at = millisecondsOf(now);
  const nextMeeting = sql<NextMeeting | null>`(SELECT json_object('title', m.title,
      'startsLocal', m.starts_local, 'startsAt', m.starts_at,
      'durationMinutes', m.duration_minutes, 'joinUrl', m.join_url)
    FROM meetings m WHERE m.cohort_id = cohorts.id AND m.cancelled_at IS NULL
      AND m.starts_at > ${at} - ${longestMs} AND m.starts_at + m.duration_minutes * 60000 > ${at}
    ORDER BY m.starts_at, m.id LIMIT 1)`.mapWith({
    // JSON of the statement above.
    mapFromDriverValue: (text: string) => JSON.parse(text) as NextMeeting | null,
  });
  return { nextMeeting: nextMeeting.as('next_meeting') };
}

/** How many sessions take place. */
export const meetingCount = sql<number>`(SELECT count(*) FROM meetings m
  WHERE m.cohort_id = cohorts.id AND m.cancelled_at IS NULL)`.as('meeting_count');

/** How many have yet to begin. */
export function comingCount(now: Moment) {
  return sql<number>`(SELECT count(*) FROM meetings m WHERE m.cohort_id = cohorts.id
    AND m.cancelled_at IS NULL AND m.starts_at > ${millisecondsOf(now)})`.as('coming_count');
}

/** Whether there are some, each with a place or a meeting link of its own. */
export const areAllPlaced = sql`coalesce((SELECT min(coalesce(m.place, m.join_url) IS NOT NULL)
  FROM meetings m WHERE m.cohort_id = cohorts.id AND m.cancelled_at IS NULL), 0)`
  .mapWith(Boolean)
  .as('are_all_placed');

/** Whether another cohort of its course at the same place has a meeting link, and this one none. */
export const lacksMeetingLink =
  sql`(cohorts.join_url IS NULL AND EXISTS (SELECT 1 FROM cohorts other
  WHERE other.owner_id = cohorts.owner_id AND other.course_id = cohorts.course_id
    AND other.kind = 'dated' AND other.deleted_at IS NULL
    AND other.place IS cohorts.place AND other.join_url IS NOT NULL))`
    .mapWith(Boolean)
    .as('lacks_link');

/** That of one of the viewer's cohorts. */
export function findNextMeeting(cohortId: string) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      { rows: nextRow({ ownerId, cohortId, now: ctx.now() }) },
      ({ rows: [row] }) => row?.nextMeeting ?? null,
    );
}

const nextRow = prepared(({ ownerId, cohortId, now }: Given<'ownerId' | 'cohortId' | 'now'>) =>
  db
    .select(nextMeetingColumn(now))
    .from(cohorts)
    .where(and(eq(cohorts.id, cohortId), eq(cohorts.ownerId, ownerId))),
);
