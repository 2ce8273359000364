import type { PageProps } from 'waku/router';
import { CoursePage } from '#features/learning/course-page.tsx';
import { DeviceLine } from '#features/learning/device-line.tsx';
import { findLearnerCourse } from '#features/learning/find-learner.ts';
import { learnerWays } from '#features/learning/learner-ways.ts';
import { closedPage } from '#learner-page.tsx';
import { learnerRequest, pageData } from '#page-request.ts';

/** A course of someone whom this device remembers. Opening it changes nothing. */
export default async function LearnerCoursePage({ course: id }: PageProps<'/learn/[course]'>) {
  const { ctx, device } = learnerRequest();
  const found = await pageData(findLearnerCourse(ctx, device, id));
  const { course, rememberedUntil } = found;
  return course === null ? (
    closedPage(found, id)
  ) : (
    <CoursePage
      outline={course}
      ways={learnerWays(id)}
      now={ctx.now()}
      device={<DeviceLine until={rememberedUntil} />}
    />
  );
}
