import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { peopleMessages } from '#features/places/form-messages.ts';
import { LanguageSelect } from '#features/places/language-select.tsx';
import { waysIn } from '#features/places/ways-in.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { Dialog, OpenButton } from '#ui/dialog.tsx';
import { Choice, Field } from '#ui/form.tsx';
import { AddPersonForm } from './add-person-form.tsx';
import { isFull, overWords } from './people-lists.tsx';
import { overCapacity } from './roster-paths.ts';

const dialogId = 'add-person';

/** Opens the dialog that adds someone. */
export function AddPersonButton({ className }: { className: string }) {
  return (
    <OpenButton dialogId={dialogId} className={className}>
      <span className="icon icon-plus" />
      <Trans>Add someone</Trans>
    </OpenButton>
  );
}

/** The dialog that adds or invites someone. Once per page. */
export function AddPerson({ cohort }: { cohort: OwnCohort }) {
  const { i18n, t } = useLingui();
  const isOver = isFull(cohort);
  const waitlisted = {
    value: 'waitlisted',
    label: t`Add to the waitlist`,
    description: t`They come last, and get an email to say so.`,
  };
  const { invited, enrolled, ...ways } = waysIn(i18n);
  const over = { ...ways.over, value: overCapacity, label: overWords(i18n, cohort) };
  return (
    <Dialog id={dialogId} title={t`Add someone`}>
      <AddPersonForm
        cohortId={cohort.id}
        dialogId={dialogId}
        messages={peopleMessages(i18n)}
        texts={{ submit: t`Add someone`, submitting: t`Adding…`, cancel: t`Cancel` }}
        done={{
          enrolled: t`Added to the roster.`,
          invited: t`Invitation sent.`,
          waitlisted: t`Put on the waitlist.`,
        }}
      >
        {isOver && (
          <p className="notice">
            {t`${plural(cohort.capacity ?? 0, { one: 'The only place is taken.', other: 'All # places are taken.' })}`}
          </p>
        )}
        <Field
          id="person-name"
          label={t`Name`}
          name="name"
          dir="auto"
          autoComplete="off"
          required
        />
        <Field
          id="person-email"
          label={t`Email address`}
          name="email"
          type="email"
          autoComplete="off"
          required
        />
        <Choice
          // A choice that is gone cannot stay chosen.
          key={String(isOver)}
          id="person-as"
          legend={t`How to add them`}
          name="as"
          defaultValue={isOver ? 'invited' : 'enrolled'}
          options={
            isOver ? [...(cohort.waitlist ? [waitlisted] : []), invited, over] : [enrolled, invited]
          }
        />
        <LanguageSelect
          id="person-language"
          label={t`Language of their emails`}
          language={cohort.language}
        />
      </AddPersonForm>
    </Dialog>
  );
}
