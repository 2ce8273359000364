'use client';

import { ActionButton } from '#client/action-button.tsx';
import { tellTabs } from '#client/tabs.ts';
import { askToReauthenticate } from '#features/settings/ask-to-reauthenticate.ts';
import { paths } from '#paths.ts';
import { keepToast } from '#ui/kept-toast.tsx';
import type { CohortButtonProps } from './cohort-button.tsx';
import { cohortPaths } from './cohort-paths.ts';

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
