'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { ApiFailure } from '#client/call-api.ts';
import { leaveFor } from '#client/leave.ts';
import { mayLoseChanges } from '#client/unsaved.ts';
import { useFinish } from '#client/use-finish.ts';
import type { EnrollmentOverride } from '#db/values.ts';
import { askToReauthenticate } from '#features/settings/ask-to-reauthenticate.ts';
import { apiPaths, paths } from '#paths.ts';
import { type CohortChange, cohortPaths } from './cohort-paths.ts';

export type CohortButtonProps = {
  id: string;
  pendingLabel: string;
  /** Shown when it is done. */
  done: string;
  className: string;
  children: ReactNode;
};

type ChangeButtonProps = CohortButtonProps & { change: CohortChange };

/** Changes what a cohort is. Its page then shows what it is now. */
export function ChangeButton({ id, change, done, ...button }: ChangeButtonProps) {
  const after = useAnswers(done);
  const path = cohortPaths.change(id, change);
  return <ActionButton path={path} mayStart={mayLoseChanges} {...after} {...button} />;
}

type EnrollmentButtonProps = CohortButtonProps & { override: EnrollmentOverride | null };

/** Opens or closes enrollment regardless of its dates, or lets the dates decide again. */
export function EnrollmentButton({ id, override, done, ...button }: EnrollmentButtonProps) {
  const after = useAnswers(done);
  return (
    <ActionButton
      path={apiPaths.cohort(id)}
      call={{ method: 'PATCH', input: { enrollment_override: override } }}
      {...after}
      {...button}
    />
  );
}

/** Moves a cohort to the trash, from which its page can take it back. */
export function TrashButton({ id, done, ...button }: CohortButtonProps) {
  const after = useAnswers(done);
  return (
    <ActionButton
      path={apiPaths.cohort(id)}
      call={{ method: 'DELETE' }}
      mayStart={mayLoseChanges}
      {...after}
      {...button}
    />
  );
}

/** Shows what the cohort is now, changed or not. */
export function useAnswers(done: string) {
  const { show, onFailure } = useOutcome(closeMenu);
  return { onDone: () => show(done), onFailure };
}

/**
 * Shows what the page is now, and says what was done or why it was not.
 *
 * @param close what the button is in
 */
export function useOutcome(close: () => void) {
  const finish = useFinish();
  function show(text: string, kind?: 'failed'): Promise<void> {
    close();
    return finish(text, kind);
  }
  return {
    show,
    onFailure({ status, body }: ApiFailure): boolean {
      // It was changed elsewhere, so that a retry would not help.
      const isRefused = status === 422 && body !== null;
      if (isRefused) {
        void show(body.message, 'failed');
      }
      return isRefused;
    },
  };
}

/** Closes the menu that something was chosen from. */
export function closeMenu(): void {
  document.querySelector<HTMLElement>('[data-menu]:popover-open')?.hidePopover();
}

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
