import 'server-only';
import { sql } from 'drizzle-orm';
import { fragment, type Given } from '#db/prepared.ts';
import { lessonCount, lessonsDone } from '#db/shown-lessons.ts';
import { completePeople } from '#features/attendance/complete-people.ts';
import type { CompletedPeople, CompleteInput } from '#features/attendance/schema.ts';
import type { CohortRow } from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';

/**
 * Whether the person of enrollment `e` has done every lesson that people of its cohort see, also
 * those that are yet to open; there is at least one.
 */
export const hasDoneEvery = fragment(({ cohortId }: Given<'cohortId'>) => {
  // Counted once, because nothing in it is of one person.
  const all = sql`(SELECT ${lessonCount} FROM cohorts c WHERE c.id = ${cohortId})`;
  const done = sql`(SELECT ${lessonsDone} FROM learning g JOIN cohorts c ON c.id = ${cohortId}
    WHERE g.enrollment_id = e.id)`;
  return sql`(${done} >= max(${all}, 1))`;
});

/**
 * Marks everyone as completed who has done every lesson.
 *
 * @throws AppError as `completePeople`
 */
export function completeLearned(
  ctx: ViewerContext,
  cohort: CohortRow,
  { before_end: isBeforeEnd }: CompleteInput,
): Promise<CompletedPeople> {
  return completePeople(ctx, cohort, isBeforeEnd, hasDoneEvery({ cohortId: cohort.id }));
}
