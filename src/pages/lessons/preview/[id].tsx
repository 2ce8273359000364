import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { findLessonPreview } from '#features/learning/find-preview.ts';
import { LessonPage } from '#features/learning/lesson-page.tsx';
import { lessonsOf } from '#features/learning/outline.ts';
import {
  hasDraftsIn,
  PreviewBar,
  previewedBy,
  previewWays,
} from '#features/learning/preview-pages.tsx';
import { lessonPaths } from '#features/lessons/lesson-paths.ts';
import { PageTools } from '#features/shell/page-tools.tsx';
import { MissingPage } from '#missing-page.tsx';
import { requireCourse } from '#page-request.ts';

/** One lesson, as learners see it. */
export default async function LessonPreviewPage({ id, query }: PageProps<'/lessons/preview/[id]'>) {
  const hasDrafts = hasDraftsIn(query);
  const request = await requireCourse({ found: findLessonPreview(id, hasDrafts) });
  const { found } = request.answers;
  const outline = found && previewedBy(request.ctx, found.preview);
  const lesson = outline && lessonsOf(outline).find((one) => one.id === id);
  if (!lesson) {
    return <MissingPage request={request} />;
  }
  return (
    <LessonPage
      outline={outline}
      lesson={lesson}
      html={found.html}
      ways={previewWays(hasDrafts)}
      preview={{
        bar: (
          <PreviewBar
            hasDrafts={hasDrafts}
            path={lessonPaths.lessonPreview(id)}
            back={{ href: lessonPaths.lesson(id), label: <Trans>Back to the lesson</Trans> }}
          />
        ),
        tools: <PageTools viewer={request.ctx.viewer} />,
      }}
    />
  );
}
