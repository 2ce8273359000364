import 'server-only';
import type { Context } from '#context.ts';
import { enrollmentState, placesLeft } from '#features/cohorts/cohort-status.ts';
import { isPublishedAt } from '#features/cohorts/get-cohort.ts';
import { findEnrollable } from '#features/places/enrollable-cohort.ts';
import { requireFound } from '#lib/app-error.ts';
import { formStamp } from './form-stamp.ts';
import type { Availability } from './schema.ts';

/**
 * What a cohort offers at this moment to everyone with its address, for a page that is older.
 *
 * @throws AppError `not_found` for a cohort without a public page
 */
export async function findAvailability(ctx: Context, slug: string): Promise<Availability> {
  const { cohort } = requireFound(await findEnrollable(ctx, isPublishedAt({ slug })));
  return {
    enrollment_state: enrollmentState(cohort, cohort, ctx.now()),
    places_left: cohort.showsPlacesLeft ? placesLeft(cohort, cohort) : null,
    waiting: cohort.showsPlacesLeft ? cohort.waitlisted : null,
    stamp: await formStamp(ctx),
  };
}
