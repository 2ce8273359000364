import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { findLessonPreview } from '#features/learning/find-preview.ts';
import { LessonPage } from '#features/learning/lesson-page.tsx';
import { lessonsOf } from '#features/learning/outline.ts';
import {
  HiddenLesson,
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
  const request = await requireCourse({ found: findLessonPreview(id, hasDraftsIn(query)) });
  const hasDrafts = hasDraftsIn(query);
  const { found } = request.answers;
  if (found === null) {
    return <MissingPage request={request} />;
  }
  const outline = previewedBy(request.ctx, found.preview);
  const ways = previewWays(hasDrafts);
  const lesson = lessonsOf(outline).find((one) => one.id === id);
  const preview = {
    bar: (
      <PreviewBar
        hasDrafts={hasDrafts}
        path={lessonPaths.lessonPreview(id)}
        back={{ href: lessonPaths.lesson(id), label: <Trans>Back to the lesson</Trans> }}
      />
    ),
    tools: <PageTools viewer={request.ctx.viewer} />,
  };
  return lesson === undefined || found.html === null ? (
    <HiddenLesson preview={preview} ways={ways} />
  ) : (
    <LessonPage outline={outline} lesson={lesson} html={found.html} ways={ways} preview={preview} />
  );
}
