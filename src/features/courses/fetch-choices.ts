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
  const result = await callApi('/api/courses/choices/', {
    method: 'GET',
    ...(search !== '' && { query: { q: search } }),
  });
  if (!result.ok) {
    return null;
  }
  const { items, is_complete: isComplete } = result.data;
  const courses = items.map(({ id, name, about }) => ({ id, name, type: about }));
  return { courses, isComplete: isComplete && search === '' };
}
