import { useRef, useState } from 'react';
import { callApi } from '#client/call-api.ts';
import { type ListedCourse, useCourseChoice } from './course-choice.tsx';

type Fetched = {
  /** The courses of the page that these complete. */
  of: ListedCourse[];
  state: 'loading' | 'loaded' | 'failed';
  courses: ListedCourse[];
  isComplete: boolean;
};

/** All courses of the user, each time a page is new; see list-choices.ts. */
export function useAllCourses() {
  const { courses } = useCourseChoice();
  const [fetched, setFetched] = useState<Fetched | null>(null);
  const last = useRef(0);
  const present = fetched?.of === courses ? fetched : null;
  const state = present?.state ?? 'idle';

  async function request(search = ''): Promise<void> {
    last.current += 1;
    const mine = last.current;
    const before = present ?? { of: courses, courses, isComplete: true };
    setFetched({ ...before, state: 'loading' });
    const choices = await fetchChoices(search);
    // Otherwise a newer request is on its way.
    if (mine === last.current) {
      setFetched(
        choices === null
          ? { ...before, state: 'failed' }
          : { of: courses, state: 'loaded', ...choices },
      );
    }
  }

  return {
    /** Those of the page until the others are there. */
    courses: present?.courses ?? courses,
    state,
    load: () => {
      if (state === 'idle' || state === 'failed') {
        void request();
      }
    },
    /** Asks the server for a name, if there are too many courses to have all. */
    look: (search: string) => {
      if (present?.isComplete === false) {
        void request(search.trim());
      }
    },
  };
}

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
  const courses = items.map(({ id, name, hue, note }) => ({ id, name, hue, type: note }));
  return { courses, isComplete: isComplete && search === '' };
}
