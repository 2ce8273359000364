import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import {
  calendar,
  DayFields,
  JoinField,
  NameField,
  PlacesField,
  WaitlistField,
} from '#features/cohorts/cohort-fields.tsx';
import { cohortMessages } from '#features/cohorts/cohort-messages.ts';
import { Check, Select } from '#features/cohorts/fields.tsx';
import type { Cohort } from '#features/cohorts/schema.ts';
import { type StoredValues, storedValues } from '#features/cohorts/stored-values.ts';
import { ZoneField } from '#features/cohorts/zone-field.tsx';
import { longDay } from '#lib/time/words.ts';
import { fromJson, pick } from '#lib/to-json.ts';
import { serverPaths } from '#paths.ts';
import { Field } from '#ui/form.tsx';
import { SettingsSection } from '#ui/settings-section.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { DaysAndCity } from './cohort-rows.tsx';
import { CohortSaveForm } from './cohort-save-form.tsx';

/** The settings of a cohort, each section with a form of its own. */
export function CohortSettings({ cohort }: { cohort: Cohort }) {
  const { i18n, t } = useLingui();
  const form = { cohort, stored: storedValues(cohort, i18n.locale) };
  return (
    <div className="settings-parts cohort-settings">
      <h2 className="sr-only">
        <Trans>Settings</Trans>
      </h2>
      <FieldsSection
        {...form}
        id="cohort-about"
        title={t`Name and description`}
        description={t`What people read first on the public page.`}
        names={['name', 'description']}
      >
        <NameField />
        <TextArea
          name="description"
          label={t`Description`}
          hint={t`Up to 2,000 characters. Line breaks are kept.`}
          rows={6}
          dir="auto"
        />
      </FieldsSection>
      <When {...form} />
      <Enrollment {...form} />
      <FieldsSection
        {...form}
        id="cohort-question"
        title={t`Question`}
        description={t`What you’d like to ask people when they enroll.`}
        names={['question']}
      >
        <Field
          label={t`Your question`}
          name="question"
          dir="auto"
          autoComplete="off"
          hint={t`Up to 200 characters; people don’t have to answer. Leave empty to ask nothing.`}
        />
      </FieldsSection>
      <FieldsSection
        {...form}
        id="cohort-welcome"
        title={t`Welcome note`}
        description={t`What people should know once they have a place.`}
        names={['welcome_note']}
      >
        <TextArea
          name="welcome_note"
          label={t`Welcome note`}
          hint={t`Materials, room or homework, for people who are enrolled. Up to 2,000 characters.`}
          rows={5}
          dir="auto"
        />
      </FieldsSection>
      <PublicPage {...form} />
      <Price {...form} />
    </div>
  );
}

type SectionProps = { cohort: Cohort; stored: StoredValues };

/** The days of a published cohort change by moving it, which shows first what that means. */
function When({ cohort, stored }: SectionProps) {
  const { i18n, t } = useLingui();
  const section = {
    id: 'cohort-when',
    title: t`When`,
    description: t`The days of the cohort, in its own time zone.`,
  };
  if (cohort.published_at !== null) {
    const { locale } = i18n;
    return (
      <SettingsSection {...section}>
        <p>
          {longDay(cohort.starts_on, locale)} – {longDay(cohort.ends_on, locale)}
        </p>
        <p className="text-sm text-muted">
          <DaysAndCity cohort={fromJson(cohort)} />
        </p>
        <a className="button" href={serverPaths.moveCohort(cohort.id)}>
          <Trans>Move all dates</Trans>
        </a>
      </SettingsSection>
    );
  }
  return (
    <FieldsSection
      {...section}
      cohort={cohort}
      stored={stored}
      names={['starts_on', 'ends_on', 'time_zone']}
    >
      <DayFields />
      {cohort.warnings.includes('starts_in_past') && (
        <p className="notice">
          <Trans>The first day is in the past.</Trans>
        </p>
      )}
      <ZoneField zone={cohort.time_zone} />
    </FieldsSection>
  );
}

function Enrollment(form: SectionProps) {
  const { t } = useLingui();
  const hours = [24, 48, 72];
  return (
    <FieldsSection
      {...form}
      id="cohort-enrollment"
      title={t`Enrollment`}
      description={t`Who can join, when, and how many.`}
      names={[
        'join_mode',
        'enrollment_opens_local',
        'opens_time',
        'enrollment_closes_local',
        'closes_time',
        'capacity',
        'minimum_people',
        'shows_minimum',
        'waitlist',
        'offer_hours',
      ]}
    >
      <JoinField />
      <div className="field-pair">
        <Field
          label={t`Enrollment opens`}
          name="enrollment_opens_local"
          type="date"
          {...calendar}
          hint={t`Leave empty to open it when you publish.`}
        />
        <Field label={t`Opens at`} name="opens_time" type="time" />
      </div>
      <div className="field-pair">
        <Field
          label={t`Enrollment closes`}
          name="enrollment_closes_local"
          type="date"
          {...calendar}
          hint={t`Leave empty to close it when the cohort begins. Places offered earlier can be accepted until then.`}
        />
        <Field
          label={t`Closes at`}
          name="closes_time"
          type="time"
          hint={t`Without a time, at the end of the day.`}
        />
      </div>
      <PlacesField />
      <Field
        label={t`Minimum number of people`}
        name="minimum_people"
        inputMode="numeric"
        autoComplete="off"
        size={8}
        hint={t`A reminder for you. It cancels nothing by itself.`}
      />
      <Check name="shows_minimum" label={t`Show the minimum on the public page`} />
      <WaitlistField offerHours={form.cohort.offer_hours} />
      <Select name="offer_hours" label={t`How long an offered place is kept`}>
        {hours.map((count) => (
          <option key={count} value={count}>
            {t`${count} hours`}
          </option>
        ))}
      </Select>
    </FieldsSection>
  );
}

function PublicPage(form: SectionProps) {
  const { t } = useLingui();
  return (
    <FieldsSection
      {...form}
      id="cohort-public-page"
      title={t`Public page`}
      description={t`What people see before they enroll.`}
      names={['place', 'join_url', 'terms_url', 'shows_places_left', 'language']}
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
      <Field label={t`Link to your terms`} name="terms_url" type="url" autoComplete="off" />
      <Check name="shows_places_left" label={t`Show how many places are left`} />
      <Select
        name="language"
        label={t`Language`}
        hint={t`Of emails to people who haven’t chosen one. The page is in the language of each visitor.`}
      >
        <option value="en" lang="en">
          English
        </option>
        <option value="fr" lang="fr">
          Français
        </option>
      </Select>
    </FieldsSection>
  );
}

function Price({ cohort, stored }: SectionProps) {
  const { t } = useLingui();
  const charge = (
    <a className="link" href={`${serverPaths.payments}?cohort=${cohort.id}`}>
      <Trans>Charge them in Payments</Trans>
    </a>
  );
  return (
    <FieldsSection
      cohort={cohort}
      stored={stored}
      id="cohort-price"
      title={t`Price`}
      description={t`Shown on the public page. Lectern keeps the account. It doesn’t take payments.`}
      names={['price_minor', 'currency', 'payment_note', 'payment_url']}
      foot={
        (cohort.price_minor ?? 0) > 0 &&
        cohort.counts.enrolled > 0 && (
          <p className="hint mt-4">
            <Trans>Were people enrolled before there was a price? {charge}.</Trans>
          </p>
        )
      }
    >
      <div className="field-pair">
        <Field
          label={t`Price`}
          name="price_minor"
          inputMode="decimal"
          autoComplete="off"
          hint={t`Leave empty to show none.`}
        />
        <Field
          label={t`Currency`}
          name="currency"
          autoComplete="off"
          maxLength={3}
          hint={t`Three letters, such as EUR or USD.`}
        />
      </div>
      <TextArea
        name="payment_note"
        label={t`How to pay`}
        hint={t`For people who are enrolled, such as your bank details. Up to 1,000 characters.`}
        rows={4}
        dir="auto"
      />
      <Field
        label={t`Where to pay online`}
        name="payment_url"
        type="url"
        autoComplete="off"
        hint={t`Your own payment link, for people who are enrolled.`}
      />
    </FieldsSection>
  );
}

type FieldsSectionProps = SectionProps & {
  id: string;
  title: string;
  description: string;
  names: (keyof StoredValues)[];
  foot?: ReactNode;
  children: ReactNode;
};

/** A section with a form that changes these fields. */
function FieldsSection(props: FieldsSectionProps) {
  const { cohort, stored, names, foot, children, ...section } = props;
  const { i18n, t } = useLingui();
  return (
    <SettingsSection {...section}>
      <CohortSaveForm
        // A new form for what was saved: the server may write it differently.
        key={names.map((name) => stored[name]).join('\n')}
        id={cohort.id}
        messages={cohortMessages(i18n)}
        stored={pick(stored, names)}
        texts={{
          save: t`Save changes`,
          saving: t`Saving…`,
          unsaved: t`Not saved yet`,
          saved: t`Cohort saved.`,
        }}
      >
        {children}
      </CohortSaveForm>
      {foot}
    </SettingsSection>
  );
}
