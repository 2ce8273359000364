import { learningPaths } from './learning-paths.ts';
import type { Ways } from './outline.ts';

/** The links of a learner’s pages. */
export function learnerWays(courseId: string): Ways {
  return {
    course: learningPaths.course(courseId),
    lesson: (id) => learningPaths.lesson(courseId, id),
    // `findLearnerLesson` knows both.
    linked: (key) => learningPaths.lesson(courseId, key),
    all: learningPaths.all(courseId),
    search: learningPaths.search(courseId),
    certificate: learningPaths.certificate(courseId),
  };
}
