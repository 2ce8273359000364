'use client';

import type { ComponentProps, ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { ApiPath } from '#client/api-routes.ts';
import { closeMenu, useAnswers } from '#features/cohorts/cohort-button.tsx';
import { showToast } from '#ui/toast.tsx';
import { type EnrollmentMove, rosterPaths } from './roster-paths.ts';

/** What a button says before, while and after it does something. */
export type ButtonWords = { children: ReactNode; pendingLabel: string; done: string };

export type ButtonProps = ButtonWords & { className: string };

type OfEnrollment = ButtonProps & { cohortId: string; enrollmentId: string };

type MoveButtonProps = OfEnrollment & {
  move: EnrollmentMove;
  /** Although all places are taken. */
  isOver?: boolean;
  /** The id of the name, in a list of people. */
  describedBy?: string;
};

/** Changes where someone stands. */
export function MoveButton(props: MoveButtonProps) {
  const { cohortId, enrollmentId, move, isOver = false, done, ...button } = props;
  return (
    <ActionButton
      path={rosterPaths.enrollmentMove(cohortId, enrollmentId, move)}
      call={{ input: { over_capacity: isOver } }}
      {...useAnswers(done)}
      {...button}
    />
  );
}

type MarkButtonProps = OfEnrollment & { mark: 'complete' | 'uncomplete' | 'resend' };

/** Marks what someone has done, or emails them their link again. */
export function MarkButton({ cohortId, enrollmentId, mark, done, ...button }: MarkButtonProps) {
  const path = `/api/cohorts/${cohortId}/enrollments/${enrollmentId}/${mark}/` as const;
  return <ActionButton path={path} {...useAnswers(done)} {...button} />;
}

type RosterButtonProps<Path extends ApiPath> = ButtonWords &
  Pick<ComponentProps<typeof ActionButton<Path>>, 'path' | 'call' | 'className'>;

/** Sends what else there is to do about someone. */
export function RosterButton<Path extends ApiPath>({ done, ...button }: RosterButtonProps<Path>) {
  return <ActionButton<Path> {...useAnswers(done)} {...button} />;
}

type CopyAddressesProps = Omit<ButtonProps, 'done'> & {
  cohortId: string;
  copied: string;
  notAllowed: string;
};

/** Copies the addresses of everyone who is enrolled. */
export function CopyAddressesButton(props: CopyAddressesProps) {
  const { cohortId, copied, notAllowed, ...button } = props;
  return (
    <ActionButton
      path={`/api/cohorts/${cohortId}/addresses/` as const}
      call={{ method: 'GET' }}
      onDone={async ({ addresses }) => {
        closeMenu();
        try {
          await window.navigator.clipboard.writeText(addresses.join(', '));
          showToast(copied);
        } catch {
          showToast(notAllowed, 'failed');
        }
      }}
      {...button}
    />
  );
}
