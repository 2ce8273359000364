import { ClosedPage } from '#features/learning/closed-pages.tsx';
import { CoursesPage } from '#features/learning/courses-page.tsx';
import { DeviceLine } from '#features/learning/device-line.tsx';
import { findLearnerCourses } from '#features/learning/find-learner.ts';
import { learnerRequest, pageData } from '#page-request.ts';

/** The courses of the people whom this device remembers. Opening it changes nothing. */
export default async function LearnerCoursesPage() {
  const { ctx, device } = learnerRequest();
  const found = await pageData(findLearnerCourses(ctx, device));
  const { learner, courses, rememberedUntil } = found;
  return learner === null ? (
    <ClosedPage person={null} courseId={null} />
  ) : (
    <CoursesPage
      person={learner}
      courses={courses}
      device={<DeviceLine until={rememberedUntil} />}
    />
  );
}
