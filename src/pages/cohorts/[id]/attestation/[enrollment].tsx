import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findAttended } from '#features/attendance/find-attendance.ts';
import { Certificate, NotCompleted } from '#features/papers/certificate.tsx';
import { findEnrollment } from '#features/places/find-enrollments.ts';
import { fromJson } from '#lib/to-json.ts';
import { paths } from '#paths.ts';

export default async function AttestationPage({
  id,
  enrollment,
}: PageProps<'/cohorts/[id]/attestation/[enrollment]'>) {
  return cohortPage(
    id,
    msg`Certificate of completion`,
    { details: findEnrollment(id, enrollment), attended: findAttended(enrollment) },
    ({ cohort, details, attended }, { viewer, now }) =>
      details &&
      attended && (
        <div className="max-w-160">
          <p className="no-print">
            <a className="link" href={paths.participant(id, enrollment)}>
              <Trans>Back to the person</Trans>
            </a>
          </p>
          {details.completed_at === null ? (
            <NotCompleted />
          ) : (
            <Certificate
              name={details.person.name}
              cohort={{ ...fromJson(cohort), endsAt: new Date(cohort.ends_at) }}
              completedAt={new Date(details.completed_at)}
              instructor={`${viewer.firstName} ${viewer.lastName}`}
              attended={attended}
              now={now()}
            />
          )}
        </div>
      ),
    { isPaper: true },
  );
}
