import type { PageProps } from 'waku/router';
import { findLearnerLesson } from '#features/learning/find-learner.ts';
import { learnerWays } from '#features/learning/learner-ways.ts';
import { LessonPage } from '#features/learning/lesson-page.tsx';
import { lessonsOf } from '#features/learning/outline.ts';
import { closedPage, laterPage } from '#learner-page.tsx';
import { learnerRequest, pageData } from '#page-request.ts';

/** A lesson, for someone whom this device remembers. Opening it changes nothing. */
export default async function LearnerLessonPage({
  course: courseId,
  lesson: lessonId,
}: PageProps<'/learn/[course]/[lesson]'>) {
  const { ctx, device } = learnerRequest();
  const found = await pageData(findLearnerLesson(ctx, device, courseId, lessonId));
  const { course, lesson } = found;
  if (course !== null && lesson !== null) {
    const ways = learnerWays(courseId);
    return (
      <LessonPage
        outline={course}
        lesson={lesson}
        html={lesson.html}
        files={lesson.files}
        ways={ways}
        now={ctx.now()}
      />
    );
  }
  const later = course && lessonsOf(course).find(({ id }) => id === lessonId);
  return course && later ? laterPage(course, later, ctx.now()) : closedPage(found, courseId);
}
