import 'server-only';
import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query, type RowFrom } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { lessons, sections } from '#db/schema/lessons.ts';
import { isSelected } from '#features/courses/list-courses.ts';
import { type OutlineRow, outlineColumns, toOutlineLesson } from './find-lesson.ts';
import type { CourseContent } from './schema.ts';

/**
 * The content of one of the viewer's courses in its order; null if there is no such course.
 *
 * @param courseId in SQL, for a write that does not know it
 */
export function findContent(courseId: string | SQL) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      {
        outline: outlineOfCourse({ ownerId, courseId }),
        rows: lessonsOfCourse({ ownerId, courseId }),
        keys: linkKeysOf({ ownerId, courseId }),
      },
      ({ outline, rows, keys }) =>
        outline.length === 0
          ? null
          : {
              ...contentOf(outline, rows),
              link_keys: Object.fromEntries(keys.map(({ id, key }) => [id, key])),
            },
    );
}

/** The content of the course that the viewer has selected. */
export function findSelectedContent(_ctx: Context, _ownerId: SQL, userId: SQL) {
  return query(
    { outline: selectedOutline({ userId }), rows: selectedLessons({ userId }) },
    ({ outline, rows }) => contentOf(outline, rows),
  );
}

const outlineOfCourse = prepared(({ ownerId, courseId }: Given<'ownerId' | 'courseId'>) =>
  outlineWhere(isCourse(ownerId, courseId)),
);

const lessonsOfCourse = prepared(({ ownerId, courseId }: Given<'ownerId' | 'courseId'>) =>
  lessonsWhere(isCourse(ownerId, courseId)),
);

const linkKeysOf = prepared(({ ownerId, courseId }: Given<'ownerId' | 'courseId'>) =>
  db
    .select({ id: lessons.id, key: sql<string>`${lessons.linkKey}`.as('key') })
    .from(lessons)
    .where(
      and(eq(lessons.ownerId, ownerId), eq(lessons.courseId, courseId), isNotNull(lessons.linkKey)),
    ),
);

const selectedOutline = prepared(({ userId }: Given<'userId'>) => outlineWhere(isSelected(userId)));

const selectedLessons = prepared(({ userId }: Given<'userId'>) => lessonsWhere(isSelected(userId)));

function isCourse(ownerId: SQL, courseId: SQL): SQL | undefined {
  return and(eq(courses.ownerId, ownerId), eq(courses.id, courseId));
}

/** The sections of a course; one row with nulls if it has none. */
function outlineWhere(isOne: SQL | undefined) {
  return db
    .select({ id: sections.id, title: sections.title, releaseDays: sections.releaseDays })
    .from(courses)
    .leftJoin(
      sections,
      and(eq(sections.ownerId, courses.ownerId), eq(sections.courseId, courses.id)),
    )
    .where(isOne)
    .orderBy(asc(sections.position), asc(sections.id));
}

function lessonsWhere(isOne: SQL | undefined) {
  return db
    .select({ ...outlineColumns, position: lessons.position })
    .from(courses)
    .innerJoin(lessons, and(eq(lessons.ownerId, courses.ownerId), eq(lessons.courseId, courses.id)))
    .where(and(isOne, isNull(lessons.deletedAt)));
}

function contentOf(
  outline: RowFrom<typeof outlineOfCourse>[],
  rows: (OutlineRow & { position: number })[],
): Pick<CourseContent, 'sections'> {
  // Not in SQL, because no index has the lessons of all sections in this order.
  const all = rows.toSorted((one, other) => one.position - other.position).map(toOutlineLesson);
  return {
    sections: outline.flatMap(({ id, title, releaseDays }) =>
      id === null
        ? []
        : [
            {
              id,
              title,
              release_days: releaseDays,
              lessons: all.filter(({ section_id: section }) => section === id),
            },
          ],
    ),
  };
}
