import 'server-only';
import { and, eq, getTableColumns, isNotNull, isNull, type SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, query } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { hueOf } from '#ui/hue.ts';
import { enrollmentState } from './cohort-status.ts';
import { type CohortRow, isOwn, nobody } from './get-cohort.ts';
import { cohorts } from './table.ts';

/**
 * What everyone may know of a published cohort who has its address; nothing of its people, and not
 * where it meets online.
 *
 * @returns null if there is none, it is not published or it is in the trash
 */
export async function findPublicCohort(ctx: Context, slug: string): Promise<PublicCohort | null> {
  const { rows } = await ask(ctx, {
    rows: publicRows(
      and(eq(cohorts.slug, slug), isNotNull(cohorts.publishedAt), isNull(cohorts.deletedAt)),
    ),
  });
  const [row] = rows;
  return row === undefined ? null : toPublic(row, ctx.now());
}

/** The same of one of the viewer's cohorts, as if it were published now; null if there is none. */
export function findPreview(id: string) {
  return (ctx: Context, userId: SQL) =>
    query({ rows: publicRows(isOwn(userId, id)) }, ({ rows: [row] }) => () => {
      const now = ctx.now();
      return row === undefined
        ? null
        : toPublic({ ...row, cohort: { ...row.cohort, publishedAt: now, deletedAt: null } }, now);
    });
}

type PublicRow = {
  cohort: CohortRow;
  courseName: string;
  instructor: { id: string; firstName: string; lastName: string };
};

export type PublicCohort = ReturnType<typeof toPublic>;

function publicRows(where: SQL | undefined) {
  return db
    .select({
      cohort: getTableColumns(cohorts),
      courseName: courses.name,
      instructor: { id: users.id, firstName: users.firstName, lastName: users.lastName },
    })
    .from(cohorts)
    .innerJoin(courses, eq(courses.id, cohorts.courseId))
    .innerJoin(users, eq(users.id, cohorts.ownerId))
    .where(where);
}

function toPublic({ cohort, courseName, instructor }: PublicRow, now: Date) {
  const { id, ...names } = instructor;
  return {
    courseName,
    // The colors that its owner knows them by, without the ids that these are made of.
    courseHue: hueOf(cohort.courseId),
    instructor: { ...names, hue: hueOf(id) },
    name: cohort.name,
    description: cohort.description,
    place: cohort.place,
    language: cohort.language,
    startsOn: cohort.startsOn,
    endsOn: cohort.endsOn,
    timeZone: cohort.timeZone,
    startsAt: cohort.startsAt,
    endsAt: cohort.endsAt,
    enrollmentOpensLocal: cohort.enrollmentOpensLocal,
    enrollmentOpensAt: cohort.enrollmentOpensAt,
    enrollmentClosesLocal: cohort.enrollmentClosesLocal,
    enrollmentClosesAt: cohort.enrollmentClosesAt,
    isOpenedByHand: cohort.enrollmentOverride === 'open',
    enrollmentState: enrollmentState(cohort, nobody, now),
    hasEnded: cohort.archivedAt !== null || now >= cohort.endsAt,
    /** Null if there is no limit, or its owner does not show how many are left. */
    placesLeft: cohort.showsPlacesLeft ? cohort.capacity : null,
    /** Null without one, or if its owner does not show it. */
    minimumPeople: cohort.showsMinimum ? cohort.minimumPeople : null,
    priceMinor: cohort.priceMinor,
    currency: cohort.currency,
  };
}
