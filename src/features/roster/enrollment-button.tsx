'use client';

import { ActionButton } from '#client/action-button.tsx';
import { type ButtonProps, ChangeButton, closeMenu } from '#features/cohorts/cohort-button.tsx';
import { showToast } from '#ui/toast.tsx';
import { type EnrollmentMove, markPath, movePath } from './roster-paths.ts';

type OfEnrollment = ButtonProps & { cohortId: string; enrollmentId: string };

type MoveButtonProps = OfEnrollment & {
  page?: string;
  move: EnrollmentMove;
  /** Although all places are taken. */
  isOver?: boolean;
  /** The id of the name, in a list of people. */
  describedBy?: string;
};

/** Changes where someone stands. */
export function MoveButton(props: MoveButtonProps) {
  const { cohortId, enrollmentId, move, isOver = false, ...button } = props;
  const path = movePath(cohortId, enrollmentId, move);
  return <ChangeButton path={path} call={{ input: { over_capacity: isOver } }} {...button} />;
}

/** Marks that someone has completed a cohort that is over. */
export function CompleteButton({ cohortId, enrollmentId, ...button }: OfEnrollment) {
  const path = markPath(cohortId, enrollmentId, 'complete');
  return <ChangeButton path={path} call={{ input: {} }} {...button} />;
}

type MarkButtonProps = OfEnrollment & { mark: 'uncomplete' | 'resend' };

/** Takes the mark back that someone has completed a cohort, or emails them their link again. */
export function MarkButton({ cohortId, enrollmentId, mark, ...button }: MarkButtonProps) {
  return <ChangeButton path={markPath(cohortId, enrollmentId, mark)} {...button} />;
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
