import { Trans, useLingui } from '@lingui/react/macro';
import { noteMessages } from '#features/cohorts/cohort-messages.ts';
import { Dialog } from '#ui/dialog.tsx';
import type { OwnCohort } from './find-own-cohort.ts';
import { NotifyFields } from './notify-fields.tsx';
import { TrashForm } from './trash-form.tsx';

export const trashDialogId = 'trash-cohort';

type TrashDialogProps = { cohort: OwnCohort; people: number };

/** Asks, before a cohort with people goes to the trash, whether they are told. */
export function TrashDialog({ cohort, people }: TrashDialogProps) {
  const { i18n, t } = useLingui();
  const name = <bdi>{cohort.name}</bdi>;
  return (
    <Dialog id={trashDialogId} title={t`Move this cohort to the trash?`}>
      <TrashForm
        id={cohort.id}
        dialogId={trashDialogId}
        messages={noteMessages(i18n)}
        texts={{
          submit: t`Move to the trash`,
          submitting: t`Moving…`,
          cancel: t`Cancel`,
        }}
        done={t`Moved to the trash.`}
      >
        <p>
          <Trans>
            {name} will be canceled for everyone in it, and its public page will no longer be
            visible. You can restore it within 30 days.
          </Trans>
        </p>
        <NotifyFields people={people} isWithoutNotes={cohort.isWithoutNotes} />
      </TrashForm>
    </Dialog>
  );
}
