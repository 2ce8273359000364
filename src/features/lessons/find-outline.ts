import 'server-only';
import { and, asc, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { lessonCounts } from '#db/schema/learning.ts';
import { lessons } from '#db/schema/lessons.ts';
import { meetings } from '#db/schema/meetings.ts';
import { shownIn } from '#db/shown-lessons.ts';
import { maxCohorts } from '#features/cohorts/get-cohort.ts';
import { isSelected, selectedBy } from '#features/courses/list-courses.ts';
import { pick } from '#lib/to-json.ts';
import { findSelectedContent } from './find-content.ts';
import { openingsWhere } from './find-openings.ts';
import { goneFrom, kindOf, readersIn } from './gone-readers.ts';

/** How many people of a cohort have opened and done a lesson. */
export type LessonCount = { opened: number; done: number };

/**
 * The outline of the viewer's selected course, its cohorts or its open run, how far the people of
 * one of them are, and when sections open there.
 *
 * @param wanted the id of that cohort; by default the one with people that runs, or else comes next,
 *   or was the latest
 */
export function findOutline(wanted: string | null) {
  return (ctx: Context, ownerId: SQL, userId: SQL) => {
    const chosen = { userId, wanted: wanted ?? '', now: ctx.now() };
    return query(
      {
        content: findSelectedContent(ctx, ownerId, userId),
        trash: trashCount({ userId }),
        opened: openedLessons({ userId }),
        cohorts: cohortRows(chosen),
        people: peopleCounts(chosen),
        counts: countRows(chosen),
        openings: chosenOpenings(chosen),
        meetings: chosenMeetings(chosen),
      },
      ({
        content,
        trash: [trash],
        opened,
        cohorts: [cohort, ...others],
        people: [people],
        counts,
        openings,
        meetings: sessions,
      }) => ({
        content,
        trashCount: trash?.count ?? 0,
        /** The published lessons that anyone has opened, of any cohort. */
        opened: new Set(opened.map(({ id }) => id)),
        /** Null where there is no cohort to choose. */
        progress:
          cohort === undefined
            ? null
            : {
                cohort,
                people: people?.enrolled ?? 0,
                /** Who no longer takes part, but is counted because they have read. */
                gone: people?.gone ?? 0,
                others,
                /** Of each section; none in an open run, which has no dates. */
                openings: new Map(openings.map((row) => [row.id, row])),
                /** The live sessions with which a section can open. */
                meetings: sessions,
                counts: new Map<string, LessonCount>(
                  counts.map(({ lessonId, opened, done }) => [lessonId, { opened, done }]),
                ),
              },
      }),
    );
  };
}

const trashCount = prepared(({ userId }: Given<'userId'>) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(courses)
    .innerJoin(lessons, and(eq(lessons.ownerId, courses.ownerId), eq(lessons.courseId, courses.id)))
    .where(and(isSelected(userId), isNotNull(lessons.deletedAt))),
);

const openedLessons = prepared(({ userId }: Given<'userId'>) =>
  db.all<{ id: string }>(
    sql`SELECT l.id FROM lessons l WHERE (l.owner_id, l.course_id) = (${selectedBy(userId)})
      AND EXISTS (SELECT 1 FROM lesson_counts n JOIN cohorts c ON c.id = n.cohort_id
        WHERE n.owner_id = l.owner_id AND n.lesson_id = l.id AND n.opened > 0
          AND c.deleted_at IS NULL AND c.published_at IS NOT NULL AND ${shownIn(sql`c.id`)})`,
  ),
);

type Chosen = Given<'userId' | 'wanted' | 'now'>;

/** The chosen cohort first, then the others in the order in which they would be chosen. */
const cohortRows = prepared(({ userId, wanted, now }: Chosen) =>
  db
    .select({ id: cohorts.id, name: cohorts.name, kind: cohorts.kind })
    .from(cohorts)
    .innerJoin(courses, isOfCourse)
    .where(isShown(userId))
    .orderBy(...chosenFirst(wanted, now))
    .limit(maxCohorts),
);

const peopleCounts = prepared(({ userId, wanted, now }: Chosen) =>
  db.all<{ enrolled: number; gone: number }>(
    sql`SELECT ${readersIn(sql`c.id`, sql`c.kind`)} AS enrolled,
        ${goneFrom(sql`c.id`, sql`c.kind`)} AS gone
      FROM cohorts c WHERE c.id = ${chosenId(userId, wanted, now)}`,
  ),
);

const chosenOpenings = prepared(({ userId, wanted, now }: Chosen) =>
  openingsWhere(
    and(sql`${cohorts.id} = ${chosenId(userId, wanted, now)}`, eq(cohorts.kind, 'dated')),
  ),
);

const chosenMeetings = prepared(({ userId, wanted, now }: Chosen) =>
  db
    .select({ id: meetings.id, title: meetings.title, startsLocal: meetings.startsLocal })
    .from(meetings)
    .where(
      and(
        sql`${meetings.cohortId} = ${chosenId(userId, wanted, now)}`,
        isNull(meetings.cancelledAt),
      ),
    )
    .orderBy(asc(meetings.startsAt), asc(meetings.id)),
);

const countColumns = pick(lessonCounts, ['lessonId', 'opened', 'done']);

const countRows = prepared(({ userId, wanted, now }: Chosen) =>
  db
    .select(countColumns)
    .from(lessonCounts)
    .where(sql`${lessonCounts.cohortId} = ${chosenId(userId, wanted, now)}`),
);

/** In SQL, so that its counts are read in the trip that chooses it. */
function chosenId(userId: SQL, wanted: SQL, now: SQL): SQL {
  const first = db
    .select({ id: cohorts.id })
    .from(cohorts)
    .innerJoin(courses, isOfCourse)
    .where(isShown(userId))
    .orderBy(...chosenFirst(wanted, now))
    .limit(1);
  return sql`(${first})`;
}

const isOfCourse = and(eq(courses.ownerId, cohorts.ownerId), eq(courses.id, cohorts.courseId));

const hasPeople = sql`EXISTS (SELECT 1 FROM enrollments e
  WHERE e.cohort_id = ${cohorts}."id" AND e.status = 'enrolled')`;

/**
 * The cohorts of the selected course, or its open run. Those without people are among them, because
 * what opens when is chosen before anyone enrolls; but not from the archive.
 */
function isShown(userId: SQL): SQL | undefined {
  return and(
    sql`(${cohorts.ownerId}, ${cohorts.courseId}) = (${selectedBy(userId)})`,
    isNull(cohorts.deletedAt),
    sql`${cohorts.kind} = ${kindOf(sql`${courses.courseType}`)}`,
    sql`(${cohorts.archivedAt} IS NULL OR ${hasPeople})`,
  );
}

function chosenFirst(wanted: SQL, now: SQL): SQL[] {
  return [
    desc(sql`${cohorts.id} = ${wanted}`),
    desc(hasPeople),
    desc(sql`${cohorts.startsAt} <= ${now} AND ${cohorts.endsAt} > ${now}`),
    desc(sql`${cohorts.startsAt} > ${now}`),
    // The next one first, and of those that are over the latest.
    sql`abs(${cohorts.startsAt} - ${now})`,
    asc(cohorts.id),
  ];
}
