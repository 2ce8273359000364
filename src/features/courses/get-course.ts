import 'server-only';
import { and, eq, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, readLater } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { requireFound } from '#lib/app-error.ts';
import { toJson } from '#lib/to-json.ts';
import { Course } from './schema.ts';

/**
 * One of the viewer's courses.
 *
 * @throws AppError `not_found` for a course that does not exist or belongs to another user
 */
export function getCourse(id: string) {
  return (_ctx: Context, ownerId: SQL) =>
    readLater({ rows: courseRows({ ownerId, id }) }, ({ rows: [row] }) =>
      toCourse(requireFound(row)),
    );
}

/** The query for an owner's course and whether it is selected. */
export const courseRows = prepared(({ ownerId, id }: Given<'ownerId' | 'id'>) =>
  db
    .select(courseColumns)
    .from(courses)
    .innerJoin(users, eq(users.id, courses.ownerId))
    .where(and(eq(courses.id, id), eq(courses.ownerId, ownerId))),
);

/** The query for whether a course is an owner's. */
export const ownCourse = prepared(({ courseId, ownerId }: Given<'courseId' | 'ownerId'>) =>
  db
    .select({ id: courses.id })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.ownerId, ownerId))),
);

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
