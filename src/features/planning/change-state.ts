import 'server-only';
import { and, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { deleteExpired } from '#db/delete-expired.ts';
import { isLive } from '#db/people.ts';
import { ask, db, type Query, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { sumOfPeople } from '#features/cohorts/cohort-status.ts';
import {
  type CountedCohort,
  cohortRows,
  createSlug,
  hasRoomForCohort,
  isDated,
  isOwn,
  requireDated,
  requireOutsideTrash,
  toCohort,
} from '#features/cohorts/get-cohort.ts';
import type { Cohort, TrashInput } from '#features/cohorts/schema.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { requireRecentLogin } from '#features/identity/require-viewer.ts';
import { countNotice, queueNotices } from '#features/outbox/notices.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { withPlaces } from '#features/places/places.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { dayMs } from '#lib/time/calendar.ts';

type StateChange = {
  /** A further condition; that the state would change is always one. */
  where?: SQL | undefined;
  /** What is written before the change, such as the emails about it; reads their ids. */
  first?: Query<string[]> | undefined;
};

/**
 * Sets or takes back a state of one of the viewer's cohorts; in the trash, only that it is there. An
 * open run has none of these states.
 *
 * @returns the cohort as it is now, changed or not
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user;
 *   `cohort_in_trash`, `course_self_paced`
 */
async function changeState(
  ctx: ViewerContext,
  id: string,
  column: 'publishedAt' | 'archivedAt' | 'deletedAt',
  isSet: boolean,
  { where, first }: StateChange = {},
): Promise<CountedCohort> {
  const now = ctx.now();
  const before = isSet ? isNull(cohorts[column]) : isNotNull(cohorts[column]);
  const isOfTrash = column === 'deletedAt';
  const outsideTrash = isOfTrash ? undefined : isNull(cohorts.deletedAt);
  const change = query(
    {
      first,
      changed: db
        .update(cohorts)
        .set({ [column]: isSet ? now : null, updatedAt: now })
        .where(and(isOwn(ctx.ownerId, id), isDated, before, outsideTrash, where)),
    },
    (answers) => answers.first ?? [],
  );
  const { answer, mailIds, row } = await writeCohort(ctx, id, now, change);
  sendSoon(ctx, [...answer, ...mailIds]);
  requireDated(row);
  if (!isOfTrash) {
    requireOutsideTrash(row);
  }
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

/**
 * Publishes one of the viewer's cohorts; a published one stays as it is. With the first of them,
 * the course gets a page of its own, whose address never changes.
 *
 * @throws AppError `not_found`, `cohort_in_trash`, `course_self_paced`
 */
export async function publishCohort(
  ctx: ViewerContext,
  id: string,
  courseName: string,
): Promise<Cohort> {
  const first = query(
    {
      course: db.run(sql`UPDATE courses SET slug = ${createSlug(courseName)}
        WHERE slug IS NULL AND (owner_id, id) = (SELECT c.owner_id, c.course_id FROM cohorts c
          WHERE c.id = ${id} AND c.owner_id = ${ctx.ownerId} AND c.deleted_at IS NULL)`),
    },
    () => [],
  );
  return toCohort(ctx, await changeState(ctx, id, 'publishedAt', true, { first }));
}

/**
 * Makes a published cohort of the viewer a draft again, as long as no one takes part, waits or is
 * invited. Its address stays.
 *
 * @throws AppError `not_found`, `cohort_in_trash`, `cohort_has_people`, `course_self_paced`
 */
export async function unpublishCohort(ctx: ViewerContext, id: string): Promise<Cohort> {
  const hasNobody = sql`NOT EXISTS (SELECT 1 FROM enrollments e
    WHERE e.cohort_id = ${cohorts}."id" AND ${isLive})`;
  const row = await changeState(ctx, id, 'publishedAt', false, { where: hasNobody });
  if (row.publishedAt !== null) {
    throw new AppError('cohort_has_people', { values: { n: sumOfPeople(row) } });
  }
  return toCohort(ctx, row);
}

/**
 * Archives one of the viewer's cohorts, where everything in it stays readable, or takes it out of
 * the archive.
 *
 * @throws AppError `not_found`, `cohort_in_trash`, `course_self_paced`
 */
export async function setArchived(ctx: ViewerContext, id: string, isSet: boolean): Promise<Cohort> {
  return toCohort(ctx, await changeState(ctx, id, 'archivedAt', isSet));
}

/**
 * Moves one of the viewer's cohorts to the trash, which is emptied after 30 days. Its people get
 * an email that it is canceled, unless it is over or a draft, or the viewer chooses otherwise.
 *
 * @throws AppError `not_found`, `too_many_notices`, `course_self_paced`
 */
export async function trashCohort(
  ctx: ViewerContext,
  id: string,
  { notify, note }: TrashInput,
): Promise<void> {
  if (notify) {
    await countNotice(ctx, id);
  }
  // Only if it is not in the trash yet, so that a repeated request emails no one.
  const isOurs = sql`c.id = ${id} AND c.owner_id = ${ctx.ownerId} AND c.deleted_at IS NULL
    AND c.kind = 'dated'`;
  const first = notify ? queueNotices(ctx, 'cohort_cancelled', isOurs, { note }) : undefined;
  await changeState(ctx, id, 'deletedAt', true, { first });
}

/**
 * Takes one of the viewer's cohorts out of the trash, in the state that it had before.
 *
 * @throws AppError `not_found`, `course_self_paced`; `too_many_cohorts` if the course is full by now
 */
export async function restoreCohort(ctx: ViewerContext, id: string): Promise<Cohort> {
  const course = db.select({ id: cohorts.courseId }).from(cohorts).where(isOwn(ctx.ownerId, id));
  const where = hasRoomForCohort(ctx.ownerId, sql`(${course})`);
  const row = await changeState(ctx, id, 'deletedAt', false, { where });
  if (row.deletedAt !== null) {
    throw new AppError('too_many_cohorts');
  }
  return toCohort(ctx, row);
}

/**
 * Permanently deletes one of the viewer's cohorts that is in the trash.
 *
 * @throws AppError `not_found`, `cohort_not_in_trash`, `proof_required`, `course_self_paced`
 */
export async function purgeCohort(ctx: ViewerContext, id: string): Promise<void> {
  requireRecentLogin(ctx);
  const { rows, purged } = await ask(ctx, {
    rows: cohortRows(ctx, ctx.ownerId, id),
    purged: db
      .delete(cohorts)
      .where(and(isOwn(ctx.ownerId, id), isNotNull(cohorts.deletedAt)))
      .returning({ id: cohorts.id }),
  });
  requireDated(requireFound(rows[0]));
  if (purged.length === 0) {
    throw new AppError('cohort_not_in_trash');
  }
}

const daysInTrash = 30;
/** Limits one statement: what belongs to a cohort goes with it. */
const chunkRows = 100;

/** Deletes the cohorts that have been in the trash for 30 days. */
export async function emptyTrash(ctx: Context): Promise<void> {
  const expired = lte(cohorts.deletedAt, new Date(ctx.now().getTime() - daysInTrash * dayMs));
  const { count, isDone } = await deleteExpired(ctx, cohorts, expired, chunkRows);
  ctx.observe.log('trash_emptied', { cohorts: count, is_done: isDone });
}
