import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { maxCohorts } from '#features/cohorts/get-cohort.ts';
import { takenAt } from '#features/places/places.ts';

/** A cohort to which someone can be moved. */
export type Target = {
  id: string;
  name: string;
  courseId: string;
  courseName: string;
  startsOn: string;
  endsOn: string;
  capacity: number | null;
  taken: number;
};

/** The other cohorts of the viewer that are not over, of all courses, by their first day. */
export function findTargets(cohortId: string) {
  return (ctx: Context, ownerId: SQL) =>
    query({ rows: otherCohorts({ ownerId, cohortId, now: ctx.now() }) }, ({ rows }) =>
      // No index has this order over all courses.
      rows.toSorted((one, other) => one.startsOn.localeCompare(other.startsOn)),
    );
}

const otherCohorts = prepared(({ ownerId, cohortId, now }: Given<'ownerId' | 'cohortId' | 'now'>) =>
  db.all<Target>(sql`SELECT c.id, c.name, c.course_id AS courseId,
      k.name AS courseName, c.starts_on AS startsOn, c.ends_on AS endsOn, c.capacity,
      ${takenAt(now)} AS taken
    FROM cohorts c JOIN courses k ON k.id = c.course_id
    WHERE c.owner_id = ${ownerId} AND c.id <> ${cohortId} AND c.deleted_at IS NULL
      AND c.archived_at IS NULL AND c.ends_at > ${now}
    LIMIT ${maxCohorts}`),
);
