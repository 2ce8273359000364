import { callApi } from '#client/call-api.ts';
import type { ListedCourse } from './course-choice.tsx';

/**
 * Asks for the courses with a text in their name; see list-choices.ts.
 *
 * @returns null if they could not be loaded
 */
export async function fetchChoices(
  search: string,
): Promise<{ courses: ListedCourse[]; isComplete: boolean } | null> {
  const query = search === '' ? '' : `?q=${encodeURIComponent(search)}`;
  const path = `/api/courses/choices/${query}` as '/api/courses/choices/';
  const result = await callApi(path, { method: 'GET' });
  if (!result.ok) {
    return null;
  }
  const { items, is_complete: isComplete } = result.data;
  const courses = items.map(({ id, name, about }) => ({ id, name, type: about }));
  return { courses, isComplete: isComplete && search === '' };
}
