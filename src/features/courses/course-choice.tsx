'use client';

import { createContext, type ReactNode, useContext, useOptimistic, useTransition } from 'react';
import { callApi } from '#client/call-api.ts';
import { reportFailure } from '#client/failures.ts';
import { mayLoseChanges } from '#client/unsaved.ts';
import type { CourseHue } from '#db/values.ts';
import { apiPaths } from '#paths.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { CourseTile } from './course-tile.tsx';

/** A course as lists show it: `type` is a word in the reader's language, or some more. */
export type ListedCourse = { id: string; name: string; type: string; hue: CourseHue };

type Choice = {
  /** The first ones and the selected one. */
  courses: ListedCourse[];
  chosen: ListedCourse;
  isPending: boolean;
  /** Asks first if changes to the course would be lost. */
  choose: (course: ListedCourse) => Promise<void>;
};

const ChoiceContext = createContext<Choice | null>(null);

type CourseChoiceProps = {
  courses: ListedCourse[];
  selected: ListedCourse;
  children: ReactNode;
};

/** The courses for all islands of a page. A choice is shown at once, and reverted if it fails. */
export function CourseChoiceProvider({ courses, selected, children }: CourseChoiceProps) {
  const refresh = useRefresh();
  const [chosen, setChosen] = useOptimistic(selected);
  const [isPending, startTransition] = useTransition();

  async function choose(course: ListedCourse): Promise<void> {
    if (course.id === chosen.id || !(await mayLoseChanges('course'))) {
      return;
    }
    startTransition(async () => {
      setChosen(course);
      const result = await callApi(apiPaths.selectCourse(course.id));
      if (!result.ok) {
        reportFailure(result, () => void choose(course));
        // Before the page is read again, unless another was chosen meanwhile.
        startTransition(() => setChosen((shown) => (shown === course ? selected : shown)));
      }
      // Also after a failure: the course may be gone and the list outdated.
      if (result.ok || result.status === 404) {
        await refresh();
      }
    });
  }

  return <ChoiceContext value={{ courses, chosen, isPending, choose }}>{children}</ChoiceContext>;
}

export function useCourseChoice(): Choice {
  const choice = useContext(ChoiceContext);
  if (choice === null) {
    throw new Error('There is no CourseChoiceProvider around this island.');
  }
  return choice;
}

/** Chooses the course of what the page shows, where that is another one. */
export function ChooseButton({ course, children }: { course: ListedCourse; children: ReactNode }) {
  const { choose } = useCourseChoice();
  return (
    <button type="button" className="link noscript:hidden" onClick={() => choose(course)}>
      {children}
    </button>
  );
}

/** The chosen course in the header of a phone, where the sidebar is closed. */
export function ChosenCourse() {
  const { chosen } = useCourseChoice();
  return (
    <p
      className="phone min-w-0 flex-1 items-center gap-3 text-[0.9375rem]/5 font-semibold max-[767.98px]:flex"
      data-tip={chosen.name}
    >
      <CourseTile course={chosen} className="tile tile-small" />
      <span className="truncate">{chosen.name}</span>
    </p>
  );
}
