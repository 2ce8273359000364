'use client';

import { ActionButton } from '#client/action-button.tsx';
import { leaveFor } from '#client/leave.ts';
import type { CohortButtonProps } from '#features/cohorts/cohort-button.tsx';
import { cohortPaths } from '#features/cohorts/cohort-paths.ts';
import { askToReauthenticate } from '#features/settings/ask-to-reauthenticate.ts';
import { paths } from '#paths.ts';

/** Deletes a cohort in the trash for ever, after a recent login. */
export function PurgeButton({ id, done, ...button }: CohortButtonProps) {
  return (
    <ActionButton
      path={cohortPaths.purge(id)}
      onFailure={askToReauthenticate}
      onDone={() => leaveFor(paths.cohorts, done)}
      {...button}
    />
  );
}
