import type { PageProps } from 'waku/router';
import { findWholeCourse } from '#features/learning/find-learner.ts';
import { learnerWays } from '#features/learning/learner-ways.ts';
import { WholeCourse } from '#features/learning/whole-course.tsx';
import { closedPage } from '#learner-page.tsx';
import { learnerRequest, pageData } from '#page-request.ts';

/** All lessons of a course, for someone whom this device remembers. Opening it changes nothing. */
export default async function WholeCoursePage({ course: id }: PageProps<'/learn/[course]/all'>) {
  const { ctx, device } = learnerRequest();
  const found = await pageData(findWholeCourse(ctx, device, id));
  const { course, lessons } = found;
  return course === null ? (
    closedPage(found, id)
  ) : (
    <WholeCourse outline={course} ways={learnerWays(id)} texts={lessons} />
  );
}
