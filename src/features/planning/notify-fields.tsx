import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import { noteMessages } from '#features/cohorts/cohort-messages.ts';
import { cohortPaths } from '#features/cohorts/cohort-paths.ts';
import { isOngoing, sumOfPeople } from '#features/cohorts/cohort-status.ts';
import { Check } from '#features/cohorts/fields.tsx';
import type { Cohort } from '#features/cohorts/schema.ts';
import { priceOf } from '#lib/price.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Choice } from '#ui/form.tsx';
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

/** Whether there is something to ask before a cohort goes to the trash. */
export function asksBeforeTrash(cohort: OwnCohort): boolean {
  return countConcerned(cohort) > 0 || cohort.keptMinor > 0;
}

/** What people have paid for a cohort and was not paid back; null without any. */
export function keptMoney(i18n: I18n, { keptMinor, payers, owedCurrency }: OwnCohort) {
  return keptMinor <= 0 || owedCurrency === null
    ? null
    : { amount: priceOf(keptMinor, owedCurrency, i18n.locale), people: payers };
}

/** Asks, before a cohort goes to the trash, whether its people are told and get their money back. */
export function TrashDialog({ cohort, people }: { cohort: OwnCohort; people: number }) {
  const { i18n, t } = useLingui();
  const name = <bdi>{cohort.name}</bdi>;
  const money = keptMoney(i18n, cohort);
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
        hasMoney={money !== null}
      >
        <p>
          <Trans>
            {name} will be canceled for everyone in it, and its public page will no longer be
            visible. You can restore it within 30 days.
          </Trans>
        </p>
        {money && (
          <Choice
            id="trash-money"
            name="money"
            legend={t`What people have paid`}
            options={moneyOptions(i18n, money)}
          />
        )}
        {people > 0 && <NotifyFields people={people} isWithoutNotes={cohort.isWithoutNotes} />}
      </TrashForm>
    </Dialog>
  );
}

/** What can become of the money of a canceled cohort. */
function moneyOptions(i18n: I18n, { amount, people }: { amount: string; people: number }) {
  return [
    {
      value: 'refund',
      label: i18n._(msg`Pay back all ${amount}`),
      description: i18n._(
        msg`${plural(people, { one: '# person gets', other: '# people get' })} back what they paid. Stripe refunds online payments within minutes. The rest is recorded as paid back: please send it yourself. No one owes anything anymore.`,
      ),
    },
    {
      value: 'keep',
      label: i18n._(msg`Keep the money`),
      description: i18n._(msg`You settle the money with them yourself.`),
    },
  ];
}

/** Decides about the money of a cohort in the trash, which is not deleted before. */
export function UndecidedMoney({ cohort }: { cohort: OwnCohort }) {
  const { i18n, t } = useLingui();
  const money = keptMoney(i18n, cohort);
  if (money === null || cohort.isMoneyKept) {
    return null;
  }
  const { amount, people } = money;
  const paid = <strong>{amount}</strong>;
  const payers = <Plural value={people} one="# person" other="# people" />;
  const button = { path: cohortPaths.money(cohort.id), className: 'button' };
  return (
    <div className="notice">
      <p>
        <Trans>
          {paid} from {payers} hasn’t been paid back.
        </Trans>{' '}
        <Trans>The cohort stays in the trash until you decide.</Trans>
      </p>
      <div className="actions mt-3">
        <ChangeButton
          {...button}
          call={{ input: { money: 'refund' } }}
          pendingLabel={t`Paying back…`}
          done={t`Refund started. Stripe refunds online payments within minutes.`}
        >
          {t`Pay back all ${amount}`}
        </ChangeButton>
        <ChangeButton
          {...button}
          call={{ input: { money: 'keep' } }}
          pendingLabel={t`Saving…`}
          done={t`You’re keeping the money.`}
        >
          <Trans>Keep the money</Trans>
        </ChangeButton>
      </div>
    </div>
  );
}
