import 'server-only';
import { ClosedPage } from '#features/learning/closed-pages.tsx';
import { currentRequest } from '#middleware/request-storage.ts';

/** What a page of learners shows if its reader may not read it: 404 for those we know. */
export function closedPage(learner: { name: string } | null, courseId: string) {
  if (learner !== null) {
    currentRequest().isMissing = true;
  }
  return <ClosedPage person={learner} courseId={courseId} />;
}
