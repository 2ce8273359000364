import 'server-only';
import { and, eq, getTableColumns, isNotNull, isNull } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { enrollmentState } from './cohort-status.ts';
import { nobody } from './get-cohort.ts';
import { cohorts } from './table.ts';

/**
 * What everyone may know of a published cohort who has its address; nothing of its people, and not
 * where it meets online.
 *
 * @returns null if there is none, it is not published or it is in the trash
 */
export async function findPublicCohort(ctx: Context, slug: string) {
  const { rows } = await ask(ctx, {
    rows: db
      .select({
        cohort: getTableColumns(cohorts),
        courseName: courses.name,
        instructor: { firstName: users.firstName, lastName: users.lastName },
      })
      .from(cohorts)
      .innerJoin(courses, eq(courses.id, cohorts.courseId))
      .innerJoin(users, eq(users.id, cohorts.ownerId))
      .where(
        and(eq(cohorts.slug, slug), isNotNull(cohorts.publishedAt), isNull(cohorts.deletedAt)),
      ),
  });
  const [row] = rows;
  if (row === undefined) {
    return null;
  }
  const { cohort, courseName, instructor } = row;
  return {
    courseName,
    instructor,
    name: cohort.name,
    description: cohort.description,
    place: cohort.place,
    language: cohort.language,
    startsOn: cohort.startsOn,
    endsOn: cohort.endsOn,
    timeZone: cohort.timeZone,
    startsAt: cohort.startsAt,
    endsAt: cohort.endsAt,
    enrollmentOpensAt: cohort.enrollmentOpensAt,
    enrollmentClosesLocal: cohort.enrollmentClosesLocal,
    enrollmentClosesAt: cohort.enrollmentClosesAt,
    enrollmentState: enrollmentState(cohort, nobody, ctx.now()),
    /** Null if there is no limit, or its owner does not show how many are left. */
    placesLeft: cohort.showsPlacesLeft ? cohort.capacity : null,
    /** Null without one, or if its owner does not show it. */
    minimumPeople: cohort.showsMinimum ? cohort.minimumPeople : null,
    priceMinor: cohort.priceMinor,
    currency: cohort.currency,
  };
}
