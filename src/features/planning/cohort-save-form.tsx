'use client';

import type { ComponentProps } from 'react';
import { changedIn, inputOf, refusals } from '#features/cohorts/form-values.ts';
import { SaveForm } from '#features/settings/save-form.tsx';
import { apiPaths } from '#paths.ts';

type CohortSaveFormProps = Omit<ComponentProps<typeof SaveForm>, 'kind' | 'path' | 'toInput'> & {
  id: string;
};

/** Changes the fields of a cohort that differ, because others may have changed elsewhere. */
export function CohortSaveForm({ id, ...form }: CohortSaveFormProps) {
  return (
    <SaveForm
      kind="cohort"
      path={apiPaths.cohort(id)}
      toInput={(values, differs) => inputOf(changedIn(values, differs))}
      refusals={refusals}
      {...form}
    />
  );
}
