import 'server-only';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { Course } from './schema.ts';

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

type CourseRow = Pick<typeof courses.$inferSelect, keyof typeof ownColumns> & {
  selectedCourseId: string | null;
};

/** A course as the API tells it: picked field by field, never a row as a whole. */
export function toCourse(row: CourseRow): Course {
  return {
    id: row.id,
    name: row.name,
    course_type: row.courseType,
    is_selected: row.id === row.selectedCourseId,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
