import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { findPreview } from '#features/cohorts/find-public-cohort.ts';
import { PublicPage } from '#features/cohorts/public-cohort.tsx';
import { PageTools } from '#features/shell/page-tools.tsx';
import { foundOr404, requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';

export default async function CohortPreviewPage({ id }: PageProps<'/cohorts/[id]/preview'>) {
  const { ctx, answers } = await requireCourse({ preview: findPreview(id) });
  const cohort = foundOr404(answers.preview);
  return (
    <>
      <PublicPage
        cohort={cohort}
        notice={
          <aside className="notice actions mt-4 justify-between">
            <p>
              <Trans>This is a preview. Only you can see it.</Trans>
            </p>
            <a className="button button-small" href={paths.cohort(id)}>
              <Trans>Back to the cohort</Trans>
            </a>
          </aside>
        }
      />
      <PageTools viewer={ctx.viewer} />
    </>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
