import 'server-only';
import type { Context } from '#context.ts';
import { ask } from '#db/query.ts';
import { enrollmentState, placesLeft } from '#features/cohorts/cohort-status.ts';
import { isPublishedAt } from '#features/cohorts/get-cohort.ts';
import { enrollableRows } from '#features/places/enrollable-cohort.ts';
import { AppError } from '#lib/app-error.ts';
import { formStamp } from './form-stamp.ts';
import type { Availability } from './schema.ts';

/**
 * What a cohort offers at this moment to everyone with its address, for a page that is older.
 *
 * @throws AppError `not_found` for a cohort without a public page
 */
export async function findAvailability(ctx: Context, slug: string): Promise<Availability> {
  const { rows } = await ask(ctx, {
    rows: enrollableRows({ now: ctx.now(), where: isPublishedAt({ slug }) }),
  });
  const [row] = rows;
  if (row === undefined) {
    throw new AppError('not_found');
  }
  const { cohort } = row;
  return {
    enrollment_state: enrollmentState(cohort, cohort, ctx.now()),
    places_left: cohort.showsPlacesLeft ? placesLeft(cohort, cohort) : null,
    waiting: cohort.showsPlacesLeft ? cohort.waitlisted : null,
    stamp: await formStamp(ctx),
  };
}
