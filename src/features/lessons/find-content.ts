import 'server-only';
import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { db, query, type RowFrom } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { lessons, sections } from '#db/schema/lessons.ts';
import { isSelected } from '#features/courses/list-courses.ts';
import { pick, toJson } from '#lib/to-json.ts';
import { outlineColumns, toOutlineLesson } from './find-lesson.ts';
import { type CourseContent, OutlineSection } from './schema.ts';

/**
 * The content of one of the viewer's courses in its order; null if there is no such course.
 *
 * @param courseId in SQL, for a write that does not know it
 */
export function findContent(courseId: string | SQL) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      {
        rows: contentRows({ where: isCourse({ ownerId, courseId }) }),
        keys: linkKeyRows({ where: isCourse({ ownerId, courseId }) }),
      },
      ({ rows, keys }) =>
        rows.length === 0
          ? null
          : {
              ...contentOf(rows),
              link_keys: Object.fromEntries(keys.map(({ id, key }) => [id, key])),
            },
    );
}

/** The content of the course that the viewer has selected. */
export function findSelectedContent(_ctx: Context, _ownerId: SQL, userId: SQL) {
  return query({ rows: contentRows({ where: ofSelected({ userId }) }) }, ({ rows }) =>
    contentOf(rows),
  );
}

const isCourse = fragment(
  ({ ownerId, courseId }: Given<'ownerId' | 'courseId'>) =>
    sql`${courses.ownerId} = ${ownerId} AND ${courses.id} = ${courseId}`,
);

/** Whether it is the course that a user has selected. */
export const ofSelected = fragment(({ userId }: Given<'userId'>) => isSelected(userId));

/** The sections of a course. */
export const isOfCourse = and(
  eq(sections.ownerId, courses.ownerId),
  eq(sections.courseId, courses.id),
);

/** The lessons of a section that are not in the trash. */
export const isInSection = and(
  eq(lessons.ownerId, sections.ownerId),
  eq(lessons.sectionId, sections.id),
  isNull(lessons.deletedAt),
);

/** What links call the lessons of a course that they do not call by their ids. */
export const linkKeyRows = prepared(({ where }: Given<'where'>) =>
  db
    .select({ id: lessons.id, key: sql<string>`${lessons.linkKey}`.as('key') })
    .from(courses)
    .innerJoin(
      lessons,
      and(
        eq(lessons.ownerId, courses.ownerId),
        eq(lessons.courseId, courses.id),
        isNotNull(lessons.linkKey),
        isNull(lessons.deletedAt),
      ),
    )
    .where(where),
);

/** The order of both, which an index has. */
export const inOutlineOrder = [
  asc(sections.position),
  asc(sections.id),
  asc(lessons.position),
  asc(lessons.id),
];

/** A course without sections and a section without lessons have one row, with null. */
const contentRows = prepared(({ where }: Given<'where'>) =>
  db
    .select({ section: pick(sections, ['id', 'title', 'releaseDays']), lesson: outlineColumns })
    .from(courses)
    .leftJoin(sections, isOfCourse)
    .leftJoin(lessons, isInSection)
    .where(where)
    .orderBy(...inOutlineOrder),
);

function contentOf(rows: RowFrom<typeof contentRows>[]): Pick<CourseContent, 'sections'> {
  const bySection = Map.groupBy(rows, ({ section }) => section?.id);
  return {
    sections: [...bySection.values()].flatMap((all) => {
      const section = all[0]?.section;
      const shown = all.flatMap(({ lesson }) => (lesson === null ? [] : toOutlineLesson(lesson)));
      return section ? toJson(OutlineSection, { ...section, lessons: shown }) : [];
    }),
  };
}
