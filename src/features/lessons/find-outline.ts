import 'server-only';
import { and, asc, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { lessonCounts } from '#db/schema/learning.ts';
import { lessons } from '#db/schema/lessons.ts';
import { maxCohorts } from '#features/cohorts/get-cohort.ts';
import { isSelected, selectedBy } from '#features/courses/list-courses.ts';
import { findSelectedContent } from './find-content.ts';
import { goneReaders } from './gone-readers.ts';

/** How many people of a cohort have opened and done a lesson. */
export type LessonCount = { opened: number; done: number };

/**
 * The outline of the viewer's selected course, its cohorts with people, and how far those of one
 * cohort are.
 *
 * @param wanted the id of that cohort; by default the one that runs, or else the latest
 */
export function findOutline(wanted: string | null) {
  return (ctx: Context, ownerId: SQL, userId: SQL) => {
    const chosen = { userId, wanted: wanted ?? '', now: ctx.now() };
    return query(
      {
        content: findSelectedContent(ctx, ownerId, userId),
        trash: trashCount({ userId }),
        cohorts: cohortRows(chosen),
        people: peopleCount(chosen),
        gone: goneCount(chosen),
        counts: countRows(chosen),
      },
      ({ content, trash: [trash], cohorts: [cohort, ...others], people, gone, counts }) => ({
        content,
        trashCount: trash?.count ?? 0,
        /** Null where no one is enrolled. */
        progress:
          cohort === undefined
            ? null
            : {
                cohort,
                people: people[0]?.count ?? 0,
                /** Who no longer takes part, but is counted because they have read. */
                gone: gone[0]?.count ?? 0,
                others,
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

type Chosen = Given<'userId' | 'wanted' | 'now'>;

/** The chosen cohort first, then the others from the latest on. */
const cohortRows = prepared(({ userId, wanted, now }: Chosen) =>
  db
    .select({ id: cohorts.id, name: cohorts.name, kind: cohorts.kind })
    .from(cohorts)
    .where(isRead(userId))
    .orderBy(...chosenFirst(wanted, now))
    .limit(maxCohorts),
);

/** In an open run, which can have thousands, they are counted when they change. */
const peopleCount = prepared(({ userId, wanted, now }: Chosen) =>
  db.all<{ count: number }>(sql`SELECT CASE c.kind
      WHEN 'open' THEN (SELECT sum(n.people) FROM run_counts n WHERE n.cohort_id = c.id)
      ELSE (SELECT count(*) FROM enrollments e WHERE e.cohort_id = c.id AND e.status = 'enrolled')
      END AS count
    FROM cohorts c WHERE c.id = ${chosenId(userId, wanted, now)}`),
);

const goneCount = prepared(({ userId, wanted, now }: Chosen) =>
  db.all<{ count: number }>(sql`SELECT ${goneReaders(chosenId(userId, wanted, now))} AS count`),
);

const countRows = prepared(({ userId, wanted, now }: Chosen) =>
  db
    .select({
      lessonId: lessonCounts.lessonId,
      opened: lessonCounts.opened,
      done: lessonCounts.done,
    })
    .from(lessonCounts)
    .where(sql`${lessonCounts.cohortId} = ${chosenId(userId, wanted, now)}`),
);

/** In SQL, so that its counts are read in the trip that chooses it. */
function chosenId(userId: SQL, wanted: SQL, now: SQL): SQL {
  const first = db
    .select({ id: cohorts.id })
    .from(cohorts)
    .where(isRead(userId))
    .orderBy(...chosenFirst(wanted, now))
    .limit(1);
  return sql`(${first})`;
}

/** The cohorts of the selected course in which someone is enrolled. */
function isRead(userId: SQL): SQL | undefined {
  return and(
    sql`(${cohorts.ownerId}, ${cohorts.courseId}) = (${selectedBy(userId)})`,
    isNull(cohorts.deletedAt),
    sql`EXISTS (SELECT 1 FROM enrollments e
      WHERE e.cohort_id = ${cohorts}."id" AND e.status = 'enrolled')`,
  );
}

function chosenFirst(wanted: SQL, now: SQL): SQL[] {
  return [
    desc(sql`${cohorts.id} = ${wanted}`),
    // In an evergreen course, that of its open run.
    desc(sql`${cohorts.kind} = 'open' AND EXISTS (SELECT 1 FROM courses k
      WHERE k.id = ${cohorts}."course_id" AND k.course_type = 'evergreen')`),
    desc(sql`${cohorts.startsAt} <= ${now} AND ${cohorts.endsAt} > ${now}`),
    desc(cohorts.startsOn),
    asc(cohorts.id),
  ];
}
