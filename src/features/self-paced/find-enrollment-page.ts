import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { type AnswerFrom, db, query } from '#db/query.ts';
import { isShown } from '#db/shown-lessons.ts';
import { isSelected } from '#features/courses/list-courses.ts';
import { readingMinutes } from '#features/lessons/reading-minutes.ts';
import { findOwnCohort } from '#features/planning/own-cohorts.ts';
import { findActivity } from '#features/roster/find-roster.ts';
import { findRunOverview, selectedRun } from './find-run-overview.ts';

/** What the Enrollment page of the selected course shows. */
export function findEnrollmentPage(ctx: Context, ownerId: SQL, userId: SQL) {
  const run = selectedRun({ userId });
  return query(
    {
      run: findOwnCohort(run)(ctx, ownerId),
      overview: findRunOverview(run)(ctx, ownerId),
      activity: findActivity(run)(ctx, ownerId),
      lessons: findPublishedLessons(ctx, ownerId, userId),
    },
    (answers) => answers,
  );
}

/** The published lessons of an evergreen course: how many there are, and how long they take. */
export type PublishedLessons = AnswerFrom<() => typeof findPublishedLessons>;

/** Those of the selected course; none of one that is taught in cohorts. */
export function findPublishedLessons(_ctx: Context, _ownerId: SQL, userId: SQL) {
  return query({ lessons: lessonsOfSelected({ userId }) }, ({ lessons }) => ({
    count: lessons.length,
    minutes: lessons.reduce((sum, lesson) => sum + readingMinutes(lesson), 0),
  }));
}

const lessonsOfSelected = prepared(({ userId }: Given<'userId'>) =>
  db.all<{ minutes: number | null; words: number }>(sql`SELECT l.minutes, l.published_words AS words
    FROM courses JOIN lessons l ON l.owner_id = courses.owner_id AND l.course_id = courses.id
      AND ${isShown}
    WHERE ${isSelected(userId)} AND courses.course_type = 'evergreen'`),
);
