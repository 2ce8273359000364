import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { type AnswerFrom, db, query } from '#db/query.ts';
import { inOrder, isShown } from '#db/shown-lessons.ts';
import { standings } from '#db/values.ts';
import { selectedBy } from '#features/courses/list-courses.ts';
import { findRunStandings, isUnwrittenStuck } from '#features/places/find-standings.ts';
import { dayMs } from '#lib/time/calendar.ts';

/** How the people of an open run get on. */
export type RunOverview = AnswerFrom<typeof findRunOverview>;

/** The open run of the course that a user has selected, whose owner they are; null if it has none. */
export const selectedRun = fragment(
  ({ userId }: Given<'userId'>) => sql`(SELECT r.id FROM cohorts r
    WHERE (r.owner_id, r.course_id) = (${selectedBy(userId)}) AND r.kind = 'open')`,
);

const listedPeople = 5;
const daysOfWeek = 7;

/**
 * How many people of one of the viewer's open runs stand in each way, what has happened in the last
 * seven days, and who is stuck, the one who was there last first. Nothing is counted but those whom
 * the clock has not come by.
 */
export function findRunOverview(run: string | SQL) {
  return (ctx: Context, ownerId: SQL) => {
    const now = ctx.now();
    const since = Math.floor(now.getTime() / dayMs) - daysOfWeek;
    return query(
      {
        people: findRunStandings(run)(ctx, ownerId),
        days: daysOf({ run, ownerId, since }),
        stuck: stuckOf({ run, ownerId, now }),
      },
      ({ people, days: [days], stuck }) => ({
        people,
        total: standings.reduce((sum, one) => sum + people[one], 0),
        week: { started: days?.started ?? 0, completed: days?.completed ?? 0 },
        stuck,
        /** Whether those who have stopped are reminded. */
        sendsNudges: days?.sendsNudges === 1,
      }),
    );
  };
}

type Days = { started: number; completed: number; sendsNudges: number | null };

const daysOf = prepared(({ run, ownerId, since }: Given<'run' | 'ownerId' | 'since'>) =>
  db.all<Days>(sql`SELECT coalesce(sum(d.started), 0) AS started,
      coalesce(sum(d.completed), 0) AS completed,
      (SELECT c.sends_nudges FROM cohorts c WHERE c.id = ${run} AND c.owner_id = ${ownerId})
        AS sendsNudges
    FROM run_days d WHERE d.cohort_id = ${run} AND d.day > ${since} AND d.owner_id = ${ownerId}`),
);

/** Someone who is stuck, and the first published lesson that they have not done. */
export type StuckPerson = {
  id: string;
  personId: string;
  name: string;
  done: number;
  of: number;
  seenAt: number;
  next: string | null;
};

/** Two ranges of an index: those whom the clock has found, and those whom it is yet to find. */
const stuckOf = prepared(({ run, ownerId, now }: Given<'run' | 'ownerId' | 'now'>) => {
  const some = (where: SQL) => sql`SELECT * FROM (SELECT g.enrollment_id, g.owner_id, g.done,
      g.last_seen_at
    FROM learning g WHERE g.cohort_id = ${run} AND g.owner_id = ${ownerId} AND ${where}
    ORDER BY g.quiet_at DESC LIMIT ${listedPeople})`;
  const published = sql`FROM cohorts c JOIN lessons l ON l.owner_id = c.owner_id
      AND l.course_id = c.course_id AND ${isShown}
    JOIN sections s ON s.id = l.section_id
    WHERE c.id = ${run}`;
  return db.all<StuckPerson>(sql`SELECT e.id, p.id AS personId, p.name, g.done,
      (SELECT count(*) ${published}) AS "of", g.last_seen_at AS seenAt,
      (SELECT l.published_title ${published} AND NOT EXISTS (SELECT 1 FROM lesson_marks m
          WHERE m.enrollment_id = e.id AND m.lesson_id = l.id AND m.done_at IS NOT NULL)
        ORDER BY ${inOrder} LIMIT 1) AS next
    FROM (${some(sql`g.standing = 'stuck'`)} UNION ALL ${some(isUnwrittenStuck(now))}) g
      JOIN enrollments e ON e.id = g.enrollment_id AND e.owner_id = g.owner_id
      JOIN people p ON p.id = e.person_id
    ORDER BY g.last_seen_at DESC LIMIT ${listedPeople}`);
});
