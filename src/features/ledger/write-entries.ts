import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import type { LedgerKind } from '#db/values.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';
import type { ErrorCode } from '#vocabulary.ts';
import { type EntryRow, entryColumns, isCharged, newId, toEntry } from './accounts.ts';
import type { AccountCohort } from './find-accounts.ts';
import type { LedgerEntry, LedgerInput } from './schema.ts';

/** Why an entry cannot be written to any of the accounts. */
const refusals: Record<LedgerKind, { some: ErrorCode; all: ErrorCode }> = {
  charge: { some: 'charged_already', all: 'charged_already' },
  payment: { some: 'nothing_owed', all: 'nothing_owed' },
  refund: { some: 'more_than_paid', all: 'nothing_paid' },
  waiver: { some: 'more_than_owed', all: 'nothing_owed' },
};

/**
 * Writes what has happened to the accounts of people in one of the viewer's cohorts. Without an
 * amount it is all that is owed, or was paid, by each. Accounts for which that is nothing are left
 * out.
 *
 * @param cohort as the request has read it
 * @param idempotencyKey a retry with the same key returns what was written
 * @throws AppError `not_found` for anyone who is not in the cohort, in which case nothing is
 *   written; `price_required`; `charged_already`, `nothing_owed`, `nothing_paid`,
 *   `more_than_owed`, `more_than_paid`; `idempotency_key_reused`; `rate_limited`
 */
export async function writeEntries(
  ctx: ViewerContext,
  cohort: AccountCohort,
  input: LedgerInput,
  idempotencyKey: string | null,
): Promise<LedgerEntry[]> {
  const { currency } = cohort;
  const amount = input.amount_minor ?? (input.kind === 'charge' ? cohort.priceMinor : null);
  if (currency === null || (input.kind === 'charge' && !amount)) {
    throw new AppError('price_required');
  }
  const { id: ownerId } = ctx.viewer;
  const now = ctx.now().getTime();
  const key = idempotencyKey ?? crypto.randomUUID();
  const ids = [...new Set(input.enrollments)];
  const accounts = accountsAmong(ownerId, cohort.id, ids);
  const hasMoney = input.kind === 'payment' || input.kind === 'refund';
  const use = { limit: 'ledger_writes_per_user', subject: ownerId } as const;
  const limit = await limitOn(ctx, [use], 'allow');
  const insert = (kind: LedgerKind, { value, condition }: { value: SQL; condition: SQL }) =>
    db.run(sql`INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id,
        cohort_name, person_id, enrollment_id, kind, amount_minor, currency, method, received_on,
        source, created_by, created_at, idempotency_key)
      SELECT ${newId}, ${ownerId}, ${cohort.courseId}, ${cohort.courseName}, ${cohort.id},
        ${cohort.name}, a.person_id, a.id, ${kind}, ${value}, ${currency},
        ${hasMoney && kind !== 'waiver' ? input.method : null},
        ${hasMoney && kind !== 'waiver' ? input.received_on : null}, 'owner', 'owner', ${now},
        ${key}
      FROM ${accounts} a
      WHERE ${condition} AND (SELECT count(*) FROM ${accounts} b) = ${ids.length}
      ON CONFLICT DO NOTHING`);
  const written = sql`l.owner_id = ${ownerId} AND l.idempotency_key = ${key}`;
  const isMade = sql`EXISTS (SELECT 1 FROM ledger_entries l
    WHERE ${written} AND l.created_at = ${now})`;
  // Someone who owed nothing at first may owe something when the request is sent again.
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ledger_entries l WHERE ${written})`;
  const { found, rows, usage } = await ask(ctx, {
    entries: insert(input.kind, {
      ...amountOf(input.kind, amount),
      condition: sql`${isNew} AND ${limit.hasRoom} AND ${amountOf(input.kind, amount).condition}`,
    }),
    // What is left once the money is back.
    waived:
      input.kind === 'refund' && input.waive_rest
        ? insert('waiver', {
            value: sql`-a.balance`,
            condition: sql`a.balance > 0 AND EXISTS (SELECT 1 FROM ledger_entries l
              WHERE ${written} AND l.enrollment_id = a.id AND l.kind = 'refund'
                AND l.created_at = ${now})`,
          })
        : undefined,
    notes:
      input.note === null
        ? undefined
        : db.run(sql`INSERT INTO ledger_notes (entry_id, owner_id, text)
            SELECT l.id, l.owner_id, ${input.note} FROM ledger_entries l
            WHERE ${written} AND l.created_at = ${now} AND l.kind = ${input.kind}
            ON CONFLICT DO NOTHING`),
    found: db.all<{ count: number }>(sql`SELECT count(*) AS count FROM ${accounts} b`),
    rows: db.all<EntryRow>(sql`SELECT ${entryColumns} FROM ledger_entries l WHERE ${written}`),
    usage: limit.count(isMade),
  });
  if (found[0]?.count !== ids.length) {
    throw new AppError('not_found');
  }
  if (rows.length === 0) {
    refuseFull(ctx, usage.full);
    throw new AppError(refusals[input.kind][amount === null ? 'all' : 'some']);
  }
  const entries = rows
    .map(toEntry)
    .toSorted((one, other) => ids.indexOf(one.enrollment_id) - ids.indexOf(other.enrollment_id));
  assertSameRequest(entries, { ...input, amount_minor: amount }, cohort.id);
  if (entries[0]?.created_at === new Date(now).toISOString()) {
    ctx.observe.log('ledger_written', { kind: input.kind, count: entries.length });
  }
  return entries;
}

/** What is written to account `a`, and when it can be. */
function amountOf(kind: LedgerKind, amount: number | null): { value: SQL; condition: SQL } {
  switch (kind) {
    case 'charge':
      return { value: sql`${amount}`, condition: sql`a.is_charged = 0` };
    case 'payment':
      return amount === null
        ? { value: sql`-a.balance`, condition: sql`a.balance > 0` }
        : { value: sql`${-amount}`, condition: sql`true` };
    case 'refund':
      return amount === null
        ? { value: sql`a.paid`, condition: sql`a.paid > 0` }
        : { value: sql`${amount}`, condition: sql`a.paid >= ${amount}` };
    case 'waiver':
      return amount === null
        ? { value: sql`-a.balance`, condition: sql`a.balance > 0` }
        : { value: sql`${-amount}`, condition: sql`a.balance >= ${amount}` };
  }
}

/** The accounts with these ids: of people in the cohort, or of those who were. */
function accountsAmong(ownerId: string, cohortId: string, ids: string[]): SQL {
  const sumOf = (kinds: SQL) => sql`(SELECT coalesce(sum(l.amount_minor), 0) FROM ledger_entries l
    WHERE l.enrollment_id = w.value AND l.cohort_id = ${cohortId} AND ${kinds})`;
  return sql`(SELECT e.id, e.person_id, e.balance, e.paid, ${isCharged} AS is_charged
    FROM (SELECT w.value AS id, coalesce(
        (SELECT x.person_id FROM enrollments x WHERE x.id = w.value AND x.owner_id = ${ownerId}
          AND x.cohort_id = ${cohortId}),
        (SELECT l.person_id FROM ledger_entries l WHERE l.enrollment_id = w.value
          AND l.cohort_id = ${cohortId} AND l.owner_id = ${ownerId} LIMIT 1)) AS person_id,
      ${sumOf(sql`true`)} AS balance, -${sumOf(sql`l.kind IN ('payment', 'refund')`)} AS paid
    FROM json_each(${JSON.stringify(ids)}) AS w) e
    WHERE e.person_id IS NOT NULL)`;
}

/** @throws AppError `idempotency_key_reused` if entries are those of another request */
function assertSameRequest(entries: LedgerEntry[], input: LedgerInput, cohortId: string): void {
  const own = entries.filter(({ kind }) => kind === input.kind);
  const isSame =
    own.length > 0 &&
    own.every(
      (entry) =>
        entry.cohort_id === cohortId &&
        input.enrollments.includes(entry.enrollment_id) &&
        (input.amount_minor === null || Math.abs(entry.amount_minor) === input.amount_minor) &&
        (entry.method === null || entry.method === input.method) &&
        (entry.received_on === null || entry.received_on === input.received_on),
    );
  if (!isSame) {
    throw new AppError('idempotency_key_reused');
  }
}
