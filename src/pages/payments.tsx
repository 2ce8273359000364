import { Trans, useLingui } from '@lingui/react/macro';
import { ComingPage } from '#features/shell/coming-page.tsx';
import { requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';

export default async function PaymentsPage() {
  const request = await requireCourse();
  const { t } = useLingui();
  const { course } = request;
  const isCohort = course.course_type === 'cohort';
  return (
    <ComingPage
      request={request}
      current={paths.payments}
      title={t`Payments`}
      icon="icon-payments"
      subtitle={course.name}
    >
      <p>
        <Trans>
          Here you will set what this course costs, and see who has paid. Until then Lectern asks
          nobody for money and keeps no payment details.
        </Trans>
      </p>
      {isCohort ? (
        <p>
          <Trans>
            This is a cohort course: students will pay for a place in a group, before its first day.
          </Trans>
        </p>
      ) : (
        <p>
          <Trans>
            This is an evergreen course: students will pay when they enroll, on whatever day that
            is.
          </Trans>
        </p>
      )}
    </ComingPage>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
