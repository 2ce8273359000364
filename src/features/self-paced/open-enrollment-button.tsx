'use client';

import { ActionButton } from '#client/action-button.tsx';
import { leaveFor } from '#client/leave.ts';
import type { Undo } from '#client/use-finish.ts';
import { type ButtonProps, closeOverlays, useOutcome } from '#features/cohorts/cohort-button.tsx';
import { apiPaths } from '#paths.ts';

type OpenEnrollmentProps = ButtonProps & {
  courseId: string;
  /** Said where another tab has created it closed; null: it is only to be set up. */
  closed: string | null;
  /** Takes the opening back. */
  undo?: Pick<Undo, 'label' | 'done'>;
};

/** Opens enrollment in an evergreen course, or leads to its settings before that. */
export function OpenEnrollment({ courseId, done, closed, undo, ...button }: OpenEnrollmentProps) {
  const { show, onFailure } = useOutcome(closeOverlays);
  return (
    <ActionButton
      path={apiPaths.enrollment(courseId)}
      call={{ input: { opens: closed !== null } }}
      onFailure={onFailure}
      onDone={({ id, enrollment_state: state }) =>
        closed === null
          ? leaveFor(`/cohorts/${id}/settings`, done)
          : state === 'closed'
            ? show(closed)
            : show(
                done,
                undo && {
                  ...undo,
                  path: apiPaths.cohort(id),
                  input: { enrollment_override: 'closed' },
                },
              )
      }
      {...button}
    />
  );
}
