import 'server-only';
import type { courses } from '#db/schema/courses.ts';
import type { Course } from './schema.ts';

/** A course as the API tells it: picked field by field, never a row as a whole. */
export function courseOf(
  row: Omit<typeof courses.$inferSelect, 'ownerId' | 'idempotencyKey'>,
  selectedCourseId: string | null,
): Course {
  return {
    id: row.id,
    name: row.name,
    course_type: row.courseType,
    is_selected: row.id === selectedCourseId,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
