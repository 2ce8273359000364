import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { db, query } from '#db/query.ts';
import type { EnrollmentStatus } from '#db/values.ts';
import { invitationMs, livePeople, maxPeopleIn, nextNo, takenAt } from '#features/places/places.ts';
import { isUnwilling } from '#features/suppression/blocked-addresses.ts';
import type { LineVerdict, RestChoice } from './schema.ts';

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
  'answer',
  // The hashes by which an address is blocked in this cohort, and everywhere.
  'removed',
  'unsubscribed',
] as const;
type Column = (typeof columns)[number];

/** Someone who may be imported, with all that the statements write, and what they ask by. */
export type Candidate = Record<Exclude<Column, 'nth' | 'note' | 'answer'>, string> &
  Record<'note' | 'answer', string | null>;

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

/**
 * Every candidate `y` with what is said about them, and the status that they get; null for those who
 * are left as they are. Who has an enrollment keeps it, but those who wait are let in by name. Of
 * strangers, as many come as a limit allows.
 *
 * It says the same status before and after people are written, because that changes no enrollment.
 */
function judged(list: CandidateList): SQL {
  const { now, ownerId, cohortId, as, rest, allowed } = list;
  const able = as === 'enrolled' ? sql`('new', 'known', 'waiting')` : sql`('new', 'known')`;
  const isFree = sql`(c.capacity IS NULL OR counted.n <= c.capacity - c.taken)`;
  const isNew = sql`counted.verdict <> 'waiting'`;
  const status = {
    add: sql`'enrolled'`,
    invite: sql`CASE WHEN ${isNew} THEN 'invited' END`,
    waitlist: sql`CASE WHEN ${isNew} AND c.waitlist = 1 THEN 'waitlisted' END`,
  };
  const placed =
    as === 'invited'
      ? sql`'invited'`
      : sql`CASE WHEN ${isFree} THEN 'enrolled' ELSE ${rest === null ? sql`NULL` : status[rest]} END`;
  const isTooMany =
    as === 'invited' || rest !== null
      ? sql`false`
      : sql`coalesce(counted.total > c.capacity - c.taken, false)`;
  // Read and counted once: the cohort not for each person, a person not for each of these steps.
  return sql`(WITH room AS MATERIALIZED (SELECT c.*, ${takenAt(now)} AS taken, ${livePeople} AS live,
        ${nextNo} - 1 AS last_no
      FROM cohorts c WHERE c.id = ${cohortId} AND c.owner_id = ${ownerId}
        AND c.deleted_at IS NULL AND c.archived_at IS NULL AND c.ends_at > ${now}),
    known AS MATERIALIZED (SELECT ${valueIn('w.value', 'nth')} AS nth, w.value AS given,
        p.id AS known_id, e.status AS was, (p.consented_at IS NOT NULL) AS has_consented,
        ${removedAt(ownerId)} AS removed_at, ${isUndeliverable} AS is_undeliverable,
        ${isUnsubscribed(ownerId)} AS is_unsubscribed
      FROM ${candidatesOf(list)}),
    said AS (SELECT *, CASE WHEN removed_at IS NOT NULL THEN 'removed'
        WHEN was <> 'waitlisted' THEN 'already' WHEN is_unsubscribed THEN 'unsubscribed'
        WHEN is_undeliverable THEN 'undeliverable' WHEN was IS NOT NULL THEN 'waiting'
        WHEN known_id IS NOT NULL THEN 'known' ELSE 'new' END AS verdict FROM known),
    able AS (SELECT *, verdict IN ${able} AS may_come FROM said),
    ranked AS (SELECT *, count(*) FILTER (WHERE may_come AND NOT has_consented) OVER (ORDER BY nth)
        AS strangers FROM able),
    limited AS (SELECT *, may_come
        AND (has_consented OR strangers <= coalesce(${allowed}, strangers)) AS comes FROM ranked),
    counted AS (SELECT *, count(*) FILTER (WHERE comes) OVER (ORDER BY nth) AS n,
        count(*) FILTER (WHERE comes) OVER () AS total,
        count(*) FILTER (WHERE comes AND verdict <> 'waiting') OVER () AS newcomers FROM limited)
    SELECT counted.*, c.owner_id, c.id AS cohort_id, c.ends_at, c.last_no, c.question, NOT ${isFree} AS is_over,
      CASE WHEN counted.comes THEN ${placed} END AS status,
      max(0, c.capacity - c.taken) AS free, ${isTooMany} AS is_too_many,
      c.live + counted.newcomers > ${maxPeopleIn} AS is_overfull
    FROM room c CROSS JOIN counted) y`;
}

/** A candidate as they are before the import, and what becomes of them. */
export type JudgedPerson = {
  verdict: LineVerdict;
  /** Null for someone who stays as they are. */
  status: ImportedPerson['status'] | null;
  /** Where they stand in the cohort before. */
  was: EnrollmentStatus | null;
  /** Since when they cannot come back; null if they can. */
  removedAt: number | null;
  /** Whether they have enrolled by themselves before, and so are no stranger. */
  hasConsented: 0 | 1;
  /** Of the whole list: how many places are free, null for any number. */
  free: number | null;
  /** Whether there are more than places, and no one has said what becomes of the rest. */
  isTooMany: 0 | 1;
  /** Whether the cohort would have more people than it can. */
  isOverfull: 0 | 1;
};

/** Says of each candidate in turn what an import does. */
export function judge(list: CandidateList) {
  return query(
    {
      rows: db.all<JudgedPerson>(sql`SELECT CASE WHEN y.may_come AND NOT y.comes THEN 'over_limit'
          WHEN y.comes AND y.status IS NULL AND y.verdict <> 'waiting' THEN 'no_place'
          ELSE y.verdict END AS verdict,
        y.status, y.was, y.removed_at AS removedAt, y.has_consented AS hasConsented, y.free,
        y.is_too_many AS isTooMany, y.is_overfull AS isOverfull
      FROM ${judged(list)} ORDER BY y.nth`),
    },
    ({ rows }) => rows,
  );
}

/**
 * The candidates `y` who are imported. No one at all if they are too many and no one has said what
 * becomes of the rest.
 */
function importsOf(list: CandidateList, condition: SQL): SQL {
  return sql`(SELECT * FROM ${judged(list)} WHERE y.status IS NOT NULL AND NOT y.is_too_many
    AND NOT y.is_overfull AND ${condition}) y`;
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
    WHERE y.known_id IS NULL
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
          status, queue_no, expires_at, over_capacity, question, answer, changed_by,
          changed_by_user_id, status_changed_at, created_at)
        SELECT ${valueIn('y.given', 'enrollment')}, y.owner_id, y.cohort_id, p.id, p.name_key, y.status,
          CASE y.status WHEN 'waitlisted' THEN y.last_no + y.n END,
          CASE y.status WHEN 'invited' THEN min(${now + invitationMs}, y.ends_at) END,
          y.status = 'enrolled' AND y.is_over,
          CASE WHEN ${valueIn('y.given', 'answer')} IS NOT NULL THEN y.question END,
          ${valueIn('y.given', 'answer')}, 'owner', ${userId}, ${now}, ${now}
        FROM ${importsOf(list, condition)}
          JOIN people p ON p.owner_id = ${ownerId} AND p.email_canonical = ${valueIn('y.given', 'canonical')}
        ORDER BY y.nth
        ON CONFLICT (cohort_id, person_id) DO UPDATE SET status = excluded.status,
          queue_no = NULL, over_capacity = excluded.over_capacity, changed_by = 'owner',
          changed_by_user_id = excluded.changed_by_user_id, status_changed_at = excluded.status_changed_at
        WHERE enrollments.status = 'waitlisted' AND excluded.status = 'enrolled'
        RETURNING person_id, status`),
    },
    ({ rows }) => rows,
  );
}
