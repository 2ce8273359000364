import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { toShown } from '#features/files/file-addresses.ts';
import { filesIn } from '#features/files/find-files.ts';
import { findLessonPreview, toPreview } from '#features/learning/find-preview.ts';
import { LessonPage } from '#features/learning/lesson-page.tsx';
import { lessonsOf } from '#features/learning/outline.ts';
import {
  HiddenLesson,
  PreviewBar,
  previewChoice,
  previewedBy,
  previewWays,
} from '#features/learning/preview-pages.tsx';
import { lessonPaths } from '#features/lessons/lesson-paths.ts';
import { PageTools } from '#features/shell/page-tools.tsx';
import { MissingPage } from '#missing-page.tsx';
import { requireCourse } from '#page-request.ts';

/** One lesson, as learners see it. */
export default async function LessonPreviewPage({ id, query }: PageProps<'/lessons/preview/[id]'>) {
  const request = await requireCourse({ found: findLessonPreview(id, previewChoice(query)) });
  const choice = previewChoice(query);
  const { found } = request.answers;
  const shown = found && (await toPreview(request.ctx, found.rows, choice));
  if (found === null || shown === null) {
    return <MissingPage request={request} />;
  }
  const outline = previewedBy(request.ctx, shown);
  const ways = previewWays(choice, found.keys);
  const lesson = lessonsOf(outline).find((one) => one.id === id);
  const preview = {
    bar: (
      <PreviewBar
        choice={choice}
        preview={shown}
        path={lessonPaths.lessonPreview(id)}
        back={{ href: lessonPaths.lesson(id), label: <Trans>Back to the lesson</Trans> }}
      />
    ),
    tools: <PageTools viewer={request.ctx.viewer} />,
  };
  return lesson === undefined || lesson.opening !== null || found.html === null ? (
    <HiddenLesson preview={preview} ways={ways} isDraft={found.html === null} />
  ) : (
    <LessonPage
      outline={outline}
      lesson={lesson}
      html={found.html}
      files={await toShown(request.ctx, filesIn(found.html, found.files))}
      ways={ways}
      now={shown.now}
      preview={preview}
    />
  );
}
