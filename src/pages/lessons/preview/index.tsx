import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { CoursePage } from '#features/learning/course-page.tsx';
import { findCoursePreview, toPreview } from '#features/learning/find-preview.ts';
import {
  PreviewBar,
  previewChoice,
  previewedBy,
  previewWays,
} from '#features/learning/preview-pages.tsx';
import { lessonPaths } from '#features/lessons/lesson-paths.ts';
import { PageTools } from '#features/shell/page-tools.tsx';
import { MissingPage } from '#missing-page.tsx';
import { requireCourse } from '#page-request.ts';

/** The outline of the selected course, as learners see it. */
export default async function CoursePreviewPage({ query }: PageProps<'/lessons/preview'>) {
  const request = await requireCourse({ rows: findCoursePreview(previewChoice(query)) });
  const choice = previewChoice(query);
  const { ctx } = request;
  const preview = await toPreview(ctx, request.answers.rows, choice);
  return preview === null ? (
    <MissingPage request={request} />
  ) : (
    <CoursePage
      outline={previewedBy(ctx, preview)}
      ways={previewWays(choice)}
      now={preview.now}
      preview={{
        bar: (
          <PreviewBar
            choice={choice}
            preview={preview}
            path={lessonPaths.preview}
            back={{ href: lessonPaths.list, label: <Trans>Back to the lessons</Trans> }}
          />
        ),
        tools: <PageTools viewer={ctx.viewer} />,
      }}
    />
  );
}
