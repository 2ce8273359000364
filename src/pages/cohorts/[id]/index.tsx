import type { PageProps } from 'waku/router';
import { CohortFrame } from '#features/cohorts/cohort-frame.tsx';
import { CohortOverview } from '#features/cohorts/cohort-overview.tsx';
import { findOwnCohort } from '#features/cohorts/find-own-cohort.ts';
import { foundOr404, requireCourse } from '#page-request.ts';

export default async function CohortPage({ id }: PageProps<'/cohorts/[id]'>) {
  const request = await requireCourse({ cohort: findOwnCohort(id) });
  const { ctx, answers } = request;
  const cohort = foundOr404(answers.cohort);
  return (
    <CohortFrame request={request} cohort={cohort} section="overview">
      <CohortOverview cohort={cohort} email={ctx.viewer.email} now={ctx.now()} />
    </CohortFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
