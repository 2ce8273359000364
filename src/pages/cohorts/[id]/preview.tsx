import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { PublicBox } from '#features/enrolling/public-box.tsx';
import { findPreview } from '#features/public-pages/find-public-pages.ts';
import { PublicPage } from '#features/public-pages/public-pages.tsx';
import { PageTools } from '#features/shell/page-tools.tsx';
import { MissingPage } from '#missing-page.tsx';
import { requireCourse } from '#page-request.ts';
import { paths } from '#paths.ts';

export default async function CohortPreviewPage({ id }: PageProps<'/cohorts/[id]/preview'>) {
  const request = await requireCourse({ preview: findPreview(id) });
  const cohort = request.answers.preview;
  if (cohort === null) {
    return <MissingPage request={request} />;
  }
  return (
    <>
      <PublicPage
        cohort={cohort}
        box={<PublicBox cohort={cohort} operatorName={request.operatorName} isPreview />}
        hasTools={false}
        notice={
          <aside className="notice actions mt-4 items-start justify-between">
            {/* In the middle of its line also before the button is there. */}
            <p className="py-2">
              <Trans>This is a preview. Only you can see it.</Trans>
            </p>
            <a className="button button-small" href={paths.cohort(id)}>
              <Trans>Back to the cohort</Trans>
            </a>
          </aside>
        }
      />
      <PageTools viewer={request.ctx.viewer} />
    </>
  );
}
