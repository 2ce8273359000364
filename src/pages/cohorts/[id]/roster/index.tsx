import type { PageProps } from 'waku/router';
import { CohortFrame } from '#features/planning/cohort-frame.tsx';
import { findOwnCohort } from '#features/planning/find-own-cohort.ts';
import { findRoster } from '#features/roster/find-roster.ts';
import { Roster } from '#features/roster/roster.tsx';
import { MissingPage } from '#features/shell/missing-page.tsx';
import { answerNotFound, redirectFromTrash, requireCourse } from '#page-request.ts';

export default async function RosterPage({ id, query }: PageProps<'/cohorts/[id]/roster'>) {
  const request = await requireCourse({
    cohort: findOwnCohort(id),
    roster: findRoster(id, query),
  });
  const { ctx, answers } = request;
  const { cohort } = answers;
  if (cohort === null) {
    return <MissingPage request={answerNotFound(request)} />;
  }
  redirectFromTrash(cohort);
  return (
    <CohortFrame request={request} cohort={cohort} section="roster">
      <Roster cohort={cohort} roster={answers.roster} now={ctx.now()} />
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
