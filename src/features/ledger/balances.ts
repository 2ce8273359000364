import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import {
  type EnrollmentStatus,
  endedStatuses,
  type LedgerKind,
  type PaymentMethod,
} from '#db/values.ts';
import { type fromJson, toJson } from '#lib/to-json.ts';
import { Balance, type BalanceState, CohortTotals, LedgerEntry } from './schema.ts';

/**
 * Balances as SQL. Every balance is the sum of its entries. Triggers of migration 0028 keep the
 * sums of each account in `balances`, and of each cohort in `balance_totals`.
 */

/**
 * The currency of a cohort's money: of what is on its accounts, or of what someone is paying; null
 * without any.
 */
export function usedCurrency(cohortId: SQL | string): SQL {
  return sql`(SELECT u.currency FROM used_currencies u WHERE u.cohort_id = ${cohortId})`;
}

/**
 * Whether money of a person has come, or can still come: they may be at Stripe at this moment. Who asks
 * decides about money: erasing, deletion, transfers.
 */
export function hasMoney(personId: SQL | string, ownerId: SQL | string): SQL {
  return sql`EXISTS (SELECT 1 FROM payers x
    WHERE x.owner_id = ${ownerId} AND x.person_id = ${personId})`;
}

/** What enrollment `e` owes in its cohort: nothing, if it is not above 0. */
export const balanceOf = sql<number>`coalesce((SELECT b.balance FROM balances b
  WHERE b.enrollment_id = e.id AND b.cohort_id = e.cohort_id), 0)`;

/** Whether the bank of enrollment `e` is confirming a payment. */
export const isConfirming = sql<0 | 1>`EXISTS (SELECT 1 FROM checkouts o
  WHERE o.enrollment_id = e.id AND o.status = 'confirming')`;

/** Whether enrollment `e` is not to be asked for what they owe: their bank has the next word, or had it. */
export const isLeftAlone = sql<0 | 1>`EXISTS (SELECT 1 FROM checkouts o
  WHERE o.enrollment_id = e.id AND (o.status = 'confirming' OR o.problem = 'dispute_lost'))`;

/** Whether enrollment `e`, who is enrolled, is to be asked for what they owe. */
export const isDebtor = sql<0 | 1>`(${balanceOf} > 0 AND NOT ${isLeftAlone})`;

/** How many of those who are enrolled in a cohort and owe something are left alone. */
export function leftAloneIn(ownerId: SQL | string, cohortId: SQL | string): SQL<number> {
  const among = (which: SQL) => sql`(SELECT count(*) FROM checkouts o
    CROSS JOIN enrollments e ON e.id = o.enrollment_id AND e.status = 'enrolled'
      AND e.cohort_id = ${cohortId}
    WHERE ${which} AND ${balanceOf} > 0)`;
  return sql<number>`(${among(sql`o.cohort_id = ${cohortId}
    AND o.status IN ('open', 'confirming') AND o.status = 'confirming'`)}
    + ${among(sql`o.owner_id = ${ownerId} AND o.problem = 'dispute_lost' AND NOT ${isConfirming}`)})`;
}

/** Whether an enrollment has ended. */
export function hasEnded(enrollment: string): SQL {
  // Not IN, which would read a row for each account.
  return sql`instr(${sql.raw(`'${endedStatuses}', ${enrollment}.status`)})`;
}

/**
 * Whether the owner has said what happens to the account of an enrollment that has ended: they do
 * so when they mark someone as left, and for everyone else later.
 */
function isDecided(enrollment: string): SQL {
  return sql.raw(`(${enrollment}.owes_after_leaving = 1
    OR (${enrollment}.status = 'left' AND ${enrollment}.changed_by = 'owner'))`);
}

/** Whether someone no longer takes part, and what is on their account waits for the owner. */
export function isUndecided(enrollment: string): SQL {
  return sql`(${hasEnded(enrollment)} AND NOT ${isDecided(enrollment)})`;
}

/** Whether what is open on the account of an enrollment is owed. */
export function isOwed(enrollment: string): SQL {
  return sql`(NOT ${hasEnded(enrollment)} OR ${sql.raw(enrollment)}.owes_after_leaving = 1)`;
}

/** Whether enrollment `e` has a charge that was not reversed. */
export const isCharged = sql`EXISTS (SELECT 1 FROM live_entries l
  WHERE l.enrollment_id = e.id AND l.kind = 'charge')`;

/** The sums of the account of enrollment `e` as JSON; null without an account. */
export const sumsAsJson = sql<string | null>`(SELECT json_object('balance', b.balance,
    'charged', b.charged, 'waived', b.waived, 'paid', b.paid, 'refunded', b.refunded,
    'isUnsettled', b.list IS 'left')
  FROM balances b WHERE b.enrollment_id = e.id AND b.cohort_id = e.cohort_id)`;

export type Sums = {
  balance: number;
  charged: number;
  waived: number;
  paid: number;
  refunded: number;
  /** Whether someone no longer takes part, and their instructor has to decide about this. */
  isUnsettled: 0 | 1;
};

/** Someone's account as it is read. */
export type BalanceRow = Sums & {
  id: string;
  personId: string;
  name: string;
  email: string;
  erasedAt: number | null;
  erasedNo: number | null;
  status: EnrollmentStatus | null;
  underWay: number;
};

export function toBalance(row: BalanceRow): Balance {
  return toJson(Balance, {
    ...row,
    ...(row.erasedAt !== null && { name: null, email: null }),
    erasedAt: row.erasedAt === null ? null : new Date(row.erasedAt),
    chargedMinor: row.charged,
    waivedMinor: row.waived,
    paidMinor: row.paid,
    refundedMinor: row.refunded,
    balanceMinor: row.balance,
    refundingMinor: row.underWay,
    toSettle: row.isUnsettled === 1,
    state: stateOf(row),
  });
}

/** What an account says: by its balance and, where nothing is owed, by why. */
export function stateOf({ balance, charged, waived, paid, refunded }: Sums): BalanceState {
  const states: [BalanceState, boolean][] = [
    ['overpaid', balance < 0],
    ['partly_paid', balance > 0 && paid > refunded],
    ['owes', balance > 0],
    ['paid', paid > refunded],
    ['refunded', refunded > 0],
    ['waived', waived > 0 && charged > 0],
  ];
  return states.find(([, holds]) => holds)?.[0] ?? 'free';
}

/** What the accounts of a cohort add up to, by their columns in `balance_totals`. */
const totals = {
  chargedMinor: 'charged',
  waivedMinor: 'waived',
  paidMinor: 'paid',
  refundedMinor: 'refunded',
  owedMinor: 'owed',
  overpaidMinor: 'overpaid',
  accounts: 'accounts',
  owing: 'owing',
  paidInFull: 'paid_in_full',
  paidInPart: 'paid_in_part',
  refunded: 'with_refund',
};

export type TotalsRow = Record<keyof typeof totals, number>;

/** What people owe for a cohort and have paid for it, as columns of a query for `cohorts`. */
export const cohortMoney = {
  owing: totalOf<number>('owing', '0'),
  owedMinor: totalOf<number>('owed', '0'),
  owedCurrency: totalOf<string>('currency', 'cohorts.currency'),
  keptMinor: totalOf<number>('paid - t.refunded', '0'),
  payers: totalOf<number>('paid_in_full + t.paid_in_part', '0'),
};

function totalOf<Total>(column: string, none: string) {
  return sql<Total>`coalesce((SELECT ${sql.raw(column)} FROM balance_totals t
    WHERE t.cohort_id = cohorts.id), ${sql.raw(none)})`.as(`total_${column}`);
}

/** These totals of a row `t`, which may be missing. */
export const totalColumns = sql.raw(
  Object.entries(totals)
    .map(([name, column]) => `coalesce(t.${column}, 0) AS ${name}`)
    .join(', '),
);

export function toTotals(
  { id, name, currency }: { id: string; name: string; currency: string | null },
  row: TotalsRow,
): CohortTotals {
  return toJson(CohortTotals, { ...row, cohortId: id, cohortName: name, currency });
}

/** An entry as it is read. */
export type EntryRow = Omit<ReturnType<typeof fromJson<LedgerEntry>>, 'createdAt'> & {
  createdAt: number;
};

/** The columns of entry `l`, with its note and what reverses it. */
export const entryColumns = sql`l.id, l.cohort_id AS cohortId, l.cohort_name AS cohortName,
  l.enrollment_id AS enrollmentId, l.person_id AS personId, l.kind,
  l.amount_minor AS amountMinor, l.currency, l.method, l.method_word AS methodWord, l.received_on AS receivedOn,
  (SELECT n.text FROM ledger_notes n WHERE n.entry_id = l.id) AS note,
  l.reverses_id AS reversesId,
  (SELECT r.id FROM ledger_entries r WHERE r.reverses_id = l.id) AS reversedById, l.source,
  l.created_at AS createdAt`;

export function toEntry(row: EntryRow): LedgerEntry {
  return toJson(LedgerEntry, { ...row, createdAt: new Date(row.createdAt) });
}

/** An entry as the person sees it whom it is about: without what their instructor has noted. */
export type OwnEntry = {
  id: string;
  kind: LedgerKind;
  amount: number;
  currency: string;
  method: PaymentMethod | null;
  word: string | null;
  day: string | null;
  /** Whether it was reversed, or reverses another. */
  isUndone: 0 | 1;
};

/** The account of enrollment `e` as JSON. */
export const ownEntries = sql<string>`(SELECT json_group_array(json_object('id', l.id,
    'kind', l.kind, 'amount', l.amount_minor, 'currency', l.currency, 'method', l.method,
    'word', l.method_word, 'day', l.received_on, 'isUndone', l.reverses_id IS NOT NULL OR EXISTS
      (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = l.id)))
  FROM ledger_entries l WHERE l.enrollment_id = e.id AND l.cohort_id = e.cohort_id)`;
