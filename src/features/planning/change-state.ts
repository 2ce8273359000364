import 'server-only';
import { and, isNotNull, isNull, lte, not, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { deleteExpired } from '#db/delete-expired.ts';
import { isLive } from '#db/people.ts';
import { ask, db, type Query, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { sumOfPeople } from '#features/cohorts/cohort-status.ts';
import {
  type CohortRow,
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
import type { ArchiveInput, Cohort, TrashInput } from '#features/cohorts/schema.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { requireRecentLogin } from '#features/identity/require-viewer.ts';
import { countNotice, queueNotices } from '#features/outbox/notices.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { withPlaces } from '#features/places/places.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { dayMs, minuteMs } from '#lib/time/calendar.ts';
import { isMoneyOpen, moneyChanges, refundFact, undoMoney } from './decide-money.ts';

type StateChange = {
  /** A further condition; that the state would change is always one. */
  where?: SQL | undefined;
  /** What is written before the change, such as the emails about it; reads their ids. */
  first?: ((now: number) => Query<string[]>) | undefined;
  /** What follows from it in the same batch. */
  last?: Query<unknown> | undefined;
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
  { where, first, last }: StateChange = {},
): Promise<CountedCohort> {
  const now = ctx.now();
  const before = isSet ? isNull(cohorts[column]) : isNotNull(cohorts[column]);
  const isOfTrash = column === 'deletedAt';
  const outsideTrash = isOfTrash ? undefined : isNull(cohorts.deletedAt);
  const change = query(
    {
      first: first?.(now.getTime()),
      changed: db
        .update(cohorts)
        .set({
          [column]: isSet ? now : null,
          updatedAt: now,
          ...(isOfTrash && { moneyKeptAt: null }),
        })
        .where(and(isOwn(ctx.ownerId, id), isDated, before, outsideTrash, where)),
      last,
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
  const named = query(
    {
      course: db.run(sql`UPDATE courses SET slug = ${createSlug(courseName)}
        WHERE slug IS NULL AND (owner_id, id) = (SELECT c.owner_id, c.course_id FROM cohorts c
          WHERE c.id = ${id} AND c.owner_id = ${ctx.ownerId} AND c.deleted_at IS NULL)`),
    },
    () => [],
  );
  return toCohort(ctx, await changeState(ctx, id, 'publishedAt', true, { first: () => named }));
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

/** Until then, whoever takes a cohort out of the archive again takes its emails back, too. */
const takenBackMs = 5 * minuteMs;

/**
 * Archives one of the viewer's cohorts, where everything in it stays readable. If it has not ended,
 * those who wait get an email that no place became free, once for as long as they wait; those on the
 * roster get one that it has ended, if the viewer chooses so.
 *
 * @throws AppError `not_found`, `cohort_in_trash`, `course_self_paced`; `too_many_notices`
 */
export async function archiveCohort(
  ctx: ViewerContext,
  id: string,
  { notify }: ArchiveInput,
): Promise<Cohort> {
  if (notify) {
    await countNotice(ctx, id);
  }
  const isUntold = sql`NOT EXISTS (SELECT 1 FROM mails_due o WHERE o.enrollment_id = e.id
    AND o.kind = 'no_place_free' AND o.sent_at >= e.status_changed_at)`;
  const first = (now: number) => {
    const at = { now, dueAt: now + takenBackMs };
    return query(
      {
        waiting: queueNotices(ctx, 'no_place_free', isTheirs(ctx, id), {
          ...at,
          readers: sql`e.status IN ('waitlisted', 'applied') AND ${isUntold}`,
        }),
        roster: notify
          ? queueNotices(ctx, 'cohort_archived', isTheirs(ctx, id), {
              ...at,
              readers: sql`e.status IN ('enrolled', 'offered', 'invited')`,
            })
          : undefined,
      },
      // They are due later.
      () => [],
    );
  };
  return toCohort(ctx, await changeState(ctx, id, 'archivedAt', true, { first }));
}

/**
 * Takes one of the viewer's cohorts out of the archive. It is then what it was: no enrollment has
 * changed, and emails that it was archived no longer go out.
 *
 * @throws AppError `not_found`, `cohort_in_trash`, `course_self_paced`
 */
export async function unarchiveCohort(ctx: ViewerContext, id: string): Promise<Cohort> {
  return toCohort(ctx, await changeState(ctx, id, 'archivedAt', false));
}

/** A cohort `c` of the viewer that is not in the trash yet: a repeated request emails no one. */
function isTheirs({ ownerId }: ViewerContext, id: string): SQL {
  return sql`c.id = ${id} AND c.owner_id = ${ownerId} AND c.deleted_at IS NULL AND c.kind = 'dated'`;
}

/**
 * Moves one of the viewer's cohorts to the trash, which is emptied after 30 days. Its people get
 * an email that it is canceled, unless it is over or a draft, or the viewer chooses otherwise. What
 * they have paid goes back, or not, as the viewer says.
 *
 * @throws AppError `not_found`, `too_many_notices`, `course_self_paced`
 */
export async function trashCohort(
  ctx: ViewerContext,
  cohort: CohortRow,
  { notify, note, money }: TrashInput,
): Promise<void> {
  const { id } = cohort;
  if (notify) {
    await countNotice(ctx, id);
  }
  const first = notify
    ? () =>
        queueNotices(ctx, 'cohort_cancelled', isTheirs(ctx, id), {
          note,
          refund: money === 'refund' ? refundFact : undefined,
        })
    : undefined;
  const isNow = sql`c.deleted_at = ${ctx.now().getTime()}`;
  const last = money === null ? undefined : moneyChanges(ctx, cohort, money, isNow);
  await changeState(ctx, id, 'deletedAt', true, { first, last });
}

/**
 * Takes one of the viewer's cohorts out of the trash, in the state that it had before, and takes back
 * what was decided about its money.
 *
 * @throws AppError `not_found`, `course_self_paced`; `too_many_cohorts` if the course is full by now
 */
export async function restoreCohort(ctx: ViewerContext, id: string): Promise<Cohort> {
  const course = db.select({ id: cohorts.courseId }).from(cohorts).where(isOwn(ctx.ownerId, id));
  const where = hasRoomForCohort(ctx.ownerId, sql`(${course})`);
  const first = () => query({ money: undoMoney(ctx, id, where) }, () => []);
  const row = await changeState(ctx, id, 'deletedAt', false, { where, first });
  if (row.deletedAt !== null) {
    throw new AppError('too_many_cohorts');
  }
  return toCohort(ctx, row);
}

/**
 * Permanently deletes one of the viewer's cohorts that is in the trash.
 *
 * @throws AppError `not_found`, `cohort_not_in_trash`, `money_undecided`, `proof_required`,
 *   `course_self_paced`
 */
export async function purgeCohort(ctx: ViewerContext, id: string): Promise<void> {
  requireRecentLogin(ctx);
  const { rows, purged } = await ask(ctx, {
    rows: cohortRows(ctx, ctx.ownerId, id),
    purged: db
      .delete(cohorts)
      .where(and(isOwn(ctx.ownerId, id), isNotNull(cohorts.deletedAt), not(isMoneyOpen)))
      .returning({ id: cohorts.id }),
  });
  const row = requireFound(rows[0]);
  requireDated(row);
  if (purged.length === 0) {
    throw new AppError(row.deletedAt === null ? 'cohort_not_in_trash' : 'money_undecided');
  }
}

const daysInTrash = 30;
/** Limits one statement: what belongs to a cohort goes with it. */
const chunkRows = 100;

/** Deletes the cohorts that have been in the trash for 30 days, unless their money is undecided. */
export async function emptyTrash(ctx: Context): Promise<void> {
  const expired = lte(cohorts.deletedAt, new Date(ctx.now().getTime() - daysInTrash * dayMs));
  const gone = sql`${expired} AND NOT ${isMoneyOpen}`;
  const { count, isDone } = await deleteExpired(ctx, cohorts, gone, chunkRows);
  ctx.observe.log('trash_emptied', { cohorts: count, is_done: isDone });
}
