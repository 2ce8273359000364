import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { db, type Query, query } from '#db/query.ts';
import type { EnrollmentActor, EnrollmentStatus, Locale, PersonSource } from '#db/values.ts';
import { cohortOrThrow, cohortRows } from '#features/cohorts/get-cohort.ts';
import type { Addresses, PendingRequest } from '#features/roster/schema.ts';
import { nameKeyOf } from '#lib/text.ts';
import { toJson } from '#lib/to-json.ts';
import {
  Enrollment,
  type EnrollmentDetails,
  type EnrollmentPage,
  Person,
  type WaitlistPage,
} from './schema.ts';
import { whyNoOffer } from './why-no-offer.ts';

const pageRows = 100;

type EnrollmentRow = {
  id: string;
  personId: string;
  name: string;
  email: string;
  status: EnrollmentStatus;
  queueNo: number | null;
  position: number | null;
  expiresAt: number | null;
  overCapacity: number;
  completedAt: number | null;
  question: string | null;
  answer: string | null;
  statusChangedAt: number;
  createdAt: number;
  undeliverableSince: number | null;
};

const columns = sql`e.id, e.person_id AS personId, p.name, p.email, e.status, e.queue_no AS queueNo,
  e.expires_at AS expiresAt, e.over_capacity AS overCapacity, e.completed_at AS completedAt,
  e.question, e.answer,
  e.status_changed_at AS statusChangedAt, e.created_at AS createdAt,
  (SELECT s.since FROM undeliverable_addresses s
    WHERE s.email_canonical = p.email_canonical) AS undeliverableSince`;

const joined = sql`enrollments e JOIN people p ON p.id = e.person_id`;

/**
 * Which statuses the roster can be filtered by; without a filter, who takes part or may. A search
 * without one finds everyone, because people are looked for who have left or wait, too.
 */
export const rosterFilters = [
  'enrolled',
  'offered',
  'invited',
  'waitlisted',
  'applied',
  'declined',
  'refused',
  'expired',
  'left',
  'removed',
] as const;
export type RosterFilter = (typeof rosterFilters)[number];

export type RosterPage = { status: RosterFilter | null; search: string; after: string | null };

/**
 * A read about one of the viewer's cohorts.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
function inCohort<T>(cohortId: string, find: (ctx: Context, ownerId: SQL) => Query<T>) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      { cohort: cohortRows(ctx, ownerId, cohortId), answer: find(ctx, ownerId) },
      ({ cohort, answer }) =>
        () => {
          cohortOrThrow(cohort);
          return answer;
        },
    );
}

/**
 * A page of the roster of one of the viewer's cohorts, by name.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
export function listRoster(cohortId: string, page: RosterPage) {
  return inCohort(cohortId, (_ctx, ownerId) => rosterOf(ownerId, cohortId, page));
}

/** The query for a page of a roster; empty for someone else. */
export function rosterOf(
  ownerId: SQL,
  cohortId: string,
  { status, search, after }: RosterPage,
): Query<EnrollmentPage> {
  const sought = search.trim();
  return query(
    {
      rows: rosterRows({
        ownerId,
        cohortId,
        hasStatus: statusFilter(status, sought),
        comesAfter: comesAfter(cohortId, after),
        key: nameKeyOf(sought),
        part: sought.toLowerCase(),
      }),
    },
    ({ rows }) => pageOf(rows),
  );
}

function statusFilter(status: RosterFilter | null, sought: string): SQL {
  if (status !== null) {
    return is({ status });
  }
  return sought === '' ? isThere({}) : isAny({});
}

type RosterValue = 'ownerId' | 'cohortId' | 'hasStatus' | 'comesAfter' | 'key' | 'part';

const rosterRows = prepared((given: Given<RosterValue>) =>
  db.all<EnrollmentRow>(sql`SELECT ${columns}, NULL AS position FROM ${joined}
    WHERE e.cohort_id = ${given.cohortId} AND e.owner_id = ${given.ownerId}
      AND ${given.hasStatus} AND ${given.comesAfter}
      AND (instr(e.name_key, ${given.key}) > 0 OR instr(p.email_canonical, ${given.part}) > 0)
    ORDER BY e.name_key, e.id LIMIT ${pageRows + 1}`),
);

const is = fragment(({ status }: Given<'status'>) => sql`e.status IN (${status})`);
const isThere = fragment(() => sql`e.status IN ('enrolled', 'offered', 'invited')`);

/** The order of the roster's index, from the last row of the page before. */
const isAfter = fragment(
  ({ after, cohortId }: Given<'after' | 'cohortId'>) =>
    sql`(e.name_key, e.id) > (SELECT x.name_key, x.id FROM enrollments x
      WHERE x.id = ${after} AND x.cohort_id = ${cohortId})`,
);
const isAny = fragment(() => sql`true`);

/** Who comes after someone in the order of the roster; everyone without one. */
export function comesAfter(cohortId: string, after: string | null): SQL {
  return after === null ? isAny({}) : isAfter({ after, cohortId });
}

/**
 * A page of the waitlist of one of the viewer's cohorts: first who is offered a place, then who
 * waits, in order; and why no one is being offered one. Null for the cohort of another user.
 */
export function findWaitlist(cohortId: string, after: string | null) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        cohort: cohortRows(ctx, ownerId, cohortId),
        offered: offeredRows({ ownerId, cohortId, after, now: ctx.now() }),
        before: countBefore({ ownerId, cohortId, after }),
        rows: waitingRows({ ownerId, cohortId, after }),
      },
      ({ cohort: [row], offered, before: [before], rows }) =>
        (): WaitlistPage | null => {
          if (row === undefined) {
            return null;
          }
          const start = before?.count ?? 0;
          const { items, next } = pageOf(
            rows.map((one, index) => ({ ...one, position: start + index + 1 })),
          );
          const byEnd = offered.toSorted(
            (one, other) => (one.expiresAt ?? 0) - (other.expiresAt ?? 0),
          );
          return {
            items: [...byEnd.map(toEnrollment), ...items],
            next,
            reason: whyNoOffer(row, row, ctx.now()),
            next_name: start === 0 ? (rows[0]?.name ?? null) : null,
          };
        },
    );
}

type WaitlistValue = 'ownerId' | 'cohortId' | 'after';

const offeredRows = prepared(({ ownerId, cohortId, after, now }: Given<WaitlistValue | 'now'>) =>
  db.all<EnrollmentRow>(sql`SELECT ${columns}, NULL AS position FROM ${joined}
    WHERE e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId} AND e.status = 'offered'
      AND e.expires_at > ${now} AND ${after} IS NULL
    LIMIT ${pageRows}`),
);

const countBefore = prepared(({ ownerId, cohortId, after }: Given<WaitlistValue>) =>
  db.all<{ count: number }>(sql`SELECT count(*) AS count FROM enrollments e
    WHERE e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId} AND e.status = 'waitlisted'
      AND e.queue_no <= ${lastShown(cohortId, after)}`),
);

const waitingRows = prepared(({ ownerId, cohortId, after }: Given<WaitlistValue>) =>
  db.all<EnrollmentRow>(sql`SELECT ${columns}, NULL AS position FROM ${joined}
    WHERE e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId} AND e.status = 'waitlisted'
      AND e.queue_no > ${lastShown(cohortId, after)}
    ORDER BY e.queue_no LIMIT ${pageRows + 1}`),
);

function lastShown(cohortId: SQL, after: SQL): SQL {
  return sql`coalesce((SELECT x.queue_no FROM enrollments x
    WHERE x.id = ${after} AND x.cohort_id = ${cohortId}), 0)`;
}

function pageOf(rows: EnrollmentRow[]): EnrollmentPage {
  const items = rows.slice(0, pageRows).map(toEnrollment);
  return { items, next: rows.length > pageRows ? (items.at(-1)?.id ?? null) : null };
}

/** The query for an enrollment in a cohort of the viewer, with the person and the history. */
export function enrollmentDetails(ownerId: string | SQL, cohortId: string | SQL, id: string | SQL) {
  return query(
    {
      rows: enrollmentRow({ ownerId, cohortId, id }),
      events: eventsOf({ ownerId, id }),
    },
    ({ rows: [row], events }): EnrollmentDetails | null =>
      row === undefined
        ? null
        : {
            ...toEnrollment(row),
            person: toPerson({ ...row, id: row.personId, createdAt: row.personCreatedAt }),
            events: events.map(({ at, ...event }) => ({ at: timeOf(at), ...event })),
          },
  );
}

const enrollmentRow = prepared(({ ownerId, cohortId, id }: Given<'ownerId' | 'cohortId' | 'id'>) =>
  db.all<
    EnrollmentRow & Omit<PersonRow, 'id'> & { personCreatedAt: number }
  >(sql`SELECT ${columns}, p.language, p.note, p.source,
        p.created_at AS personCreatedAt,
        CASE WHEN e.status = 'waitlisted' THEN (SELECT count(*) FROM enrollments w
          WHERE w.cohort_id = e.cohort_id AND w.status = 'waitlisted'
            AND w.queue_no <= e.queue_no) END AS position
      FROM ${joined}
      WHERE e.id = ${id} AND e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId}`),
);

const eventsOf = prepared(({ ownerId, id }: Given<'ownerId' | 'id'>) =>
  db.all<EventRow>(sql`SELECT v.at, v.actor, v.from_status, v.to_status, v.moved_from
    FROM enrollment_events v WHERE v.owner_id = ${ownerId} AND v.enrollment_id = ${id}
    ORDER BY v.id`),
);

type EventRow = {
  at: number;
  actor: EnrollmentActor;
  from_status: EnrollmentStatus | null;
  to_status: EnrollmentStatus;
  moved_from: string | null;
};

/**
 * Someone in a cohort of the viewer, with all that has happened; null if there is no one.
 *
 * @param cohortId null: in whichever cohort they are
 */
export function findEnrollment(cohortId: string | null, id: string) {
  const where = cohortId ?? cohortOf({ id });
  return (_ctx: Context, ownerId: SQL) =>
    query(
      { details: enrollmentDetails(ownerId, where, id) },
      ({ details }) =>
        () =>
          details,
    );
}

const cohortOf = fragment(
  ({ id }: Given<'id'>) => sql`(SELECT x.cohort_id FROM enrollments x WHERE x.id = ${id})`,
);

/** Requests to enroll that wait for their click. */
export function listRequests(cohortId: string) {
  return inCohort(cohortId, (ctx, ownerId) => requestsOf(ctx, ownerId, cohortId));
}

/**
 * The query for these requests, without those of people who are on the lists already: their owner
 * has added them meanwhile.
 */
export function requestsOf(ctx: Context, ownerId: SQL, cohortId: string): Query<PendingRequest[]> {
  return query({ rows: requestRows({ cohortId, ownerId, now: ctx.now() }) }, ({ rows }) =>
    rows
      .toSorted((one, other) => one.createdAt - other.createdAt)
      .map(({ createdAt, expiresAt, ...row }) => ({
        ...row,
        created_at: timeOf(createdAt),
        expires_at: timeOf(expiresAt),
      })),
  );
}

const requestRows = prepared(({ cohortId, ownerId, now }: Given<'cohortId' | 'ownerId' | 'now'>) =>
  db.all<
    Omit<PersonRow, 'note' | 'source'> & { expiresAt: number }
  >(sql`SELECT r.id, r.name, r.email,
        r.language, r.created_at AS createdAt, r.expires_at AS expiresAt
      FROM enrollment_requests r
      WHERE r.cohort_id = ${cohortId} AND r.owner_id = ${ownerId} AND r.person_id IS NULL
        AND r.expires_at > ${now}
        AND NOT EXISTS (SELECT 1 FROM people p JOIN enrollments e ON e.person_id = p.id
          AND e.owner_id = p.owner_id AND e.cohort_id = r.cohort_id
          WHERE p.owner_id = r.owner_id AND p.email_canonical = r.email_canonical
            AND e.status IN ('enrolled', 'offered', 'waitlisted', 'applied'))
      LIMIT ${pageRows}`),
);

/** The addresses of everyone who is enrolled, by name, to write to them from elsewhere. */
export function listAddresses(cohortId: string) {
  return inCohort(cohortId, (_ctx, ownerId) =>
    query(
      { rows: addressRows({ cohortId, ownerId }) },
      ({ rows }): Addresses => ({ addresses: rows.map(({ email }) => email) }),
    ),
  );
}

const addressRows = prepared(({ cohortId, ownerId }: Given<'cohortId' | 'ownerId'>) =>
  db.all<{ email: string }>(sql`SELECT p.email FROM ${joined}
    WHERE e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId} AND e.status = 'enrolled'
    ORDER BY e.name_key, e.id`),
);

/** A person as they are read. */
export type PersonRow = {
  id: string;
  name: string;
  email: string;
  language: Locale;
  note: string | null;
  source: PersonSource;
  createdAt: number;
};

/** A person as the API returns them to their instructor. */
export function toPerson(row: PersonRow): Person {
  return toJson(Person, { ...row, createdAt: new Date(row.createdAt) });
}

function toEnrollment(row: EnrollmentRow): Enrollment {
  return toJson(Enrollment, {
    ...row,
    queuePosition: row.position,
    overCapacity: row.overCapacity === 1,
    expiresAt: dateOf(row.expiresAt),
    completedAt: dateOf(row.completedAt),
    statusChangedAt: new Date(row.statusChangedAt),
    createdAt: new Date(row.createdAt),
    undeliverableSince: dateOf(row.undeliverableSince),
  });
}

function dateOf(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}

function timeOf(time: number): string {
  return new Date(time).toISOString();
}
