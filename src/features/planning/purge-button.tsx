'use client';

import { ActionButton } from '#client/action-button.tsx';
import { tellTabs } from '#client/tabs.ts';
import type { CohortButtonProps } from '#features/cohorts/cohort-button.tsx';
import { cohortPaths } from '#features/cohorts/cohort-paths.ts';
import { askToReauthenticate } from '#features/settings/ask-to-reauthenticate.ts';
import { paths } from '#paths.ts';
import { keepToast } from '#ui/kept-toast.tsx';

/** Deletes a cohort in the trash for ever, after a recent login. */
export function PurgeButton({ id, done, ...button }: CohortButtonProps) {
  return (
    <ActionButton
      path={cohortPaths.purge(id)}
      onFailure={askToReauthenticate}
      onDone={() => {
        tellTabs({ kind: 'changed' });
        keepToast(done);
        window.location.assign(paths.cohorts);
        return 'leaving';
      }}
      {...button}
    />
  );
}
