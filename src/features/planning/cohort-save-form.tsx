'use client';

import type { ComponentProps } from 'react';
import { checkBySchema } from '#client/check-by-schema.ts';
import { changedIn, cohortConflicts, toCohortInput } from '#features/cohorts/form-values.ts';
import { SaveForm } from '#features/settings/save-form.tsx';
import { apiPaths } from '#paths.ts';

const check = checkBySchema(() =>
  import('#features/cohorts/schema.ts').then(({ CohortPatch }) => CohortPatch),
);

type CohortSaveFormProps = Omit<
  ComponentProps<typeof SaveForm>,
  'kind' | 'path' | 'check' | 'toInput'
> & {
  id: string;
};

/** Changes the fields of a cohort that differ, because others may have changed elsewhere. */
export function CohortSaveForm({ id, ...form }: CohortSaveFormProps) {
  return (
    <SaveForm
      kind="cohort"
      check={check}
      path={apiPaths.cohort(id)}
      toInput={(values, differs) => toCohortInput(changedIn(values, differs))}
      refusals={cohortConflicts}
      {...form}
    />
  );
}
