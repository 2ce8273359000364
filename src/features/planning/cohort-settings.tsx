import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
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
import { PriceFields, proposedCurrency } from '#features/cohorts/price-fields.tsx';
import { storedValues } from '#features/cohorts/stored-values.ts';
import { ZoneField } from '#features/cohorts/zone-field.tsx';
import { SectionLinks } from '#features/settings/section-links.tsx';
import { longDay } from '#lib/time/words.ts';
import { fromJson, pick } from '#lib/to-json.ts';
import { serverPaths } from '#paths.ts';
import { Field } from '#ui/form.tsx';
import { SettingsPart, SettingsSection } from '#ui/settings-section.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { DaysAndCity } from './cohort-rows.tsx';
import { CohortSaveForm } from './cohort-save-form.tsx';
import { MoveToTrash } from './move-to-trash.tsx';
import type { OwnCohort } from './own-cohorts.ts';
import { settingsIds } from './settings-ids.ts';

type SettingsProps = { cohort: OwnCohort };

type CohortSettingsProps = SettingsProps & {
  /** That of the last cohort with a price, proposed to one that has none. */
  lastCurrency: string | null;
};

/** The settings of a cohort: one form, whose changes are saved together. */
export function CohortSettings({ cohort, lastCurrency }: CohortSettingsProps) {
  const { i18n, t } = useLingui();
  const currency = cohort.currency ?? lastCurrency;
  const labels = fieldLabels(i18n, cohort.published_at !== null);
  const all = {
    ...storedValues(cohort, i18n.locale),
    currency: proposedCurrency(currency, cohort.time_zone, i18n.locale),
  };
  // The names are those of the fields.
  const stored = pick(all, Object.keys(labels) as (keyof typeof all)[]);
  // Where the browser puts the number in.
  const count = '#';
  const parts = [
    [settingsIds.cohort, t`Cohort`],
    [settingsIds.where, t`Where`],
    [settingsIds.money, t`Money`],
    [settingsIds.joining, t`Joining`],
    [settingsIds.page, t`Public page`],
    [settingsIds.certificate, t`Certificate`],
    [settingsIds.remove, t`Delete`],
  ] as const;
  const titles = Object.fromEntries(parts) as Record<(typeof parts)[number][0], string>;
  const partOf = (id: (typeof parts)[number][0]) => ({ id, title: titles[id] });
  return (
    <div className="settings cohort-settings">
      <h2 className="sr-only">
        <Trans>Cohort settings</Trans>
      </h2>
      <div className="settings-columns">
        <SectionLinks label={t`On this page`}>
          <ul>
            {parts.map(([id, title]) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </SectionLinks>
        <div className="settings-parts">
          <CohortSaveForm
            // A new form for what was saved: the server may write it differently.
            key={Object.values(stored).join('\n')}
            id={cohort.id}
            messages={cohortMessages(i18n)}
            stored={stored}
            labels={labels}
            texts={{
              save: t`Save changes`,
              saving: t`Saving…`,
              unsaved: t`Not saved yet`,
              saved: t`Cohort saved.`,
              discard: t`Discard`,
              oneChange: t`1 change not saved:`,
              changes: t`${count} changes not saved:`,
              more: t`and ${count} more`,
              oneError: t`1 field needs a look`,
              errors: t`${count} fields need a look`,
            }}
          >
            <SettingsPart {...partOf(settingsIds.cohort)}>
              <When cohort={cohort} />
              <Texts />
            </SettingsPart>
            <SettingsPart {...partOf(settingsIds.where)}>
              <Where />
            </SettingsPart>
            <SettingsPart {...partOf(settingsIds.money)}>
              <Money cohort={cohort} currency={currency} />
            </SettingsPart>
            <SettingsPart {...partOf(settingsIds.joining)}>
              <Joining cohort={cohort} />
            </SettingsPart>
            <SettingsPart {...partOf(settingsIds.page)}>
              <PublicPage />
            </SettingsPart>
            <SettingsPart {...partOf(settingsIds.certificate)}>
              <Certificate />
            </SettingsPart>
          </CohortSaveForm>
          <SettingsPart {...partOf(settingsIds.remove)}>
            <Remove cohort={cohort} />
          </SettingsPart>
        </div>
      </div>
    </div>
  );
}

/** How the bar of the form calls its fields. The days of a published cohort have none. */
function fieldLabels(i18n: I18n, isPublished: boolean) {
  const opening = i18n._(msg`enrollment opens`);
  const closing = i18n._(msg`enrollment closes`);
  const days = {
    starts_on: i18n._(msg`first day`),
    ends_on: i18n._(msg`last day`),
    time_zone: i18n._(msg`time zone`),
  };
  return {
    name: i18n._(msg`name`),
    ...(!isPublished && days),
    description: i18n._(msg`description`),
    welcome_note: i18n._(msg`welcome note`),
    place: i18n._(msg`place`),
    join_url: i18n._(msg`meeting link`),
    join_passcode: i18n._(msg`passcode`),
    currency: i18n._(msg`currency`),
    price_minor: i18n._(msg`price`),
    early_price_minor: i18n._(msg`early price`),
    early_until_local: i18n._(msg`end of the early price`),
    payment_note: i18n._(msg`how to pay`),
    payment_url: i18n._(msg`where to pay online`),
    sends_receipts: i18n._(msg`receipts`),
    join_mode: i18n._(msg`who can join`),
    enrollment_opens_local: opening,
    opens_time: opening,
    enrollment_closes_local: closing,
    closes_time: closing,
    capacity: i18n._(msg`places`),
    minimum_people: i18n._(msg`minimum number of people`),
    shows_minimum: i18n._(msg`minimum on the public page`),
    waitlist: i18n._(msg`waitlist`),
    offer_hours: i18n._(msg`time for an offer`),
    question: i18n._(msg`question`),
    shows_places_left: i18n._(msg`places left on the public page`),
    second_teacher: i18n._(msg`second teacher`),
    second_teacher_line: i18n._(msg`line about the second teacher`),
    refund_note: i18n._(msg`refund note`),
    terms_url: i18n._(msg`link to your terms`),
    language: i18n._(msg`language`),
    sends_certificates: i18n._(msg`email about the certificate`),
  };
}

/** The days of a published cohort change by moving it, which shows first what that means. */
function When({ cohort }: SettingsProps) {
  const { i18n, t } = useLingui();
  const { locale } = i18n;
  const isPublished = cohort.published_at !== null;
  return (
    <SettingsSection
      id="cohort-when"
      title={t`Name and dates`}
      description={
        isPublished
          ? t`Moving the dates moves the sessions too, if you want.`
          : t`The days of the cohort, in its own time zone.`
      }
    >
      <div className="fields">
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
      </div>
    </SettingsSection>
  );
}

function Texts() {
  const { t } = useLingui();
  return (
    <SettingsSection
      id="cohort-welcome"
      title={t`Welcome note`}
      description={t`What people should know once they have a place.`}
    >
      <TextArea
        name="welcome_note"
        label={t`Welcome note`}
        hint={t`Materials, room or homework, for people who are enrolled. Up to 2,000 characters.`}
        rows={5}
        dir="auto"
      />
    </SettingsSection>
  );
}

function Where() {
  const { t } = useLingui();
  return (
    <SettingsSection
      id="cohort-place"
      title={t`Place and link`}
      description={t`Used for each session that has none of its own. The public page shows the place, never the link.`}
    >
      <div className="fields">
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
      </div>
    </SettingsSection>
  );
}

function Money({ cohort, currency }: SettingsProps & { currency: string | null }) {
  const { t } = useLingui();
  const charge = (
    <a className="link" href={`${serverPaths.payments}?cohort=${cohort.id}`}>
      <Trans>Charge them in Payments</Trans>
    </a>
  );
  return (
    <>
      <SettingsSection
        id={settingsIds.price}
        title={t`Price`}
        description={t`Shown on the public page. Lectern keeps the account. It doesn’t take payments.`}
      >
        <div className="fields">
          <PriceFields
            currency={currency}
            zone={cohort.time_zone}
            note={t`People who have enrolled keep their price.`}
          />
          {(cohort.price_minor ?? 0) > 0 && cohort.counts.enrolled > 0 && (
            <p className="hint">
              <Trans>Did people enroll before you set the price? {charge}.</Trans>
            </p>
          )}
        </div>
      </SettingsSection>
      <SettingsSection
        id="cohort-paying"
        title={t`How it is paid`}
        description={t`To you, however you agree. You mark payments yourself.`}
      >
        <div className="fields">
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
          <Check
            name="sends_receipts"
            label={t`Email a receipt for every payment`}
            states={{ on: t`On`, off: t`Off` }}
          />
        </div>
      </SettingsSection>
    </>
  );
}

function Joining({ cohort }: SettingsProps) {
  const { t } = useLingui();
  const hours = [24, 48, 72];
  return (
    <>
      <SettingsSection
        id="cohort-enrollment"
        title={t`Enrollment`}
        description={t`Who can join, when, and how many.`}
      >
        <div className="fields">
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
        </div>
      </SettingsSection>
      <SettingsSection
        id="cohort-places"
        title={t`Places`}
        description={t`How many places there are, and who gets one that opens up.`}
      >
        <div className="fields">
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
          <WaitlistField offerHours={cohort.offer_hours} />
          <Select name="offer_hours" label={t`How long an offered place is kept`}>
            {hours.map((count) => (
              <option key={count} value={count}>
                {t`${count} hours`}
              </option>
            ))}
          </Select>
        </div>
      </SettingsSection>
      <SettingsSection
        id={settingsIds.question}
        title={t`Question`}
        description={t`What you’d like to ask people when they enroll.`}
      >
        <Field
          label={t`Your question`}
          name="question"
          dir="auto"
          autoComplete="off"
          hint={t`Optional for people to answer. Up to 200 characters.`}
        />
      </SettingsSection>
    </>
  );
}

function PublicPage() {
  const { t } = useLingui();
  return (
    <>
      <SettingsSection
        id={settingsIds.description}
        title={t`Description`}
        description={t`What people read first on the public page.`}
      >
        <div className="fields">
          <TextArea
            name="description"
            label={t`Description`}
            hint={t`Up to 2,000 characters. Line breaks are kept.`}
            rows={6}
            dir="auto"
          />
          <Check name="shows_places_left" label={t`Show how many places are left`} />
        </div>
      </SettingsSection>
      <SettingsSection
        id={settingsIds.teachers}
        title={t`Second teacher`}
        description={t`Named beside you on the public page. The person gets no login and no emails.`}
      >
        <div className="fields">
          <Field
            label={t`Name of the second teacher`}
            name="second_teacher"
            dir="auto"
            autoComplete="off"
            hint={t`Optional`}
          />
          <Field
            label={t`One line about them`}
            name="second_teacher_line"
            dir="auto"
            autoComplete="off"
            hint={t`Up to 200 characters.`}
          />
        </div>
      </SettingsSection>
      <SettingsSection
        id="cohort-terms"
        title={t`Refunds and terms`}
        description={t`What applies if someone can’t come.`}
      >
        <div className="fields">
          <TextArea
            name="refund_note"
            label={t`If people can’t come`}
            hint={t`Optional. Up to 500 characters.`}
            rows={3}
            dir="auto"
          />
          <Field label={t`Link to your terms`} name="terms_url" type="url" autoComplete="off" />
        </div>
      </SettingsSection>
      <SettingsSection
        id="cohort-language"
        title={t`Language`}
        description={t`Used for emails until a person picks a language. Visitors see the page in their own.`}
      >
        <Select name="language" label={t`Language`}>
          <option value="en" lang="en">
            English
          </option>
          <option value="fr" lang="fr">
            Français
          </option>
        </Select>
      </SettingsSection>
    </>
  );
}

function Certificate() {
  const { t } = useLingui();
  return (
    <SettingsSection
      id="cohort-certificates"
      title={t`Certificate of completion`}
      description={t`For each person you mark as completed.`}
    >
      <Check
        name="sends_certificates"
        label={t`Email people when their certificate is ready`}
        states={{ on: t`On`, off: t`Off` }}
      />
    </SettingsSection>
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
