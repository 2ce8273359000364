import { Trans, useLingui } from '@lingui/react/macro';
import { AppShell } from '#features/shell/app-shell.tsx';
import { ComingPage } from '#features/shell/coming-page.tsx';
import { requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';

export default async function CohortsPage() {
  const request = await requireCourse();
  const { t } = useLingui();
  const { course } = request;
  const isCohort = course.course_type === 'cohort';
  return (
    <AppShell request={request} current={paths.cohorts} title={t`Cohorts`}>
      <ComingPage
        icon="icon-cohorts"
        title={t`Cohorts`}
        subtitle={course.name}
        comingSoon={t`Coming soon`}
      >
        <p>
          <Trans>
            Here you will bring groups together: give each cohort its first and its last day, invite
            its students, and see who is there.
          </Trans>
        </p>
        {isCohort ? (
          <p>
            <Trans>
              This is a cohort course: its groups learn together, with fixed start and end dates. It
              will hold one or more of them.
            </Trans>
          </p>
        ) : (
          <p>
            <Trans>
              This is an evergreen course: students enroll and start at any time, at their own pace
              and without deadlines. It needs no cohorts. If you would rather teach groups with
              fixed dates, change its type in the settings.
            </Trans>
          </p>
        )}
      </ComingPage>
    </AppShell>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
