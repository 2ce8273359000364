import type { PageProps } from 'waku/router';
import { toShown } from '#features/files/file-addresses.ts';
import { findLesson } from '#features/lessons/find-lesson.ts';
import { findLessonVersions } from '#features/lessons/find-lesson-facts.ts';
import { VersionsPage } from '#features/lessons/versions-page.tsx';
import { MissingPage } from '#missing-page.tsx';
import { requireCourse } from '#page-request.ts';

export default async function LessonVersionsPage({
  id,
  query,
}: PageProps<'/lessons/[id]/versions'>) {
  const request = await requireCourse({
    lesson: findLesson(id),
    versions: findLessonVersions(id, Number(new URLSearchParams(query).get('v')) || null),
  });
  const { lesson, versions } = request.answers;
  return lesson === null ? (
    <MissingPage request={request} />
  ) : (
    <VersionsPage
      request={request}
      lesson={lesson}
      versions={versions}
      files={await toShown(request.ctx, versions.files)}
      showsChanges={new URLSearchParams(query).get('show') === 'changes'}
    />
  );
}
