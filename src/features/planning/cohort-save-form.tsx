'use client';

import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { checkBySchema } from '#client/check-by-schema.ts';
import { giveUpChanges } from '#client/unsaved.ts';
import { changedIn, cohortConflicts, toCohortInput } from '#features/cohorts/form-values.ts';
import { SaveForm } from '#features/settings/save-form.tsx';
import { apiPaths } from '#paths.ts';
import { UnsavedBar, type UnsavedTexts } from './unsaved-bar.tsx';

const check = checkBySchema(() =>
  import('#features/cohorts/schema.ts').then(({ CohortPatch }) => CohortPatch),
);

type CohortSaveFormProps = Pick<
  ComponentProps<typeof SaveForm>,
  'messages' | 'stored' | 'children'
> & {
  id: string;
  /** How the bar calls the fields, by their names. */
  labels: Record<string, string>;
  texts: ComponentProps<typeof SaveForm>['texts'] & UnsavedTexts;
};

/** Changes the fields of a cohort that differ, because others may have changed elsewhere. */
export function CohortSaveForm({ id, labels, texts, ...form }: CohortSaveFormProps) {
  // A new form when all changes are given up.
  const [round, setRound] = useState(0);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (round > 0) {
      ref.current?.focus();
    }
  }, [round]);
  return (
    <div ref={ref} tabIndex={-1}>
      <SaveForm
        key={round}
        kind="cohort"
        check={check}
        path={apiPaths.cohort(id)}
        toInput={(values, differs) => toCohortInput(changedIn(values, differs))}
        refusals={cohortConflicts}
        texts={texts}
        foot={(isSaved) => (
          <UnsavedBar
            isSaved={isSaved}
            labels={labels}
            texts={texts}
            onDiscard={() => {
              giveUpChanges('cohort');
              setRound(round + 1);
            }}
          />
        )}
        {...form}
      />
    </div>
  );
}
