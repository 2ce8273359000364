import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { type EnrollmentActor, type EnrollmentStatus, standings } from '#db/values.ts';
import { hasDoneEvery } from '#features/learning/complete-learned.ts';
import { type Sums, stateOf, sumsAsJson } from '#features/ledger/balances.ts';
import { refundableOf } from '#features/ledger/paid-online.ts';
import type { BalanceState } from '#features/ledger/schema.ts';
import {
  findFirstWaiting,
  pageOf,
  type RosterPage,
  type RosterRow,
  requestsOf,
  rosterFilters,
  rosterOf,
} from '#features/places/find-enrollments.ts';
import { findStandings, ofKind, type StandingCounts } from '#features/places/find-standings.ts';
import type { EnrollmentPage, PendingRequest, PersonEvent } from '#features/places/schema.ts';

/** A page of a roster, with how many people have each status. */
export type FoundRoster = EnrollmentPage & {
  /** What was asked for. */
  shown: RosterPage;
  /** Whether only those are shown who still owe something. */
  isOwing: boolean;
  requests: PendingRequest[];
  counts: ReadonlyMap<EnrollmentStatus, number>;
  /** How those who are enrolled get on; null where no one is, or there are no lessons. */
  standings: StandingCounts | null;
  /** Once a cohort is over: who has done every lesson, and how many of them are not marked. */
  learned: { people: number; unmarked: number };
  /** What is on the accounts of the page, by enrollment; none for those who were never charged. */
  accounts: ReadonlyMap<string, Account>;
  totals: RosterTotals;
  /** Who is first on the waitlist; null if no one waits. */
  nextWaiting: string | null;
};

/** What someone owes and has paid, and whether they have left and that is not decided about. */
export type Account = Sums & {
  state: BalanceState;
  toSettle: boolean;
  /** What Stripe could send back. */
  online: number;
};

/** What the accounts of all who are enrolled add up to. */
export type RosterTotals = Record<'owing' | 'owed' | 'paid' | 'waived', number> & {
  /** Null where no one is charged and there is no price. */
  currency: string | null;
};

/** What the page of a roster shows, by the query of its address; nothing of another user's cohort. */
export function findRoster(cohortId: string, address: string) {
  const parameters = new URLSearchParams(address);
  const shown: RosterPage = {
    status: rosterFilters.find((status) => status === parameters.get('status')) ?? null,
    standing: standings.find((standing) => standing === parameters.get('standing')) ?? null,
    search: parameters.get('q') ?? '',
    after: parameters.get('after'),
  };
  const isOwing = parameters.get('status') === 'owing';
  return (ctx: Context, ownerId: SQL) => {
    const dated = ofKind({ kind: 'dated', cohortId, ownerId });
    const run = ofKind({ kind: 'open', cohortId, ownerId });
    return query(
      {
        nextWaiting: findFirstWaiting(cohortId)(ctx, ownerId),
        rows: rosterOf(ctx, ownerId, cohortId, shown, { isOwing, column: accountOf({}) }),
        totals: totalsOf({ cohortId, ownerId }),
        counts: countsOf({ dated }),
        inRun: countsInRun({ run }),
        standings: findStandings(cohortId)(ctx, ownerId),
        learned: learnedIn({ dated, now: ctx.now() }),
        requests: requestsOf(ctx, ownerId, cohortId),
      },
      ({
        nextWaiting,
        rows,
        totals: [totals],
        counts,
        inRun,
        standings: found,
        learned: [learned],
        requests,
      }): FoundRoster => ({
        ...withAccounts(rows),
        nextWaiting,
        shown,
        isOwing,
        totals: totals ?? { currency: null, owing: 0, owed: 0, paid: 0, waived: 0 },
        requests,
        standings: found,
        learned: learned ?? { people: 0, unmarked: 0 },
        counts: new Map([...counts, ...inRun].map(({ status, count }) => [status, count])),
      }),
    );
  };
}

const accountOf = fragment(() => sql`json_array(json(${sumsAsJson}), ${refundableOf(sql`e.id`)})`);

function withAccounts(rows: RosterRow[]) {
  const accounts = new Map<string, Account>();
  for (const { id, column } of rows) {
    const [sums, online]: [Sums | null, number] = JSON.parse(column ?? '[null, 0]');
    if (sums !== null) {
      const toSettle = sums.isUnsettled === 1;
      accounts.set(id, { ...sums, state: stateOf(sums), toSettle, online });
    }
  }
  return { ...pageOf(rows), accounts };
}

const totalsOf = prepared(({ cohortId, ownerId }: Given<'cohortId' | 'ownerId'>) =>
  db.all<RosterTotals>(sql`SELECT
      coalesce(t.currency, CASE WHEN c.price_minor > 0 THEN c.currency END) AS currency,
      coalesce(t.enrolled_owing, 0) AS owing, coalesce(t.enrolled_owed, 0) AS owed,
      coalesce(t.enrolled_paid, 0) AS paid, coalesce(t.enrolled_waived, 0) AS waived
    FROM cohorts c LEFT JOIN balance_totals t ON t.cohort_id = c.id
    WHERE c.id = ${cohortId} AND c.owner_id = ${ownerId}`),
);

const countsOf = prepared(({ dated }: Given<'dated'>) =>
  db.all<{ status: EnrollmentStatus; count: number }>(sql`SELECT e.status, count(*) AS count
    FROM enrollments e WHERE e.cohort_id = ${dated} GROUP BY e.status`),
);

/** The same for an open run, where triggers count them. */
const countsInRun = prepared(({ run }: Given<'run'>) =>
  db.all<{ status: EnrollmentStatus; count: number }>(sql`SELECT n.status, n.people AS count
    FROM run_statuses n WHERE n.cohort_id = ${run} AND n.people > 0`),
);

/** Not counted before the end, because lessons may still be published. */
const learnedIn = prepared(({ dated, now }: Given<'dated' | 'now'>) =>
  db.all<FoundRoster['learned']>(sql`SELECT count(*) AS people,
      coalesce(sum(e.completed_at IS NULL), 0) AS unmarked
    FROM cohorts h CROSS JOIN enrollments e ON e.cohort_id = h.id AND e.status = 'enrolled'
    WHERE h.id = ${dated} AND h.ends_at <= ${now} AND h.deleted_at IS NULL
      AND ${hasDoneEvery({ cohortId: dated })}`),
);

/** Something that has happened in a cohort, and to whom; nothing says who was erased. */
export type Activity =
  | Change
  | Completion
  | { kind: 'erased'; id: number; at: number; actor: EnrollmentActor };

/** Someone in an open run has done the last lesson; in cohorts, their owner decides who has. */
type Completion = Pick<Change, 'enrollmentId' | 'personId' | 'name' | 'at'> & {
  kind: 'completed';
  /** That of the enrollment. */
  id: string;
};

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
export function findActivity(cohortId: string | SQL) {
  return (_ctx: Context, ownerId: SQL) =>
    query(
      {
        changes: changesOf({ cohortId, ownerId }),
        completions: completionsOf({ cohortId, ownerId }),
        erasures: erasuresOf({ cohortId, ownerId }),
      },
      ({ changes, completions, erasures }) =>
        [...changes, ...completions, ...erasures]
          .toSorted((one, other) => other.at - one.at)
          .slice(0, shownEvents),
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

const completionsOf = prepared(({ cohortId, ownerId }: Given<'cohortId' | 'ownerId'>) =>
  db.all<Completion>(sql`SELECT 'completed' AS kind, e.id, e.id AS enrollmentId, p.id AS personId,
      p.name, e.completed_at AS at
    FROM cohorts c JOIN enrollments e ON e.cohort_id = c.id AND e.completed_at IS NOT NULL
      JOIN people p ON p.id = e.person_id
    WHERE c.id = ${cohortId} AND c.owner_id = ${ownerId} AND c.kind = 'open'
    ORDER BY e.completed_at DESC LIMIT ${shownEvents}`),
);

const erasuresOf = prepared(({ cohortId, ownerId }: Given<'cohortId' | 'ownerId'>) =>
  db.all<Activity>(sql`SELECT 'erased' AS kind, x.id, x.at, x.actor
    FROM cohort_erasures x WHERE x.owner_id = ${ownerId} AND x.cohort_id = ${cohortId}
    ORDER BY x.at DESC LIMIT ${shownEvents}`),
);
