import 'server-only';
import type { SQL } from 'drizzle-orm';
import { cancelCohorts, courseHasPeople } from '#features/places/deletions.ts';
import type { Context } from './context.ts';
import type { Query } from './db/query.ts';
import type { ErrorCode } from './vocabulary.ts';

// What deletions have to do for features that they know nothing of, besides `erased` in
// vocabulary.ts. Not there, because Node reads vocabularies, and this is server-only.

/**
 * What is written before an account is deleted, in the same batch: emails to others about its end,
 * which outlive it. Each reads the ids of its emails.
 */
export const beforeAccountDeletion: Record<
  string,
  (ctx: Context, ownerId: string) => Query<string[]>
> = { cohorts: cancelCohorts };

/** The errors that keep a course from being deleted, and when each does, as SQL. */
export const courseKeepers: Partial<Record<ErrorCode, (ownerId: string, courseId: string) => SQL>> =
  { course_has_people: courseHasPeople };
