'use client';

import { ActionButton } from '#client/action-button.tsx';
import { leaveFor } from '#client/leave.ts';
import type { ButtonProps } from '#features/cohorts/cohort-button.tsx';
import { apiPaths, paths } from '#paths.ts';
import { saveExport } from '#ui/save-export.ts';

type DownloadPersonProps = ButtonProps & { personId: string };

/** Downloads everything that is kept of a person. */
export function DownloadPersonButton({ personId, done, ...button }: DownloadPersonProps) {
  return (
    <ActionButton
      path={`/api/people/${personId}/export/` as const}
      call={{ method: 'GET' }}
      // Without their name, which would stay in a list of downloads.
      onDone={(data) => saveExport(data, 'person', done)}
      {...button}
    />
  );
}

type ErasePersonProps = DownloadPersonProps & { cohortId: string };

/** Erases a person, and leads to the roster, because their page is gone with them. */
export function ErasePersonButton({ personId, cohortId, done, ...button }: ErasePersonProps) {
  return (
    <ActionButton
      path={apiPaths.person(personId)}
      call={{ method: 'DELETE' }}
      onDone={() => leaveFor(paths.roster(cohortId), done)}
      {...button}
    />
  );
}
