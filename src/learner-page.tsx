import 'server-only';
import { ClosedPage, EndedPage, LaterLesson } from '#features/learning/closed-pages.tsx';
import type { EndedAccess } from '#features/learning/find-learner.ts';
import type { Outline, PlacedLesson } from '#features/learning/outline.ts';
import { currentRequest } from '#middleware/request-storage.ts';

/** What a page of learners shows if its reader may not read it: 404 for those we know. */
export function closedPage(
  { learner, ended }: { learner: { name: string } | null; ended: EndedAccess | null },
  courseId: string,
  of: 'lessons' | 'certificate' = 'lessons',
) {
  if (learner !== null) {
    currentRequest().isMissing = true;
  }
  return ended === null ? (
    <ClosedPage person={learner} courseId={courseId} of={of} />
  ) : (
    <EndedPage ended={ended} />
  );
}

/** The same for a lesson that is in their outline and not open yet. */
export function laterPage(outline: Outline, lesson: PlacedLesson, now: Date) {
  currentRequest().isMissing = true;
  return <LaterLesson outline={outline} lesson={lesson} now={now} />;
}
