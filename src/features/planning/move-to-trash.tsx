import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import { cohortPaths } from '#features/cohorts/cohort-paths.ts';
import { apiPaths } from '#paths.ts';
import { OpenButton } from '#ui/dialog.tsx';
import { asksBeforeTrash, trashDialogId } from './notify-fields.tsx';
import type { OwnCohort } from './own-cohorts.ts';

type MoveToTrashProps = { cohort: OwnCohort; className: string; children: ReactNode };

/** Moves a cohort to the trash; one with people or their money asks first, by the dialog of its frame. */
export function MoveToTrash({ cohort, className, children }: MoveToTrashProps) {
  const { t } = useLingui();
  return asksBeforeTrash(cohort) ? (
    <OpenButton dialogId={trashDialogId} className={className}>
      {children}
    </OpenButton>
  ) : (
    <ChangeButton
      path={apiPaths.cohort(cohort.id)}
      call={{ method: 'DELETE' }}
      asksFirst
      className={className}
      pendingLabel={t`Moving…`}
      done={t`Moved to the trash.`}
      undo={{
        label: t`Undo`,
        path: cohortPaths.change(cohort.id, 'restore'),
        done: t`Cohort restored.`,
      }}
    >
      {children}
    </ChangeButton>
  );
}
