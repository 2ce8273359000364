'use client';

import { createContext, type ReactNode, useContext, useOptimistic, useTransition } from 'react';
import { callApi } from '#client/call-api.ts';
import { reportFailure } from '#client/failures.ts';
import { mayLoseChanges } from '#client/may-lose-changes.ts';
import { apiPaths } from '#paths.ts';
import { useRefresh } from '#router/use-load-page.ts';

/** A course as lists show it: `type` is a word in the reader's language. */
export type ListedCourse = { id: string; name: string; type: string };

type Choice = {
  courses: ListedCourse[];
  chosen: ListedCourse;
  isPending: boolean;
  /** Asks first if changes to the course would be lost. */
  choose: (id: string) => Promise<void>;
};

const ChoiceContext = createContext<Choice | null>(null);

type CourseChoiceProps = { courses: ListedCourse[]; selectedId: string; children: ReactNode };

/** The courses for all islands of a page. A choice is shown at once, and reverted if it fails. */
export function CourseChoice({ courses, selectedId, children }: CourseChoiceProps) {
  const refresh = useRefresh();
  const [chosenId, setChosenId] = useOptimistic(selectedId);
  const [isPending, startTransition] = useTransition();

  async function choose(id: string): Promise<void> {
    if (id === chosenId || !(await mayLoseChanges('course'))) {
      return;
    }
    startTransition(async () => {
      setChosenId(id);
      const result = await callApi(apiPaths.selectCourse(id));
      if (!result.ok) {
        reportFailure(result, () => void choose(id));
      }
      // Also after a failure: the course may be gone and the list outdated.
      if (result.ok || result.status === 404) {
        await refresh();
      }
    });
  }

  const withId = (wanted: string) => courses.find(({ id }) => id === wanted);
  // The chosen one may have been deleted elsewhere.
  const chosen = withId(chosenId) ?? withId(selectedId);
  if (chosen === undefined) {
    throw new Error('The selected course is not in the list.');
  }
  return <ChoiceContext value={{ courses, chosen, isPending, choose }}>{children}</ChoiceContext>;
}

export function useCourseChoice(): Choice {
  const choice = useContext(ChoiceContext);
  if (choice === null) {
    throw new Error('There is no CourseChoice around this island.');
  }
  return choice;
}
