'use client';

import type { ComponentProps, ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { ApiPath, MethodOf } from '#client/api-routes.ts';
import type { ApiFailure } from '#client/call-api.ts';
import { leaveFor } from '#client/leave.ts';
import { mayLoseChanges } from '#client/unsaved.ts';
import { type Undo, useFinish } from '#client/use-finish.ts';
import { askToReauthenticate } from '#features/settings/ask-to-reauthenticate.ts';
import { paths } from '#paths.ts';
import { cohortPaths } from './cohort-paths.ts';

export type ButtonProps = {
  pendingLabel: string;
  done: string;
  className: string;
  children: ReactNode;
};

type After = {
  undo?: Undo | undefined;
  /** Where it leads; by default the page shows what it is now. */
  page?: string;
};

type ChangeButtonProps<Path extends ApiPath, Method extends MethodOf<Path>> = ButtonProps &
  After &
  Pick<ComponentProps<typeof ActionButton<Path, Method>>, 'path' | 'call' | 'describedBy'> & {
    /** Asks first if changes on the page would be lost. */
    asksFirst?: boolean;
  };

/** Changes something by one request. The page then shows what it is now. */
export function ChangeButton<
  Path extends ApiPath,
  Method extends MethodOf<Path> = MethodOf<Path> & 'POST',
>({ done, undo, page, asksFirst, ...button }: ChangeButtonProps<Path, Method>) {
  const after = useAnswers(done, { undo, ...(page !== undefined && { page }) });
  return (
    <ActionButton<Path, Method>
      {...(asksFirst && { mayStart: mayLoseChanges })}
      {...after}
      {...button}
    />
  );
}

/** Shows what the page is now, changed or not. */
export function useAnswers(done: string, { undo, page }: After = {}) {
  const { show, onFailure } = useOutcome(closeOverlays);
  return {
    onDone: () => (page === undefined ? show(done, undo) : leaveFor(page, done, undo)),
    onFailure,
  };
}

/**
 * Shows what the page is now, and says what was done or why it was not.
 *
 * @param close what the button is in
 */
export function useOutcome(close: () => void) {
  const finish = useFinish();
  function show(text: string, how?: 'failed' | Undo): Promise<void> {
    close();
    return finish(text, how);
  }
  return {
    show,
    onFailure({ status, body }: ApiFailure): boolean {
      // It was changed elsewhere, so that a retry would not help.
      const isRefused = (status === 409 || status === 422) && body !== null;
      if (isRefused) {
        void show(body.message, 'failed');
      }
      return isRefused;
    },
  };
}

/** Closes the menu and the dialog that something was chosen from. */
export function closeOverlays(): void {
  closeMenu();
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close();
}

/** Closes the menu that something was chosen from. */
export function closeMenu(): void {
  document.querySelector<HTMLElement>('[data-menu]:popover-open')?.hidePopover();
}

/** Deletes a cohort in the trash for ever, after a recent login. */
export function PurgeButton({ id, done, ...button }: ButtonProps & { id: string }) {
  return (
    <ActionButton
      path={cohortPaths.purge(id)}
      onFailure={askToReauthenticate}
      onDone={() => leaveFor(paths.cohorts, done)}
      {...button}
    />
  );
}
