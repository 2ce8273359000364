import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { inOrder, shownIn } from '#db/shown-lessons.ts';
import { cohortRows } from '#features/cohorts/get-cohort.ts';
import { findStandings, ofKind } from '#features/places/find-standings.ts';
import { requireFound } from '#lib/app-error.ts';
import type { CohortLearning } from './schema.ts';

/**
 * How far the people of one of the viewer's cohorts are.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
export function findCohortLearning(cohortId: string) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        cohort: cohortRows(ctx, ownerId, cohortId),
        lessons: lessonCountsOf({ ownerId, cohortId }),
        people: peopleOf({ dated: ofKind({ kind: 'dated', cohortId, ownerId }) }),
        standings: findStandings(cohortId)(ctx, ownerId),
      },
      ({ cohort, lessons, people: [people], standings }): CohortLearning => {
        const { kind } = requireFound(cohort[0]);
        const { stuck = 0, completed = 0, under_way: underWay = 0 } = standings ?? {};
        return {
          lessons,
          people:
            kind === 'open'
              ? { started: stuck + completed + underWay, completed, stuck }
              : { started: 0, completed: 0, ...people, stuck },
        };
      },
    );
}

type Value = 'ownerId' | 'cohortId';

/** The lessons that a cohort sees, in their order. No mark is read. */
const lessonCountsOf = prepared(({ ownerId, cohortId }: Given<Value>) =>
  db.all<CohortLearning['lessons'][number]>(sql`SELECT l.id, coalesce(n.opened, 0) AS opened,
      coalesce(n.done, 0) AS done
    FROM cohorts c
      JOIN lessons l ON l.owner_id = c.owner_id AND l.course_id = c.course_id
        AND ${shownIn(sql`c.id`)}
      JOIN sections s ON s.id = l.section_id
      LEFT JOIN lesson_counts n ON n.cohort_id = c.id AND n.lesson_id = l.id
    WHERE c.id = ${cohortId} AND c.owner_id = ${ownerId}
    ORDER BY ${inOrder}`),
);

const peopleOf = prepared(({ dated }: Given<'dated'>) =>
  db.all<Omit<CohortLearning['people'], 'stuck'>>(sql`SELECT
      coalesce(sum(g.last_seen_at IS NOT NULL), 0) AS started,
      coalesce(sum(e.completed_at IS NOT NULL), 0) AS completed
    FROM enrollments e JOIN learning g ON g.enrollment_id = e.id
    WHERE e.cohort_id = ${dated} AND e.status = 'enrolled'`),
);

/** A lesson that someone could open, and when they first did and have done it. */
export type LearnedLesson = {
  id: string;
  title: string;
  openedAt: number | null;
  doneAt: number | null;
};

/** The lessons of someone's cohort, for its owner; none for those never enrolled. */
export function findLearnedLessons(enrollmentId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query({ lessons: learnedLessons({ ownerId, enrollmentId }) }, ({ lessons }) => lessons);
}

const learnedLessons = prepared(({ ownerId, enrollmentId }: Given<'ownerId' | 'enrollmentId'>) =>
  db.all<LearnedLesson>(sql`SELECT l.id, l.published_title AS title, m.opened_at AS openedAt,
      m.done_at AS doneAt
    FROM learning g
      JOIN cohorts c ON c.id = g.cohort_id
      JOIN lessons l ON l.owner_id = c.owner_id AND l.course_id = c.course_id
        AND ${shownIn(sql`c.id`)}
      JOIN sections s ON s.id = l.section_id
      LEFT JOIN lesson_marks m ON m.enrollment_id = g.enrollment_id AND m.lesson_id = l.id
    WHERE g.enrollment_id = ${enrollmentId} AND g.owner_id = ${ownerId}
    ORDER BY ${inOrder}`),
);
