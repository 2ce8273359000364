import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import {
  calendar,
  DayFields,
  JoinField,
  NameField,
  PlacesField,
} from '#features/cohorts/cohort-fields.tsx';
import { cohortMessages } from '#features/cohorts/cohort-messages.ts';
import { Check } from '#features/cohorts/fields.tsx';
import { ZoneField } from '#features/cohorts/zone-field.tsx';
import type { PaymentAccount } from '#features/payment-accounts/schema.ts';
import { longDay } from '#lib/time/words.ts';
import { fromJson, pick } from '#lib/to-json.ts';
import { serverPaths } from '#paths.ts';
import { Field } from '#ui/form.tsx';
import { SettingsSection } from '#ui/settings-section.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { DaysAndCity } from './cohort-rows.tsx';
import { MoveToTrash } from './move-to-trash.tsx';
import type { OwnCohort } from './own-cohorts.ts';
import { SettingsForm } from './settings-form.tsx';
import { settingsIds } from './settings-ids.ts';
import {
  Access,
  Certificate,
  commonLabels,
  FieldsSection,
  Money,
  Question,
  TeacherTermsLanguage,
  WaitlistFields,
  WelcomeNote,
} from './settings-sections.tsx';

type SettingsProps = { cohort: OwnCohort };

type CohortSettingsProps = SettingsProps & {
  /** That of the last cohort with a price, proposed to one that has none. */
  lastCurrency: string | null;
  account: PaymentAccount;
};

/** The settings of a cohort: one form, whose changes are saved together. */
export function CohortSettings({ cohort, lastCurrency, account }: CohortSettingsProps) {
  const { i18n, t } = useLingui();
  const currency = cohort.currency ?? lastCurrency;
  const labels = fieldLabels(i18n, cohort.published_at !== null, account);
  return (
    <SettingsForm
      cohort={cohort}
      title={t`Cohort settings`}
      currency={currency}
      labels={labels}
      messages={cohortMessages(i18n)}
      saved={t`Cohort saved.`}
      parts={[
        {
          id: settingsIds.cohort,
          title: t`Cohort`,
          content: (
            <>
              <When cohort={cohort} />
              <WelcomeNote />
              <Access description={t`How long people can read the lessons after the last day.`} />
            </>
          ),
        },
        { id: settingsIds.where, title: t`Where`, content: <Where /> },
        {
          id: settingsIds.money,
          title: t`Money`,
          content: <Money cohort={cohort} currency={currency} account={account} />,
        },
        { id: settingsIds.joining, title: t`Joining`, content: <Joining cohort={cohort} /> },
        {
          id: settingsIds.page,
          title: t`Public page`,
          content: (
            <>
              <Description />
              <TeacherTermsLanguage />
            </>
          ),
        },
        {
          id: settingsIds.certificate,
          title: t`Certificate`,
          content: <Certificate description={t`For each person you mark as completed.`} />,
        },
      ]}
      last={{ id: settingsIds.remove, title: t`Delete`, content: <Remove cohort={cohort} /> }}
    />
  );
}

/** How the bar of the form calls its fields. The days of a published cohort have none. */
function fieldLabels(i18n: I18n, isPublished: boolean, account: PaymentAccount) {
  const opening = i18n._(msg`enrollment opens`);
  const closing = i18n._(msg`enrollment closes`);
  const days = {
    starts_on: i18n._(msg`first day`),
    ends_on: i18n._(msg`last day`),
    time_zone: i18n._(msg`time zone`),
  };
  const common = commonLabels(i18n, account);
  // In the order in which the bar names them.
  return {
    name: i18n._(msg`name`),
    ...(!isPublished && days),
    description: i18n._(msg`description`),
    ...pick(common, ['welcome_note']),
    place: i18n._(msg`place`),
    join_url: i18n._(msg`meeting link`),
    join_passcode: i18n._(msg`passcode`),
    ...pick(common, ['currency', 'price_minor']),
    early_price_minor: i18n._(msg`early price`),
    early_until_local: i18n._(msg`end of the early price`),
    ...pick(common, ['payment_note', 'payment_url', 'sends_receipts', 'join_mode']),
    enrollment_opens_local: opening,
    opens_time: opening,
    enrollment_closes_local: closing,
    closes_time: closing,
    ...pick(common, ['capacity']),
    minimum_people: i18n._(msg`minimum number of people`),
    shows_minimum: i18n._(msg`minimum on the public page`),
    ...common,
  };
}

/** The days of a published cohort change by moving it, which shows first what that means. */
function When({ cohort }: SettingsProps) {
  const { i18n, t } = useLingui();
  const { locale } = i18n;
  const isPublished = cohort.published_at !== null;
  return (
    <FieldsSection
      id="cohort-when"
      title={t`Name and dates`}
      description={
        isPublished
          ? t`Moving the dates moves the sessions too, if you want.`
          : t`The days of the cohort, in its own time zone.`
      }
    >
      <NameField />
      {isPublished ? (
        <div className="grid justify-items-start gap-2">
          <p>
            {longDay(cohort.starts_on, locale)} – {longDay(cohort.ends_on, locale)}
          </p>
          <p className="text-sm text-muted">
            <DaysAndCity cohort={fromJson(cohort)} />
          </p>
          <a className="button mt-2" href={serverPaths.moveCohort(cohort.id)}>
            <Trans>Move all dates</Trans>
          </a>
        </div>
      ) : (
        <>
          <DayFields />
          {cohort.warnings.includes('starts_in_past') && (
            <p className="notice">
              <Trans>The first day is in the past.</Trans>
            </p>
          )}
          <ZoneField zone={cohort.time_zone} />
        </>
      )}
    </FieldsSection>
  );
}

function Where() {
  const { t } = useLingui();
  return (
    <FieldsSection
      id="cohort-place"
      title={t`Place and link`}
      description={t`Used for each session that has none of its own. The public page shows the place, never the link.`}
    >
      <Field
        label={t`Place`}
        name="place"
        dir="auto"
        autoComplete="off"
        hint={t`Such as Online, or an address. Everyone can see it.`}
      />
      <Field
        label={t`Meeting link`}
        name="join_url"
        type="url"
        autoComplete="off"
        hint={t`Only people who are enrolled will see it.`}
      />
      <Field
        label={t`Passcode, optional`}
        name="join_passcode"
        dir="auto"
        autoComplete="off"
        hint={t`Shown beside the meeting link to people who are enrolled.`}
      />
    </FieldsSection>
  );
}

function Joining({ cohort }: SettingsProps) {
  const { t } = useLingui();
  return (
    <>
      <FieldsSection
        id="cohort-enrollment"
        title={t`Enrollment`}
        description={t`Who can join, when, and how many.`}
      >
        <JoinField />
        <div className="field-pair">
          <Field
            label={t`Enrollment opens`}
            name="enrollment_opens_local"
            type="date"
            {...calendar}
            hint={t`Leave blank to open it when you publish.`}
          />
          <Field label={t`Opens at`} name="opens_time" type="time" />
        </div>
        <div className="field-pair">
          <Field
            label={t`Enrollment closes`}
            name="enrollment_closes_local"
            type="date"
            {...calendar}
            hint={t`Leave blank to close it when the cohort begins. Places offered earlier can be accepted until then.`}
          />
          <Field
            label={t`Closes at`}
            name="closes_time"
            type="time"
            hint={t`Without a time, at the end of the day.`}
          />
        </div>
      </FieldsSection>
      <FieldsSection
        id="cohort-places"
        title={t`Places`}
        description={t`How many places there are, and who gets one that opens up.`}
      >
        <PlacesField />
        <Field
          label={t`Minimum number of people`}
          name="minimum_people"
          inputMode="numeric"
          autoComplete="off"
          size={8}
          hint={t`For your planning; nothing is canceled automatically.`}
        />
        <Check name="shows_minimum" label={t`Show the minimum on the public page`} />
        <WaitlistFields cohort={cohort} />
      </FieldsSection>
      <Question />
    </>
  );
}

function Description() {
  const { t } = useLingui();
  return (
    <FieldsSection
      id={settingsIds.description}
      title={t`Description`}
      description={t`What people read first on the public page.`}
    >
      <TextArea
        name="description"
        label={t`Description`}
        hint={t`Up to 2,000 characters. Line breaks are kept.`}
        rows={6}
        dir="auto"
      />
      <Check name="shows_places_left" label={t`Show how many places are left`} />
    </FieldsSection>
  );
}

function Remove({ cohort }: SettingsProps) {
  const { t } = useLingui();
  return (
    <SettingsSection
      id="cohort-delete"
      title={t`This cohort`}
      description={t`It stays in the trash for 30 days. Until then you can restore it.`}
    >
      <MoveToTrash cohort={cohort} className="button button-danger">
        <Trans>Move to the trash</Trans>
      </MoveToTrash>
    </SettingsSection>
  );
}
