import 'server-only';
import { and, isNotNull, isNull, type SQL } from 'drizzle-orm';
import { ask, db, type Query, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import {
  type CountedCohort,
  cohortRows,
  isOwn,
  requireOutsideTrash,
} from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { withPlaces } from '#features/places/places.ts';
import { requireFound } from '#lib/app-error.ts';

/** When a cohort came into a state; null if it is not in it. */
type StateColumn = 'publishedAt' | 'archivedAt' | 'deletedAt';

type StateChange = {
  /** A further condition; that the state would change is always one. */
  where?: SQL | undefined;
  /** What is written before the change, such as the emails about it; reads their ids. */
  first?: Query<string[]> | undefined;
};

/**
 * Sets or takes back a state of one of the viewer's cohorts.
 *
 * @returns the cohort as it is now, changed or not
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
export async function changeState(
  ctx: ViewerContext,
  id: string,
  column: StateColumn,
  isSet: boolean,
  { where, first }: StateChange = {},
): Promise<CountedCohort> {
  const now = ctx.now();
  const before = isSet ? isNull(cohorts[column]) : isNotNull(cohorts[column]);
  const change = query(
    {
      first,
      changed: db
        .update(cohorts)
        .set({ [column]: isSet ? now : null, updatedAt: now })
        .where(and(isOwn(ctx.ownerId, id), before, where)),
    },
    (answers) => answers.first ?? [],
  );
  const { answer, mailIds, row } = await writeCohort(ctx, id, now, change);
  sendSoon(ctx, [...answer, ...mailIds]);
  return row;
}

/**
 * The same for a cohort outside the trash.
 *
 * @throws AppError `not_found`, `cohort_in_trash`
 */
export async function changeStateOutsideTrash(
  ctx: ViewerContext,
  id: string,
  column: StateColumn,
  isSet: boolean,
  { where, ...change }: StateChange = {},
): Promise<CountedCohort> {
  const row = await changeState(ctx, id, column, isSet, {
    ...change,
    where: and(isNull(cohorts.deletedAt), where),
  });
  requireOutsideTrash(row);
  return row;
}

/**
 * Writes a change of one of the viewer's cohorts and what follows from it for its places.
 *
 * @returns what the change answers, the emails about places, and the cohort as it is now
 * @throws AppError `not_found`
 */
export async function writeCohort<Answer>(
  ctx: ViewerContext,
  id: string,
  now: Date,
  change: Query<Answer>,
): Promise<{ answer: Answer; mailIds: string[]; row: CountedCohort }> {
  const { placed, rows } = await ask(ctx, {
    placed: withPlaces(ctx, { now: now.getTime(), cohortId: id, ownerId: ctx.ownerId }, change),
    rows: cohortRows(ctx, ctx.ownerId, id),
  });
  return { answer: placed.changed, mailIds: placed.mailIds, row: requireFound(rows[0]) };
}
