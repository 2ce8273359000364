import type { PageProps } from 'waku/router';
import { toShown } from '#features/files/file-addresses.ts';
import { findLesson } from '#features/lessons/find-lesson.ts';
import { findLessonFacts } from '#features/lessons/find-lesson-facts.ts';
import { LessonPage } from '#features/lessons/lesson-page.tsx';
import { MissingPage } from '#missing-page.tsx';
import { requireCourse } from '#page-request.ts';

export default async function WritingPage({ id }: PageProps<'/lessons/[id]'>) {
  const request = await requireCourse({ lesson: findLesson(id), facts: findLessonFacts(id) });
  const { lesson, facts } = request.answers;
  return lesson === null || facts === null ? (
    <MissingPage request={request} />
  ) : (
    <LessonPage
      request={request}
      lesson={lesson}
      facts={facts}
      files={await toShown(request.ctx, facts.files)}
    />
  );
}
