'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { closeMenu, useAnswers } from '#features/cohorts/cohort-button.tsx';
import { showToast } from '#ui/toast.tsx';
import { type EnrollmentMark, type EnrollmentMove, rosterPaths } from './roster-paths.ts';
import type { PendingRequest } from './schema.ts';

export type ButtonProps = {
  pendingLabel: string;
  /** Shown when it is done. */
  done: string;
  className: string;
  children: ReactNode;
};

type OfEnrollment = ButtonProps & { cohortId: string; enrollmentId: string };

type MoveButtonProps = OfEnrollment & {
  move: EnrollmentMove;
  /** Although all places are taken. */
  isOver: boolean;
  /** The id of the name, in a list of people. */
  describedBy?: string;
};

/** Changes where someone stands. */
export function MoveButton({
  cohortId,
  enrollmentId,
  move,
  isOver,
  done,
  ...button
}: MoveButtonProps) {
  const after = useAnswers(done);
  return (
    <ActionButton
      path={rosterPaths.enrollmentMove(cohortId, enrollmentId, move)}
      call={{ input: { over_capacity: isOver } }}
      {...after}
      {...button}
    />
  );
}

type MarkButtonProps = OfEnrollment & { mark: EnrollmentMark };

/** Marks what someone has done, or emails them their link again. */
export function MarkButton({ cohortId, enrollmentId, mark, done, ...button }: MarkButtonProps) {
  const after = useAnswers(done);
  return (
    <ActionButton
      path={rosterPaths.enrollmentMark(cohortId, enrollmentId, mark)}
      {...after}
      {...button}
    />
  );
}

/** Emails someone a new link, and ends the old ones. */
export function NewLinkButton({ personId, done, ...button }: ButtonProps & { personId: string }) {
  const after = useAnswers(done);
  return <ActionButton path={`/api/people/${personId}/link/` as const} {...after} {...button} />;
}

type AddRequestedProps = ButtonProps & {
  cohortId: string;
  input: Pick<PendingRequest, 'name' | 'email' | 'language'> & {
    as: 'enrolled' | 'waitlisted';
    over_capacity: boolean;
  };
};

/** Adds someone who has asked for a place and not confirmed it. */
export function AddRequestedButton({ cohortId, input, done, ...button }: AddRequestedProps) {
  const after = useAnswers(done);
  return (
    <ActionButton
      path={rosterPaths.enrollmentsOf(cohortId)}
      call={{ input }}
      {...after}
      {...button}
    />
  );
}

type CopyAddressesProps = Omit<ButtonProps, 'done'> & {
  cohortId: string;
  copied: string;
  notAllowed: string;
};

/** Copies the addresses of everyone who is enrolled. */
export function CopyAddressesButton({
  cohortId,
  copied,
  notAllowed,
  ...button
}: CopyAddressesProps) {
  return (
    <ActionButton
      path={rosterPaths.addressesOf(cohortId)}
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
