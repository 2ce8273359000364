import { PublicBox } from '#features/enrolling/public-box.tsx';
import { findRunPreview } from '#features/public-pages/find-public-pages.ts';
import { RunPreviewNotice } from '#features/public-pages/preview-notice.tsx';
import { RunPage } from '#features/public-pages/run-page.tsx';
import { PageTools } from '#features/shell/page-tools.tsx';
import { MissingPage } from '#missing-page.tsx';
import { requireCourse } from '#page-request.ts';

/** What the public page of an evergreen course will look like. */
export default async function RunPreviewPage() {
  const request = await requireCourse({ preview: findRunPreview });
  const run = request.answers.preview;
  if (run === null) {
    return <MissingPage request={request} />;
  }
  return (
    <>
      <RunPage
        run={run}
        box={<PublicBox cohort={run} operatorName={request.operatorName} isPreview />}
        hasTools={false}
        notice={<RunPreviewNotice />}
      />
      <PageTools viewer={request.ctx.viewer} />
    </>
  );
}
