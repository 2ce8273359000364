import type { PageProps } from 'waku/router';
import { CourseSearch } from '#features/learning/course-search.tsx';
import { findLearnerCourse, findWholeText } from '#features/learning/find-learner.ts';
import { learnerWays } from '#features/learning/learner-ways.ts';
import { readQuery } from '#features/lessons/search-lessons.ts';
import { closedPage } from '#learner-page.tsx';
import { learnerRequest, pageData } from '#page-request.ts';

/** What is found in the lessons that are open to someone. Opening it changes nothing. */
export default async function LearnerSearchPage({
  course: id,
  query,
}: PageProps<'/learn/[course]/search'>) {
  const { ctx, device } = learnerRequest();
  const search = readQuery(query);
  // Texts are read only to search in them.
  const found = await pageData(
    search.query === ''
      ? findLearnerCourse(ctx, device, id).then((read) => ({ ...read, lessons: [] }))
      : findWholeText(ctx, device, id),
  );
  const { course, lessons } = found;
  return course === null ? (
    closedPage(found, id)
  ) : (
    <CourseSearch outline={course} ways={learnerWays(id)} lessons={lessons} {...search} />
  );
}
