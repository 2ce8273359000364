import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import type {
  Account,
  AccountDetails,
  AccountPage,
  LedgerEntry,
} from '#features/payments/schema.ts';
import { ledgerEntries } from '#features/payments/table.ts';
import { settled } from '#support/background.ts';
import { createEnrollment, db } from '#support/factories.ts';
import { createOwner } from '../roster-files/support.ts';

export const received = { method: 'transfer', received_on: '2026-11-20' };

type Options = Parameters<Awaited<ReturnType<typeof createOwner>>['client']['post']>[2];

/** An instructor with a cohort that costs 240 euros, and what they do with its account. */
export async function createPaid(values: Parameters<typeof createOwner>[0] = {}) {
  const owner = await createOwner({ priceMinor: 24_000, currency: 'EUR', ...values });
  return { ...owner, ...accountsOf(owner.client, owner.cohort.id), enroll: enrollIn(owner.cohort) };
}

/** Lets people in, which charges them. */
function enrollIn(cohort: { id: string; ownerId: string }) {
  return async (name = 'Grace Hopper', values: Parameters<typeof createEnrollment>[1] = {}) =>
    createEnrollment(cohort, values, { name });
}

/** What the owner of a cohort does with its account. */
export function accountsOf(
  client: Awaited<ReturnType<typeof createOwner>>['client'],
  cohortId: string,
) {
  const base = `/api/cohorts/${cohortId}/`;
  const write = async (input: object, options: Options = {}) => {
    const response = await client.post(`${base}ledger/`, input, options);
    await settled();
    const body = await response.json<{
      entries: LedgerEntry[];
      code: string;
      fields: Record<string, string[]>;
    }>();
    return { status: response.status, ...body };
  };
  const reverse = async (id: string, input: object = {}) => {
    const response = await client.post(`/api/ledger/${id}/reverse/`, input);
    return { status: response.status, body: await response.json<LedgerEntry & { code: string }>() };
  };
  const list = async (query = '') => {
    const response = await client.get(`${base}ledger/${query}`);
    expect(response.status).toBe(200);
    return response.json<AccountPage>();
  };
  const account = async (id: string) => {
    const response = await client.get(`${base}ledger/${id}/`);
    expect(response.status).toBe(200);
    return response.json<AccountDetails>();
  };
  return {
    write,
    reverse,
    list,
    account,
    pay: (id: string, amount: number | null = null, more: object = {}) =>
      write({ kind: 'payment', enrollments: [id], amount_minor: amount, ...received, ...more }),
    refund: (id: string, amount: number | null = null, more: object = {}) =>
      write({ kind: 'refund', enrollments: [id], amount_minor: amount, ...received, ...more }),
    waive: (id: string, amount: number | null = null, more: object = {}) =>
      write({ kind: 'waiver', enrollments: [id], amount_minor: amount, ...more }),
    charge: async () => {
      const response = await client.post(`${base}charges/`);
      return { status: response.status, body: await response.json<Record<string, unknown>>() };
    },
    remind: async (options: Options = {}) => {
      const response = await client.post(`${base}payment-reminders/`, {}, options);
      await settled();
      return { status: response.status, body: await response.json<Record<string, unknown>>() };
    },
  };
}

/** All entries of a cohort as they are stored. */
export function entriesOf(cohortId: string) {
  return db.select().from(ledgerEntries).where(eq(ledgerEntries.cohortId, cohortId));
}

/** An account in short: `owes 24000`. */
export function brief({ state, balance_minor: balance }: Account): string {
  return `${state} ${balance}`;
}
