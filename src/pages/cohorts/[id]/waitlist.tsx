import type { PageProps } from 'waku/router';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/find-own-cohort.ts';
import { findWaitlist } from '#features/roster/find-roster.ts';
import { Waitlist } from '#features/roster/waitlist.tsx';
import { MissingPage } from '#features/shell/missing-page.tsx';
import { answerNotFound, redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function WaitlistPage({ id, query }: PageProps<'/cohorts/[id]/waitlist'>) {
  const request = await requireCourse({
    cohort: findOwnCohort(id),
    waitlist: findWaitlist(id, query),
  });
  const { ctx, answers } = request;
  const { cohort, waitlist } = answers;
  if (cohort === null || waitlist === null) {
    return <MissingPage request={answerNotFound(request)} />;
  }
  redirectFromTrash(cohort);
  return (
    <CohortFrame request={request} cohort={cohort} section="waitlist">
      <Waitlist cohort={cohort} waitlist={waitlist} now={ctx.now()} />
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
