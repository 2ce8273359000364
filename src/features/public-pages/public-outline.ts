import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { type Given, prepared } from '#db/prepared.ts';
import { db } from '#db/query.ts';
import { inOrder, isShown, shownIn } from '#db/shown-lessons.ts';
import { selectedBy } from '#features/courses/list-courses.ts';

/** What everyone may know of a lesson, if its course shows them: not its text. */
export type PublicLesson = {
  /** The id of its section, and the heading; null without one. */
  section: string;
  heading: string | null;
  title: string;
  /** The reading time as it was typed, and the words to estimate it by. */
  minutes: number | null;
  words: number;
};

/** The same with how many days after someone starts its section opens; null at once. */
export type ReleasedLesson = PublicLesson & { releaseDays: number | null };

/** The published lessons, in order, of the courses of the `cohorts` for which a condition holds. */
export const publicOutline = prepared(({ where }: Given<'where'>) =>
  lessonsOf(
    sql`cohorts JOIN courses k ON k.id = cohorts.course_id
    AND (k.shows_outline = 1 OR cohorts.kind = 'open')`,
    shownIn(sql`cohorts.id`),
    where,
  ),
);

/** The same of the course that a user has selected. */
export const outlineOfSelected = prepared(({ userId }: Given<'userId'>) =>
  lessonsOf(sql`courses k`, isShown, sql`(k.owner_id, k.id) = (${selectedBy(userId)})`),
);

function lessonsOf(coursesAsK: SQL, shown: SQL, where: SQL) {
  return db.all<ReleasedLesson>(sql`SELECT s.id AS section, s.title AS heading,
      s.release_days AS releaseDays, l.published_title AS title, l.minutes,
      l.published_words AS words
    FROM ${coursesAsK} JOIN lessons l ON l.owner_id = k.owner_id AND l.course_id = k.id
        AND ${shown}
      JOIN sections s ON s.owner_id = l.owner_id AND s.id = l.section_id
    WHERE ${where}
    ORDER BY ${inOrder}`);
}
