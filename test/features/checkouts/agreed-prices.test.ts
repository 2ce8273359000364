import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { totalsOf } from '#features/ledger/find-balances.ts';
import { contextOn } from '#support/context.ts';
import { day, hour, minute } from '#support/days.ts';
import { mailsTo } from '#support/resend.ts';
import { rowsOf } from '../../../scripts/local/stripe/state.ts';
import { received } from '../ledger/support.ts';
import { start } from '../places/storm.ts';
import { refused, setTime } from '../places/support.ts';
import {
  checkoutOf,
  createFirst,
  createRun,
  createSelling,
  deliverLast,
  payLast,
  runForMoney,
  type Selling,
  startPaying,
  statusOf,
  sweepAt,
} from './support.ts';

/** What a page at Stripe asks for, what is owed after it, and what becomes of refunds that fail. */

const given = startPaying();
const { enrolls } = given;

async function balancesOf(owner: Selling): Promise<number[]> {
  const { items } = await owner.read<{ items: { balance_minor: number }[] }>(
    'ledger/?show=everyone',
  );
  return items.map(({ balance_minor }) => balance_minor);
}

/** What happens to the newest charge, dispute or refund at Stripe. */
async function atStripe(
  act: string,
  kind: Parameters<typeof rowsOf>[1],
  event: string,
): Promise<void> {
  given.stripe.act(act, rowsOf(given.stripe.state, kind).at(-1)?.id ?? '');
  await deliverLast(event);
}

const dispute = () => atStripe('dispute', 'charge', 'charge.dispute.created');
const endDispute = (end: 'win' | 'lose') => atStripe(end, 'dispute', 'charge.dispute.closed');

test.each([['open'], ['approval']] as const)(
  'the page of a debt pays for the place of who left and came back (%s)',
  async (joinMode) => {
    const owner = await createFirst({ joinMode });
    const payer = await given.payerOf((await owner.add()).body.id);
    setTime(start + minute);
    await payer.open();
    setTime(start + 2 * minute);
    await payer.participate('leave');
    await payer.participate('rejoin');
    await owner.post(`enrollments/${payer.id}/approve/`);
    expect(await statusOf(payer)).toBe('offered');
    await payer.open();
    await payLast();
    await sweepAt(start + 2 * hour);
    expect(await statusOf(payer)).toBe('enrolled');
    expect(await balancesOf(owner)).toEqual([0]);
  },
);

test.each([
  [{ price_minor: null, currency: null }, 0],
  [{ price_minor: 10_000, payment_mode: 'own' }, 10_000],
])('a page that is never paid makes nothing dearer: %o', async (patch, balance) => {
  const owner = await createFirst();
  const payer = await enrolls(owner);
  await payer.open();
  await owner.send('PATCH', '', patch);
  await payer.participate('accept');
  expect((await balancesOf(owner))[0] ?? 0).toBe(balance);
});

test('nor does a page that was paid for access that is over', async () => {
  const owner = await createRun();
  const payer = await enrolls(owner);
  await payer.open();
  setTime(start + minute);
  await owner.post(`enrollments/${payer.id}/accept/`);
  setTime(start + 2 * minute);
  await payLast();
  await owner.send('PATCH', '', { price_minor: 10_000, payment_mode: 'online' });
  setTime(start + 20 * day);
  await payer.participate('leave');
  await payer.participate('rejoin');
  expect(await balancesOf(owner)).toEqual([10_000]);
});

/** Someone pays when their place is someone else's by now. */
async function payLate() {
  const owner = await createFirst();
  const payer = await enrolls(owner);
  await payer.open();
  given.stripe.pay();
  await sweepAt(start + 71 * minute);
  await enrolls(owner);
  await deliverLast('checkout.session.completed');
  return { owner, payer };
}

test('nor does one whose money goes back', async () => {
  const { owner, payer } = await payLate();
  setTime(start + 72 * minute);
  given.stripe.fail('/v1/refunds', 500, { count: 2 });
  await owner.post(`/api/checkouts/${(await checkoutOf(payer))?.id}/refunds/`, {});
  await owner.send('PATCH', '', { price_minor: null, currency: null, capacity: 5 });
  setTime(start + 73 * minute);
  await payer.participate('rejoin');
  await runForMoney(start + 3 * hour);
  expect(await balancesOf(owner)).toEqual([0]);
});

test('a page that asks for more than the price by now makes way for another', async () => {
  const owner = await createFirst();
  const payer = await enrolls(owner);
  await payer.open();
  await owner.send('PATCH', '', { price_minor: 10_000 });
  await payer.open();
  expect(given.stripe.sessions()).toMatchObject([
    { status: 'expired' },
    { status: 'open', amount_total: 10_000 },
  ]);
});

test('a page is over once nothing is to be paid any more', async () => {
  const owner = await createFirst();
  const payer = await enrolls(owner);
  await payer.open();
  await owner.send('PATCH', '', { price_minor: null, currency: null });
  expect(await payer.open()).toMatchObject({ status: 422 });
  expect(given.stripe.sessions()).toMatchObject([{ status: 'expired' }]);
  expect(await payer.participate('accept')).toMatchObject({ body: { status: 'enrolled' } });
});

test('the page of a debt is enough for a place if what is left is too little to be paid', async () => {
  const owner = await createFirst();
  const payer = await given.payerOf((await owner.add()).body.id);
  setTime(start + minute);
  await payer.open();
  await owner.send('PATCH', '', { price_minor: 24_020 });
  setTime(start + 2 * minute);
  await payer.participate('leave');
  await payer.participate('rejoin');
  await payLast();
  expect(await statusOf(payer)).toBe('enrolled');
  expect(await balancesOf(owner)).toEqual([20]);
});

test('after a late payment of which a part went back, the price of that day counts', async () => {
  const { owner, payer } = await payLate();
  setTime(start + 72 * minute);
  const { id } = (await checkoutOf(payer)) ?? {};
  await owner.post(`/api/checkouts/${id}/refunds/`, { amount_minor: 14_000 });
  await owner.send('PATCH', '', { price_minor: 10_000, capacity: 5 });
  setTime(start + 73 * minute);
  await payer.participate('rejoin');
  expect(await balancesOf(owner)).toEqual([0]);
});

test.each([
  [30_000, 'offered', 0],
  [10_000, 'enrolled', -14_000],
])(
  'a new price (%i) of an access that was bought again replaces its charge alone',
  async (price, status, balance) => {
    const owner = await createRun();
    const payer = await enrolls(owner);
    await payer.pay();
    setTime(start + 20 * day);
    await payer.participate('leave');
    await payer.participate('rejoin');
    await payer.pay();
    await owner.send('PATCH', '', { price_minor: price });
    for (const [nth, expected] of [status, 'enrolled'].entries()) {
      setTime(start + (22 + nth) * day);
      await payer.participate('leave');
      expect(await payer.participate('rejoin')).toMatchObject({ body: { status: expected } });
      if (expected === 'offered') {
        await payer.pay();
      }
      expect(await balancesOf(owner)).toEqual([balance]);
    }
  },
);

test('what the owner has waived stays waived when the price changes', async () => {
  const owner = await createFirst({ priceMinor: 10_000 });
  const payer = await given.payerOf((await owner.add()).body.id);
  const entry = { kind: 'waiver', enrollments: [payer.id], amount_minor: 10_000 };
  await owner.post('ledger/', entry);
  for (const [nth, price] of [5_000, 10_000].entries()) {
    setTime(start + (nth + 1) * minute);
    await owner.send('PATCH', '', { price_minor: price });
    await payer.participate('leave');
    expect(await payer.participate('rejoin')).toMatchObject({ body: { status: 'enrolled' } });
    expect(await balancesOf(owner)).toEqual([0]);
  }
});

test('what was waived on leaving is owed again, even if its charge was taken back', async () => {
  const owner = await createFirst({ priceMinor: 10_000, paymentMode: 'online' });
  const payer = await given.payerOf((await owner.add()).body.id);
  setTime(start + minute);
  await owner.post(`enrollments/${payer.id}/left/`, {
    ...{ money: 'waive', balance_minor: 10_000, paid_minor: 0, note: null, notify: false },
  });
  const charge = (await owner.entries()).find(({ kind }) => kind === 'charge');
  await owner.post(`/api/ledger/${charge?.id}/reverse/`, {});
  setTime(start + 2 * minute);
  await payer.participate('rejoin');
  expect(await balancesOf(owner)).toEqual([10_000]);
});

test('an email that was waiting asks no one to pay who has paid meanwhile', async () => {
  const owner = await createSelling();
  const text = 'name,email\nAna,ana@example.com\nBen,ben@example.com\nCleo,cleo@example.com';
  await owner.post('imports/', { as: 'enrolled', informed: true, dry_run: false, text });
  const { items } = await owner.read<{ items: { id: string; email: string }[] }>('enrollments/');
  const isTold = ({ email }: { email: string }) => mailsTo(email, given.accepted).length > 0;
  const late = items.find((one) => !isTold(one)) ?? expect.fail();
  const payer = await given.payerOf(late.id);
  await payer.pay();
  await runForMoney(start + 10 * minute);
  const told = mailsTo(late.email, given.accepted).find(({ subject }) =>
    subject.includes('enrolled you'),
  );
  expect(told?.text).toContain('nothing left to pay');
  expect(told?.text).not.toContain('pay online');
});

test('of a rest with a digit that Stripe does not take, the rest without it is asked for', async () => {
  const owner = await createFirst({ priceMinor: 10_000, currency: 'KWD' });
  const payer = await enrolls(owner);
  const entry = { kind: 'payment', enrollments: [payer.id], amount_minor: 5_005, ...received };
  await owner.post('ledger/', entry);
  await payer.pay();
  expect(given.stripe.sessions()).toMatchObject([{ amount_total: 4_990 }]);
  expect(await statusOf(payer)).toBe('enrolled');
  expect(await balancesOf(owner)).toEqual([5]);
});

test('a part that is under way since before they came back is waived with the rest', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.pay();
  const path = `/api/checkouts/${(await checkoutOf(payer))?.id}/refunds/`;
  setTime(start + minute);
  await payer.participate('leave');
  given.stripe.fail('/v1/refunds', 500, { count: 2 });
  await owner.post(path, { amount_minor: 10_000 });
  setTime(start + 80_000);
  await payer.participate('rejoin');
  setTime(start + 90_000);
  await owner.post(path, { waive_rest: true });
  await runForMoney(start + 5 * minute);
  await runForMoney(start + 3 * hour);
  expect(await balancesOf(owner)).toEqual([0]);
});

test.each([['left'], ['settle'], ['refund']])(
  'while a part is under way, all goes back and nothing more is owed (%s)',
  async (how) => {
    const owner = await createSelling();
    const payer = await owner.person();
    await payer.pay();
    const path = `/api/checkouts/${(await checkoutOf(payer))?.id}/refunds/`;
    setTime(start + minute);
    given.stripe.fail('/v1/refunds', 500, { count: 2 });
    await owner.post(path, { amount_minor: 10_000 });
    setTime(start + 90_000);
    const account = { money: 'refund', balance_minor: 0, paid_minor: 24_000 };
    if (how === 'left') {
      await owner.post(`enrollments/${payer.id}/left/`, { ...account, note: null, notify: true });
    } else if (how === 'settle') {
      await payer.participate('leave');
      await owner.post(`enrollments/${payer.id}/settle/`, account);
    } else {
      await owner.post(path, { waive_rest: true });
    }
    await runForMoney(start + 95_000);
    await runForMoney(start + 3 * hour);
    expect(await balancesOf(owner)).toEqual([0]);
  },
);

test.each([['refused in a dispute that is won'], ['failed later']])(
  'a refund that was promised and has %s keeps the course',
  async (how) => {
    const owner = await createRun({ paymentMode: 'online' });
    const payer = await owner.person();
    await payer.pay();
    if (how.startsWith('refused')) {
      await dispute();
    }
    setTime(start + minute);
    const account = { money: 'refund', balance_minor: 0, paid_minor: 24_000 };
    await owner.post(`enrollments/${payer.id}/left/`, { ...account, note: null, notify: true });
    await runForMoney(start + 2 * minute);
    await (how.startsWith('refused')
      ? endDispute('win')
      : atStripe('refund_failed', 'refund', 'refund.failed'));
    expect(await checkoutOf(payer)).toMatchObject({ problem: 'lost' });
    expect(await owner.send('DELETE', `/api/courses/${owner.course.id}/`)).toMatchObject(
      refused('money_undecided'),
    );
  },
);

test('someone who is left alone for two reasons counts once', async () => {
  const owner = await createSelling();
  const [payer] = [await owner.person(), await owner.person()];
  await payer.pay();
  await dispute();
  await endDispute('lose');
  setTime(start + minute);
  await payer.open();
  given.stripe.act('pay_later', given.stripe.sessions().at(-1)?.id ?? '');
  await deliverLast('checkout.session.completed');
  const of = { ownerId: owner.user.id, cohortId: owner.cohort.id };
  const { totals } = await ask(contextOn(), { totals: totalsOf(of) });
  expect(totals).toMatchObject([{ owing_now: 2, left_alone: 1 }]);
});
