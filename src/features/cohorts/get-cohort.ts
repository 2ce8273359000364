import 'server-only';
import { and, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, type Moment, millisecondsOf, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { AppError, refuseFields, requireFound } from '#lib/app-error.ts';
import { readableName } from '#lib/text.ts';
import { dayIn } from '#lib/time/words.ts';
import { columnsOf, pick, toJson } from '#lib/to-json.ts';
import { serverPaths } from '#paths.ts';
import { type CohortDates, type CohortDays, dateFields } from './cohort-dates.ts';
import {
  cohortStatus,
  enrollmentState,
  liveStatuses,
  type PeopleCounts,
  placesLeft,
} from './cohort-status.ts';
import { Cohort, type CohortWarning, Dates, noDates, type OpenRun } from './schema.ts';

export type CohortRow = typeof cohorts.$inferSelect;

/** The same with its people at this moment. */
export type CountedCohort = CohortRow & PeopleCounts;

/**
 * One of the viewer's cohorts as its row, even if it is archived or in the trash.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
export function findCohortRow(id: string) {
  return (ctx: Context, ownerId: SQL) =>
    query({ rows: cohortRows(ctx, ownerId, id) }, ({ rows: [row] }) => requireFound(row));
}

/** The query for an owner's cohort. */
export function cohortRows(ctx: Pick<Context, 'now'>, ownerId: string | SQL, id: string) {
  return ownRow({ ownerId, id, now: ctx.now() });
}

const ownRow = prepared(({ ownerId, id, now }: Given<'ownerId' | 'id' | 'now'>) =>
  db.select(countedColumns(now)).from(cohorts).where(isOwn(ownerId, id)),
);

/**
 * The same for what only makes sense with dates.
 *
 * @throws AppError `course_self_paced` for an open run
 */
export function findDatedRow(id: string) {
  return (ctx: Context, ownerId: SQL) =>
    query({ row: findCohortRow(id)(ctx, ownerId) }, ({ row }) => {
      requireDated(row);
      return row;
    });
}

/** The condition for one cohort of an owner. */
export function isOwn(ownerId: string | SQL, id: string | SQL): SQL | undefined {
  return and(eq(cohorts.id, id), eq(cohorts.ownerId, ownerId));
}

/** The columns of the dates and wall times. */
export const dateColumns = columnsOf(dateFields);

/** Whether columns still have the values that were read: no other request has written meanwhile. */
export function isStill(row: CohortRow, columns: readonly (keyof CohortRow)[]): SQL | undefined {
  // IS, because a comparison with null is never true.
  return and(
    ...columns.map(
      (column) => sql`${cohorts[column]} IS ${sql.param(row[column], cohorts[column])}`,
    ),
  );
}

/** @throws AppError `cohort_in_trash`, where nothing but restoring and deleting changes a cohort */
export function requireOutsideTrash(row: CohortRow): void {
  if (row.deletedAt !== null) {
    throw new AppError('cohort_in_trash');
  }
}

/** @throws AppError `cohort_over`. No one who comes into an archived cohort would hear of it. */
export function requireNotOver(ctx: Context, { endsAt, archivedAt }: CohortRow): void {
  if (endsAt <= ctx.now() || archivedAt !== null) {
    throw new AppError('cohort_over');
  }
}

/** A cohort as the API returns it, with what it is at this moment. */
export function toCohort(ctx: Context, row: CountedCohort): Cohort {
  const now = ctx.now();
  return toJson(Cohort, {
    ...row,
    publicUrl: serverPaths.publicCohort(ctx.config.appOrigin, row.slug),
    status: cohortStatus(row, row, now),
    enrollmentState: enrollmentState(row, row, now),
    counts: { ...pick(row, liveStatuses), places_left: placesLeft(row, row) },
    // Who has published a cohort knows when it began.
    warnings: row.publishedAt === null ? warningsOfDates(datesOf(row), now) : [],
  });
}

/** An open run as the API returns it: its stored dates are shown to no one. */
export function toOpenRun(ctx: Context, row: CountedCohort): OpenRun {
  return { ...toCohort(ctx, row), kind: 'open', ...noDates };
}

export function toCohortOrRun(ctx: Context, row: CountedCohort): Cohort | OpenRun {
  return row.kind === 'open' ? toOpenRun(ctx, row) : toCohort(ctx, row);
}

/** @throws AppError `course_self_paced` for an open run, which has no dates */
export function requireDated({ kind }: Pick<CohortRow, 'kind'>): void {
  if (kind === 'open') {
    throw new AppError('course_self_paced');
  }
}

/** What the owner of a cohort should look at before it takes effect. */
export function warningsOfDates({ starts_on, time_zone }: CohortDays, now: Date): CohortWarning[] {
  return starts_on < dayIn(time_zone, now) ? ['starts_in_past'] : [];
}

/** The dates of a row by their names in the API. */
export function datesOf(row: Pick<CohortRow, (typeof dateColumns)[number]>): CohortDates {
  return toJson(Dates, row);
}

/** The cohort of a public address. */
export const isPublishedAt = fragment(
  ({ slug }: Given<'slug'>) =>
    sql`${cohorts.slug} = ${slug} AND ${cohorts.publishedAt} IS NOT NULL
      AND ${cohorts.deletedAt} IS NULL`,
);

/** How many people a cohort has at a moment, as columns; counted by an index that covers them. */
export function countColumns(now: Moment) {
  const at = millisecondsOf(now);
  return {
    // An open run can have so many that they are counted when they change.
    enrolled: sql<number>`CASE ${cohorts}."kind" WHEN 'open' THEN
      (SELECT coalesce(sum(r.people), 0) FROM run_counts r WHERE r.cohort_id = ${cohorts}."id")
      ELSE ${countOf(sql`e.status = 'enrolled'`)} END`.as('enrolled'),
    offered: countOf(sql`e.status = 'offered' AND e.expires_at > ${at}`).as('offered'),
    waitlisted: countOf(sql`e.status = 'waitlisted'`).as('waitlisted'),
    applied: countOf(sql`e.status = 'applied'`).as('applied'),
    invited: countOf(sql`e.status = 'invited' AND e.expires_at > ${at}`).as('invited'),
  };
}

/** All columns of a cohort, with its people at a moment. */
export function countedColumns(now: Moment) {
  return { ...getTableColumns(cohorts), ...countColumns(now) };
}

function countOf(where: SQL): SQL<number> {
  // Named in full: Drizzle leaves out the table where there is only one, and `e` has an id too.
  return sql<number>`(SELECT count(*) FROM enrollments e
    WHERE e.cohort_id = ${cohorts}."id" AND ${where})`;
}

/** How many cohorts a course can have outside the trash. */
export const maxCohorts = 200;

/** Whether a cohort has dates, and so is one of those that its course is listed with. */
export const isDated = eq(cohorts.kind, 'dated');

/** Whether a course of the owner has room for one more. */
export function hasRoomForCohort(ownerId: string, courseId: string | SQL): SQL<number> {
  const count = db
    .select({ count: sql`count(*)` })
    .from(cohorts)
    .where(
      and(
        eq(cohorts.ownerId, ownerId),
        eq(cohorts.courseId, courseId),
        isDated,
        isNull(cohorts.deletedAt),
      ),
    );
  return sql<number>`(${count}) < ${maxCohorts}`;
}

/**
 * Currencies are those of this runtime, because browsers know others.
 *
 * @throws AppError `validation_failed` for an unknown one
 */
export function requireCurrency(currency: string | null | undefined): void {
  const isKnown = currency == null || Intl.supportedValuesOf('currency').includes(currency);
  refuseFields(isKnown ? {} : { currency: ['currency_unknown'] });
}

/** Without letters and digits that look alike; 32, so that a byte chooses one evenly. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const randomLength = 6;

/**
 * The public address of a cohort, by the names of its course and itself, or of a course, with random
 * characters: `the-short-story-winter-2027-k7m2qx`. It can't be guessed, but it is no secret.
 */
export function createSlug(name: string): string {
  const readable = readableName(name);
  const bytes = [...crypto.getRandomValues(new Uint8Array(randomLength))];
  const random = bytes.map((byte) => alphabet[byte % alphabet.length]).join('');
  return [readable, random].filter(Boolean).join('-');
}
