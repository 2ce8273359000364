import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { db, query } from '#db/query.ts';
import type { EnrollmentStatus } from '#db/values.ts';
import { lastOfMany } from '#features/outbox/queue-mails.ts';
import { invitationMs, livePeople, maxPeopleIn, takenAt } from '#features/places/places.ts';
import { isUnwilling } from '#features/suppression/blocked-addresses.ts';
import type { RestChoice } from './schema.ts';

/** The list of candidates, in parts, and what is to become of them. */
export type CandidateList = {
  now: number;
  ownerId: string;
  /** Who imports them. */
  userId: string;
  cohortId: string;
  parts: string[];
  as: 'enrolled' | 'invited';
  rest: RestChoice | null;
  /** How many strangers may come at once, as a limit says; null: any number. */
  allowed: SQL;
};

/** D1 takes values of 2 MB. So many signs have at most 1.8 MB in UTF-8. */
const partLength = 600_000;

const columns = [
  'nth',
  'person',
  'enrollment',
  'email',
  'canonical',
  'name',
  'key',
  'language',
  'note',
  // The hashes by which an address is blocked in this cohort, and everywhere.
  'removed',
  'unsubscribed',
] as const;
type Column = (typeof columns)[number];

/** Someone who may be imported, with all that the statements write, and what they ask by. */
export type Candidate = Record<Exclude<Column, 'nth' | 'note'>, string> & { note: string | null };

/** Candidates as JSON for parameters of a statement: numbered rows, without names of columns. */
export function partsOf(candidates: readonly Candidate[]): string[] {
  const parts: string[][] = [[]];
  let length = 0;
  for (const [nth, candidate] of candidates.entries()) {
    const values = { nth, ...candidate };
    const row = JSON.stringify(columns.map((column) => values[column]));
    length += row.length + 1;
    if (length > partLength) {
      parts.push([]);
      length = row.length + 1;
    }
    parts.at(-1)?.push(row);
  }
  return parts.map((rows) => `[${rows.join()}]`);
}

function valueIn(row: 'w.value' | 'y.given', column: Column): SQL {
  return sql.raw(`${row} ->> ${columns.indexOf(column)}`);
}

/** What is known about a candidate who is no newcomer, or is not to be written to. */
export type KnownPerson = {
  nth: number;
  personId: string | null;
  status: EnrollmentStatus | null;
  changedAt: number | null;
  /** Whether they have enrolled by themselves before, and so are no stranger. */
  hasConsented: 0 | 1;
  isUndeliverable: 0 | 1;
  /** Since when they cannot come back; null if they can. */
  removedAt: number | null;
  isUnsubscribed: 0 | 1;
};

/** Candidates `w`, with the person `p` and the enrollment `e` that there are. */
function candidatesOf({ parts, ownerId, cohortId }: CandidateList): SQL {
  const numbers = JSON.stringify([...parts.keys()]);
  const texts = parts.map((text, number) => sql`WHEN ${number} THEN ${text}`);
  // Not a UNION, of which D1 allows five terms.
  return sql`json_each(${numbers}) AS wanted
    CROSS JOIN json_each(CASE wanted.value ${sql.join(texts, sql` `)} END) w
    LEFT JOIN people p ON p.owner_id = ${ownerId}
      AND p.email_canonical = ${valueIn('w.value', 'canonical')}
    LEFT JOIN enrollments e ON e.cohort_id = ${cohortId} AND e.person_id = p.id`;
}

const isUndeliverable = sql`EXISTS (SELECT 1 FROM undeliverable_addresses s
  WHERE s.email_canonical = ${valueIn('w.value', 'canonical')})`;

const hasConsented = sql`(p.consented_at IS NOT NULL)`;

/** Since when a candidate, who may be erased by now, is kept out of the cohort. */
function removedAt(ownerId: string): SQL {
  return sql`CASE e.status WHEN 'removed' THEN e.status_changed_at ELSE
    (SELECT b.created_at FROM blocked_addresses b
      WHERE b.owner_id = ${ownerId} AND b.hash = ${valueIn('w.value', 'removed')}) END`;
}

/** Whether a candidate wishes no invitations of the owner, or has marked their emails as spam. */
function isUnsubscribed(ownerId: string): SQL {
  return isUnwilling(ownerId, {
    hash: valueIn('w.value', 'unsubscribed'),
    canonical: valueIn('w.value', 'canonical'),
  });
}

/** The candidates about whom there is something to say, as they are before the import. */
export function findKnownPeople(list: CandidateList) {
  const { ownerId } = list;
  return query(
    {
      rows: db.all<KnownPerson>(sql`SELECT * FROM (SELECT ${valueIn('w.value', 'nth')} AS nth,
          p.id AS personId, e.status, e.status_changed_at AS changedAt, ${hasConsented} AS hasConsented,
          ${isUndeliverable} AS isUndeliverable,
          ${removedAt(ownerId)} AS removedAt, ${isUnsubscribed(ownerId)} AS isUnsubscribed
        FROM ${candidatesOf(list)})
        WHERE personId IS NOT NULL OR isUndeliverable OR removedAt IS NOT NULL OR isUnsubscribed`),
    },
    ({ rows }) => new Map(rows.map((row) => [row.nth, row])),
  );
}

/** What holds for all of an import, as it is before. */
export type Room = {
  /** Free places; null for any number. */
  free: number | null;
  /** How many people are on the roster and the waitlist. */
  live: number;
  /** How many strangers the limit of the account leaves; null for any number. */
  allowed: number | null;
  /** When the last of the emails that go out one after another does. */
  lastMailAt: number;
};

/** Reads how much room there is. */
export function findRoom({ now, ownerId, cohortId, allowed }: CandidateList) {
  return query(
    {
      rows: db.all<Room>(sql`SELECT CASE WHEN c.capacity IS NULL THEN NULL
          ELSE max(0, c.capacity - ${takenAt(now)}) END AS free,
        ${livePeople} AS live, ${allowed} AS allowed,
        ${lastOfMany(ownerId)} AS lastMailAt
        FROM cohorts c WHERE c.id = ${cohortId} AND c.owner_id = ${ownerId}`),
    },
    ({ rows: [row] }): Room => row ?? { free: 0, live: 0, allowed: 0, lastMailAt: 0 },
  );
}

/**
 * The candidates `y` who are imported, each with the status that they get; those without one are
 * left as they are. No one at all if they are too many and no one has said what becomes of the
 * rest. Who has an enrollment keeps it, but those who wait are let in by name. Of strangers, as
 * many as a limit allows.
 *
 * It says the same before and after people are written, because that changes no enrollment.
 */
function importsOf(list: CandidateList, condition: SQL): SQL {
  const { now, ownerId, cohortId, as, rest, allowed } = list;
  const mayChange =
    as === 'enrolled' ? sql`(e.id IS NULL OR e.status = 'waitlisted')` : sql`e.id IS NULL`;
  const isFree = sql`(c.capacity IS NULL OR z.n <= c.capacity - c.taken)`;
  const status = {
    add: sql`'enrolled'`,
    invite: sql`CASE WHEN z.was IS NULL THEN 'invited' END`,
    waitlist: sql`CASE WHEN z.was IS NULL AND c.waitlist = 1 THEN 'waitlisted' END`,
  };
  const placed =
    as === 'invited'
      ? sql`'invited'`
      : sql`CASE WHEN ${isFree} THEN 'enrolled' ELSE ${rest === null ? sql`NULL` : status[rest]} END`;
  const fits =
    as === 'invited' || rest !== null
      ? sql`true`
      : sql`(c.capacity IS NULL OR z.total <= c.capacity - c.taken)`;
  const nth = valueIn('w.value', 'nth');
  // The cohort is read and counted once, not for each person.
  return sql`(WITH room AS MATERIALIZED (SELECT c.*, ${takenAt(now)} AS taken, ${livePeople} AS live,
        (SELECT coalesce(max(q.queue_no), 0) FROM enrollments q WHERE q.cohort_id = c.id) AS last_no
      FROM cohorts c WHERE c.id = ${cohortId} AND c.owner_id = ${ownerId}
        AND c.deleted_at IS NULL AND c.archived_at IS NULL AND c.ends_at > ${now})
    SELECT z.*, c.owner_id, c.id AS cohort_id, c.ends_at, c.last_no, ${placed} AS status,
      NOT ${isFree} AS is_over
    FROM room c CROSS JOIN (SELECT *, row_number() OVER (ORDER BY nth) AS n, count(*) OVER () AS total,
        count(*) FILTER (WHERE was IS NULL) OVER () AS newcomers
      FROM (SELECT ${nth} AS nth, w.value AS given, p.id AS known_id, e.status AS was,
          ${hasConsented} AS has_consented,
          count(*) FILTER (WHERE NOT ${hasConsented}) OVER (ORDER BY ${nth}) AS strangers
        FROM ${candidatesOf(list)}
        WHERE ${mayChange} AND NOT ${isUndeliverable} AND ${removedAt(ownerId)} IS NULL
          AND NOT ${isUnsubscribed(ownerId)})
      WHERE has_consented OR strangers <= coalesce(${allowed}, strangers)) z
    WHERE ${fits} AND c.live + z.newcomers <= ${maxPeopleIn} AND ${condition}) y`;
}

/** Writes the people whom the owner does not know. Those who are known stay as they are. */
export function insertPeople(list: CandidateList, condition: SQL) {
  const { now } = list;
  const of = (column: keyof Candidate) => valueIn('y.given', column);
  return db.run(sql`INSERT INTO people (id, owner_id, email, email_canonical, name, name_key,
      language, note, source, link_version, unlinked_at, created_at, updated_at)
    SELECT ${of('person')}, y.owner_id, ${of('email')}, ${of('canonical')}, ${of('name')},
      ${of('key')}, ${of('language')}, ${of('note')}, 'imported', 1, ${now}, ${now}, ${now}
    FROM ${importsOf(list, condition)}
    WHERE y.status IS NOT NULL AND y.known_id IS NULL
    ON CONFLICT (owner_id, email_canonical) DO NOTHING`);
}

/** Someone whom an import has enrolled, invited or put on the waitlist. */
export type ImportedPerson = { person_id: string; status: 'enrolled' | 'invited' | 'waitlisted' };

/** Puts them all into the cohort, in one statement; returns whom it has. */
export function insertEnrollments(list: CandidateList, condition: SQL) {
  const { now, ownerId, userId } = list;
  return query(
    {
      rows: db.all<ImportedPerson>(sql`INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key,
          status, queue_no, expires_at, over_capacity, changed_by, changed_by_user_id,
          status_changed_at, created_at)
        SELECT ${valueIn('y.given', 'enrollment')}, y.owner_id, y.cohort_id, p.id, p.name_key, y.status,
          CASE y.status WHEN 'waitlisted' THEN y.last_no + y.n END,
          CASE y.status WHEN 'invited' THEN min(${now + invitationMs}, y.ends_at) END,
          y.status = 'enrolled' AND y.is_over, 'owner', ${userId}, ${now}, ${now}
        FROM ${importsOf(list, condition)}
          JOIN people p ON p.owner_id = ${ownerId} AND p.email_canonical = ${valueIn('y.given', 'canonical')}
        WHERE y.status IS NOT NULL ORDER BY y.nth
        ON CONFLICT (cohort_id, person_id) DO UPDATE SET status = excluded.status,
          queue_no = NULL, over_capacity = excluded.over_capacity, changed_by = 'owner',
          changed_by_user_id = excluded.changed_by_user_id, status_changed_at = excluded.status_changed_at
        WHERE enrollments.status = 'waitlisted' AND excluded.status = 'enrolled'
        RETURNING person_id, status`),
    },
    ({ rows }) => rows,
  );
}
