import 'server-only';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { type AnswerFrom, db, query } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { lessons } from '#db/schema/lessons.ts';
import { isHiddenIn } from '#db/shown-lessons.ts';
import { hueOfCourse } from '#features/courses/list-courses.ts';
import { filesOfLesson } from '#features/files/find-files.ts';
import { pick, toJson } from '#lib/to-json.ts';
import { goneFrom, kindOf, readersIn } from './gone-readers.ts';
import { LessonVersion } from './schema.ts';
import { findVersion, listedRows, newestVersions } from './versions.ts';

/** What the page of a lesson shows beside its text. */
export type LessonFacts = AnswerFrom<typeof findLessonFacts>;

/** How many versions stand beside the text; one more is read, to see whether it is the first. */
export const shownVersions = 3;

/** What is known about one of the viewer's lessons; null if there is none. */
export function findLessonFacts(id: string) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        course: courseRow({ ownerId, id }),
        readers: readersRow({ ownerId, id, now: ctx.now() }),
        reading: readingRow({ ownerId, id, now: ctx.now() }),
        versions: lastVersions({ ownerId, id }),
        files: filesOfLesson({ ownerId, lessonId: id }),
      },
      ({ course: [course], readers: [readers], reading: [reading], versions, files }) =>
        course === undefined
          ? null
          : {
              course: { ...course, hue: hueOfCourse(course) },
              /** Those of the cohort that runs now or ran last; null before there is one. */
              readers: readers ?? null,
              /** How many cohorts with dates run in which someone has opened it. */
              cohorts: reading?.cohorts ?? 0,
              /** Whether anyone has ever opened it. */
              isOpened: (reading?.opened ?? 0) > 0,
              versions: versions.map((row) => toJson(LessonVersion, row)),
              files,
            },
    );
}

const courseColumns = pick(courses, ['id', 'name', 'courseType', 'hue']);

const courseRow = prepared(({ ownerId, id }: Given<'ownerId' | 'id'>) =>
  db
    .select(courseColumns)
    .from(lessons)
    .innerJoin(courses, and(eq(courses.ownerId, lessons.ownerId), eq(courses.id, lessons.courseId)))
    .where(and(eq(lessons.ownerId, ownerId), eq(lessons.id, id))),
);

/** The cohorts of the lesson's course that people can read it in. */
function cohortsOf(ownerId: SQL, id: SQL): SQL {
  return sql`lessons l JOIN courses k ON k.owner_id = l.owner_id AND k.id = l.course_id
    JOIN cohorts c ON c.owner_id = l.owner_id AND c.course_id = l.course_id
      AND c.deleted_at IS NULL AND c.published_at IS NOT NULL AND NOT ${isHiddenIn(sql`c.id`)}
    LEFT JOIN lesson_counts n ON n.cohort_id = c.id AND n.lesson_id = l.id
    WHERE l.owner_id = ${ownerId} AND l.id = ${id}`;
}

const readersRow = prepared(({ ownerId, id, now }: Given<'ownerId' | 'id' | 'now'>) =>
  db.all<{ people: number; gone: number; opened: number; done: number }>(
    sql`SELECT coalesce(n.opened, 0) AS opened, coalesce(n.done, 0) AS done,
        ${readersIn(sql`c.id`, sql`c.kind`)} AS people,
        ${goneFrom(sql`c.id`, sql`c.kind`)} AS gone
      FROM ${cohortsOf(ownerId, id)} AND c.starts_at <= ${now}
        AND c.kind = ${kindOf(sql`k.course_type`)}
      ORDER BY c.starts_at DESC LIMIT 1`,
  ),
);

const readingRow = prepared(({ ownerId, id, now }: Given<'ownerId' | 'id' | 'now'>) =>
  db.all<{ cohorts: number; opened: number }>(
    sql`SELECT coalesce(sum(n.opened), 0) AS opened,
        count(CASE WHEN c.kind = 'dated' AND c.archived_at IS NULL AND c.starts_at <= ${now}
          AND c.ends_at > ${now} AND n.opened > 0 AND EXISTS (SELECT 1 FROM enrollments e
            WHERE e.cohort_id = c.id AND e.status = 'enrolled') THEN 1 END) AS cohorts
      FROM ${cohortsOf(ownerId, id)}`,
  ),
);

const lastVersions = prepared(({ ownerId, id }: Given<'ownerId' | 'id'>) =>
  newestVersions(ownerId, id, shownVersions + 1),
);

/** What one of the viewer's lessons was before, and one of it to read. */
export type LessonVersions = AnswerFrom<typeof findLessonVersions>;

/**
 * All versions of one of the viewer's lessons, the newest first, and one with its text; null if
 * there is none.
 *
 * @param chosen by its id; null: the newest
 */
export function findLessonVersions(id: string, chosen: number | null) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        list: listedRows({ ownerId, lessonId: id }),
        shown: findVersion(id, chosen)(ctx, ownerId),
        files: filesOfLesson({ ownerId, lessonId: id }),
      },
      ({ list, ...others }) => ({
        ...others,
        list: list.map((row) => toJson(LessonVersion, row)),
      }),
    );
}
