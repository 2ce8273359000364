import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import type { CohortKind } from '#db/values.ts';
import { maxCohorts } from '#features/cohorts/get-cohort.ts';
import { takenAt } from '#features/places/places.ts';

/** A cohort, or an open run, to which someone can be moved. */
export type Target = {
  id: string;
  kind: CohortKind;
  name: string;
  courseId: string;
  courseName: string;
  /** Null for an open run. */
  startsOn: string | null;
  endsOn: string | null;
  capacity: number | null;
  taken: number;
};

/**
 * The other cohorts of the viewer that are not over, of all courses, by their first day, and before
 * them the open runs, by the names of their courses.
 */
export function findTargets(cohortId: string) {
  return (ctx: Context, ownerId: SQL) =>
    query({ rows: otherCohorts({ ownerId, cohortId, now: ctx.now() }) }, ({ rows }) =>
      // No index has this order over all courses.
      rows.toSorted(
        (one, other) =>
          (one.startsOn ?? '').localeCompare(other.startsOn ?? '') ||
          one.courseName.localeCompare(other.courseName),
      ),
    );
}

const otherCohorts = prepared(({ ownerId, cohortId, now }: Given<'ownerId' | 'cohortId' | 'now'>) =>
  db.all<Target>(sql`SELECT c.id, c.kind, c.name, c.course_id AS courseId,
      k.name AS courseName, CASE c.kind WHEN 'dated' THEN c.starts_on END AS startsOn,
      CASE c.kind WHEN 'dated' THEN c.ends_on END AS endsOn, c.capacity,
      ${takenAt(now)} AS taken
    FROM cohorts c JOIN courses k ON k.id = c.course_id
    WHERE c.owner_id = ${ownerId} AND c.id <> ${cohortId} AND c.deleted_at IS NULL
      AND c.archived_at IS NULL AND c.ends_at > ${now}
    LIMIT ${maxCohorts}`),
);
