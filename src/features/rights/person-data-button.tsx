'use client';

import { ActionButton } from '#client/action-button.tsx';
import { leaveFor } from '#client/leave.ts';
import type { ButtonProps } from '#features/roster/enrollment-button.tsx';
import { apiPaths, paths } from '#paths.ts';
import { saveExport } from '#ui/save-export.ts';
import { rightsPaths } from './rights-paths.ts';

type OfPerson = ButtonProps & { personId: string };

type PersonDataButtonProps = OfPerson & {
  /** Erases, and leads to the roster of this cohort; without one, it downloads. */
  erasedFrom?: string;
};

/** One of the two things that can be done with everything that is kept of a person. */
export function PersonDataButton({ erasedFrom, ...button }: PersonDataButtonProps) {
  return erasedFrom === undefined ? (
    <DownloadButton {...button} />
  ) : (
    <EraseButton cohortId={erasedFrom} {...button} />
  );
}

function DownloadButton({ personId, done, ...button }: OfPerson) {
  return (
    <ActionButton
      path={rightsPaths.personExport(personId)}
      call={{ method: 'GET' }}
      // Without their name, which would stay in a list of downloads.
      onDone={(data) => saveExport(data, 'person', done)}
      {...button}
    />
  );
}

/** Their page is gone with them. */
function EraseButton({ personId, cohortId, done, ...button }: OfPerson & { cohortId: string }) {
  return (
    <ActionButton
      path={apiPaths.person(personId)}
      call={{ method: 'DELETE' }}
      onDone={() => leaveFor(paths.roster(cohortId), done)}
      {...button}
    />
  );
}
