import { Trans, useLingui } from '@lingui/react/macro';
import { ComingPage } from '#features/shell/coming-page.tsx';
import { requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';

export default async function CohortsPage() {
  const request = await requireCourse();
  const { t } = useLingui();
  const { course } = request;
  const isCohort = course.course_type === 'cohort';
  return (
    <ComingPage
      request={request}
      current={paths.cohorts}
      title={t`Cohorts`}
      icon="icon-cohorts"
      subtitle={course.name}
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
            and without deadlines. It needs no cohorts. If you would rather teach groups with fixed
            dates, change its type in the settings.
          </Trans>
        </p>
      )}
    </ComingPage>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
