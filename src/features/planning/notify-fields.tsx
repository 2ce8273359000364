import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { noteMessages } from '#features/cohorts/cohort-messages.ts';
import { isOngoing, sumOfPeople } from '#features/cohorts/cohort-status.ts';
import { Check } from '#features/cohorts/fields.tsx';
import type { Cohort } from '#features/cohorts/schema.ts';
import { Dialog } from '#ui/dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';
import type { OwnCohort } from './own-cohorts.ts';
import { TrashForm } from './trash-form.tsx';

/** How many people a change of a cohort concerns, who are told of it; see outbox/notices.ts. */
export function countConcerned({ status, counts }: Cohort): number {
  return isOngoing(status) ? sumOfPeople(counts) : 0;
}

/** Why an email of an instructor goes out without their note. */
export function WithoutNote() {
  return (
    <p className="hint">
      <Trans>People have marked your emails as spam, so this one goes out without a note.</Trans>
    </p>
  );
}

type NotifyFieldsProps = { people: number; isWithoutNotes: boolean };

/** Whether people are told of a change, and what their instructor says. */
export function NotifyFields({ people, isWithoutNotes }: NotifyFieldsProps) {
  const { t } = useLingui();
  return (
    <>
      <Check
        id="tell-people"
        name="notify"
        label={t`Tell the people concerned by email`}
        hint={
          <Plural
            value={people}
            one="# person who is enrolled, waiting or invited."
            other="# people who are enrolled, waiting or invited."
          />
        }
        defaultChecked
      />
      {isWithoutNotes ? (
        <WithoutNote />
      ) : (
        <TextArea
          id="tell-note"
          name="note"
          label={t`Note in that email`}
          hint={t`Optional. Up to 500 characters.`}
          rows={3}
          dir="auto"
        />
      )}
    </>
  );
}

export const trashDialogId = 'trash-cohort';

/** Asks, before a cohort with people goes to the trash, whether they are told. */
export function TrashDialog({ cohort, people }: { cohort: OwnCohort; people: number }) {
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
