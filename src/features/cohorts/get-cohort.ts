import 'server-only';
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { AppError } from '#lib/app-error.ts';
import { dayIn } from '#lib/time/words.ts';
import { columnsOf, toJson } from '#lib/to-json.ts';
import { serverPaths } from '#paths.ts';
import { type CohortDates, type CohortDays, dateFields } from './cohort-dates.ts';
import { cohortStatus, enrollmentState, type PeopleCounts, placesLeft } from './cohort-status.ts';
import { countColumns } from './people-counts.ts';
import { Cohort, type CohortWarning, Dates } from './schema.ts';

export type CohortRow = typeof cohorts.$inferSelect;

/** The same with its people at this moment. */
export type CountedCohort = CohortRow & PeopleCounts;

/**
 * One of the viewer's cohorts, even if it is archived or in the trash.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
export function getCohort(id: string) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      { rows: cohortRows(ctx, ownerId, id) },
      ({ rows }) =>
        () =>
          toCohort(ctx, cohortOrThrow(rows)),
    );
}

/** The same as its row, for a verb that decides by it in its own trip. */
export function findCohortRow(id: string) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      { rows: cohortRows(ctx, ownerId, id) },
      ({ rows }) =>
        () =>
          cohortOrThrow(rows),
    );
}

/** The name of the course of one of the viewer's cohorts, for the address of its page. */
export function findCourseName(cohortId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      {
        rows: courseName({ ownerId, cohortId }),
      },
      ({ rows }) =>
        () =>
          cohortOrThrow(rows).name,
    );
}

const courseName = prepared(({ ownerId, cohortId }: Given<'ownerId' | 'cohortId'>) =>
  db
    .select({ name: courses.name })
    .from(cohorts)
    .innerJoin(courses, eq(courses.id, cohorts.courseId))
    .where(isOwn(ownerId, cohortId)),
);

/** The query for an owner's cohort. */
export function cohortRows(ctx: Pick<Context, 'now'>, ownerId: string | SQL, id: string) {
  return ownRow({ ownerId, id, now: ctx.now() });
}

const ownRow = prepared(({ ownerId, id, now }: Given<'ownerId' | 'id' | 'now'>) =>
  db
    .select({ ...getTableColumns(cohorts), ...countColumns(now) })
    .from(cohorts)
    .where(isOwn(ownerId, id)),
);

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

/** @throws AppError `not_found` without a row */
export function cohortOrThrow<Row>([row]: Row[]): Row {
  if (row === undefined) {
    throw new AppError('not_found');
  }
  return row;
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
  const { enrolled, offered, waitlisted, applied, invited } = row;
  return toJson(Cohort, {
    ...row,
    publicUrl: serverPaths.publicCohort(ctx.config.appOrigin, row.slug),
    status: cohortStatus(row, row, now),
    enrollmentState: enrollmentState(row, row, now),
    counts: {
      enrolled,
      offered,
      waitlisted,
      applied,
      invited,
      places_left: placesLeft(row, row),
    },
    // Who has published a cohort knows when it began.
    warnings: row.publishedAt === null ? warningsOfDates(datesOf(row), now) : [],
  });
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
