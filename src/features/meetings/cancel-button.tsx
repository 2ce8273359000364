'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { useAnswers } from '#features/cohorts/cohort-button.tsx';
import { showSchedule } from './meeting-form.tsx';
import { meetingPaths } from './meeting-paths.ts';

type CancelButtonProps = {
  cohortId: string;
  meetingId: string;
  pendingLabel: string;
  /** Shown when it is done. */
  done: string;
  children: ReactNode;
};

/** Cancels or deletes a session, and leads back to the schedule. */
export function CancelButton({ cohortId, meetingId, done, ...button }: CancelButtonProps) {
  const { onFailure } = useAnswers(done);
  return (
    <ActionButton
      path={meetingPaths.one(cohortId, meetingId)}
      call={{ method: 'DELETE' }}
      className="button button-delete"
      onDone={() => showSchedule(cohortId, done)}
      onFailure={onFailure}
      {...button}
    />
  );
}
