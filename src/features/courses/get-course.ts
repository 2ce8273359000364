import 'server-only';
import { and, eq, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { AppError } from '#lib/app-error.ts';
import { toJson } from '#lib/to-json.ts';
import { Course } from './schema.ts';

/**
 * One of the viewer's courses.
 *
 * @throws AppError `not_found` for a course that does not exist or belongs to another user
 */
export function getCourse(id: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      { rows: courseRows(ownerId, id) },
      ({ rows }) =>
        () =>
          courseOrThrow(rows),
    );
}

/** The query for an owner's course and whether it is selected. */
export function courseRows(ownerId: string | SQL, id: string) {
  return ownRow({ ownerId, id });
}

/** @throws AppError `not_found` without a row */
export function courseOrThrow([row]: CourseRow[]): Course {
  if (row === undefined) {
    throw new AppError('not_found');
  }
  return toCourse(row);
}

/** The columns of a course's own row that `toCourse` needs. */
export const ownColumns = {
  id: courses.id,
  name: courses.name,
  courseType: courses.courseType,
  createdAt: courses.createdAt,
  updatedAt: courses.updatedAt,
};

/** The same for courses joined with their owner, which has the selected course. */
export const courseColumns = { ...ownColumns, selectedCourseId: users.selectedCourseId };

/** A course as the API returns it, with nothing else of its row. */
export function toCourse(row: CourseRow): Course {
  return toJson(Course, { ...row, isSelected: row.id === row.selectedCourseId });
}

type CourseRow = Pick<typeof courses.$inferSelect, keyof typeof ownColumns> & {
  selectedCourseId: string | null;
};

const ownRow = prepared(({ ownerId, id }: Given<'ownerId' | 'id'>) =>
  db
    .select(courseColumns)
    .from(courses)
    .innerJoin(users, eq(users.id, courses.ownerId))
    .where(and(eq(courses.id, id), eq(courses.ownerId, ownerId))),
);
