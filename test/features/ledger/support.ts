import { eq, getTableColumns, sql } from 'drizzle-orm';
import { afterEach, expect } from 'vitest';
import { balances, balanceTotals, ledgerEntries } from '#db/schema/ledger.ts';
import type { Balance, BalanceDetails, BalancePage, LedgerEntry } from '#features/ledger/schema.ts';
import { settled } from '#support/background.ts';
import type { Client } from '#support/client.ts';
import { createCohortRow, createEnrollment, db } from '#support/factories.ts';
import { createOwner } from '../places/support.ts';

export const received = { method: 'transfer', received_on: '2026-11-20' };

/** After each test of the file, recomputes all sums, and compares them with what triggers stored. */
export function checkBalances(): void {
  afterEach(async () => {
    const stored = await db.select().from(balances).orderBy(balances.enrollmentId);
    await db.update(balances).set({ isStale: true });
    expect(await db.select().from(balances).orderBy(balances.enrollmentId)).toEqual(stored);
    expect(
      await db.all(sql`SELECT enrollment_id, cohort_id, charged - waived - paid + refunded AS sum
        FROM balances ORDER BY 1, 2`),
    ).toEqual(
      await db.all(sql`SELECT enrollment_id, cohort_id, sum(amount_minor) AS sum
        FROM ledger_entries GROUP BY 1, 2`),
    );
    expect(await db.all(sql.raw(wrongTotals))).toEqual([]);
  });
}

const { cohortId, ownerId, courseId, currency, ...counters } = getTableColumns(balanceTotals);
const names = Object.values(counters)
  .map(({ name }) => name)
  .join(', ');

/** The cohorts whose totals are not what their balances add up to. */
export const wrongTotals = `SELECT cohort_id FROM (SELECT cohort_id, ${names} FROM balance_totals
  UNION ALL SELECT cohort_id, ${names} FROM (SELECT cohort_id, sum(charged) AS charged,
    sum(waived) AS waived, sum(paid) AS paid, sum(refunded) AS refunded,
    sum(is_owed * max(balance, 0)) AS owed, sum(max(-balance, 0)) AS overpaid,
    count(*) AS accounts, sum(is_owed AND balance > 0) AS owing,
    sum(balance <= 0 AND p) AS paid_in_full, sum(balance > 0 AND p) AS paid_in_part,
    sum(refunded > 0) AS with_refund, sum(list IS 'left') AS to_settle, sum(list IS 'gone') AS gone,
    sum(e) AS enrolled, sum(e AND charged > 0) AS enrolled_charged,
    sum(e AND balance > 0) AS enrolled_owing, sum(e * max(balance, 0)) AS enrolled_owed,
    sum(e AND balance <= 0 AND p) AS enrolled_paid,
    sum(e AND balance <= 0 AND NOT p AND waived > 0) AS enrolled_waived,
    sum(e AND balance > 0 AND NOT has_agreed) AS not_agreed
    FROM (SELECT *, status IS 'enrolled' AS e, paid > refunded AS p FROM balances)
    GROUP BY cohort_id))
  GROUP BY cohort_id, ${names} HAVING count(*) <> 2`;

/** A cohort costs 200 euros until then. */
export function earlyUntil(time: number) {
  const earlyUntilLocal = '2026-12-18T00:00';
  return { earlyPriceMinor: 20_000, earlyUntilLocal, earlyUntilAt: new Date(time) };
}

type Options = Parameters<Client['post']>[2];

/** An instructor with a cohort that costs 240 euros, and what they do with its account. */
export async function createPaid(values: Parameters<typeof createOwner>[0] = {}) {
  const owner = await createOwner({ priceMinor: 24_000, currency: 'EUR', ...values });
  return {
    ...owner,
    ...balancesOf(owner.client, owner.cohort.id),
    /** Enrolls someone, which charges them. */
    enroll: (name = 'Grace Hopper', of: Parameters<typeof createEnrollment>[1] = {}) =>
      createEnrollment(owner.cohort, of, { name }),
    /** Moves someone to a new cohort with these values; returns what its owner does there. */
    moveTo: async (id: string, of: Parameters<typeof createOwner>[0]) => {
      const target = await createCohortRow(owner.course, of);
      const input = { cohort_id: target.id };
      expect((await owner.post(`enrollments/${id}/transfer/`, input)).status).toBe(200);
      return balancesOf(owner.client, target.id);
    },
  };
}

/** What the owner of a cohort does with its account. */
export function balancesOf(client: Client, cohortId: string) {
  const base = `/api/cohorts/${cohortId}/`;
  const post = async <Body>(path: string, input?: object, options: Options = {}) => {
    const response = await client.post(path, input, options);
    await settled();
    return { status: response.status, body: await response.json<Body & { code: string }>() };
  };
  const read = async <Body>(path: string) => {
    const response = await client.get(`${base}ledger/${path}`);
    expect(response.status).toBe(200);
    return response.json<Body>();
  };
  const write = async (input: object, options: Options = {}) => {
    const { status, body } = await post<{
      entries: LedgerEntry[];
      fields: Record<string, string[]>;
    }>(`${base}ledger/`, input, options);
    return { status, ...body };
  };
  const writer =
    (kind: string, how: object) =>
    (id: string, amount: number | null = null, more: object = {}) =>
      write({ kind, enrollments: [id], amount_minor: amount, ...how, ...more });
  return {
    write,
    pay: writer('payment', received),
    refund: writer('refund', received),
    waive: writer('waiver', {}),
    reverse: (id: string, input: object = {}) =>
      post<LedgerEntry>(`/api/ledger/${id}/reverse/`, input),
    charge: () => post<object>(`${base}charges/`),
    remind: (options: Options = {}) => post<object>(`${base}payment-reminders/`, {}, options),
    list: (query = '') => read<BalancePage>(query),
    account: (id: string) => read<BalanceDetails>(`${id}/`),
  };
}

/** All entries of a cohort as they are stored. */
export function entriesOf(cohortId: string) {
  return db.select().from(ledgerEntries).where(eq(ledgerEntries.cohortId, cohortId));
}

/** An account in short: `owes 24000`. */
export function brief({ state, balance_minor: balance }: Balance): string {
  return `${state} ${balance}`;
}

/** The same with the person's name: `Ada owes 24000`. */
export const named = (account: Balance) => `${account.name} ${brief(account)}`;
