import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { JoinField, PlacesField } from '#features/cohorts/cohort-fields.tsx';
import { runMessages } from '#features/cohorts/cohort-messages.ts';
import { Check } from '#features/cohorts/fields.tsx';
import type { PaymentAccount } from '#features/payment-accounts/schema.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { EnrollmentSwitch } from '#features/planning/run-head.tsx';
import { SettingsForm } from '#features/planning/settings-form.tsx';
import { settingsIds } from '#features/planning/settings-ids.ts';
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
} from '#features/planning/settings-sections.tsx';
import { paths } from '#paths.ts';
import { SettingsSection } from '#ui/settings-section.tsx';

type RunSettingsProps = {
  run: OwnCohort;
  /** That of the last cohort with a price, proposed to a run that has none. */
  lastCurrency: string | null;
  account: PaymentAccount;
};

/** How people enroll in an evergreen course: one form, whose changes are saved together. */
export function RunSettings({ run, lastCurrency, account }: RunSettingsProps) {
  const { i18n, t } = useLingui();
  const currency = run.currency ?? lastCurrency;
  const labels = runLabels(i18n, account);
  return (
    <SettingsForm
      cohort={run}
      title={t`Enrollment settings`}
      currency={currency}
      labels={labels}
      messages={runMessages(i18n)}
      saved={t`Enrollment settings saved.`}
      parts={[
        {
          id: settingsIds.joining,
          title: t`How people enroll`,
          content: (
            <>
              <Places run={run} />
              <Access description={t`How long people can read the lessons after they enroll.`} />
              <Question />
              <WelcomeNote isRun />
            </>
          ),
        },
        {
          id: settingsIds.money,
          title: t`Money`,
          content: <Money cohort={run} currency={currency} account={account} />,
        },
        {
          id: settingsIds.page,
          title: t`Public page`,
          content: (
            <>
              <AboutCourse />
              <TeacherTermsLanguage />
            </>
          ),
        },
        {
          id: settingsIds.certificate,
          title: t`Certificate`,
          content: (
            <Certificate
              description={t`For each person who has done all lessons, or whom you mark as completed.`}
            />
          ),
        },
      ]}
      last={{
        id: settingsIds.remove,
        title: t`Open and close`,
        content: <OpenAndClose run={run} />,
      }}
    />
  );
}

/** How the bar of the form calls its fields. */
function runLabels(i18n: I18n, account: PaymentAccount) {
  return { ...commonLabels(i18n, account), join_mode: i18n._(msg`who can enroll`) };
}

function Places({ run }: { run: OwnCohort }) {
  const { t } = useLingui();
  return (
    <>
      <SettingsSection
        id="run-enrollment"
        title={t`Who can enroll`}
        description={t`People can start on any day.`}
      >
        <JoinField isRun />
      </SettingsSection>
      <FieldsSection
        id="cohort-places"
        title={t`Places`}
        description={t`How many places there are, and who gets one that opens up.`}
      >
        <PlacesField />
        <Check name="shows_places_left" label={t`Show how many places are left`} />
        <WaitlistFields cohort={run} />
      </FieldsSection>
    </>
  );
}

/** What the public page says of the course belongs to the course. */
function AboutCourse() {
  const { t } = useLingui();
  return (
    <SettingsSection
      id="run-about"
      title={t`About the course`}
      description={t`What people read first on the public page, above the lessons.`}
    >
      <a className="button" href={paths.courseSettings}>
        <Trans>Open course settings</Trans>
      </a>
    </SettingsSection>
  );
}

function OpenAndClose({ run }: { run: OwnCohort }) {
  const { t } = useLingui();
  const texts =
    run.courseType === 'cohort'
      ? t`This course is taught in cohorts now. People who are in it continue.`
      : run.join_mode === 'invitation'
        ? t`Only people you invite or add can enroll, so there is nothing to close.`
        : run.enrollment_state === 'closed'
          ? t`No one can enroll now. People who are in the course continue.`
          : t`You can close enrollment at any time. People who are in the course continue.`;
  return (
    <SettingsSection id="run-open" title={t`Enrollment`} description={texts}>
      <EnrollmentSwitch run={run} className="button" />
    </SettingsSection>
  );
}
