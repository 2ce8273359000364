import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { PublicBox } from '#features/enrolling/public-box.tsx';
import { findPreview, isRun } from '#features/public-pages/find-public-pages.ts';
import { PreviewNotice, RunPreviewNotice } from '#features/public-pages/preview-notice.tsx';
import { PublicPage } from '#features/public-pages/public-pages.tsx';
import { RunPage } from '#features/public-pages/run-page.tsx';
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
  const box = <PublicBox cohort={cohort} operatorName={request.operatorName} isPreview />;
  return (
    <>
      {isRun(cohort) ? (
        <RunPage run={cohort} box={box} hasTools={false} notice={<RunPreviewNotice />} />
      ) : (
        <PublicPage
          cohort={cohort}
          box={box}
          hasTools={false}
          notice={
            <PreviewNotice>
              <a className="button button-small" href={paths.cohort(id)}>
                <Trans>Back to the cohort</Trans>
              </a>
            </PreviewNotice>
          }
        />
      )}
      <PageTools viewer={request.ctx.viewer} />
    </>
  );
}
