import 'server-only';
import { requireCurrency } from '#features/cohorts/get-cohort.ts';
import type { Cohort, CohortInput } from '#features/cohorts/schema.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { fromJson } from '#lib/to-json.ts';
import { insertCohort } from './insert-cohort.ts';

/** Which emails a new cohort sends that not everyone wants. */
const firstSwitches = {
  remindsInvited: true,
  remindsStart: true,
  remindsDayBefore: true,
  remindsHourBefore: false,
};

/**
 * Creates a cohort of one of the viewer's courses, as a draft.
 *
 * @param idempotencyKey a retry with the same key returns the cohort as it is now
 * @throws AppError `validation_failed` for a zone or currency that this runtime does not know, and
 *   for a time that clocks skip; what `insertCohort` throws
 */
export async function createCohort(
  ctx: ViewerContext,
  courseId: string,
  input: CohortInput,
  idempotencyKey: string | null,
): Promise<Cohort> {
  requireCurrency(input.currency);
  const { instantsOfTyped } = await import('#features/cohorts/cohort-times.ts');
  const chosen = {
    courseId,
    ...fromJson(input),
    language: input.language ?? ctx.viewer.language,
  };
  const instants = instantsOfTyped(input, ctx.request.locale);
  const cohort = { ...chosen, ...instants, ...firstSwitches };
  // What is derived may differ at a retry, by another runtime.
  const compared = Object.keys(chosen) as (keyof typeof chosen)[];
  return insertCohort(ctx, cohort, idempotencyKey, compared);
}
