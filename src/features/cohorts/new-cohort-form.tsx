'use client';

import type { ReactNode } from 'react';
import { ApiForm } from '#client/api-form.tsx';
import { checkBySchema } from '#client/check-by-schema.ts';
import { tellTabs } from '#client/tabs.ts';
import { giveUpChanges } from '#client/unsaved.ts';
import type { FormMessages } from '#i18n/validation.ts';
import { paths } from '#paths.ts';
import { keepToast } from '#ui/kept-toast.tsx';
import { cohortPaths } from './cohort-paths.ts';
import { inputOf, refusals } from './form-values.ts';
import type { CohortInput } from './schema.ts';

const check = checkBySchema(() => import('./schema.ts').then(({ CohortInput }) => CohortInput));

type NewCohortFormProps = {
  courseId: string;
  messages: FormMessages;
  created: string;
  children: ReactNode;
};

/** Creates a cohort, and goes on to its page. */
export function NewCohortForm({ courseId, messages, created, children }: NewCohortFormProps) {
  return (
    <ApiForm
      path={cohortPaths.ofCourse(courseId)}
      messages={messages}
      check={(values) => check(inputOf(values))}
      toInput={(values) => inputOf(values) as CohortInput}
      failuresIn="dialog"
      refusals={refusals}
      onDone={({ id }) => {
        giveUpChanges();
        tellTabs({ kind: 'changed' });
        keepToast(created);
        window.location.assign(paths.cohort(id));
        // Never settles: the page is being left.
        return new Promise<void>(() => {});
      }}
    >
      {children}
    </ApiForm>
  );
}
