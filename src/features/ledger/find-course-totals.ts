import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { db, query, readLater } from '#db/query.ts';
import { ownCourse } from '#features/courses/list-courses.ts';
import { requireFound } from '#lib/app-error.ts';
import { readTotals, sumColumns, type TotalsRow, toTotals, totalColumns } from './balances.ts';

type CohortRow = TotalsRow & { id: string; name: string; currency: string | null };

/** The query for what each cohort of a course adds up to: the newest first, deleted ones last. */
function cohortsOf(ownerId: SQL | string, courseId: SQL | string) {
  return query({ rows: cohortRows({ ownerId, courseId }) }, ({ rows }) =>
    rows.map((row) => toTotals(row, row)),
  );
}

const cohortRows = prepared(({ ownerId, courseId }: Given<'ownerId' | 'courseId'>) =>
  db.all<CohortRow>(sql`WITH course AS MATERIALIZED
      (SELECT ${ownerId} AS owner_id, ${courseId} AS id),
    a AS (SELECT l.cohort_id AS cohortId, max(l.currency) AS currency, ${sumColumns}
      FROM ledger_entries l WHERE l.owner_id = (SELECT owner_id FROM course)
        AND l.course_id = (SELECT id FROM course)
      GROUP BY l.cohort_id, l.enrollment_id),
    t AS MATERIALIZED (SELECT a.cohortId, max(a.currency) AS currency, ${totalColumns}
      FROM a GROUP BY a.cohortId)
    SELECT * FROM (SELECT c.id, c.name, coalesce(t.currency, c.currency) AS currency, c.starts_on AS startsOn,
      ${readTotals}
    FROM cohorts c
      LEFT JOIN t ON t.cohortId = c.id
    WHERE c.owner_id = (SELECT owner_id FROM course)
      AND c.course_id = (SELECT id FROM course)
      AND (c.deleted_at IS NULL OR t.cohortId IS NOT NULL)
    UNION ALL SELECT t.cohortId, (SELECT x.cohort_name FROM ledger_entries x
        WHERE x.owner_id = (SELECT owner_id FROM course) AND x.cohort_id = t.cohortId
        ORDER BY x.created_at DESC LIMIT 1), t.currency, '', ${readTotals}
    FROM t WHERE NOT EXISTS (SELECT 1 FROM cohorts c WHERE c.id = t.cohortId))
    ORDER BY startsOn DESC, id`),
);

const selectedCourse = fragment(
  ({ userId }: Given<'userId'>) =>
    sql`(SELECT u.selected_course_id FROM users u WHERE u.id = ${userId})`,
);

/** A course that is gone, as one of its entries calls it. */
export type DeletedCourse = { id: string; name: string };

/** Courses that were deleted and have entries: the index is read once for each course. */
const deletedCourses = prepared(({ ownerId }: Given<'ownerId'>) => {
  const nextId = (after: SQL) => sql`(SELECT min(l.course_id) FROM ledger_entries l
    WHERE l.owner_id = ${ownerId} AND l.course_id > ${after})`;
  return db.all<DeletedCourse>(sql`WITH RECURSIVE billed(id) AS (SELECT ${nextId(sql`''`)}
      UNION ALL SELECT ${nextId(sql`billed.id`)} FROM billed WHERE billed.id IS NOT NULL)
    SELECT billed.id, (SELECT x.course_name FROM ledger_entries x
      WHERE x.owner_id = ${ownerId} AND x.course_id = billed.id LIMIT 1) AS name
    FROM billed WHERE billed.id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM courses o WHERE o.id = billed.id)`);
});

/**
 * What the cohorts of the viewer's selected course add up to, and the courses that are gone; none
 * of it if a cohort is shown.
 */
export function findCourseTotals({ cohortId }: { cohortId: string }) {
  return (_ctx: Context, ownerId: SQL, userId: SQL) => {
    const isShown = cohortId === '';
    return readLater(
      {
        cohorts: isShown ? cohortsOf(ownerId, selectedCourse({ userId })) : undefined,
        deleted: isShown ? deletedCourses({ ownerId }) : undefined,
      },
      ({ cohorts = [], deleted = [] }) => ({ cohorts, deleted }),
    );
  };
}

/**
 * What the cohorts of one of the viewer's courses add up to.
 *
 * @throws AppError `not_found` for a course that does not exist or belongs to another user
 */
export function listCourseTotals(courseId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    readLater(
      { courses: ownCourse({ courseId, ownerId }), cohorts: cohortsOf(ownerId, courseId) },
      ({ courses: [course], cohorts }) => {
        requireFound(course);
        return cohorts;
      },
    );
}
