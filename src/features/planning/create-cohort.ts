import 'server-only';
import { and, eq, exists, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, insertWhere, type Query, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import type { CourseType } from '#db/values.ts';
import {
  type CohortRow,
  countedColumns,
  createSlug,
  hasRoomForCohort,
  isOwn,
  requireCurrency,
  toCohort,
} from '#features/cohorts/get-cohort.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import { requireSameRequest } from '#features/courses/create-course.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { everyDayOff, hasSchedule, insertSchedule } from '#features/meetings/insert-schedule.ts';
import { requirePayable } from '#features/payment-accounts/require-payable.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import { shortTitle } from '#lib/text.ts';
import { fromJson } from '#lib/to-json.ts';
import type { NewCohortInput } from './schema.ts';

/** Which emails a new cohort sends that not everyone wants. */
const firstSwitches = {
  remindsInvited: true,
  remindsStart: true,
  remindsDayBefore: true,
  remindsHourBefore: false,
  announcesReleases: true,
  sendsNudges: true,
};

/**
 * Creates a cohort of one of the viewer's courses, as a draft, with its live sessions and days off.
 * A session at a time that clocks skip on its day is later.
 *
 * @param idempotencyKey a retry with the same key returns the cohort as it is now
 * @throws AppError `validation_failed` for a zone or currency that this runtime does not know, and
 *   for a time that clocks skip; what `requirePayable` and `insertCohort` throw
 */
export async function createCohort(
  ctx: ViewerContext,
  course: { id: string; name: string },
  { meetings, days_off: spans, ...input }: NewCohortInput,
  idempotencyKey: string | null,
): Promise<Cohort> {
  requireCurrency(input.currency);
  await requirePayable(ctx, { ...fromJson(input), kind: 'dated' });
  const { instantsOfTyped } = await import('#features/cohorts/cohort-times.ts');
  const chosen = {
    courseId: course.id,
    ...fromJson(input),
    language: input.language ?? ctx.viewer.language,
  };
  const instants = instantsOfTyped(input, ctx.request.locale);
  const cohort = { ...chosen, ...instants, ...firstSwitches };
  const { timeOn } = await import('#features/meetings/meeting-times.ts');
  const sessions = meetings.map(({ starts_local: startsLocal, ...meeting }) => ({
    ...fromJson(meeting),
    ...timeOn(startsLocal, input.time_zone),
  }));
  // What is derived may differ at a retry, by another runtime.
  const compared = Object.keys(chosen) as (keyof typeof chosen)[];
  const daysOff = everyDayOff(
    spans,
    sessions.map(({ startsLocal }) => startsLocal),
  );
  const schedule = { meetings: sessions, daysOff };
  return insertCohort(ctx, cohort, course.name, idempotencyKey, compared, {
    insert: (cohortId, now) => insertSchedule(schedule, cohortId, now),
    isSame: (cohortId) => hasSchedule(schedule, cohortId),
  });
}

/** The name of the course of one of the viewer's cohorts, for a copy; empty without one. */
export function courseNameOf(cohortId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      {
        rows: db
          .select({ name: courses.name })
          .from(cohorts)
          .innerJoin(courses, eq(courses.id, cohorts.courseId))
          .where(isOwn(ownerId, cohortId)),
      },
      ({ rows: [row] }) => row?.name ?? '',
    );
}

/** What the owner has chosen of a new cohort, and what follows from it. */
type NewCohort = Omit<CohortRow, keyof ReturnType<typeof draftOf>>;

/** What a draft has at first that its owner does not choose. */
function draftOf(ctx: ViewerContext, slug: string, idempotencyKey: string | null) {
  const now = ctx.now();
  return {
    id: crypto.randomUUID(),
    ownerId: ctx.ownerId,
    slug,
    kind: 'dated' as const,
    enrollmentOverride: null,
    closedByType: false,
    completionsDue: false,
    startRemindedOn: null,
    publishedAt: null,
    archivedAt: null,
    deletedAt: null,
    moneyKeptAt: null,
    idempotencyKey,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * Inserts a draft for the viewer, in one transaction with its limits.
 *
 * @param idempotencyKey a retry with the same key returns the cohort as it is now
 * @param compared the columns by which a retry is told from another request with its key
 * @param schedule inserts sessions and days off, and tells whether a retry has the same
 * @throws AppError `not_found` for a course that does not exist or belongs to another user,
 *   `course_is_evergreen`, `too_many_cohorts`, `idempotency_key_reused`, `rate_limited`
 */
export async function insertCohort(
  ctx: ViewerContext,
  cohort: NewCohort,
  courseName: string,
  idempotencyKey: string | null,
  compared: readonly (keyof NewCohort)[],
  schedule: {
    insert: (cohortId: string, now: Date) => Query<unknown>;
    isSame?: (cohortId: SQL) => Query<boolean>;
  },
): Promise<Cohort> {
  const { viewer } = ctx;
  const slug = createSlug(`${shortTitle(courseName)} ${cohort.name}`);
  const row = { ...cohort, ...draftOf(ctx, slug, idempotencyKey) };
  const now = row.createdAt;
  const ownCourse = and(eq(courses.id, cohort.courseId), eq(courses.ownerId, ctx.ownerId));
  const cohortCourse = db
    .select({ id: courses.id })
    .from(courses)
    .where(and(ownCourse, eq(courses.courseType, 'cohort')));
  const hasRoom = hasRoomForCohort(ctx.ownerId, cohort.courseId);
  const isMade = exists(db.select({ id: cohorts.id }).from(cohorts).where(eq(cohorts.id, row.id)));
  const use = { limit: 'cohorts_per_user', subject: viewer.id } as const;
  const limit = await limitOn(ctx, [use], 'allow');
  const withKey = sql`(SELECT k.id FROM cohorts k
    WHERE k.owner_id = ${ctx.ownerId} AND k.idempotency_key = ${idempotencyKey})`;
  const {
    cohort: [made],
    isSame = true,
    course: [course],
    usage,
  } = await ask(ctx, {
    // First, because the new cohort takes up room.
    course: courseRows(ctx.ownerId, cohort.courseId),
    inserted: db
      .insert(cohorts)
      .select(insertWhere(cohorts, row, limit.hasRoom, exists(cohortCourse), hasRoom))
      .onConflictDoNothing(),
    following: schedule.insert(row.id, now),
    cohort: db
      .select(countedColumns(now))
      .from(cohorts)
      .where(
        idempotencyKey === null
          ? isOwn(ctx.ownerId, row.id)
          : and(eq(cohorts.ownerId, ctx.ownerId), eq(cohorts.idempotencyKey, idempotencyKey)),
      ),
    isSame: idempotencyKey === null ? undefined : schedule.isSame?.(withKey),
    // A retry inserts nothing, so it is not counted.
    usage: limit.count(isMade),
  });
  // A retry has a cohort, so nothing refuses it.
  if (made === undefined) {
    requireRoom(course);
    refuseFull(ctx, usage.full);
    // Another cohort has got the same random characters.
    throw new AppError('unavailable');
  }
  requireSameRequest([made], isSame && compared.every((column) => made[column] === row[column]));
  return toCohort(ctx, made);
}

/**
 * Refuses what `insertCohort` would refuse of a course, for a dry run.
 *
 * @throws AppError `not_found`, `course_is_evergreen`, `too_many_cohorts`
 */
export async function requireRoomIn(ctx: ViewerContext, courseId: string): Promise<void> {
  const { course } = await ask(ctx, { course: courseRows(ctx.ownerId, courseId) });
  requireRoom(course[0]);
}

function courseRows(ownerId: string, courseId: string) {
  const hasRoom = hasRoomForCohort(ownerId, courseId).mapWith(Boolean).as('has_room');
  return db
    .select({ courseType: courses.courseType, hasRoom })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.ownerId, ownerId)));
}

function requireRoom(course: { courseType: CourseType; hasRoom: boolean } | undefined): void {
  const { courseType, hasRoom } = requireFound(course);
  if (courseType !== 'cohort') {
    throw new AppError('course_is_evergreen');
  }
  if (!hasRoom) {
    throw new AppError('too_many_cohorts');
  }
}
