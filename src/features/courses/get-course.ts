import 'server-only';
import { and, eq, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db, query } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { AppError } from '#lib/app-error.ts';
import { toJson } from '#lib/to-json.ts';
import { Course } from './schema.ts';

/**
 * One of the viewer's courses.
 *
 * @throws AppError `not_found` for a course that does not exist or is somebody else's
 */
export function getCourse(id: string) {
  return (_ctx: Context, userId: SQL) =>
    query(
      { rows: courseRows(userId, id) },
      ({ rows }) =>
        () =>
          courseOrThrow(rows),
    );
}

/** The query for a course and whether it is selected, as far as it is the owner's. */
export function courseRows(ownerId: string | SQL, id: string) {
  return db
    .select(courseColumns)
    .from(courses)
    .innerJoin(users, eq(users.id, courses.ownerId))
    .where(and(eq(courses.id, id), eq(courses.ownerId, ownerId)));
}

/** @throws AppError `not_found` where there is none */
export function courseOrThrow([row]: CourseRow[]): Course {
  if (row === undefined) {
    throw new AppError('not_found');
  }
  return toCourse(row);
}

/** What of a course's own row it is told from. */
export const ownColumns = {
  id: courses.id,
  name: courses.name,
  courseType: courses.courseType,
  createdAt: courses.createdAt,
  updatedAt: courses.updatedAt,
};

/** The same out of courses joined with their owner: which one is selected is read in the same statement. */
export const courseColumns = { ...ownColumns, selectedCourseId: users.selectedCourseId };

/** A course as the API tells it, with nothing else of its row. */
export function toCourse(row: CourseRow): Course {
  return toJson(Course, { ...row, isSelected: row.id === row.selectedCourseId });
}

type CourseRow = Pick<typeof courses.$inferSelect, keyof typeof ownColumns> & {
  selectedCourseId: string | null;
};
