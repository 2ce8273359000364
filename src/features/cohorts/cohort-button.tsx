'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { mayLoseChanges } from '#client/may-lose-changes.ts';
import type { EnrollmentOverride } from '#db/values.ts';
import { apiPaths } from '#paths.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { showToast } from '#ui/toast.tsx';

export type CohortButtonProps = {
  id: string;
  pendingLabel: string;
  /** Shown when it is done. */
  done: string;
  className: string;
  children: ReactNode;
};

type ChangeButtonProps = CohortButtonProps & {
  change: 'publish' | 'unpublish' | 'archive' | 'unarchive' | 'restore';
};

/** Changes what a cohort is. Its page then shows what it is now. */
export function ChangeButton({ id, change, done, ...button }: ChangeButtonProps) {
  const onDone = useDone(done);
  return (
    <ActionButton
      path={apiPaths.cohortChange(id, change)}
      mayStart={mayLoseChanges}
      onDone={onDone}
      {...button}
    />
  );
}

type EnrollmentButtonProps = CohortButtonProps & { override: EnrollmentOverride | null };

/** Opens or closes enrollment regardless of its dates, or lets the dates decide again. */
export function EnrollmentButton({ id, override, done, ...button }: EnrollmentButtonProps) {
  const onDone = useDone(done);
  return (
    <ActionButton
      path={apiPaths.cohort(id)}
      call={{ method: 'PATCH', input: { enrollment_override: override } }}
      onDone={onDone}
      {...button}
    />
  );
}

/** Moves a cohort to the trash, from which its page can take it back. */
export function TrashButton({ id, done, ...button }: CohortButtonProps) {
  const onDone = useDone(done);
  return (
    <ActionButton
      path={apiPaths.cohort(id)}
      call={{ method: 'DELETE' }}
      mayStart={mayLoseChanges}
      onDone={onDone}
      {...button}
    />
  );
}

function useDone(text: string): () => Promise<void> {
  const refresh = useRefresh();
  return async () => {
    // The menu that it was chosen from.
    document.querySelector<HTMLElement>('[data-menu]:popover-open')?.hidePopover();
    await refresh();
    showToast(text);
  };
}
