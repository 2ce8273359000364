import { eq, sql } from 'drizzle-orm';
import { afterEach, expect } from 'vitest';
import { balances, balanceTotals, ledgerEntries } from '#db/schema/ledger.ts';
import type { Balance, BalanceDetails, BalancePage, LedgerEntry } from '#features/ledger/schema.ts';
import { settled } from '#support/background.ts';
import type { Client } from '#support/client.ts';
import { createEnrollment, db } from '#support/factories.ts';
import { createOwner } from '../places/support.ts';

export const received = { method: 'transfer', received_on: '2026-11-20' };

/** After each test of the file, adds up every account anew, and expects what triggers have kept. */
export function checkBalances(): void {
  afterEach(async () => {
    const kept = await allBalances();
    await db.update(balances).set({ isStale: true });
    expect(await allBalances()).toEqual(kept);
    const sums = await db.all(sql`SELECT t.cohort_id, accounts, charged, waived, paid, refunded
      FROM balance_totals t ORDER BY t.cohort_id`);
    expect(sums).toEqual(
      await db.all(sql`SELECT l.cohort_id, count(DISTINCT l.enrollment_id) AS accounts,
          total(l.amount_minor * (l.kind = 'charge')) AS charged,
          total(-l.amount_minor * (l.kind = 'waiver')) AS waived,
          total(-l.amount_minor * (l.kind = 'payment')) AS paid,
          total(l.amount_minor * (l.kind = 'refund')) AS refunded
        FROM ledger_entries l GROUP BY l.cohort_id`),
    );
  });
}

async function allBalances() {
  return [
    await db.select().from(balances).orderBy(balances.cohortId, balances.enrollmentId),
    await db.select().from(balanceTotals).orderBy(balanceTotals.cohortId),
  ];
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
