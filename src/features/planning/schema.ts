import * as z from 'zod/mini';
import { CohortInput } from '#features/cohorts/schema.ts';
import { scheduleParts } from '#features/meetings/schema.ts';

/** A new cohort, which can have its live sessions and days off from the beginning. */
export const NewCohortInput = z.safeExtend(CohortInput, {
  meetings: z._default(scheduleParts.meetings, []),
  days_off: z._default(scheduleParts.days_off, []),
});
export type NewCohortInput = z.output<typeof NewCohortInput>;
