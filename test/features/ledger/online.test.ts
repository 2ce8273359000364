import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { checkouts, refundsWanted } from '#db/schema/checkouts.ts';
import { db } from '#support/factories.ts';
import { insertPaidCheckout } from '#support/payments.ts';
import { refused } from '../places/support.ts';
import { checkBalances, createPaid, entriesOf, received } from './support.ts';

checkBalances();

/** Someone who owes 240 euros and has paid some of it online, and what their instructor does. */
async function createOnline(...paid: number[]) {
  const owner = await createPaid();
  const { id, person } = await owner.enroll();
  const of = { cohort: { ...owner.cohort, ownerId: owner.user.id }, id, person: person.id };
  const rows: Awaited<ReturnType<typeof insertPaidCheckout>>[] = [];
  for (const [index, paidMinor] of paid.entries()) {
    const paidAt = new Date(Date.UTC(2026, 10, 20, index));
    rows.push(await insertPaidCheckout(of, { paidMinor, paidAt }));
  }
  return {
    ...owner,
    id,
    rows,
    leave: (input: object) => owner.post(`enrollments/${id}/left/`, { ...input, notify: false }),
    settle: (input: object) => owner.post(`enrollments/${id}/settle/`, input),
    entries: async () =>
      (await entriesOf(owner.cohort.id)).map((one) => `${one.kind} ${one.amountMinor}`),
    /** The amounts that Stripe is asked for, by the payments. */
    wanted: async () => {
      const all = await db
        .select()
        .from(refundsWanted)
        .where(eq(refundsWanted.ownerId, of.cohort.ownerId));
      return rows.map((row) =>
        all
          .filter(({ checkoutId }) => checkoutId === row.id)
          .map(({ amountMinor, waiveRest, reason }) => ({ amountMinor, waiveRest, reason })),
      );
    },
  };
}

test('nobody records by hand what is paid online, nor reverses it', async () => {
  const { account, id, reverse, write } = await createOnline(24_000);
  const byHand = { kind: 'payment', enrollments: [id], amount_minor: 100, ...received };
  expect(await write({ ...byHand, method: 'online' })).toMatchObject({
    status: 400,
    fields: { method: expect.anything() },
  });
  const { entries } = await account(id);
  const payment = entries.find(({ kind }) => kind === 'payment');

  expect(await reverse(payment?.id ?? '')).toMatchObject(refused('entry_is_online'));
  expect(await entriesOf(payment?.cohort_id ?? '')).toHaveLength(2);
});

test('who leaves gets what they paid online from Stripe, and nothing is written by hand', async () => {
  const { entries, leave, wanted } = await createOnline(10_000, 4_000);
  const seen = { balance_minor: 10_000, paid_minor: 14_000 };
  expect((await leave({ ...seen, money: 'refund' })).status).toBe(200);

  const back = { waiveRest: true, reason: 'owner' };
  expect(await wanted()).toEqual([
    [{ amountMinor: 10_000, ...back }],
    [{ amountMinor: 4_000, ...back }],
  ]);
  expect(await entries()).toHaveLength(3);
  await leave({ ...seen, money: 'refund' });
  expect((await wanted()).flat()).toHaveLength(2);
});

test('only what was paid otherwise is refunded by hand', async () => {
  const { cohort, entries, id, leave, pay, wanted } = await createOnline(10_000);
  await pay(id, 6_000, { method: 'cash' });
  await leave({ balance_minor: 8_000, paid_minor: 16_000, money: 'refund' });

  expect((await wanted()).flat()).toMatchObject([{ amountMinor: 10_000 }]);
  expect((await entries()).slice(3)).toEqual(['refund 6000', 'waiver -14000']);
  const refund = (await entriesOf(cohort.id)).find(({ kind }) => kind === 'refund');
  expect(refund?.method).toBe('cash');
});

test('Stripe sends back no more than was paid and not given back yet', async () => {
  const { id, leave, refund, rows, wanted } = await createOnline(10_000, 4_000);
  // Given back in cash, and a part that is on its way already.
  await refund(id, 3_000, { method: 'cash' });
  await db.insert(refundsWanted).values({
    ...{ id: crypto.randomUUID(), checkoutId: rows[0]?.id ?? '', ownerId: rows[0]?.ownerId ?? '' },
    ...{ amountMinor: 2_000, reason: 'owner', dueAt: new Date(), createdAt: new Date() },
  });
  await leave({ balance_minor: 13_000, paid_minor: 11_000, money: 'refund' });

  const amounts = (await wanted()).map((all) => all.map(({ amountMinor }) => amountMinor));
  expect(amounts).toEqual([expect.arrayContaining([2_000, 5_000]), [4_000]]);
});

test('an account is settled by Stripe, too, and not twice while the money is under way', async () => {
  const { post, id, settle, wanted } = await createOnline(24_000);
  await post(`enrollments/${id}/remove/`, { notify: false });
  const seen = { balance_minor: 0, paid_minor: 24_000, money: 'refund' };
  expect((await settle(seen)).status).toBe(200);
  expect(await settle(seen)).toMatchObject(refused('balance_changed'));

  expect((await wanted()).flat()).toHaveLength(1);
});

test('what Stripe has refused or lost is not asked for again', async () => {
  const { leave, rows, wanted } = await createOnline(24_000);
  await db
    .update(checkouts)
    .set({ refundedMinor: 24_000 })
    .where(eq(checkouts.id, rows[0]?.id ?? ''));
  const left = await leave({ balance_minor: 0, paid_minor: 24_000, money: 'refund' });

  expect(left.status).toBe(200);
  expect((await wanted()).flat()).toEqual([]);
});
