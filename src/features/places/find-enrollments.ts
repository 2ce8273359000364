import 'server-only';
import { eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { db, type Query, query } from '#db/query.ts';
import { enrollmentEvents, enrollmentRequests, enrollments, people } from '#db/schema/people.ts';
import { lessonCount, lessonsDone } from '#db/shown-lessons.ts';
import type { EnrollmentStatus, Standing } from '#db/values.ts';
import { cohortRows } from '#features/cohorts/get-cohort.ts';
import { requireFound } from '#lib/app-error.ts';
import { nameKeyOf } from '#lib/text.ts';
import { toJson } from '#lib/to-json.ts';
import { isNextCompleted, isNextInRun, ofKind, standingInRun, standsSo } from './find-standings.ts';
import { queuePosition, unpayableCohorts } from './places.ts';
import {
  type Addresses,
  Enrollment,
  type EnrollmentDetails,
  type EnrollmentPage,
  PendingRequest,
  Person,
  PersonEvent,
  type WaitlistPage,
} from './schema.ts';
import { whyNoOffer } from './why-no-offer.ts';

const pageRows = 100;

const e = alias(enrollments, 'e');
const p = alias(people, 'p');
const r = alias(enrollmentRequests, 'r');
const v = alias(enrollmentEvents, 'v');

const columns = (cohortId: SQL) => ({
  id: e.id,
  personId: e.personId,
  name: p.name,
  email: p.email,
  status: e.status,
  expiresAt: e.expiresAt,
  overCapacity: e.overCapacity,
  completedAt: e.completedAt,
  question: e.question,
  answer: e.answer,
  statusChangedAt: e.statusChangedAt,
  createdAt: e.createdAt,
  undeliverableSince: sql<Date | null>`(SELECT s.since FROM undeliverable_addresses s
    WHERE s.email_canonical = p.email_canonical)`
    .mapWith(e.createdAt)
    .as('undeliverable_since'),
  learning: learningIn(cohortId).as('learning'),
});

/** How far someone of a cohort is: without reading what they have done, or a lesson. */
export function learningIn(cohortId: SQL) {
  const lessons = sql`(SELECT ${lessonCount} FROM cohorts c WHERE c.id = ${cohortId})`;
  return sql<Learning>`(SELECT CASE WHEN ${lessons} > 0
      THEN json_array(${lessonsDone}, ${lessons}, g.last_seen_at) END
    FROM learning g JOIN cohorts c ON c.id = g.cohort_id
    WHERE g.enrollment_id = e.id)`.mapWith(learningOf);
}

type Learning = Enrollment['learning'];

function learningOf(json: string): Learning {
  const [done, of, seenAt]: [number, number, number | null] = JSON.parse(json);
  return { done, of, last_seen_at: seenAt === null ? null : new Date(seenAt).toISOString() };
}

/** People of a list, of which some know their position by their order alone. */
function listRows(cohortId: SQL, column: SQL = sql`NULL`) {
  return db
    .select({
      ...columns(cohortId),
      queuePosition: sql<number | null>`NULL`.as('queue_position'),
      column: sql<string | null>`${column}`.as('column'),
    })
    .from(e)
    .innerJoin(p, eq(p.id, e.personId));
}

/** Someone on a list, with the column that was added. */
export type RosterRow = Awaited<ReturnType<typeof listRows>>[number];

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

export type RosterPage = {
  status: EnrollmentStatus | null;
  /** Among those who are enrolled. */
  standing: Standing | null;
  search: string;
  after: string | null;
};

/**
 * A read about one of the viewer's cohorts.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
function inCohort<T>(cohortId: string, find: (ctx: Context, ownerId: SQL) => Query<T>) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      { cohort: cohortRows(ctx, ownerId, cohortId), answer: find(ctx, ownerId) },
      ({ cohort, answer }) => {
        requireFound(cohort[0]);
        return answer;
      },
    );
}

/**
 * A page of the roster of one of the viewer's cohorts, by name; those of a standing in an open run
 * by how long they have been quiet.
 *
 * @throws AppError `not_found` for a cohort that does not exist or belongs to another user
 */
export function listRoster(cohortId: string, page: RosterPage) {
  return inCohort(cohortId, (ctx, ownerId) =>
    query({ rows: rosterOf(ctx, ownerId, cohortId, page) }, ({ rows }) => pageOf(rows)),
  );
}

/** Conditions and columns that other features add to `e`. */
type OfRoster = {
  /** Whether only those are shown who still owe something, instead of those of a status. */
  isOwing?: boolean;
  /** Another column. */
  column?: SQL;
};

/** The query for a page of a roster, by its rows; empty for someone else. */
export function rosterOf(
  ctx: Pick<Context, 'now'>,
  ownerId: SQL,
  cohortId: string,
  page: RosterPage,
  { isOwing = false, column = nothing({}) }: OfRoster = {},
): Query<RosterRow[]> {
  const { status, standing, after } = page;
  const sought = page.search.trim();
  const by = { key: nameKeyOf(sought), part: sought.toLowerCase() };
  const last = lastOfPage(cohortId, after);
  if (isOwing) {
    return chosenRows({ cohortId, column, who: owing({ ownerId, cohortId, last, ...by }) });
  }
  if (standing === null) {
    const hasStatus = statusFilter(status, sought);
    return rosterRows({ ownerId, cohortId, column, last, hasStatus, ...by });
  }
  const now = ctx.now().getTime();
  const dated = ofKind({ kind: 'dated', cohortId, ownerId });
  const run = ofKind({ kind: 'open', cohortId, ownerId });
  const isNext =
    standing === 'completed' ? isNextCompleted({ run, after }) : isNextInRun({ run, after, now });
  return query(
    {
      inCohort: rosterRows({
        ownerId,
        cohortId: dated,
        hasStatus: standsSo({ standing, cohortId: dated, now }),
        column,
        last,
        ...by,
      }),
      inRun: standingRows({
        cohortId,
        column,
        who: standingInRun[standing]({
          run,
          now,
          isNext: after === null ? isAny({}) : isNext,
          isSought: sought === '' ? isAny({}) : isSought(by),
          limit: pageRows + 1,
        }),
      }),
    },
    ({ inCohort, inRun }) => [...inCohort, ...inRun],
  );
}

const standingRows = prepared((given: Given<'cohortId' | 'column' | 'who'>) =>
  listRows(given.cohortId, given.column)
    .where(sql`e.id IN (${given.who})`)
    .orderBy(
      sql`(SELECT g.quiet_at FROM learning g WHERE g.enrollment_id = e.id) DESC,
        (SELECT g.rowid FROM learning g WHERE g.enrollment_id = e.id) DESC`,
    ),
);

/** Who still owes something: in an open run, thousands may have paid. */
const owing = fragment(
  ({ ownerId, cohortId, last, key, part }: Given<Exclude<RosterValue, 'hasStatus' | 'column'>>) =>
    sql`SELECT b.enrollment_id FROM balances b CROSS JOIN people p ON p.id = b.person_id
      WHERE b.cohort_id = ${cohortId} AND b.owner_id = ${ownerId} AND b.list = 'owing'
        AND b.status = 'enrolled' AND (b.name_key, b.enrollment_id) > ${last}
        AND (instr(b.name_key, ${key}) > 0 OR instr(p.email_canonical, ${part}) > 0)
      ORDER BY b.name_key, b.enrollment_id LIMIT ${pageRows + 1}`,
);

const chosenRows = prepared((given: Given<'cohortId' | 'column' | 'who'>) =>
  listRows(given.cohortId, given.column)
    .where(sql`e.id IN (${given.who})`)
    .orderBy(e.nameKey, e.id),
);

/** Whether the person of a row `g` of `learning` is looked for. */
const isSought = fragment(
  ({ key, part }: Given<'key' | 'part'>) => sql`EXISTS (SELECT 1 FROM enrollments e
    JOIN people p ON p.id = e.person_id WHERE e.id = g.enrollment_id
      AND (instr(e.name_key, ${key}) > 0 OR instr(p.email_canonical, ${part}) > 0))`,
);

function statusFilter(status: EnrollmentStatus | null, sought: string): SQL {
  if (status !== null) {
    return is({ status });
  }
  return sought === '' ? isThere({}) : isAny({});
}

type RosterValue = 'ownerId' | 'cohortId' | 'hasStatus' | 'column' | 'last' | 'key' | 'part';

const rosterRows = prepared((given: Given<RosterValue>) =>
  listRows(given.cohortId, given.column)
    .where(
      sql`e.cohort_id = ${given.cohortId} AND e.owner_id = ${given.ownerId}
        AND ${given.hasStatus} AND (e.name_key, e.id) > ${given.last}
        AND (instr(e.name_key, ${given.key}) > 0 OR instr(p.email_canonical, ${given.part}) > 0)`,
    )
    .orderBy(e.nameKey, e.id)
    .limit(pageRows + 1),
);

const nothing = fragment(() => sql`NULL`);
const is = fragment(({ status }: Given<'status'>) => sql`e.status IN (${status})`);
const isThere = fragment(() => sql`e.status IN ('enrolled', 'offered', 'invited')`);

const isAny = fragment(() => sql`true`);

/**
 * The name key and id of the last person of the page before, to be compared with those of a row;
 * without one, a pair that sorts before all others.
 */
export function lastOfPage(cohortId: string, after: string | null): SQL {
  return after === null ? beforeAll({}) : keysOf({ after, cohortId });
}

export const beforeAll = fragment(() => sql`('', '')`);
const keysOf = fragment(
  ({ after, cohortId }: Given<'after' | 'cohortId'>) =>
    sql`(SELECT x.name_key, x.id FROM enrollments x
      WHERE x.id = ${after} AND x.cohort_id = ${cohortId})`,
);

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
        unpayable: unpayableCohorts(ctx, cohortId),
      },
      ({ cohort: [row], offered, before: [before], rows, unpayable }): WaitlistPage | null => {
        if (row === undefined) {
          return null;
        }
        const start = before?.count ?? 0;
        const { items, next } = pageOf(
          rows.map((one, index) => ({ ...one, queuePosition: start + index + 1 })),
        );
        const byEnd = offered.toSorted(
          (one, other) => Number(one.expiresAt) - Number(other.expiresAt),
        );
        return {
          items: [...byEnd.map((one) => toJson(Enrollment, one)), ...items],
          next,
          reason: whyNoOffer(row, row, ctx.now(), unpayable.length > 0),
          next_name: start === 0 ? (rows[0]?.name ?? null) : null,
        };
      },
    );
}

/** Who is first on the waitlist of one of the viewer's cohorts; null if no one waits. */
export function findFirstWaiting(cohortId: string) {
  return (_ctx: Context, ownerId: SQL) =>
    query({ rows: firstWaiting({ ownerId, cohortId }) }, ({ rows: [row] }) => row?.name ?? null);
}

const firstWaiting = prepared(({ ownerId, cohortId }: Given<'ownerId' | 'cohortId'>) =>
  db.all<{ name: string }>(sql`SELECT p.name FROM enrollments e JOIN people p ON p.id = e.person_id
    WHERE e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId} AND e.status = 'waitlisted'
    ORDER BY e.queue_no LIMIT 1`),
);

type WaitlistValue = 'ownerId' | 'cohortId' | 'after';

const offeredRows = prepared(({ ownerId, cohortId, after, now }: Given<WaitlistValue | 'now'>) =>
  listRows(cohortId)
    .where(
      sql`e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId} AND e.status = 'offered'
        AND e.expires_at > ${now} AND ${after} IS NULL`,
    )
    .limit(pageRows),
);

const countBefore = prepared(({ ownerId, cohortId, after }: Given<WaitlistValue>) =>
  db.all<{ count: number }>(sql`SELECT count(*) AS count FROM enrollments e
    WHERE e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId} AND e.status = 'waitlisted'
      AND e.queue_no <= ${lastShown(cohortId, after)}`),
);

const waitingRows = prepared(({ ownerId, cohortId, after }: Given<WaitlistValue>) =>
  listRows(cohortId)
    .where(
      sql`e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId} AND e.status = 'waitlisted'
        AND e.queue_no > ${lastShown(cohortId, after)}`,
    )
    .orderBy(e.queueNo)
    .limit(pageRows + 1),
);

function lastShown(cohortId: SQL, after: SQL): SQL {
  // Who waits again has a number below 0.
  return sql`coalesce((SELECT x.queue_no FROM enrollments x
    WHERE x.id = ${after} AND x.cohort_id = ${cohortId}), -(1 << 32))`;
}

/** A page of a list, and where the next one begins. */
export function pageOf(rows: Omit<RosterRow, 'column'>[]): EnrollmentPage {
  const items = rows.slice(0, pageRows).map((row) => toJson(Enrollment, row));
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
            ...toJson(Enrollment, row),
            left_note: row.leftNote,
            person: toJson(Person, { ...row, id: row.personId, createdAt: row.personCreatedAt }),
            events: events.map((event) => toJson(PersonEvent, event)),
          },
  );
}

const enrollmentRow = prepared(({ ownerId, cohortId, id }: Given<'ownerId' | 'cohortId' | 'id'>) =>
  db
    .select({
      ...columns(cohortId),
      queuePosition: queuePosition.as('queue_position'),
      leftNote: e.leftNote,
      language: p.language,
      note: p.note,
      source: p.source,
      personCreatedAt: p.createdAt,
    })
    .from(e)
    .innerJoin(p, eq(p.id, e.personId))
    .where(sql`e.id = ${id} AND e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId}`),
);

const eventsOf = prepared(({ ownerId, id }: Given<'ownerId' | 'id'>) =>
  db.select().from(v).where(sql`v.owner_id = ${ownerId} AND v.enrollment_id = ${id}`).orderBy(v.id),
);

/**
 * Someone in a cohort of the viewer, with all that has happened; null if there is no one.
 *
 * @param cohortId null: in whichever cohort they are
 */
export function findEnrollment(cohortId: string | null, id: string) {
  const where = cohortId ?? cohortOf({ id });
  return (_ctx: Context, ownerId: SQL) => enrollmentDetails(ownerId, where, id);
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
      .toSorted((one, other) => Number(one.createdAt) - Number(other.createdAt))
      .map((row) => toJson(PendingRequest, row)),
  );
}

const requestRows = prepared(({ cohortId, ownerId, now }: Given<'cohortId' | 'ownerId' | 'now'>) =>
  db
    .select()
    .from(r)
    .where(
      sql`r.cohort_id = ${cohortId} AND r.owner_id = ${ownerId} AND r.person_id IS NULL
        AND r.expires_at > ${now}
        AND NOT EXISTS (SELECT 1 FROM people p JOIN enrollments e ON e.person_id = p.id
          AND e.owner_id = p.owner_id AND e.cohort_id = r.cohort_id
          WHERE p.owner_id = r.owner_id AND p.email_canonical = r.email_canonical
            AND e.status IN ('enrolled', 'offered', 'waitlisted', 'applied'))`,
    )
    .limit(pageRows),
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
  db.all<{
    email: string;
  }>(sql`SELECT p.email FROM enrollments e JOIN people p ON p.id = e.person_id
    WHERE e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId} AND e.status = 'enrolled'
    ORDER BY e.name_key, e.id`),
);
