import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { findSchedule } from '#features/meetings/list-meetings.ts';
import { comesAfter } from '#features/places/find-enrollments.ts';

/** As many names as a page has. A sheet of paper has room for about 25. */
const pageRows = 100;

/**
 * The names of those who are enrolled, and the sessions that take place, for sheets of paper.
 *
 * @param address the part after `?` of the page's: `after` is the last one of the page before
 */
export function findAttendance(cohortId: string, address: string) {
  const after = new URLSearchParams(address).get('after');
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        names: enrolledNames({ ownerId, cohortId, comesAfter: comesAfter(cohortId, after) }),
        meetings: findSchedule(cohortId)(ctx, ownerId),
      },
      ({ names, meetings }) => {
        const people = names.slice(0, pageRows);
        return {
          people,
          /** After whom the next page begins; null if there is none. */
          next: names.length > pageRows ? (people.at(-1)?.id ?? null) : null,
          isFirst: after === null,
          meetings: meetings.filter(({ status }) => status !== 'cancelled'),
        };
      },
    );
}

const enrolledNames = prepared((given: Given<'ownerId' | 'cohortId' | 'comesAfter'>) =>
  db.all<{ id: string; name: string }>(sql`SELECT e.id, p.name
    FROM enrollments e JOIN people p ON p.id = e.person_id
    WHERE e.cohort_id = ${given.cohortId} AND e.owner_id = ${given.ownerId}
      AND e.status = 'enrolled' AND ${given.comesAfter}
    ORDER BY e.name_key, e.id LIMIT ${pageRows + 1}`),
);
