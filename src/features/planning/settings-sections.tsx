import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import { WaitlistField } from '#features/cohorts/cohort-fields.tsx';
import { Check, Select } from '#features/cohorts/fields.tsx';
import { PriceFields } from '#features/cohorts/price-fields.tsx';
import type { Cohort } from '#features/cohorts/schema.ts';
import type { PaymentAccount } from '#features/payment-accounts/schema.ts';
import { serverPaths } from '#paths.ts';
import { Choice, Field } from '#ui/form.tsx';
import { SettingsSection } from '#ui/settings-section.tsx';
import { TextArea } from '#ui/text-area.tsx';
import type { OwnCohort } from './own-cohorts.ts';
import { settingsIds } from './settings-ids.ts';

// The sections of settings that cohorts and open runs have in common.

/** A section with fields below each other. */
export function FieldsSection({ children, ...section }: ComponentProps<typeof SettingsSection>) {
  return (
    <SettingsSection {...section}>
      <div className="fields">{children}</div>
    </SettingsSection>
  );
}

/** How the bar of the form calls their fields, of which one needs Stripe. */
export function commonLabels(i18n: I18n, { status }: PaymentAccount) {
  return {
    join_mode: i18n._(msg`who can join`),
    capacity: i18n._(msg`places`),
    waitlist: i18n._(msg`waitlist`),
    offer_hours: i18n._(msg`time for an offer`),
    shows_places_left: i18n._(msg`places left on the public page`),
    access_days: i18n._(msg`access to the lessons`),
    question: i18n._(msg`question`),
    welcome_note: i18n._(msg`welcome note`),
    currency: i18n._(msg`currency`),
    price_minor: i18n._(msg`price`),
    ...(status !== 'off' && { payment_mode: i18n._(msg`how people pay`) }),
    payment_note: i18n._(msg`how to pay`),
    payment_url: i18n._(msg`where to pay online`),
    sends_receipts: i18n._(msg`receipts`),
    second_teacher: i18n._(msg`second teacher`),
    second_teacher_line: i18n._(msg`line about the second teacher`),
    refund_note: i18n._(msg`refund note`),
    terms_url: i18n._(msg`link to your terms`),
    language: i18n._(msg`language`),
    sends_certificates: i18n._(msg`email about the certificate`),
  };
}

/** @param isRun whether it is for people who start by themselves, and meet nowhere */
export function WelcomeNote({ isRun = false }: { isRun?: boolean }) {
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
        hint={
          isRun
            ? t`What helps at the start, for people who are enrolled. Up to 2,000 characters.`
            : t`Materials, room or homework, for people who are enrolled. Up to 2,000 characters.`
        }
        rows={5}
        dir="auto"
      />
    </SettingsSection>
  );
}

type MoneyProps = {
  cohort: OwnCohort;
  currency: string | null;
  /** To which people can pay online. */
  account: PaymentAccount;
};

/** What it costs and how that is paid. */
export function Money({ cohort, currency, account }: MoneyProps) {
  const { t } = useLingui();
  const isOnlineHere = account.status !== 'off';
  const charge = (
    <a className="link" href={`${serverPaths.payments}?cohort=${cohort.id}`}>
      <Trans>Charge them in Payments</Trans>
    </a>
  );
  return (
    <>
      <FieldsSection
        id={settingsIds.price}
        title={t`Price`}
        description={
          isOnlineHere
            ? t`Shown on the public page. Lectern keeps the account.`
            : t`Shown on the public page. Lectern keeps the account. It doesn’t take payments.`
        }
      >
        <PriceFields
          currency={currency}
          zone={cohort.kind === 'open' ? null : cohort.time_zone}
          hasEarly={cohort.kind === 'dated'}
          note={t`People who have enrolled keep their price.`}
        />
        {(cohort.price_minor ?? 0) > 0 && cohort.counts.enrolled > 0 && (
          <p className="hint">
            <Trans>Did people enroll before you set the price? {charge}.</Trans>
          </p>
        )}
      </FieldsSection>
      <FieldsSection
        id="cohort-paying"
        title={t`How it is paid`}
        description={
          isOnlineHere
            ? t`Online payments are recorded automatically. You mark other payments yourself.`
            : t`To you, however you agree. You mark payments yourself.`
        }
      >
        {isOnlineHere && <PaymentMode mode={cohort.payment_mode} account={account} />}
        <div className="fields own-payment">
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
        </div>
        <Check
          name="sends_receipts"
          label={t`Email a receipt for every payment`}
          states={{ on: t`On`, off: t`Off` }}
        />
      </FieldsSection>
    </>
  );
}

/** Whether people pay online, and when. What is chosen stays so without an account, until it is changed. */
function PaymentMode({ mode, account }: { mode: Cohort['payment_mode']; account: PaymentAccount }) {
  const { t } = useLingui();
  const canBePaid = account.status === 'ready';
  const link = (
    <a className="link" href={serverPaths.gettingPaid}>
      <Trans>Getting paid</Trans>
    </a>
  );
  const options = [
    {
      value: 'own',
      label: t`To you, however you agree`,
      description: t`People see your note and your link below.`,
    },
    {
      value: 'online',
      label: t`Online, later`,
      description: t`People are enrolled at once, and pay by card on their page whenever they like.`,
    },
    {
      value: 'online_first',
      label: t`Online, first`,
      description: t`A place is kept for an hour while they pay by card. Then it is theirs.`,
    },
  ];
  return (
    <div className="grid gap-2">
      <Choice
        id="payment-mode"
        name="payment_mode"
        legend={t`How people pay`}
        options={options.map((option) => ({
          ...option,
          isDisabled: !canBePaid && option.value !== 'own' && option.value !== mode,
        }))}
      />
      {!canBePaid && (
        <p className="hint">
          <Trans>To take payments online, connect your Stripe account: see {link}.</Trans>
        </p>
      )}
    </div>
  );
}

/** Who else teaches, what applies to refunds, and the language. */
export function TeacherTermsLanguage() {
  const { t } = useLingui();
  return (
    <>
      <FieldsSection
        id={settingsIds.teachers}
        title={t`Second teacher`}
        description={t`Named beside you on the public page. The person gets no login and no emails.`}
      >
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
      </FieldsSection>
      <FieldsSection
        id="cohort-terms"
        title={t`Refunds and terms`}
        description={t`What applies if someone can’t come.`}
      >
        <TextArea
          name="refund_note"
          label={t`If people can’t come`}
          hint={t`Optional. Up to 500 characters.`}
          rows={3}
          dir="auto"
        />
        <Field label={t`Link to your terms`} name="terms_url" type="url" autoComplete="off" />
      </FieldsSection>
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

/** @param description for whom it is */
export function Certificate({ description }: { description: string }) {
  const { t } = useLingui();
  return (
    <SettingsSection
      id="cohort-certificates"
      title={t`Certificate of completion`}
      description={description}
    >
      <Check
        name="sends_certificates"
        label={t`Email people when their certificate is ready`}
        states={{ on: t`On`, off: t`Off` }}
      />
    </SettingsSection>
  );
}

export function Question() {
  const { t } = useLingui();
  return (
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
  );
}

/** Who gets a place that becomes free, and how long it is kept for them. */
export function WaitlistFields({ cohort }: { cohort: OwnCohort }) {
  const { t } = useLingui();
  const hours = [24, 48, 72];
  return (
    <>
      <WaitlistField offerHours={cohort.offer_hours} />
      <Select name="offer_hours" label={t`How long an offered place is kept`}>
        {hours.map((count) => (
          <option key={count} value={count}>
            {t`${count} hours`}
          </option>
        ))}
      </Select>
    </>
  );
}

/** @param description from when the days are counted */
export function Access({ description }: { description: string }) {
  const { t } = useLingui();
  return (
    <SettingsSection id={settingsIds.access} title={t`Access`} description={description}>
      <Field
        label={t`Days of access`}
        name="access_days"
        inputMode="numeric"
        autoComplete="off"
        size={8}
        hint={t`Leave blank for no end.`}
      />
    </SettingsSection>
  );
}
