import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { hasAgreed } from '#db/people.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { type AnswerFrom, db, query } from '#db/query.ts';
import type { CourseHue } from '#db/values.ts';
import { balanceOf, isDebtor, isLeftAlone } from '#features/ledger/balances.ts';
import { longestMs } from '#features/meetings/meeting-state.ts';
import type { PublicMeeting } from '#features/meetings/public-meetings.ts';
import { couldAttend, opensBeforeMs } from './who-attends.ts';

/** As many people as the list has; the attendance page has all. */
const mostPeople = 100;

/** The most people listed who still have to pay; the account page has the rest. */
const mostDebtors = 8;

type SessionRow = Omit<PublicMeeting, 'isCancelled'> & {
  cohortId: string;
  cohortName: string;
  courseId: string;
  courseHue: CourseHue | null;
  timeZone: string;
  joinUrl: string | null;
  passcode: string | null;
  /** Which of how many sessions it is. */
  number: number;
  count: number;
  /** How many of those who are enrolled still have to pay. */
  owing: number;
};

/** Someone who still has to pay, with how many such people there are and their total. */
export type Owing = {
  id: string;
  personId: string;
  name: string;
  balance: number;
  currency: string;
  people: number;
  owed: number;
  /** Whether they have agreed to take part, and how many of all have not. */
  hasAgreed: 0 | 1;
  notAgreed: number;
};

/** Someone who could be at the session, and whether they are. */
type Expected = { id: string; personId: string; name: string; isPresent: 0 | 1 | null };

/** The session of now: from an hour before it begins until it is over. */
export type SessionDay = NonNullable<AnswerFrom<typeof findSessionDay>>;

/**
 * The current session of one of the viewer's cohorts, with its people and who still has to pay; null
 * if there is none.
 */
export function findSessionDay(cohortId: string) {
  return (ctx: Context, ownerId: SQL) => {
    const now = ctx.now().getTime();
    const which = ofCohort({ ownerId, cohortId });
    return query(
      {
        rows: sessionRow({ now, which }),
        people: expected({ now, which }),
        debtors: debtors({ now, which }),
      },
      ({ rows, people, debtors }) => {
        const row = firstOf(rows);
        return row && { ...row, people, debtors };
      },
    );
  };
}

/** The same of the viewer's selected course, without its people. */
export function findSessionOfCourse(ctx: Context, _ownerId: SQL, userId: SQL) {
  const now = ctx.now().getTime();
  return query({ rows: sessionRow({ now, which: ofSelectedCourse({ userId }) }) }, ({ rows }) =>
    firstOf(rows),
  );
}

/** Not in SQL, because no index has the sessions of all cohorts of a course in order. */
function firstOf(rows: SessionRow[]): SessionRow | null {
  const [first = null] = rows.toSorted(
    (one, other) => one.startsAt - other.startsAt || (one.id < other.id ? -1 : 1),
  );
  return first;
}

const ofCohort = fragment(
  ({ ownerId, cohortId }: Given<'ownerId' | 'cohortId'>) =>
    sql`(c.id = ${cohortId} AND c.owner_id = ${ownerId})`,
);

const ofSelectedCourse = fragment(
  ({ userId }: Given<'userId'>) =>
    sql`((c.owner_id, c.course_id) = (SELECT u.id, u.selected_course_id FROM users u
      WHERE u.id = ${userId}))`,
);

/** The sessions `m` of published cohort `c` that are on at `now`, or about to begin. */
function sessionsOfNow(columns: SQL, now: SQL, which: SQL): SQL {
  return sql`SELECT ${columns} FROM cohorts c JOIN courses k ON k.id = c.course_id
      JOIN meetings m ON m.cohort_id = c.id
    WHERE ${which} AND c.deleted_at IS NULL AND c.archived_at IS NULL
      AND c.published_at IS NOT NULL AND m.cancelled_at IS NULL
      AND m.starts_at > ${now} - ${longestMs} AND m.starts_at <= ${now} + ${opensBeforeMs}
      AND m.starts_at + m.duration_minutes * 60000 > ${now}`;
}

const others = sql`FROM meetings o WHERE o.cohort_id = c.id AND o.cancelled_at IS NULL`;

const sessionRow = prepared(({ now, which }: Given<'now' | 'which'>) =>
  db.all<SessionRow>(
    sessionsOfNow(
      sql`m.id, c.id AS cohortId, c.name AS cohortName, c.course_id AS courseId, k.hue AS courseHue,
        c.time_zone AS timeZone, m.title, m.starts_local AS startsLocal, m.starts_at AS startsAt,
        m.duration_minutes AS durationMinutes, coalesce(m.place, c.place) AS place,
        coalesce(m.join_url, c.join_url) AS joinUrl, CASE WHEN m.join_url IS NULL AND c.join_url IS NOT NULL THEN c.join_passcode END AS passcode,
        m.public_line AS publicLine,
        (SELECT count(*) ${others} AND (o.starts_at, o.id) <= (m.starts_at, m.id)) AS number,
        (SELECT count(*) ${others}) AS count,
        (SELECT count(*) FROM enrollments e
          WHERE e.cohort_id = c.id AND e.status = 'enrolled' AND ${isDebtor}) AS owing`,
      now,
      which,
    ),
  ),
);

/** A column of the current session, for conditions. */
function ofFirst(column: SQL, now: SQL, which: SQL): SQL {
  return sql`(${sessionsOfNow(column, now, which)} ORDER BY m.starts_at, m.id LIMIT 1)`;
}

const expected = prepared(({ now, which }: Given<'now' | 'which'>) =>
  db.all<Expected>(sql`SELECT e.id, e.person_id AS personId, p.name, a.is_present AS isPresent
    FROM meetings m JOIN enrollments e ON e.cohort_id = m.cohort_id
      JOIN people p ON p.id = e.person_id
      LEFT JOIN attendance a ON a.owner_id = m.owner_id AND a.meeting_id = m.id
        AND a.enrollment_id = e.id
    WHERE m.id = ${ofFirst(sql`m.id`, now, which)}
      AND ${couldAttend}
    ORDER BY e.name_key, e.id LIMIT ${mostPeople}`),
);

const debtors = prepared(({ now, which }: Given<'now' | 'which'>) =>
  db.all<Owing>(sql`SELECT a.id, a.person_id AS personId, p.name, a.balance, a.currency,
      count(*) OVER () AS people, sum(a.balance) OVER () AS owed,
      ${hasAgreed} AS hasAgreed, sum(NOT ${hasAgreed}) OVER () AS notAgreed
    FROM (SELECT e.id, e.person_id, e.name_key, ${balanceOf} AS balance,
        (SELECT l.currency FROM ledger_entries l
          WHERE l.enrollment_id = e.id AND l.cohort_id = e.cohort_id LIMIT 1) AS currency
      FROM enrollments e
      WHERE e.cohort_id = ${ofFirst(sql`m.cohort_id`, now, which)} AND e.status = 'enrolled' AND NOT ${isLeftAlone}) a
      JOIN people p ON p.id = a.person_id
    WHERE a.balance > 0 ORDER BY a.name_key, a.id LIMIT ${mostDebtors}`),
);
