import 'server-only';
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { type AnswerFrom, db, query, type RowFrom } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { lessons, sections } from '#db/schema/lessons.ts';
import { requireFound } from '#lib/app-error.ts';
import { pick, toJson } from '#lib/to-json.ts';
import { readingMinutes } from './reading-minutes.ts';
import { Lesson, OutlineLesson } from './schema.ts';

/** What an outline shows of a lesson: not its text, which may be long. */
export const outlineColumns = {
  ...pick(lessons, ['id', 'sectionId', 'title', 'minutes', 'words', 'draftVersion']),
  ...pick(lessons, ['publishedVersion', 'publishedAt']),
  savedAt: lessons.draftAt,
};

type OutlineRow = Pick<
  typeof lessons.$inferSelect,
  Exclude<keyof typeof outlineColumns, 'savedAt'>
> & { savedAt: Date };

/** A lesson with the names of where it is. */
export type OwnLesson = AnswerFrom<typeof findLesson>;

/** One of the viewer's lessons; null if there is none, or if it is in the trash. */
export function findLesson(id: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query({ rows: lessonRows({ ownerId, id }) }, ({ rows: [row] }) =>
      row === undefined
        ? null
        : { ...toLesson(row), sectionTitle: row.sectionTitle, courseName: row.courseName },
    );
}

/**
 * The same for the API.
 *
 * @throws AppError `not_found` without one
 */
export function getLesson(id: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query({ rows: lessonRows({ ownerId, id }) }, ({ rows: [row] }) => toLesson(requireFound(row)));
}

/** The query for a lesson that is not in the trash. */
export const lessonRows = prepared(({ ownerId, id }: Given<'ownerId' | 'id'>) =>
  lessonsWhere(and(eq(lessons.ownerId, ownerId), eq(lessons.id, id), isNull(lessons.deletedAt))),
);

/** Lessons with all that the API returns of one. */
export function lessonsWhere(where: SQL | undefined) {
  return db
    .select({
      ...outlineColumns,
      courseId: lessons.courseId,
      document: lessons.document,
      versions: sql<number>`(SELECT count(*) FROM lesson_versions v
        WHERE v.owner_id = lessons.owner_id AND v.lesson_id = lessons.id)`.as('versions'),
      sectionTitle: sections.title,
      courseName: courses.name,
      createdAt: lessons.createdAt,
      updatedAt: lessons.updatedAt,
    })
    .from(lessons)
    .innerJoin(sections, eq(sections.id, lessons.sectionId))
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .where(where);
}

/** A lesson of an outline as the API returns it. */
export function toOutlineLesson(row: OutlineRow): OutlineLesson {
  return toJson(OutlineLesson, { ...row, ...derived(row) });
}

/** A lesson as the API returns it. */
export function toLesson(row: RowFrom<typeof lessonRows>): Lesson {
  return toJson(Lesson, { ...row, ...derived(row), document: JSON.parse(row.document) });
}

function derived({ minutes, words, publishedAt, publishedVersion, draftVersion }: OutlineRow) {
  const isChanged = publishedVersion !== draftVersion;
  return {
    state: publishedAt === null ? 'draft' : isChanged ? 'changed' : 'published',
    readingMinutes: readingMinutes({ minutes, words }),
  } as const;
}
