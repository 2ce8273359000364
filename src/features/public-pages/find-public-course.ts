import 'server-only';
import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { enrollmentState, isJoinable } from '#features/cohorts/cohort-status.ts';
import { type CountedCohort, countedColumns, maxCohorts } from '#features/cohorts/get-cohort.ts';
import { hueOf } from '#ui/brand.ts';

type Hue = ReturnType<typeof hueOf>;

/** What everyone may know of a course who has its address. */
export type PublicCourse = {
  name: string;
  slug: string;
  hue: Hue;
  instructor: { firstName: string; lastName: string; hue: Hue };
  /** The published cohorts that are not over, by their first day. */
  cohorts: ReturnType<typeof toListed>[];
  /** Whether one of them takes people now, onto its waitlist at least. */
  canEnroll: boolean;
};

/** The query for the course of an address; null if there is none. */
export function publicCourse(now: Date, slug: string) {
  return query(
    {
      courses: courseAt({ slug }),
      rows: publicRows({ slug, now }),
    },
    ({ courses: [course], rows }): PublicCourse | null => {
      if (course === undefined) {
        return null;
      }
      const { id, ...names } = course.instructor;
      const listed = rows.map((row) => toListed(row, now));
      return {
        name: course.name,
        slug,
        hue: hueOf(course.id),
        instructor: { ...names, hue: hueOf(id) },
        cohorts: listed,
        canEnroll: listed.some(({ enrollmentState: state }) => isJoinable(state)),
      };
    },
  );
}

const courseAt = prepared(({ slug }: Given<'slug'>) =>
  db
    .select({
      id: courses.id,
      name: courses.name,
      instructor: { id: users.id, firstName: users.firstName, lastName: users.lastName },
    })
    .from(courses)
    .innerJoin(users, eq(users.id, courses.ownerId))
    .where(eq(courses.slug, slug)),
);

const publicRows = prepared(({ slug, now }: Given<'slug' | 'now'>) =>
  db
    .select(countedColumns(now))
    .from(cohorts)
    .where(
      and(
        sql`(${cohorts.ownerId}, ${cohorts.courseId}) =
          (SELECT k.owner_id, k.id FROM courses k WHERE k.slug = ${slug})`,
        isNull(cohorts.deletedAt),
        isNull(cohorts.archivedAt),
        isNotNull(cohorts.publishedAt),
        // The plus makes SQLite find them by the course.
        sql`+${cohorts.endsAt} > ${now}`,
      ),
    )
    .orderBy(asc(cohorts.startsOn), asc(cohorts.id))
    .limit(maxCohorts),
);

function toListed(row: CountedCohort, now: Date) {
  return {
    slug: row.slug,
    name: row.name,
    startsOn: row.startsOn,
    endsOn: row.endsOn,
    timeZone: row.timeZone,
    enrollmentOpensLocal: row.enrollmentOpensLocal,
    enrollmentState: enrollmentState(row, row, now),
    priceMinor: row.priceMinor,
    currency: row.currency,
  };
}
