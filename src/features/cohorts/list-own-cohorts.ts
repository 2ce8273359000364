import 'server-only';
import { and, asc, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db, query } from '#db/query.ts';
import { users } from '#db/schema/users.ts';
import { maxCohorts } from './cohort-limit.ts';
import { type CohortStatus, cohortStatus } from './cohort-status.ts';
import { nobody } from './get-cohort.ts';
import { cohorts } from './table.ts';

/** What a list shows of a cohort: not its description, which may be long. */
const listedColumns = {
  id: cohorts.id,
  name: cohorts.name,
  startsOn: cohorts.startsOn,
  endsOn: cohorts.endsOn,
  timeZone: cohorts.timeZone,
  startsAt: cohorts.startsAt,
  endsAt: cohorts.endsAt,
  joinMode: cohorts.joinMode,
  enrollmentOpensLocal: cohorts.enrollmentOpensLocal,
  enrollmentOpensAt: cohorts.enrollmentOpensAt,
  enrollmentClosesAt: cohorts.enrollmentClosesAt,
  enrollmentOverride: cohorts.enrollmentOverride,
  capacity: cohorts.capacity,
  waitlist: cohorts.waitlist,
  publishedAt: cohorts.publishedAt,
  archivedAt: cohorts.archivedAt,
  deletedAt: cohorts.deletedAt,
};

/** A cohort as lists show it, with what it is at this moment. */
export type ListedCohort = Pick<typeof cohorts.$inferSelect, keyof typeof listedColumns> & {
  status: CohortStatus;
};

/**
 * The cohorts of the viewer's selected course that are not in the trash, by their first day, and
 * how many are in the trash.
 */
export function listOwnCohorts(ctx: Context, userId: SQL) {
  const trashed = db
    .select({ id: cohorts.id })
    .from(cohorts)
    .where(and(ofSelectedCourse(userId), isTrashed))
    // As many as its page shows.
    .limit(maxCohorts)
    .as('trashed');
  return query(
    {
      rows: db
        .select(listedColumns)
        .from(cohorts)
        .where(and(ofSelectedCourse(userId), isNull(cohorts.deletedAt)))
        .orderBy(asc(cohorts.startsOn), asc(cohorts.id))
        .limit(maxCohorts),
      trash: db.select({ count: sql<number>`count(*)` }).from(trashed),
    },
    ({ rows, trash }) =>
      () => {
        const listed = rows.map((row) => listedCohort(ctx, row));
        return {
          current: listed.filter(({ archivedAt }) => archivedAt === null),
          archived: listed.filter(({ archivedAt }) => archivedAt !== null),
          trashCount: trash[0]?.count ?? 0,
        };
      },
  );
}

/** The cohorts of the viewer's selected course that are in the trash, the last one first. */
export function listOwnTrash(ctx: Context, userId: SQL) {
  return query(
    {
      rows: db
        .select(listedColumns)
        .from(cohorts)
        .where(and(ofSelectedCourse(userId), isTrashed))
        .orderBy(desc(cohorts.deletedAt), desc(cohorts.startsOn), desc(cohorts.id))
        .limit(maxCohorts),
    },
    ({ rows }) =>
      () =>
        rows.map((row) => listedCohort(ctx, row)),
  );
}

/**
 * The cohort of the viewer's selected course that runs or comes next: a published one, or else a
 * draft; null if there is none.
 */
export function findNextCohort(ctx: Context, userId: SQL) {
  return query(
    {
      rows: db
        .select(listedColumns)
        .from(cohorts)
        .where(
          and(
            ofSelectedCourse(userId),
            isNull(cohorts.deletedAt),
            isNull(cohorts.archivedAt),
            gt(cohorts.endsAt, ctx.now()),
          ),
        )
        .orderBy(isNull(cohorts.publishedAt), asc(cohorts.startsOn), asc(cohorts.id))
        .limit(1),
    },
    ({ rows: [row] }) =>
      () =>
        row === undefined ? null : listedCohort(ctx, row),
  );
}

/** How many cohorts the viewer's selected course has outside the trash. */
export function countOwnCohorts(_ctx: Context, userId: SQL) {
  return query(
    {
      rows: db
        .select({ count: sql<number>`count(*)` })
        .from(cohorts)
        .where(and(ofSelectedCourse(userId), isNull(cohorts.deletedAt))),
    },
    ({ rows }) =>
      () =>
        rows[0]?.count ?? 0,
  );
}

/** How many cohorts of all the viewer's courses run or come: they go with the account. */
export function countCohortsNotOver(ctx: Context, userId: SQL) {
  const isNotOver = and(
    eq(cohorts.ownerId, userId),
    isNull(cohorts.deletedAt),
    isNull(cohorts.archivedAt),
    gt(cohorts.endsAt, ctx.now()),
  );
  return query(
    { rows: db.select({ count: sql<number>`count(*)` }).from(cohorts).where(isNotOver) },
    ({ rows }) =>
      () =>
        rows[0]?.count ?? 0,
  );
}

function listedCohort(ctx: Context, row: Omit<ListedCohort, 'status'>): ListedCohort {
  return { ...row, status: cohortStatus(row, nobody, ctx.now()) };
}

/** A range, which an index finds; it would not skip the others for IS NOT NULL. */
const isTrashed = sql`${cohorts.deletedAt} > 0`;

/** In SQL, so that they are read in the trip that looks up the viewer. */
function ofSelectedCourse(userId: SQL): SQL {
  const selected = db
    .select({ id: users.id, courseId: users.selectedCourseId })
    .from(users)
    .where(eq(users.id, userId));
  // Together, so that the viewer is looked up once.
  return sql`(${cohorts.ownerId}, ${cohorts.courseId}) = (${selected})`;
}
