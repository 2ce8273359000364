import type { PageProps } from 'waku/router';
import { findPublicCohort } from '#features/cohorts/find-public-cohort.ts';
import { PublicPage } from '#features/cohorts/public-cohort.tsx';
import { keptOr404, pageData, pageRequest } from '#page-request.ts';

export default async function PublicCohortPage({ slug }: PageProps<'/c/[slug]'>) {
  const { ctx } = pageRequest();
  const cohort = keptOr404(await pageData(findPublicCohort(ctx, slug)));
  return <PublicPage cohort={cohort} />;
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
