import 'server-only';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db, query } from '#db/query.ts';
import { AppError } from '#lib/app-error.ts';
import { dayIn } from '#lib/time/words.ts';
import { toJson } from '#lib/to-json.ts';
import { paths } from '#paths.ts';
import type { CohortDates, CohortDays } from './cohort-dates.ts';
import { cohortStatus, enrollmentState, type PeopleCounts } from './cohort-status.ts';
import { Cohort, type CohortWarning, Dates } from './schema.ts';
import { cohorts } from './table.ts';

export type CohortRow = typeof cohorts.$inferSelect;

/** Cohorts take no people yet. */
export const nobody: PeopleCounts = { taken: 0, waiting: 0 };

/**
 * One of the viewer's cohorts, even if it is archived or in the trash.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
export function getCohort(id: string) {
  return (ctx: Context, userId: SQL) =>
    query(
      { rows: cohortRows(userId, id) },
      ({ rows }) =>
        () =>
          toCohort(ctx, cohortOrThrow(rows)),
    );
}

/** The same as its row, for a verb that decides by it in its own trip. */
export function findCohortRow(id: string) {
  return (_ctx: Context, userId: SQL) =>
    query(
      { rows: cohortRows(userId, id) },
      ({ rows }) =>
        () =>
          cohortOrThrow(rows),
    );
}

/** The query for an owner's cohort. */
export function cohortRows(ownerId: string | SQL, id: string) {
  return db.select().from(cohorts).where(isOwn(ownerId, id));
}

/** The condition for one cohort of an owner. */
export function isOwn(ownerId: string | SQL, id: string): SQL | undefined {
  return and(eq(cohorts.id, id), eq(cohorts.ownerId, ownerId));
}

/** The columns of the dates and wall times. */
export const dateColumns = [
  'startsOn',
  'endsOn',
  'timeZone',
  'enrollmentOpensLocal',
  'enrollmentClosesLocal',
] as const satisfies (keyof CohortRow)[];

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
export function cohortOrThrow([row]: CohortRow[]): CohortRow {
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

/** A cohort as the API returns it, with what it is at this moment. */
export function toCohort(ctx: Context, row: CohortRow): Cohort {
  const now = ctx.now();
  return toJson(Cohort, {
    ...row,
    publicUrl: paths.publicCohort(ctx.config.appOrigin, row.slug),
    status: cohortStatus(row, nobody, now),
    enrollmentState: enrollmentState(row, nobody, now),
    // Who has published a cohort knows when it began.
    warnings: row.publishedAt === null ? warningsOf(datesOf(row), now) : [],
  });
}

/** What the owner of a cohort should look at before it takes effect. */
export function warningsOf({ starts_on, time_zone }: CohortDays, now: Date): CohortWarning[] {
  return starts_on < dayIn(time_zone, now) ? ['starts_in_past'] : [];
}

/** The dates of a row by their names in the API. */
export function datesOf(row: Pick<CohortRow, (typeof dateColumns)[number]>): CohortDates {
  return toJson(Dates, row);
}
