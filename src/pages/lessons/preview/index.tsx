import { Trans } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { CoursePage } from '#features/learning/course-page.tsx';
import { findCoursePreview } from '#features/learning/find-preview.ts';
import {
  hasDraftsIn,
  PreviewBar,
  previewedBy,
  previewWays,
} from '#features/learning/preview-pages.tsx';
import { lessonPaths } from '#features/lessons/lesson-paths.ts';
import { PageTools } from '#features/shell/page-tools.tsx';
import { requireCourse } from '#page-request.ts';

/** The outline of the selected course, as learners see it. */
export default async function CoursePreviewPage({ query }: PageProps<'/lessons/preview'>) {
  const { answers, ctx, course } = await requireCourse({
    preview: findCoursePreview(hasDraftsIn(query)),
  });
  const hasDrafts = hasDraftsIn(query);
  const preview = answers.preview ?? { course, sections: [] };
  return (
    <CoursePage
      outline={previewedBy(ctx, preview)}
      ways={previewWays(hasDrafts)}
      preview={{
        bar: (
          <PreviewBar
            hasDrafts={hasDrafts}
            path={lessonPaths.preview}
            back={{ href: lessonPaths.list, label: <Trans>Back to the lessons</Trans> }}
          />
        ),
        tools: <PageTools viewer={ctx.viewer} />,
      }}
    />
  );
}
