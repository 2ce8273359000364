import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import type { EnrollmentActor, EnrollmentStatus } from '#db/values.ts';
import {
  type RosterPage,
  requestsOf,
  rosterFilters,
  rosterOf,
} from '#features/places/find-enrollments.ts';
import type { EnrollmentPage, PendingRequest, PersonEvent } from '#features/places/schema.ts';

/** A page of a roster, with how many people have each status. */
export type FoundRoster = EnrollmentPage & {
  /** What was asked for. */
  shown: RosterPage;
  requests: PendingRequest[];
  counts: ReadonlyMap<EnrollmentStatus, number>;
};

/** What the page of a roster shows, by the query of its address; nothing of another user's cohort. */
export function findRoster(cohortId: string, address: string) {
  const parameters = new URLSearchParams(address);
  const shown: RosterPage = {
    status: rosterFilters.find((status) => status === parameters.get('status')) ?? null,
    search: parameters.get('q') ?? '',
    after: parameters.get('after'),
  };
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        page: rosterOf(ownerId, cohortId, shown),
        counts: countsOf({ cohortId, ownerId }),
        requests: requestsOf(ctx, ownerId, cohortId),
      },
      ({ page, counts, requests }): FoundRoster => ({
        ...page,
        shown,
        requests,
        counts: new Map(counts.map(({ status, count }) => [status, count])),
      }),
    );
}

const countsOf = prepared(({ cohortId, ownerId }: Given<'cohortId' | 'ownerId'>) =>
  db.all<{ status: EnrollmentStatus; count: number }>(sql`SELECT e.status, count(*) AS count
    FROM enrollments e WHERE e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId}
    GROUP BY e.status`),
);

/** Something that has happened in a cohort, and to whom; nothing says who was erased. */
export type Activity = Change | { kind: 'erased'; id: number; at: number; actor: EnrollmentActor };

type Change = Omit<PersonEvent, 'at'> & {
  kind: 'changed';
  id: number;
  enrollmentId: string;
  personId: string;
  name: string;
  at: number;
};

const shownEvents = 10;

/**
 * The latest events of a cohort of the viewer. The people they happened to are those who changed
 * last, so only their histories are read.
 */
export function findActivity(cohortId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      {
        changes: changesOf({ cohortId, ownerId }),
        erasures: erasuresOf({ cohortId, ownerId }),
      },
      ({ changes, erasures }) =>
        [...changes, ...erasures].toSorted((one, other) => other.at - one.at).slice(0, shownEvents),
    );
}

const changesOf = prepared(({ cohortId, ownerId }: Given<'cohortId' | 'ownerId'>) =>
  db.all<Change>(sql`SELECT 'changed' AS kind, v.id, v.at, v.actor, v.from_status, v.to_status,
      v.moved_from, e.id AS enrollmentId, p.id AS personId, p.name
    FROM (SELECT x.id, x.owner_id, x.person_id FROM enrollments x
        WHERE x.cohort_id = ${cohortId} AND x.owner_id = ${ownerId}
        ORDER BY x.status_changed_at DESC LIMIT ${shownEvents}) e
      JOIN people p ON p.id = e.person_id
      JOIN enrollment_events v ON v.owner_id = e.owner_id AND v.enrollment_id = e.id
    ORDER BY v.id DESC LIMIT ${shownEvents}`),
);

const erasuresOf = prepared(({ cohortId, ownerId }: Given<'cohortId' | 'ownerId'>) =>
  db.all<Activity>(sql`SELECT 'erased' AS kind, x.id, x.at, x.actor
    FROM cohort_erasures x WHERE x.owner_id = ${ownerId} AND x.cohort_id = ${cohortId}
    ORDER BY x.at DESC LIMIT ${shownEvents}`),
);
