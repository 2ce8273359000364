import 'server-only';
import { and, type SQL } from 'drizzle-orm';
import { ask, db, type Query, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import {
  type CountedCohort,
  cohortOrThrow,
  cohortRows,
  isOwn,
} from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { withPlaces } from '#features/places/places.ts';

type StateColumn = 'publishedAt' | 'archivedAt' | 'deletedAt';

/** Whether it is decided: the time is that of the change. */
type Change = Partial<Record<StateColumn, boolean>>;

/**
 * Sets or takes back a state of one of the viewer's cohorts, such as published or archived.
 *
 * @param now the time of the decision
 * @param where what must hold, such as that it was not decided before
 * @param first what is written before the change, such as the emails about it; reads their ids
 * @returns the cohort as it is now, changed or not
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
export async function changeState(
  ctx: ViewerContext,
  id: string,
  now: Date,
  state: Change,
  where: (SQL | undefined)[],
  first?: Query<string[]>,
): Promise<CountedCohort> {
  const times = Object.fromEntries(
    Object.entries(state).map(([column, isDecided]) => [column, isDecided ? now : null]),
  );
  const change = query(
    {
      first,
      changed: db
        .update(cohorts)
        .set({ ...times, updatedAt: now })
        .where(and(isOwn(ctx.ownerId, id), ...where)),
    },
    (answers) => answers.first ?? [],
  );
  const { placed, rows } = await ask(ctx, {
    placed: withPlaces(ctx, { now: now.getTime(), cohortId: id, ownerId: ctx.ownerId }, change),
    rows: cohortRows(ctx, ctx.ownerId, id),
  });
  sendSoon(ctx, [...placed.changed, ...placed.mailIds]);
  return cohortOrThrow(rows);
}
