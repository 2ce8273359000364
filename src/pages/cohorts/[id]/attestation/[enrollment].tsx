import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { findSchedule } from '#features/meetings/find-schedule.ts';
import { Attestation, NotCompleted } from '#features/papers/attestation.tsx';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/find-own-cohort.ts';
import { findDetails } from '#features/roster/find-roster.ts';
import { MissingPage } from '#features/shell/missing-page.tsx';
import { answerNotFound, redirectFromTrash, requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';

export default async function AttestationPage({
  id,
  enrollment,
}: PageProps<'/cohorts/[id]/attestation/[enrollment]'>) {
  const request = await requireCourse({
    cohort: findOwnCohort(id),
    details: findDetails(id, enrollment),
    meetings: findSchedule(id),
  });
  const { ctx, answers } = request;
  const { cohort, details, meetings } = answers;
  const { t } = useLingui();
  if (cohort === null || details === null) {
    return <MissingPage request={answerNotFound(request)} />;
  }
  redirectFromTrash(cohort);
  const { firstName, lastName } = ctx.viewer;
  const { person, completed_at: completedAt } = details;
  return (
    <CohortFrame request={request} cohort={cohort} section={null} title={t`Attestation`}>
      <p className="no-print">
        <a className="link" href={paths.participant(id, enrollment)}>
          <Trans>Back to the person</Trans>
        </a>
      </p>
      {completedAt === null ? (
        <NotCompleted />
      ) : (
        <Attestation
          cohort={cohort}
          name={person.name}
          completedAt={new Date(completedAt)}
          instructor={`${firstName} ${lastName}`}
          meetings={meetings}
          now={ctx.now()}
        />
      )}
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
