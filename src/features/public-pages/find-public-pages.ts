import 'server-only';
import { and, asc, eq, getTableColumns, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { usableAccount } from '#db/prices.ts';
import { ask, db, query, type RowFrom } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import {
  enrollmentState,
  isJoinable,
  liveStatuses,
  placesLeft,
} from '#features/cohorts/cohort-status.ts';
import {
  type CountedCohort,
  countedColumns,
  dateColumns,
  isDated,
  isOwn,
  isPublishedAt,
  maxCohorts,
} from '#features/cohorts/get-cohort.ts';
import { priceAt } from '#features/cohorts/price-at.ts';
import { publicTextNames } from '#features/cohorts/schema.ts';
import { hueOfCourse, isSelected, selectedBy } from '#features/courses/list-courses.ts';
import { picturePath } from '#features/files/picture-path.ts';
import {
  type PublicDayOff,
  type PublicMeeting,
  publicDaysOff,
  publicMeetings,
} from '#features/meetings/public-meetings.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { columnsOf, pick } from '#lib/to-json.ts';
import { hueBeside, hueOf } from '#ui/brand.ts';
import {
  outlineOfSelected,
  type PublicLesson,
  publicOutline,
  type ReleasedLesson,
} from './public-outline.ts';

/**
 * What everyone may know of a published cohort who has its address; nothing of its people, and not
 * where it meets online. Courses have addresses of the same kind. At that of an evergreen course is
 * its open run, with the cohorts that it also has.
 *
 * @returns a cohort, an open run or a course; null if there is none, or the cohort is not published
 *   or in the trash
 */
export async function findPublicPage(ctx: Context, slug: string) {
  const now = ctx.now();
  const {
    rows: [row],
    meetings,
    daysOff,
    outline,
    courses: [course],
    cohortsOfCourse,
  } = await ask(ctx, {
    rows: publicRows({ now, where: isPublishedAt({ slug }), account: usableAccount(ctx) }),
    meetings: publicMeetings({ where: isPublishedAt({ slug }) }),
    daysOff: publicDaysOff({ where: isPublishedAt({ slug }) }),
    outline: publicOutline({ where: isPublishedAt({ slug }) }),
    courses: courseAt({ slug }),
    cohortsOfCourse: courseCohorts({ slug, now }),
  });
  if (row !== undefined && row.cohort.kind === 'dated') {
    const cohort = toCohortPage(row, { meetings, daysOff, outline }, now);
    return { cohort, run: null, course: null };
  }
  // A course that is taught in cohorts by now has no page of its run.
  if (row !== undefined && row.courseType === 'evergreen') {
    const run = toRunPage(row, outline, now, toListed(cohortsOfCourse, now));
    return { cohort: null, run, course: null };
  }
  return course
    ? { cohort: null, run: null, course: toPublicCourse(slug, course, cohortsOfCourse, now) }
    : null;
}

/** The same of one of the viewer's cohorts, as if it were published now; null if there is none. */
export function findPreview(id: string) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        rows: publicRows({
          now: ctx.now(),
          where: isPreviewed({ id, ownerId }),
          account: usableAccount(ctx),
        }),
        meetings: publicMeetings({ where: isPreviewed({ id, ownerId }) }),
        daysOff: publicDaysOff({ where: isPreviewed({ id, ownerId }) }),
        outline: publicOutline({ where: isPreviewed({ id, ownerId }) }),
      },
      ({ rows: [row], meetings, daysOff, outline }): PublicCohort | PublicRun | null => {
        const now = ctx.now();
        if (row === undefined) {
          return null;
        }
        if (row.cohort.kind === 'open') {
          return toRunPage(row, outline, now);
        }
        const cohort = { ...row.cohort, publishedAt: now, deletedAt: null };
        return toCohortPage({ ...row, cohort }, { meetings, daysOff, outline }, now);
      },
    );
}

/**
 * The page of the viewer's selected course as its open run would show it if enrollment were opened
 * now, or shows it; also of a course that is taught in cohorts, which could become evergreen.
 */
export function findRunPreview(ctx: Context, _ownerId: SQL, userId: SQL) {
  const now = ctx.now();
  return query(
    {
      rows: publicRows({ now, where: isSelectedRun({ userId }), account: usableAccount(ctx) }),
      courses: selectedCourse({ userId }),
      outline: outlineOfSelected({ userId }),
    },
    ({ rows: [row], courses: [course], outline }): PublicRun | null => {
      if (course === undefined) {
        return null;
      }
      const { courseId, ...facts } = course;
      const cohort = newRun(ctx, courseId, facts.courseName);
      const run = row ?? { ...facts, cohort, takesPayments: false };
      return toRunPage(run, outline, now);
    },
  );
}

/** What a run is before anything is changed: see open-enrollment.ts. Only what pages read. */
function newRun(ctx: Context, courseId: string, name: string): CountedCohort {
  const now = ctx.now();
  const nothing = Object.fromEntries(
    Object.keys(getTableColumns(cohorts)).map((column) => [column, null]),
  );
  const people = Object.fromEntries(liveStatuses.map((status) => [status, 0]));
  const values: Partial<CountedCohort> = {
    courseId,
    name,
    kind: 'open',
    slug: '',
    joinMode: 'open',
    language: ctx.request.locale,
    startsAt: now,
    endsAt: new Date(now.getTime() + dayMs),
    enrollmentOverride: 'open',
    waitlist: true,
    paymentMode: 'own',
    publishedAt: now,
  };
  // The names are those of the columns.
  return { ...nothing, ...people, ...values } as CountedCohort;
}

export type PublicCohort = ReturnType<typeof toPublic> & {
  meetings: PublicMeeting[];
  daysOff: PublicDayOff[];
  /** Empty unless the course shows it. */
  outline: PublicLesson[];
};

/** An open run: the same, whose dates are shown to no one. */
export type PublicRun = ReturnType<typeof toPublic> & {
  accessDays: number | null;
  /** Also if the course does not show it. */
  outline: ReleasedLesson[];
  /** The cohorts of the course that are not over. */
  cohorts: ListedCohort[];
};

/** Whether it is the page of an open run. */
export function isRun(cohort: PublicCohort | PublicRun): cohort is PublicRun {
  return 'accessDays' in cohort;
}

const isPreviewed = fragment(
  ({ id, ownerId }: Given<'id' | 'ownerId'>) => sql`${isOwn(ownerId, id)}`,
);

const isSelectedRun = fragment(
  ({ userId }: Given<'userId'>) =>
    sql`(${cohorts.ownerId}, ${cohorts.courseId}) = (${selectedBy(userId)})
      AND ${cohorts.kind} = 'open'`,
);

const instructorColumns = pick(users, ['id', 'firstName', 'lastName', 'bio', 'avatarUrl']);

const courseColumns = {
  courseName: courses.name,
  courseType: courses.courseType,
  courseSlug: courses.slug,
  about: courses.about,
  courseHue: courses.hue,
  picture: courses.picture,
  instructor: instructorColumns,
};

const publicRows = prepared(({ now, where, account }: Given<'now' | 'where' | 'account'>) =>
  db
    .select({
      cohort: countedColumns(now),
      takesPayments: sql`(SELECT ${account} IS NOT NULL FROM cohorts c
        WHERE c.id = ${cohorts}."id")`.mapWith(Boolean),
      ...courseColumns,
    })
    .from(cohorts)
    .innerJoin(courses, eq(courses.id, cohorts.courseId))
    .innerJoin(users, eq(users.id, cohorts.ownerId))
    .where(where),
);

const selectedCourse = prepared(({ userId }: Given<'userId'>) =>
  db
    .select({ courseId: courses.id, ...courseColumns })
    .from(courses)
    .innerJoin(users, eq(users.id, courses.ownerId))
    .where(isSelected(userId)),
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
] as const;

/** In the color that they are known by, without the id that it is made of. */
function toInstructor({ id, ...shown }: RowFrom<typeof publicRows>['instructor']) {
  return { ...shown, hue: hueOf(id) };
}

export type PublicPrice = NonNullable<ReturnType<typeof priceAt>>;

function toPublic(row: PublicRow, now: Date) {
  const { cohort, instructor, takesPayments, courseType: _, ...course } = row;
  return {
    ...course,
    courseHue: hueOfCourse({ id: cohort.courseId, hue: course.courseHue }),
    picture: course.picture && picturePath(course.picture),
    instructor: toInstructor(instructor),
    /** Of the second teacher's disc, so that the two never look alike. */
    secondHue: hueBeside(hueOf(instructor.id)),
    ...pick(cohort, publicColumns),
    price: priceAt(cohort, now),
    /** How people pay; null if that is online, and their instructor takes no such payments now. */
    paymentMode: cohort.paymentMode === 'own' || takesPayments ? cohort.paymentMode : null,
    /** Whether people who are enrolled get a link; not which one. */
    isOnline: cohort.joinUrl !== null,
    isOpenedByHand: cohort.enrollmentOverride === 'open',
    enrollmentState: enrollmentState(cohort, cohort, now),
    hasEnded: cohort.archivedAt !== null || now >= cohort.endsAt,
    /** Null if there is no limit, or its owner does not show how many are left. */
    placesLeft: cohort.showsPlacesLeft ? placesLeft(cohort, cohort) : null,
    /** Null if there is no limit, or its owner does not show numbers. */
    capacity: cohort.showsPlacesLeft ? cohort.capacity : null,
    /** Null if its owner does not show numbers. */
    waiting: cohort.showsPlacesLeft ? cohort.waitlisted : null,
    /** Null without one, or if its owner does not show it. */
    minimumPeople: cohort.showsMinimum ? cohort.minimumPeople : null,
  };
}

type PublicRow = RowFrom<typeof publicRows>;

function toCohortPage(
  row: PublicRow,
  { outline, ...days }: Pick<PublicCohort, 'meetings' | 'daysOff'> & { outline: ReleasedLesson[] },
  now: Date,
): PublicCohort {
  const lessons = outline.map(({ releaseDays: _, ...lesson }) => lesson);
  return { ...toPublic(row, now), ...days, outline: lessons };
}

function toRunPage(
  row: PublicRow,
  outline: ReleasedLesson[],
  now: Date,
  listed: ListedCohort[] = [],
): PublicRun {
  const { accessDays } = row.cohort;
  return { ...toPublic(row, now), accessDays, outline, cohorts: listed };
}

/** What everyone may know of a course who has its address. */
export type PublicCourse = ReturnType<typeof toPublicCourse>;

const shownColumns = pick(courses, ['id', 'name', 'about', 'hue', 'picture']);

const courseAt = prepared(({ slug }: Given<'slug'>) =>
  db
    .select({
      ...shownColumns,
      instructor: instructorColumns,
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
        isDated,
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

function toPublicCourse(
  slug: string,
  { id, name, about, hue, picture, instructor }: RowFrom<typeof courseAt>,
  rows: CountedCohort[],
  now: Date,
) {
  const listed = toListed(rows, now);
  return {
    name,
    about,
    slug,
    hue: hueOfCourse({ id, hue }),
    picture: picture && picturePath(picture),
    instructor: toInstructor(instructor),
    cohorts: listed,
    /** Whether one of them takes people now, onto its waitlist at least. */
    canEnroll: listed.some((cohort) => isJoinable(cohort.enrollmentState)),
  };
}

/** A published cohort of a course that is not over. */
export type ListedCohort = ReturnType<typeof toListed>[number];

/** The published cohorts that are not over, by their first day. */
function toListed(rows: CountedCohort[], now: Date) {
  return rows.map((row) => ({
    ...pick(row, ['slug', 'name', 'startsOn', 'endsOn', 'timeZone', 'enrollmentOpensLocal']),
    enrollmentState: enrollmentState(row, row, now),
    price: priceAt(row, now),
  }));
}
