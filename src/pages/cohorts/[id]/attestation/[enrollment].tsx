import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { cohortPage } from '#cohort-page.tsx';
import { findSchedule } from '#features/meetings/list-meetings.ts';
import { Attestation, NotCompleted } from '#features/papers/attestation.tsx';
import { findEnrollment } from '#features/places/find-enrollments.ts';
import { paths } from '#paths.ts';

export default async function AttestationPage({
  id,
  enrollment,
}: PageProps<'/cohorts/[id]/attestation/[enrollment]'>) {
  return cohortPage(
    id,
    msg`Attestation`,
    { details: findEnrollment(id, enrollment), meetings: findSchedule(id) },
    ({ cohort, details, meetings }, { viewer, now }) =>
      details && (
        <>
          <p className="no-print">
            <a className="link" href={paths.participant(id, enrollment)}>
              <Trans>Back to the person</Trans>
            </a>
          </p>
          {details.completed_at === null ? (
            <NotCompleted />
          ) : (
            <Attestation
              cohort={cohort}
              name={details.person.name}
              completedAt={new Date(details.completed_at)}
              instructor={`${viewer.firstName} ${viewer.lastName}`}
              meetings={meetings}
              now={now()}
            />
          )}
        </>
      ),
  );
}
