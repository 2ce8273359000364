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
 * The currency of a cohort's account, by any of its entries; null without any. In an order, because
 * any of them would be looked for among all of the owner.
 */
export function usedCurrency(ownerId: SQL | string, cohortId: SQL | string): SQL {
  return sql`(SELECT x.currency FROM ledger_entries x
    WHERE x.owner_id = ${ownerId} AND x.cohort_id = ${cohortId} ORDER BY x.created_at LIMIT 1)`;
}

/** Whether a person has entries in an account. */
export function standsBy(personId: SQL | string, ownerId: SQL | string): SQL {
  return sql`EXISTS (SELECT 1 FROM ledger_entries x
    WHERE x.owner_id = ${ownerId} AND x.person_id = ${personId})`;
}

/** What enrollment `e` owes in its cohort: nothing, if it is not above 0. */
export const balanceOf = sql<number>`coalesce((SELECT b.balance FROM balances b
  WHERE b.enrollment_id = e.id AND b.cohort_id = e.cohort_id), 0)`;

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
export const isCharged = sql`EXISTS (SELECT 1 FROM ledger_entries l
  WHERE l.enrollment_id = e.id AND l.kind = 'charge' AND l.reverses_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = l.id))`;

/** The sums of the account of enrollment `e` as JSON; null without an account. */
export const sumsAsJson = sql<string | null>`(SELECT json_object('balance', b.balance,
    'charged', b.charged, 'waived', b.waived, 'paid', b.paid, 'refunded', b.refunded)
  FROM balances b WHERE b.enrollment_id = e.id AND b.cohort_id = e.cohort_id)`;

/** Whether a former participant's account needs a decision. */
export function isOpen({ balance, paid, refunded }: Sums): boolean {
  return balance > 0 || paid > refunded;
}

export const noSums = { balance: 0, charged: 0, waived: 0, paid: 0, refunded: 0 };
export type Sums = typeof noSums;

/** The same as the trigger `balances_add_up`, for entries that were read. */
export function addUp(entries: readonly { kind: LedgerKind; amount: number }[]): Sums {
  const sumOf = (summed: LedgerKind) =>
    entries.reduce((sum, { kind, amount }) => (kind === summed ? sum + amount : sum), 0);
  const [charged, refunded] = [sumOf('charge'), sumOf('refund')];
  const [waived, paid] = [0 - sumOf('waiver'), 0 - sumOf('payment')];
  const balance = Math.max(charged - waived - paid + refunded, Math.min(0, refunded - paid));
  return { balance, charged, waived, paid, refunded };
}

/** Someone's account as it is read. */
export type BalanceRow = Sums & {
  id: string;
  personId: string;
  name: string;
  email: string;
  erasedAt: number | null;
  erasedNo: number | null;
  status: EnrollmentStatus | null;
  isUnsettled: 0 | 1;
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

/** How many people owe something in a cohort, and how much, as columns of a query for `cohorts`. */
export const owedTotals = {
  owing: totalOf<number>('owing', '0'),
  owedMinor: totalOf<number>('owed', '0'),
  owedCurrency: totalOf<string>('currency', 'cohorts.currency'),
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

/** A random id as SQL. */
export const newId = sql`lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4'
  || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-'
  || hex(randomblob(6)))`;
