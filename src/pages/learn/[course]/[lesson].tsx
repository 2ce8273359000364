import type { PageProps } from 'waku/router';
import { findLearnerLesson } from '#features/learning/find-learner.ts';
import { learnerWays } from '#features/learning/learner-ways.ts';
import { LessonPage } from '#features/learning/lesson-page.tsx';
import { closedPage } from '#learner-page.tsx';
import { learnerRequest, pageData } from '#page-request.ts';

/** A lesson, for someone whom this device remembers. Opening it changes nothing. */
export default async function LearnerLessonPage({
  course: courseId,
  lesson: lessonId,
}: PageProps<'/learn/[course]/[lesson]'>) {
  const { ctx, device } = learnerRequest();
  const found = await pageData(findLearnerLesson(ctx, device, courseId, lessonId));
  const { learner, course, lesson } = found;
  return course === null || lesson === null ? (
    closedPage(learner, courseId)
  ) : (
    <LessonPage outline={course} lesson={lesson} html={lesson.html} ways={learnerWays(courseId)} />
  );
}
