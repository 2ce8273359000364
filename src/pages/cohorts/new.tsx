import { Trans, useLingui } from '@lingui/react/macro';
import {
  DayFields,
  JoinField,
  NameField,
  PlacesField,
  WaitlistField,
} from '#features/cohorts/cohort-fields.tsx';
import { cohortMessages } from '#features/cohorts/cohort-messages.ts';
import { ZoneField } from '#features/cohorts/zone-field.tsx';
import { NewCohortForm } from '#features/planning/new-cohort-form.tsx';
import { CohortPreview } from '#features/public-pages/cohort-preview.tsx';
import { LeaveDialog } from '#features/settings/leave-dialog.tsx';
import { AppShell } from '#features/shell/app-shell.tsx';
import { requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';
import { SubmitButton } from '#ui/form.tsx';

export default async function NewCohortPage() {
  const request = await requireCourse();
  const { t } = useLingui();
  const { course, i18n } = request;
  // Where the browser puts the number in.
  const places = '#';
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
            messages={cohortMessages(i18n)}
            created={t`Draft created.`}
          >
            <div className="cohort-columns">
              <div className="fields">
                <section className="fields" aria-labelledby="when">
                  <h2 id="when">
                    <Trans>When</Trans>
                  </h2>
                  <NameField />
                  <DayFields />
                  <ZoneField zone={null} />
                </section>
                <section className="fields" aria-labelledby="who">
                  <h2 id="who">
                    <Trans>Who</Trans>
                  </h2>
                  <JoinField />
                  <PlacesField />
                  <WaitlistField />
                </section>
                <div className="actions">
                  <SubmitButton label={t`Create draft`} pendingLabel={t`Creating…`} />
                  <a className="button button-quiet" href={paths.cohorts}>
                    <Trans>Cancel</Trans>
                  </a>
                </div>
              </div>
              <CohortPreview
                course={course.name}
                hue={course.hue}
                locale={i18n.locale}
                texts={{
                  untitled: t`Untitled`,
                  notYet: t`Not chosen yet`,
                  checkDate: t`Check the date`,
                  noLimit: t`No limit`,
                  places: t`${places}, without a waitlist`,
                  placesAndWaitlist: t`${places}, then a waitlist`,
                  joining: {
                    open: t`Anyone with the link`,
                    approval: t`Anyone, with your approval`,
                    invitation: t`By invitation`,
                  },
                  labels: {
                    first: t`First day`,
                    last: t`Last day`,
                    zone: t`Time zone`,
                    places: t`Places`,
                    joining: t`Joining`,
                  },
                  next: t`Next: add live sessions, then publish.`,
                }}
              />
            </div>
          </NewCohortForm>
        </div>
      )}
      <LeaveDialog />
    </AppShell>
  );
}
