import { Trans, useLingui } from '@lingui/react/macro';
import { calendar, JoinField, NameField } from '#features/cohorts/cohort-fields.tsx';
import { findLastCurrency } from '#features/cohorts/own-currency.ts';
import { PriceFields } from '#features/cohorts/price-fields.tsx';
import { ZoneField } from '#features/cohorts/zone-field.tsx';
import { sheetTexts } from '#features/meetings/sheet-texts.ts';
import { NewCohortForm } from '#features/planning/new-cohort-form.tsx';
import { newCohortMessages } from '#features/planning/new-cohort-messages.ts';
import { CreateButton, TermSheet, WeekdayPicker } from '#features/planning/term-fields.tsx';
import { CohortPreview } from '#features/public-pages/cohort-preview.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';
import { AppShell } from '#features/shell/app-shell.tsx';
import { requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';
import { Field } from '#ui/form.tsx';

export default async function NewCohortPage() {
  const request = await requireCourse({ currency: findLastCurrency });
  const { t } = useLingui();
  const { course, i18n } = request;
  // Where the browser puts numbers, days, times and a city in.
  const number = '#';
  const [first, second, third, fourth] = ['#1', '#2', '#3', '#4'];
  const title = t`New cohort`;
  const trail = [{ to: paths.cohorts, label: t`Cohorts` }];
  return (
    <AppShell request={request} current={paths.cohorts} title={title} trail={trail}>
      <div className="page-head">
        <h1>{title}</h1>
        <p>
          <Trans>It stays a draft until you publish it. You can change everything later.</Trans>
        </p>
      </div>
      {course.course_type === 'evergreen' ? (
        <p className="notice">
          <Trans>
            This is an evergreen course.{' '}
            <a className="link" href={paths.courseSettings}>
              Change its type
            </a>{' '}
            in the settings to give it cohorts.
          </Trans>
        </p>
      ) : (
        <div id="new-cohort" className="cohort-form">
          <NewCohortForm
            // A new form for another course.
            key={course.id}
            courseId={course.id}
            messages={newCohortMessages(i18n)}
            created={t`Draft created.`}
            untitled={t`Session ${number}`}
          >
            <div className="grid grid-cols-[minmax(0,36rem)] gap-16 @min-[56rem]:grid-cols-[minmax(0,36rem)_20rem]">
              <section className="fields" aria-labelledby="when">
                <h2 id="when">
                  <Trans>When</Trans>
                </h2>
                <div className="field-row">
                  <Field
                    label={t`First day`}
                    name="starts_on"
                    type="date"
                    {...calendar}
                    required
                    takesFocus
                  />
                  <Field
                    label={t`Weeks`}
                    name="weeks"
                    inputMode="numeric"
                    autoComplete="off"
                    maxLength={3}
                  />
                  <Field label={t`Last day`} name="ends_on" type="date" {...calendar} required />
                </div>
                <WeekdayPicker legend={t`Weekdays`} locale={i18n.locale} />
                <div className="field-row">
                  <Field label={t`Starts`} name="starts_time" type="time" defaultValue="18:00" />
                  <Field label={t`Ends`} name="ends_time" type="time" defaultValue="19:30" />
                  <ZoneField zone={null} />
                </div>
                <NameField hint={t`Proposed from the first day. Call it what you like.`} />
              </section>
              <CohortPreview
                course={course.name}
                hue={course.hue}
                locale={i18n.locale}
                texts={{
                  untitled: t`Untitled`,
                  notYet: t`Not chosen yet`,
                  checkDate: t`Check the date`,
                  noLimit: t`No limit`,
                  places: t`${number}, then a waitlist`,
                  earlyPrice: t`${first}, early ${second}`,
                  noPrice: t`No price`,
                  noSessions: t`None yet`,
                  labels: {
                    sessions: t`Sessions`,
                    time: t`Time`,
                    first: t`First`,
                    last: t`Last`,
                    places: t`Places`,
                    price: t`Price`,
                  },
                }}
              />
            </div>
            <section aria-labelledby="sessions" className="border-t border-line pt-8">
              <TermSheet
                locale={i18n.locale}
                sheet={sheetTexts(i18n)}
                texts={{
                  heading: t`Sessions`,
                  pattern: t`${first} ${second}, ${third} ${fourth} time.`,
                  timeless: t`${first} ${second}.`,
                  allWith: t`${first} with class.`,
                  some: t`${first} with class, ${second} without.`,
                  none: t`Choose the weekdays and the weeks, and every session gets a row here. You can also add sessions later.`,
                }}
              />
            </section>
            <section aria-labelledby="who" className="fields">
              <h2 id="who">
                <Trans>Enrollment and price</Trans>
              </h2>
              <div className="choices-across">
                <JoinField />
              </div>
              <div className="field-row grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] [&>.field-pair]:contents">
                <Field
                  label={t`Places`}
                  name="capacity"
                  inputMode="numeric"
                  autoComplete="off"
                  hint={t`Then a waitlist`}
                />
                <PriceFields currency={request.answers.currency} zone={null} />
              </div>
            </section>
            <div className="actions">
              <CreateButton
                none={t`Create draft`}
                one={t`Create draft with 1 session`}
                many={t`Create draft with ${number} sessions`}
                pendingLabel={t`Creating…`}
              />
              <a className="button button-quiet" href={paths.cohorts}>
                <Trans>Cancel</Trans>
              </a>
            </div>
          </NewCohortForm>
        </div>
      )}
      <LeaveDialog />
    </AppShell>
  );
}
