import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { priceThen } from '#db/prices.ts';
import { ask, db } from '#db/query.ts';
import type { LedgerKind } from '#db/values.ts';
import { type CountedCohort, requireOutsideTrash } from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { AppError, requireFound } from '#lib/app-error.ts';
import type { ErrorCode } from '#vocabulary.ts';
import { type EntryRow, entryColumns, hasEnded, isCharged, toEntry } from './balances.ts';
import { insertReceipts } from './email-receipt.ts';
import type { LedgerCohort } from './find-balances.ts';
import { insertEntries as insert, reversalOf } from './insert-entries.ts';
import { returningTo } from './paid-online.ts';
import type { LedgerEntry, LedgerInput, ReverseInput } from './schema.ts';

const refusals: Record<LedgerKind, { some: ErrorCode; all: ErrorCode }> = {
  charge: { some: 'charged_already', all: 'charged_already' },
  payment: { some: 'nothing_owed', all: 'nothing_owed' },
  refund: { some: 'more_than_paid', all: 'nothing_paid' },
  waiver: { some: 'more_than_owed', all: 'nothing_owed' },
};

/**
 * Writes what has happened to the accounts of people in one of the viewer's cohorts. Without an
 * amount: everything owed, everything paid, or the price of the place, by kind. People for whom that
 * is nothing are skipped.
 *
 * @param idempotencyKey a retry with the same key returns what was written
 * @throws AppError `not_found` for anyone who is not in the cohort, in which case nothing is
 *   written; `price_required`; `charged_already`, `nothing_owed`, `nothing_paid`,
 *   `more_than_owed`, `more_than_paid`; `idempotency_key_reused`; `rate_limited`
 */
export async function writeEntries(
  ctx: ViewerContext,
  cohort: LedgerCohort,
  input: LedgerInput,
  idempotencyKey: string | null,
): Promise<LedgerEntry[]> {
  const entry = entryFor(cohort, input);
  const request = requestOf(ctx, cohort, input, idempotencyKey ?? undefined);
  const { ids, isOwn, isOfNow } = request;
  const use = { limit: 'ledger_writes_per_user', subject: ctx.viewer.id } as const;
  const limit = await limitOn(ctx, [use], 'allow');
  const { accounts, rows, receipts, usage } = await ask(ctx, {
    // Someone who owed nothing at first may owe something when the request is sent again.
    entries: insertEntries(
      request,
      entry,
      sql`NOT EXISTS (SELECT 1 FROM ledger_entries l WHERE ${isOwn}) AND ${limit.hasRoom}`,
    ),
    // What is left once the money is back.
    waivers:
      input.kind === 'refund' && input.waive_rest
        ? insertEntries(
            request,
            { ...entry, kind: 'waiver', ...amountOf('waiver', null), ...noMoney },
            sql`EXISTS (SELECT 1 FROM ledger_entries l
              WHERE ${isOfNow} AND l.enrollment_id = a.id AND l.kind = 'refund')`,
          )
        : undefined,
    notes:
      input.note === null
        ? undefined
        : db.run(sql`INSERT INTO ledger_notes (entry_id, owner_id, text)
            SELECT l.id, l.owner_id, ${input.note} FROM ledger_entries l
            WHERE ${isOfNow} AND l.kind = ${input.kind}
            ON CONFLICT DO NOTHING`),
    // If the cohort sends them; one for each entry.
    receipts: insertReceipts({
      key: sql`'receipt:' || l.id`,
      now: request.now,
      which: sql`${isOfNow} AND c.sends_receipts = 1`,
    }),
    accounts: db.all<{ id: string; is_charged: 0 | 1 }>(
      sql`SELECT a.id, a.is_charged FROM ${request.accounts} a`,
    ),
    rows: db.all<EntryRow>(sql`SELECT ${entryColumns} FROM ledger_entries l WHERE ${isOwn}`),
    usage: limit.count(sql`EXISTS (SELECT 1 FROM ledger_entries l WHERE ${isOfNow})`),
  });
  if (accounts.length !== ids.length) {
    throw new AppError('not_found');
  }
  if (rows.length === 0) {
    refuseFull(ctx, usage.full);
    // The others' places were free.
    if (entry.kind === 'charge' && accounts.some((account) => account.is_charged === 0)) {
      throw priceRequired(cohort);
    }
    throw new AppError(refusals[entry.kind][entry.amount === null ? 'all' : 'some']);
  }
  if (receipts.length > 0) {
    sendSoon(ctx, receipts);
  }
  const entries = rows
    .map(toEntry)
    .toSorted((one, other) => ids.indexOf(one.enrollment_id) - ids.indexOf(other.enrollment_id));
  const own = entries.filter(({ kind }) => kind === entry.kind);
  const isSame = own.every(
    (one) =>
      one.cohort_id === cohort.id &&
      ids.includes(one.enrollment_id) &&
      (entry.amount === null || Math.abs(one.amount_minor) === entry.amount) &&
      (one.method === null ||
        (one.method === entry.method && one.method_word === entry.methodWord)) &&
      (one.received_on === null || one.received_on === entry.receivedOn),
  );
  if (own.length === 0 || !isSame) {
    throw new AppError('idempotency_key_reused');
  }
  if (rows[0]?.createdAt === request.now) {
    ctx.observe.log('ledger_written', { kind: entry.kind, count: entries.length });
  }
  return entries;
}

type NewEntry = ReturnType<typeof entryFor>;

/**
 * What is written to each account.
 *
 * @throws AppError `price_required`
 */
function entryFor(cohort: LedgerCohort, input: LedgerInput) {
  const { currency, priceMinor } = cohort;
  const { kind } = input;
  const amount = input.amount_minor;
  if (currency === null || (kind === 'charge' && amount === null && !priceMinor)) {
    throw priceRequired(cohort);
  }
  const hasMoney = kind === 'payment' || kind === 'refund';
  return {
    kind,
    amount,
    ...amountOf(kind, amount),
    currency,
    ...(hasMoney
      ? { method: input.method, methodWord: input.method_word, receivedOn: input.received_on }
      : noMoney),
  };
}

/** The error for a cohort, or an open run, without a price. */
function priceRequired({ kind }: Pick<LedgerCohort, 'kind'>): AppError {
  return new AppError('price_required', { values: { kind: kind ?? 'dated' } });
}

const noMoney = { method: null, methodWord: null, receivedOn: null };

/**
 * What is written to account `a`, and when it can be; without an amount, as `writeEntries` says.
 */
function amountOf(kind: LedgerKind, amount: number | null): { value: SQL; condition: SQL } {
  switch (kind) {
    case 'charge':
      return amount === null
        ? { value: sql`a.price`, condition: sql`a.is_charged = 0 AND a.price > 0` }
        : { value: sql`${amount}`, condition: sql`a.is_charged = 0` };
    case 'refund':
      return amount === null
        ? { value: sql`a.paid`, condition: sql`a.paid > 0` }
        : { value: sql`${amount}`, condition: sql`a.paid >= ${amount}` };
    case 'payment':
    case 'waiver':
      return amount === null
        ? { value: sql`-a.balance`, condition: sql`a.balance > 0` }
        : {
            value: sql`${-amount}`,
            condition: kind === 'payment' ? sql`true` : sql`a.balance >= ${amount}`,
          };
  }
}

type LedgerRequest = ReturnType<typeof requestOf>;

/** The accounts of a request, and how the entries `l` that it has written are known. */
function requestOf(
  ctx: ViewerContext,
  cohort: LedgerCohort,
  input: LedgerInput,
  key: string = crypto.randomUUID(),
) {
  const { ownerId } = ctx;
  const now = ctx.now().getTime();
  const ids = [...new Set(input.enrollments)];
  const accounts = balancesAmong(ownerId, cohort.id, ids);
  const isOwn = sql`l.owner_id = ${ownerId} AND l.idempotency_key = ${key}`;
  const isOfNow = sql`${isOwn} AND l.created_at = ${now}`;
  return { ownerId, authorId: ctx.viewer.id, cohort, now, key, ids, accounts, isOwn, isOfNow };
}

/**
 * Writes an entry to each account `a` for which the condition holds; to none if one is missing. What
 * is waived of someone who has left is owed again if they come back.
 */
function insertEntries(
  { ownerId, authorId, cohort, now, key, ids, accounts }: LedgerRequest,
  { kind, value, condition, currency, method, methodWord, receivedOn }: NewEntry,
  isDue: SQL,
) {
  return insert({
    first: sql`WITH a AS MATERIALIZED ${accounts}`,
    from: sql`a WHERE ${isDue} AND ${condition} AND (SELECT count(*) FROM a) = ${ids.length}`,
    account: {
      owner_id: ownerId,
      course_id: cohort.courseId,
      course_name: cohort.courseName,
      cohort_id: cohort.id,
      cohort_name: cohort.name,
      person_id: sql`a.person_id`,
      enrollment_id: sql`a.id`,
    },
    kind,
    amount: value,
    currency,
    money: { method, word: methodWord, day: receivedOn },
    source:
      kind === 'waiver' ? sql`CASE WHEN a.has_ended THEN 'leaving' ELSE 'owner' END` : 'owner',
    by: 'owner',
    authorId,
    now,
    key,
  });
}

/** The accounts with these ids: of people in the cohort, or of those who were. */
function balancesAmong(ownerId: string, cohortId: string, ids: string[]): SQL {
  const sumOf = (kinds: SQL) => sql`(SELECT coalesce(sum(l.amount_minor), 0) FROM ledger_entries l
    WHERE l.enrollment_id = w.value AND l.cohort_id = ${cohortId} AND ${kinds})`;
  return sql`(SELECT e.id, e.person_id, e.balance, e.paid, e.price, e.has_ended,
      ${isCharged} AS is_charged
    FROM (SELECT w.value AS id, ${priceThen('x')} AS price, ${hasEnded('x')} AS has_ended, coalesce(x.person_id,
        (SELECT l.person_id FROM ledger_entries l WHERE l.enrollment_id = w.value
          AND l.cohort_id = ${cohortId} AND l.owner_id = ${ownerId} LIMIT 1)) AS person_id,
      ${sumOf(sql`true`)} AS balance,
      -${sumOf(sql`l.kind IN ('payment', 'refund')`)} - ${returningTo(sql`w.value`)} AS paid
    FROM json_each(${JSON.stringify(ids)}) AS w
      LEFT JOIN enrollments x ON x.id = w.value AND x.owner_id = ${ownerId}
        AND x.cohort_id = ${cohortId}
      LEFT JOIN cohorts c ON c.id = ${cohortId} AND c.owner_id = ${ownerId}) e
    WHERE e.person_id IS NOT NULL)`;
}

/**
 * Takes one of the viewer's entries back, by another with the opposite sign. The same again returns
 * that one.
 *
 * @throws AppError `not_found` for an entry that does not exist or belongs to another user;
 *   `entry_is_reversal` for one that takes back another, `entry_is_online` for what Stripe has said;
 *   `rate_limited`
 */
export async function reverseEntry(
  ctx: ViewerContext,
  entryId: string,
  { note }: ReverseInput,
): Promise<LedgerEntry> {
  const { id: ownerId } = ctx.viewer;
  const now = ctx.now().getTime();
  const id = crypto.randomUUID();
  const use = { limit: 'ledger_writes_per_user', subject: ownerId } as const;
  const limit = await limitOn(ctx, [use], 'allow');
  const isMade = sql`EXISTS (SELECT 1 FROM ledger_entries l WHERE l.id = ${id})`;
  const { entry, reversal, usage } = await ask(ctx, {
    written: insert({
      id,
      from: sql`live_entries x WHERE x.id = ${entryId} AND x.owner_id = ${ownerId}
        AND x.method IS NOT 'online' AND ${limit.hasRoom}`,
      ...reversalOf,
      source: 'owner',
      by: 'owner',
      authorId: ctx.viewer.id,
      now,
    }),
    noted:
      note === null
        ? undefined
        : db.run(sql`INSERT INTO ledger_notes (entry_id, owner_id, text)
            SELECT ${id}, ${ownerId}, ${note} WHERE ${isMade}`),
    entry: db.all<Pick<EntryRow, 'method' | 'reversesId'>>(sql`SELECT l.reverses_id AS reversesId,
        l.method FROM ledger_entries l WHERE l.id = ${entryId} AND l.owner_id = ${ownerId}`),
    reversal: db.all<EntryRow>(sql`SELECT ${entryColumns} FROM ledger_entries l
      WHERE l.reverses_id = ${entryId} AND l.owner_id = ${ownerId}`),
    usage: limit.count(isMade),
  });
  const { method, reversesId } = requireFound(entry[0]);
  if (reversesId !== null) {
    throw new AppError('entry_is_reversal');
  }
  if (method === 'online') {
    throw new AppError('entry_is_online');
  }
  const [row] = reversal;
  if (row === undefined) {
    refuseFull(ctx, usage.full);
    throw new AppError('unavailable');
  }
  if (row.id === id) {
    ctx.observe.log('ledger_written', { kind: row.kind, count: 1, is_reversal: true });
  }
  return toEntry(row);
}

/**
 * Charges everyone who is enrolled in one of the viewer's cohorts and is not charged, because its
 * price was set later. The same again charges no one.
 *
 * @returns how many were charged
 * @throws AppError `cohort_in_trash`; `price_required` without a price
 */
export async function chargeEnrolled(ctx: ViewerContext, cohort: CountedCohort): Promise<number> {
  requireOutsideTrash(cohort);
  if (!cohort.priceMinor) {
    throw priceRequired(cohort);
  }
  const { charged } = await ask(ctx, {
    // The price of the moment at which each has enrolled, as the triggers charge it.
    charged: insert({
      from: sql`cohorts c JOIN courses k ON k.id = c.course_id
        JOIN enrollments e ON e.cohort_id = c.id AND e.status = 'enrolled'
        WHERE c.id = ${cohort.id} AND c.owner_id = ${ctx.ownerId} AND ${priceThen('e')} > 0
          AND NOT ${isCharged}`,
      kind: 'charge',
      amount: priceThen('e'),
      currency: sql`c.currency`,
      source: 'owner',
      by: 'owner',
      authorId: ctx.viewer.id,
      now: ctx.now().getTime(),
    }),
  });
  if (charged.length > 0) {
    ctx.observe.log('ledger_written', { kind: 'charge', count: charged.length });
  }
  return charged.length;
}
