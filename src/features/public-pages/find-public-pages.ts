import 'server-only';
import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { ask, db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { enrollmentState, isJoinable, placesLeft } from '#features/cohorts/cohort-status.ts';
import {
  type CountedCohort,
  countedColumns,
  dateColumns,
  isOwn,
  isPublishedAt,
  maxCohorts,
} from '#features/cohorts/get-cohort.ts';
import { publicTextNames } from '#features/cohorts/schema.ts';
import { type PublicMeeting, publicMeetings } from '#features/meetings/public-meetings.ts';
import { columnsOf, pick } from '#lib/to-json.ts';
import { hueOf } from '#ui/brand.ts';

/**
 * What everyone may know of a published cohort who has its address; nothing of its people, and not
 * where it meets online. Courses have addresses of the same kind.
 *
 * @returns a cohort or a course; null if there is neither, or the cohort is not published or in the
 *   trash
 */
export async function findPublicPage(ctx: Context, slug: string): Promise<PublicFound | null> {
  const now = ctx.now();
  const { rows, meetings, course } = await ask(ctx, {
    rows: publicRows({ now, where: isPublishedAt({ slug }) }),
    meetings: publicMeetings({ where: isPublishedAt({ slug }) }),
    course: publicCourse(now, slug),
  });
  const [row] = rows;
  if (row !== undefined) {
    return { cohort: { ...toPublic(row, now), meetings }, course: null };
  }
  return course && { cohort: null, course };
}

type PublicFound = { cohort: PublicCohort; course: null } | { cohort: null; course: PublicCourse };

/** The same of one of the viewer's cohorts, as if it were published now; null if there is none. */
export function findPreview(id: string) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        rows: publicRows({ now: ctx.now(), where: isPreviewed({ id, ownerId }) }),
        meetings: publicMeetings({ where: isPreviewed({ id, ownerId }) }),
      },
      ({ rows: [row], meetings }): PublicCohort | null => {
        const now = ctx.now();
        if (row === undefined) {
          return null;
        }
        const cohort = { ...row.cohort, publishedAt: now, deletedAt: null };
        return { ...toPublic({ ...row, cohort }, now), meetings };
      },
    );
}

type PublicRow = {
  cohort: CountedCohort;
  courseName: string;
  courseSlug: string | null;
  instructor: { id: string; firstName: string; lastName: string };
};

export type PublicCohort = ReturnType<typeof toPublic> & { meetings: PublicMeeting[] };

const isPreviewed = fragment(
  ({ id, ownerId }: Given<'id' | 'ownerId'>) => sql`${isOwn(ownerId, id)}`,
);

const publicRows = prepared(({ now, where }: Given<'now' | 'where'>) =>
  db
    .select({
      cohort: countedColumns(now),
      courseName: courses.name,
      courseSlug: courses.slug,
      instructor: { id: users.id, firstName: users.firstName, lastName: users.lastName },
    })
    .from(cohorts)
    .innerJoin(courses, eq(courses.id, cohorts.courseId))
    .innerJoin(users, eq(users.id, cohorts.ownerId))
    .where(where),
);

const publicColumns = [
  ...columnsOf(publicTextNames),
  ...dateColumns,
  'slug',
  'name',
  'language',
  'startsAt',
  'endsAt',
  'enrollmentOpensAt',
  'enrollmentClosesAt',
  'priceMinor',
  'currency',
] as const;

function toPublic({ cohort, courseName, courseSlug, instructor }: PublicRow, now: Date) {
  const { id, ...names } = instructor;
  return {
    courseName,
    courseSlug,
    // The colors that its owner knows them by, without the ids that these are made of.
    courseHue: hueOf(cohort.courseId),
    instructor: { ...names, hue: hueOf(id) },
    ...pick(cohort, publicColumns),
    isOpenedByHand: cohort.enrollmentOverride === 'open',
    enrollmentState: enrollmentState(cohort, cohort, now),
    hasEnded: cohort.archivedAt !== null || now >= cohort.endsAt,
    /** Null if there is no limit, or its owner does not show how many are left. */
    placesLeft: cohort.showsPlacesLeft ? placesLeft(cohort, cohort) : null,
    /** Null if its owner does not show numbers. */
    waiting: cohort.showsPlacesLeft ? cohort.waitlisted : null,
    /** Null without one, or if its owner does not show it. */
    minimumPeople: cohort.showsMinimum ? cohort.minimumPeople : null,
  };
}

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
function publicCourse(now: Date, slug: string) {
  return query(
    {
      courses: courseAt({ slug }),
      rows: courseCohorts({ slug, now }),
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

const courseCohorts = prepared(({ slug, now }: Given<'slug' | 'now'>) =>
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
