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
      subtitle={course.name}
    >
      <p>
        <Trans>
          This is where you’ll set a price and see who has paid. For now, Lectern doesn’t charge
          anyone or store payment details.
        </Trans>
      </p>
      {isCohort ? (
        <p>
          <Trans>
            This is a cohort course, so students will pay for their place before the cohort starts.
          </Trans>
        </p>
      ) : (
        <p>
          <Trans>This is an evergreen course, so students will pay when they enroll.</Trans>
        </p>
      )}
    </ComingPage>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
