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
    <ComingPage request={request} current={paths.cohorts} title={t`Cohorts`} subtitle={course.name}>
      <p>
        <Trans>
          This is where you’ll run your cohorts: set start and end dates, invite students and see
          who has joined.
        </Trans>
      </p>
      {isCohort ? (
        <p>
          <Trans>
            This is a cohort course. You’ll be able to run one or more groups, each with its own
            dates.
          </Trans>
        </p>
      ) : (
        <p>
          <Trans>
            This is an evergreen course, so it doesn’t use cohorts. To teach groups with fixed
            dates,{' '}
            <a className="link" href={paths.courseSettings}>
              change the course type
            </a>
            .
          </Trans>
        </p>
      )}
    </ComingPage>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
