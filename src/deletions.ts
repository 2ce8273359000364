import 'server-only';
import type { SQL } from 'drizzle-orm';
import { openPagesOf, owesRefunds } from '#features/checkouts/end-payments.ts';
import { cancelCohorts, courseHasLearners, courseHasPeople } from '#features/places/deletions.ts';
import { courseHasMoney } from '#features/planning/decide-money.ts';
import type { Context } from './context.ts';
import type { Query } from './db/query.ts';
import type { ErrorCode } from './vocabulary.ts';

// The duties of a deletion toward features above the one that deletes. What is erased with an
// account is in the vocabularies; these are not, because they are server-only and Node reads those.

/**
 * What is written before an account is deleted, in the same batch: emails to others about its end,
 * which outlive it. Each reads the ids of its emails.
 */
export const beforeAccountDeletion: Record<
  string,
  (ctx: Context, ownerId: string) => Query<string[]>
> = { cohorts: cancelCohorts };

/**
 * Reads, before an account is deleted, what has to be ended at other services, and returns what ends
 * it there once the account is gone.
 */
export const endedWithAccount: (ctx: Context, ownerId: string) => Query<() => Promise<void>> =
  openPagesOf;

/** The errors that keep an account from being deleted, and when each does, as SQL. */
export const accountKeepers: Partial<Record<ErrorCode, (ownerId: string) => SQL>> = {
  refunds_under_way: owesRefunds,
};

/** The errors that keep a course from being deleted, and when each does, as SQL. */
export const courseKeepers: Partial<Record<ErrorCode, (ownerId: string, courseId: string) => SQL>> =
  {
    course_has_people: courseHasPeople,
    course_has_learners: courseHasLearners,
    money_undecided: courseHasMoney,
  };
