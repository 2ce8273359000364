import 'server-only';
import { and, asc, desc, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { type AnswerFrom, db, type Query, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import {
  type CohortStatus,
  cohortStatus,
  type PeopleCounts,
  sumOfPeople,
} from '#features/cohorts/cohort-status.ts';
import {
  countColumns,
  countedColumns,
  isDated,
  isOwn,
  maxCohorts,
  toCohort,
} from '#features/cohorts/get-cohort.ts';
import type { CohortListName } from '#features/cohorts/schema.ts';
import { hueOfCourse, isSelected, selectedBy } from '#features/courses/list-courses.ts';
import { cohortMoney } from '#features/ledger/balances.ts';
import {
  areAllPlaced,
  comingCount,
  lacksMeetingLink,
  meetingCount,
  type NextMeeting,
  nextMeetingColumn,
} from '#features/meetings/next-meeting.ts';
import { isPaused } from '#features/outbox/standing.ts';
import { isPassedOn } from '#features/places/why-no-offer.ts';
import { serverPaths } from '#paths.ts';

/** A cohort with the name and type of its course, which need not be the selected one. */
export type OwnCohort = AnswerFrom<typeof findOwnCohort>;

/** Whether people are to pay online in a cohort; what they owe, also once it is over. */
export function isOnline({ payment_mode: mode, status }: OwnCohort): boolean {
  return mode !== 'own' && status !== 'archived' && status !== 'trashed';
}

/** One of the viewer's cohorts for a page, even from the trash; null if there is none. */
export function findOwnCohort(id: string | SQL) {
  return (ctx: Context, ownerId: SQL) =>
    query({ rows: ownRow({ ownerId, id, now: ctx.now() }) }, ({ rows: [row] }) => {
      if (row === undefined) {
        return null;
      }
      const { cohort, isPaused: isWithout, hasAbout, courseHue: hue, ...course } = row;
      // People mark the emails of the owner as spam, so these go out without notes.
      return {
        ...toCohort(ctx, cohort),
        ...course,
        courseHue: hueOfCourse({ id: cohort.courseId, hue }),
        hasAbout: hasAbout === 1,
        isMoneyKept: cohort.moneyKeptAt !== null,
        /** Whether the place of someone who leaves goes to the next person who waits. */
        isPassedOn: isPassedOn(cohort, cohort, ctx.now()),
        isWithoutNotes: isWithout === 1,
      };
    });
}

const ownRow = prepared(({ ownerId, id, now }: Given<'ownerId' | 'id' | 'now'>) =>
  db
    .select({
      cohort: countedColumns(now),
      courseName: courses.name,
      courseType: courses.courseType,
      courseHue: courses.hue,
      hasAbout: sql<number>`${courses.about} IS NOT NULL`,
      lessonCount: publishedLessons,
      meetingCount,
      comingCount: comingCount(now),
      areAllPlaced,
      lacksMeetingLink,
      ...cohortMoney,
      isPaused: isPaused(ownerId),
    })
    .from(cohorts)
    .innerJoin(courses, and(eq(courses.id, cohorts.courseId), eq(courses.ownerId, cohorts.ownerId)))
    .where(isOwn(ownerId, id)),
);

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
  closedByType: cohorts.closedByType,
  capacity: cohorts.capacity,
  waitlist: cohorts.waitlist,
  joinUrl: cohorts.joinUrl,
  publishedAt: cohorts.publishedAt,
  archivedAt: cohorts.archivedAt,
  deletedAt: cohorts.deletedAt,
};

/** A cohort as lists show it, with what it is at this moment. */
export type ListedCohort = Pick<typeof cohorts.$inferSelect, keyof typeof listedColumns> &
  PeopleCounts & { status: CohortStatus; nextMeeting: NextMeeting | null };

const interestedIn = sql<number>`(SELECT count(*) FROM course_interests i
  WHERE i.course_id = ${courses}."id" AND i.confirmed_at IS NOT NULL)`;

const publishedLessons = sql<number>`(SELECT count(*) FROM lessons l
  WHERE l.owner_id = ${courses}."owner_id" AND l.course_id = ${courses}."id"
    AND l.published_at IS NOT NULL AND l.deleted_at IS NULL)`.as('lesson_count');

/**
 * The cohorts of the viewer's selected course that are not in the trash, by their first day, how
 * many are in the trash, and what the course itself shows in public.
 */
export function listOwnCohorts(ctx: Context, _ownerId: SQL, userId: SQL) {
  return query(
    {
      rows: listedRows({ userId, now: ctx.now() }),
      course: selectedCourse({ userId }),
      trash: trashCount({ userId }),
    },
    ({ rows, trash, course: [course] }) => {
      const listed = rows.map((row) => listedCohort(ctx, row));
      return {
        current: listed.filter(({ archivedAt }) => archivedAt === null),
        archived: listed.filter(({ archivedAt }) => archivedAt !== null),
        /** The page of the course; null before its first cohort was published. */
        publicUrl: course?.slug
          ? serverPaths.publicCohort(ctx.config.appOrigin, course.slug)
          : null,
        /** How many people wait for an email when enrollment opens. */
        interested: course?.interested ?? 0,
        trashCount: trash[0]?.count ?? 0,
      };
    },
  );
}

const listedRows = prepared(({ userId, now }: Given<'userId' | 'now'>) =>
  listedWhere(userId, now, isNull(cohorts.deletedAt))
    .orderBy(asc(cohorts.startsOn), asc(cohorts.id))
    .limit(maxCohorts),
);

function listedWhere(userId: SQL, now: SQL, ...where: SQL[]) {
  return db
    .select({ ...listedColumns, ...countColumns(now), ...nextMeetingColumn(now) })
    .from(cohorts)
    .where(and(ofSelectedCourse(userId), ...where));
}

const selectedCourse = prepared(({ userId }: Given<'userId'>) =>
  db
    .select({ slug: courses.slug, interested: interestedIn })
    .from(courses)
    .where(isSelected(userId)),
);

const trashCount = prepared(({ userId }: Given<'userId'>) => {
  const trashed = db
    .select({ id: cohorts.id })
    .from(cohorts)
    .where(and(ofSelectedCourse(userId), isTrashed))
    // As many as its page shows.
    .limit(maxCohorts)
    .as('trashed');
  return db.select({ count: sql<number>`count(*)` }).from(trashed);
});

/** The cohorts of the viewer's selected course that are in the trash, the last one first. */
export function listOwnTrash(ctx: Context, _ownerId: SQL, userId: SQL) {
  return query({ rows: trashedRows({ userId, now: ctx.now() }) }, ({ rows }) =>
    rows.map((row) => listedCohort(ctx, row)),
  );
}

const trashedRows = prepared(({ userId, now }: Given<'userId' | 'now'>) =>
  listedWhere(userId, now, isTrashed)
    .orderBy(desc(cohorts.deletedAt), desc(cohorts.startsOn), desc(cohorts.id))
    .limit(maxCohorts),
);

/**
 * The cohort of the viewer's selected course that runs or comes next: a published one, or else a
 * draft; null if there is none.
 */
export function findNextCohort(ctx: Context, _ownerId: SQL, userId: SQL) {
  return query({ rows: nextRow({ userId, now: ctx.now() }) }, ({ rows: [row] }) =>
    row === undefined ? null : listedCohort(ctx, row),
  );
}

const nextRow = prepared(({ userId, now }: Given<'userId' | 'now'>) =>
  listedWhere(
    userId,
    now,
    isNull(cohorts.deletedAt),
    isNull(cohorts.archivedAt),
    // The sign keeps SQLite from reading those of all courses by their ends.
    sql`+${cohorts.endsAt} > ${now}`,
  )
    .orderBy(isNull(cohorts.publishedAt), asc(cohorts.startsOn), asc(cohorts.id))
    .limit(1),
);

/** Cohorts, and the people who are enrolled, offered a place, waiting, asking or invited there. */
export type CohortCount = { cohorts: number; people: number };

/**
 * How many cohorts the viewer's selected course has outside the trash, with their people, and how
 * many people its open run has; null without one.
 */
export function countOwnCohorts(ctx: Context, _ownerId: SQL, userId: SQL) {
  const now = ctx.now();
  return query(
    { counts: countCohorts(selectedCounts({ userId, now })), run: selectedRun({ userId, now }) },
    ({ counts, run: [run] }) => ({
      ...counts,
      runPeople: run === undefined ? null : sumOfPeople(run),
    }),
  );
}

const selectedRun = prepared(({ userId, now }: Given<'userId' | 'now'>) =>
  db
    .select(countColumns(now))
    .from(cohorts)
    .where(
      and(
        sql`(${cohorts.ownerId}, ${cohorts.courseId}) = (${selectedBy(userId)})`,
        eq(cohorts.kind, 'open'),
      ),
    ),
);

const selectedCounts = prepared(({ userId, now }: Given<'userId' | 'now'>) =>
  countsOf(now, and(ofSelectedCourse(userId), isNull(cohorts.deletedAt))),
);

/**
 * How many cohorts of all the viewer's courses run or come: they go with the account. The people of
 * those that are published are told, and those of open runs.
 */
export function countCohortsNotOver(ctx: Context, ownerId: SQL) {
  return countCohorts(countsNotOver({ ownerId, now: ctx.now() }));
}

const countsNotOver = prepared(({ ownerId, now }: Given<'ownerId' | 'now'>) => {
  const isNotOver = and(
    eq(cohorts.ownerId, ownerId),
    isNull(cohorts.deletedAt),
    isNull(cohorts.archivedAt),
    gt(cohorts.endsAt, now),
  );
  return countsOf(now, isNotOver, isNotNull(cohorts.publishedAt));
});

function countsOf(now: SQL, where: SQL | undefined, hasPeople = sql`true`) {
  const { enrolled, offered, waitlisted, applied, invited } = countColumns(now);
  const people = sql`${enrolled.sql} + ${offered.sql} + ${waitlisted.sql}
    + ${applied.sql} + ${invited.sql}`;
  return db
    .select({
      cohorts: sql<number>`count(CASE WHEN ${isDated} THEN 1 END)`,
      people: sql<number>`coalesce(sum(CASE WHEN ${hasPeople} THEN ${people} END), 0)`,
    })
    .from(cohorts)
    .where(where);
}

function countCohorts(counts: Query<CohortCount[]>) {
  return query({ rows: counts }, ({ rows: [row] }) => row ?? { cohorts: 0, people: 0 });
}

function listedCohort(ctx: Context, row: Omit<ListedCohort, 'status'>): ListedCohort {
  return { ...row, status: cohortStatus(row, row, ctx.now()) };
}

/** A range, which an index finds; it would not skip the others for IS NOT NULL. */
const isTrashed = sql`${cohorts.deletedAt} > 0`;

/**
 * The cohorts of the course that a user has selected, which says whose they are, without its open
 * run. In SQL, so that they are read in the trip that looks up the viewer.
 */
function ofSelectedCourse(userId: SQL): SQL {
  return sql`(${cohorts.ownerId}, ${cohorts.courseId}) = (${selectedBy(userId)}) AND ${isDated}`;
}

/**
 * The cohorts of one of the viewer's courses: those in use or archived by their first day, or those
 * in the trash with the last one first; none if there is no such course.
 */
export function listCohorts(courseId: string, list: CohortListName) {
  return (ctx: Context, ownerId: SQL) =>
    query({ rows: rowsOf[list]({ courseId, ownerId, now: ctx.now() }) }, ({ rows }) =>
      rows.map((row) => toCohort(ctx, row)),
    );
}

// Both orders are those of the index.
const byFirstDay = [asc(cohorts.startsOn), asc(cohorts.id)];
const lastFirst = [desc(cohorts.deletedAt), desc(cohorts.startsOn), desc(cohorts.id)];

const rowsOf = {
  current: rowsIn(and(isNull(cohorts.deletedAt), isNull(cohorts.archivedAt)), byFirstDay),
  archived: rowsIn(and(isNull(cohorts.deletedAt), isNotNull(cohorts.archivedAt)), byFirstDay),
  trash: rowsIn(isNotNull(cohorts.deletedAt), lastFirst),
} satisfies Record<CohortListName, unknown>;

function rowsIn(inList: SQL | undefined, order: SQL[]) {
  return prepared(({ courseId, ownerId, now }: Given<'courseId' | 'ownerId' | 'now'>) =>
    db
      .select(countedColumns(now))
      .from(cohorts)
      .where(and(eq(cohorts.ownerId, ownerId), eq(cohorts.courseId, courseId), isDated, inList))
      .orderBy(...order)
      // The trash can hold more, of a course that is filled and emptied again and again.
      .limit(maxCohorts),
  );
}
