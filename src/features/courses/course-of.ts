import 'server-only';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import type { Course } from './schema.ts';

/** What a course is told from, out of courses joined with their owner: which one is selected is read in the same statement. */
export const courseColumns = {
  id: courses.id,
  name: courses.name,
  courseType: courses.courseType,
  createdAt: courses.createdAt,
  updatedAt: courses.updatedAt,
  selectedCourseId: users.selectedCourseId,
};

type CourseRow = Pick<
  typeof courses.$inferSelect,
  'id' | 'name' | 'courseType' | 'createdAt' | 'updatedAt'
> & { selectedCourseId: string | null };

/** A course as the API tells it: picked field by field, never a row as a whole. */
export function courseOf(row: CourseRow): Course {
  return {
    id: row.id,
    name: row.name,
    course_type: row.courseType,
    is_selected: row.id === row.selectedCourseId,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
