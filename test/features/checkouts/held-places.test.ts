import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { checkouts } from '#db/schema/checkouts.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { sessions } from '#db/schema/sign-in.ts';
import { takeNoise } from '#support/console.ts';
import { hour, minute } from '#support/days.ts';
import { db } from '#support/factories.ts';
import { updateRow } from '#support/rows.ts';
import { deliverEvent } from '#support/stripe.ts';
import { rowsOf } from '../../../scripts/local/stripe/state.ts';
import { received } from '../ledger/support.ts';
import { start } from '../places/storm.ts';
import { enrollmentRow, refused, setTime } from '../places/support.ts';
import {
  checkoutOf,
  createFirst,
  createSelling,
  deliverLast,
  payLast,
  runForMoney,
  type Selling,
  startPaying,
  sweepAt,
  wantedOf,
} from './support.ts';

const paid = 'checkout.session.completed';
const given = startPaying();
const { enrolls } = given;

/** A place, and someone who has opened the page on which they pay for it. */
async function createHeld(values = {}) {
  const owner = await createFirst(values);
  const payer = await enrolls(owner);
  const { body } = await payer.open();
  return { owner, payer, page: body };
}

const standing = async ({ id }: { id: string }) => (await enrollmentRow(id))?.status;
const subjects = (email: string) => given.mailsTo(email).map(({ subject }) => subject);
const changeCohort = ({ cohort }: Selling, values: Partial<typeof cohorts.$inferInsert>) =>
  updateRow(cohorts, cohort, values);

/** What was charged and what was paid. */
const sums = async ({ amounts }: Selling) => [await amounts('charge'), await amounts('payment')];
const inFull = [[24_000], [-24_000]];

test('the last place is held for the first; it runs out, goes to the second, who pays and is in', async () => {
  const { owner, payer: ana } = await createHeld();
  const ben = await enrolls(owner);
  expect([ana.status, ben.status]).toEqual(['offered', 'waitlisted']);
  expect(await ana.participate('accept')).toMatchObject(refused('payment_required'));
  await sweepAt(start + 71 * minute);
  expect([await standing(ana), await standing(ben)]).toEqual(['expired', 'offered']);
  await ben.pay();
  expect(await standing(ben)).toBe('enrolled');
  expect(await sums(owner)).toEqual(inFull);
  expect(await owner.read('enrollments/')).toMatchObject({ items: [{ id: ben.id }] });
});

test('the price is the one that was agreed, even if it was raised or removed while someone pays', async () => {
  for (const change of [{ priceMinor: 30_000 }, { priceMinor: null, currency: null }]) {
    const { owner } = await createHeld();
    await changeCohort(owner, change);
    await payLast();
    expect(await sums(owner)).toEqual(inFull);
  }
});

test('a hold outlasts its page by ten minutes, in which a late word of the payment counts', async () => {
  const { owner, payer, page } = await createHeld();
  const next = await enrolls(owner);
  expect(Date.parse(page.expires_at)).toBe(start + 60 * minute);
  given.stripe.pay();
  await sweepAt(start + 69 * minute);
  await deliverLast(paid);
  expect([await standing(payer), await standing(next)]).toEqual(['enrolled', 'waitlisted']);
});

test('who holds a place keeps it when the owner lowers the places meanwhile', async () => {
  const owner = await createFirst({ capacity: 2 });
  const [ana, ben] = [await enrolls(owner), await enrolls(owner)];
  await ben.open();
  expect(await owner.send('PATCH', '', { capacity: 1 })).toMatchObject({ status: 200 });
  await payLast();
  const third = await enrolls(owner);
  const expected = ['offered', 'enrolled', 'waitlisted'];
  expect([await standing(ana), await standing(ben), await standing(third)]).toEqual(expected);
});

test('late money finds a place that is free', async () => {
  const { payer } = await createHeld();
  given.stripe.pay();
  await sweepAt(start + 71 * minute);
  expect(await standing(payer)).toBe('expired');
  await deliverLast(paid);
  expect(await standing(payer)).toBe('enrolled');
  expect(await checkoutOf(payer)).toMatchObject({ problem: null });
});

/** Someone whose payment came when their place was offered to the next in line. */
async function createLate() {
  const { owner, payer: ana } = await createHeld();
  const ben = await enrolls(owner);
  given.stripe.pay();
  await sweepAt(start + 71 * minute);
  await deliverLast(paid);
  expect([await standing(ana), await standing(ben)]).toEqual(['expired', 'offered']);
  const checkout = await checkoutOf(ana);
  expect(checkout).toMatchObject({ status: 'paid', problem: 'no_place' });
  return { owner, ana, ben, id: checkout?.id ?? '' };
}

/** A day after that payment. */
const dayAfter = start + 71 * minute + 24 * hour;

/** Pays 100 of 240 euros back, while Stripe does not answer. */
async function refundUnanswered(owner: Selling, id: string): Promise<void> {
  given.stripe.fail('/v1/refunds', 500);
  const part = { amount_minor: 10_000 };
  expect(await owner.post(`/api/checkouts/${id}/refunds/`, part)).toMatchObject({ status: 202 });
  given.stripe.recover();
  takeNoise();
}

test('without a decision, all of it goes back after a day, once, and both are told of each', async () => {
  const { owner, ana, id } = await createLate();
  const toOwner = () => given.mailsTo(owner.user.email);
  expect(ana.mail()?.subject).toBe('Your payment of €240 for Writing came too late');
  const until = /decides until (.+ at 2:11 PM \(Paris\)) whether/.exec(ana.mail()?.text ?? '');
  expect(until).not.toBeNull();
  expect(toOwner()).toHaveLength(1);
  expect(toOwner()[0]?.text).toMatch(/^Hello Anna,/);
  expect(toOwner()[0]?.text).toContain(`pay it back by ${until?.[1]}.`);
  expect(toOwner()[0]?.text).toContain('Decide now\nhttps://lectern.test/payments\n');
  await runForMoney(dayAfter - hour);
  expect(await wantedOf(id)).toEqual([]);
  await runForMoney(dayAfter);
  expect(await checkoutOf(ana)).toMatchObject({ problem: null, refundedMinor: 24_000 });
  expect(ana.mail()?.subject).toBe('Refund of €240: Writing');
  expect(toOwner()[1]?.subject).toMatch(/^Refunded automatically: €240 to /);
  const before = subjects(ana.email).length;
  await runForMoney();
  expect([await owner.amounts('payment'), await owner.amounts('refund')]).toEqual([
    [-24_000],
    [24_000],
  ]);
  expect([subjects(ana.email).length, toOwner().length]).toEqual([before, 2]);
});

test('who gets in otherwise meanwhile keeps the place, and nothing goes back', async () => {
  const { owner, ana, ben, id } = await createLate();
  await ben.participate('decline');
  // What they have paid is on their account.
  expect(await ana.participate('rejoin')).toMatchObject({ body: { status: 'enrolled' } });
  expect(await checkoutOf(ana)).toMatchObject({ problem: null, decideBy: null });
  await runForMoney(dayAfter);
  expect([await wantedOf(id), await owner.amounts('refund')]).toEqual([[], []]);
});

test('someone who gets in while a part is refunded keeps the place, and the rest is not refunded', async () => {
  const { owner, ana, ben, id } = await createLate();
  await refundUnanswered(owner, id);
  await ben.participate('decline');
  expect(await owner.add({ name: 'Ana', email: ana.email })).toMatchObject({ status: 201 });
  await runForMoney(dayAfter);
  await runForMoney();
  expect([await standing(ana), await owner.amounts('refund')]).toEqual(['enrolled', [10_000]]);
  expect(await checkoutOf(ana)).toMatchObject({ problem: null, decideBy: null });
});

test('what the owner has paid back by hand does not go back once more', async () => {
  const { owner, ana, id } = await createLate();
  const refund = { kind: 'refund', enrollments: [ana.id], amount_minor: 24_000 };
  expect(await owner.post('ledger/', { ...refund, ...received })).toMatchObject({ status: 201 });
  await runForMoney(dayAfter);
  expect(await wantedOf(id)).toEqual([]);
  expect(await checkoutOf(ana)).toMatchObject({ problem: null });
});

test('an account is deleted once all that it has promised has gone back', async () => {
  const { owner, id } = await createLate();
  await refundUnanswered(owner, id);
  const deletion = async () => {
    // A recent login.
    const byOwner = eq(sessions.userId, owner.user.id);
    await db.update(sessions).set({ createdAt: new Date() }).where(byOwner);
    return owner.send('DELETE', `/api/accounts/${owner.user.id}/`);
  };
  expect(await deletion()).toMatchObject(refused('refunds_under_way'));
  await runForMoney(dayAfter);
  await runForMoney();
  const amounts = rowsOf(given.stripe.state, 'refund').map(({ amount }) => amount);
  expect(amounts.toSorted()).toEqual([10_000, 14_000]);
  expect(await deletion()).toMatchObject({ status: 204 });
});

test('the owner lets them in although all is full, at the agreed price, once', async () => {
  const { owner, ana, ben, id } = await createLate();
  const letIn = (input = {}) => owner.post(`/api/checkouts/${id}/let-in/`, input);
  // Ben's offer takes the place.
  expect(await letIn()).toMatchObject(refused('cohort_full'));
  await changeCohort(owner, { priceMinor: 30_000 });
  expect(await letIn({ over_capacity: true })).toMatchObject({ status: 204 });
  expect([await standing(ana), await standing(ben)]).toEqual(['enrolled', 'offered']);
  expect(await sums(owner)).toEqual(inFull);
  expect(await checkoutOf(ana)).toMatchObject({ decideBy: null });
  expect(await letIn({ over_capacity: true })).toMatchObject(refused('not_found', 404));
});

type Held = Awaited<ReturnType<typeof createHeld>>;

const gone: [string, (held: Held) => Promise<unknown>][] = [
  ['has declined', ({ payer }) => payer.participate('decline')],
  ['the owner has removed', ({ owner, payer }) => owner.post(`enrollments/${payer.id}/remove/`)],
  ['is erased', ({ owner, payer }) => owner.send('DELETE', `/api/people/${payer.person.id}/`)],
  [
    'was removed with the cohort',
    ({ owner }) => changeCohort(owner, { deletedAt: new Date(start) }),
  ],
  [
    'would come into an archived cohort',
    ({ owner }) => changeCohort(owner, { archivedAt: new Date(start) }),
  ],
  [
    'would come into one that is over',
    ({ owner }) => changeCohort(owner, { endsAt: new Date(start) }),
  ],
];

test.each(gone)('money never brings back who %s', async (_case, change) => {
  const held = await createHeld();
  const { owner, payer } = held;
  await change(held);
  await payLast();
  expect(await standing(payer)).not.toBe('enrolled');
  expect(await checkoutOf(payer)).toMatchObject({ problem: 'no_place', paidMinor: 24_000 });
  expect(await owner.amounts('payment')).toEqual([-24_000]);
});

test('a page that no one needs any more is ended by the clock', async () => {
  const { payer } = await createHeld();
  await payer.participate('decline');
  await runForMoney(start + 3 * minute);
  expect(given.stripe.sessions()).toMatchObject([{ status: 'expired' }]);
  expect(await checkoutOf(payer)).toMatchObject({ status: 'expired' });
});

test('another amount counts as it is', async () => {
  const { owner, payer: less } = await createHeld({ capacity: null });
  Object.assign(given.stripe.sessions().at(-1) ?? {}, { amount_total: 20_000 });
  await payLast();
  expect(await standing(less)).toBe('enrolled');
  expect(await sums(owner)).toEqual([[24_000], [-20_000]]);
});

test('what was paid twice is shown as too much', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.open();
  const [old] = given.stripe.sessions();
  await db.update(checkouts).set({ status: 'expired' }).where(eq(checkouts.enrollmentId, payer.id));
  await payer.pay();
  given.stripe.act('pay', old?.id ?? '');
  await deliverLast(paid);
  expect(await owner.amounts('payment')).toEqual([-24_000, -24_000]);
  const { body } = await owner.send('GET', 'checkouts/');
  expect(body).toMatchObject({ items: [{ problem: 'overpaid', refundable_minor: 24_000 }] });
});

test('someone who comes back pays what is not on their account, or nothing', async () => {
  const { owner, payer } = await createHeld();
  await payLast();
  await payer.participate('leave');
  expect(await payer.participate('rejoin')).toMatchObject({ body: { status: 'enrolled' } });
  await payer.participate('leave');
  await changeCohort(owner, { priceMinor: 30_000 });
  expect(await payer.participate('rejoin')).toMatchObject({
    body: { status: 'offered', to_pay_online: { amount_minor: 6_000 } },
  });
});

test('what is too little for Stripe is not waited for, and stays owed', async () => {
  const owner = await createFirst();
  const payer = await enrolls(owner);
  const pays = { kind: 'payment', enrollments: [payer.id], ...received };
  await owner.post('ledger/', { ...pays, amount_minor: 23_950 });
  expect(await payer.participate('accept')).toMatchObject(refused('payment_required'));
  await owner.post('ledger/', { ...pays, amount_minor: 20 });
  const tooLittle = {
    status: 422,
    body: {
      code: 'amount_not_payable',
      message:
        'Stripe takes payments between €0.50 and €999,999.99. Please pay Anna Martin directly.',
    },
  };
  expect(await payer.open()).toMatchObject(tooLittle);
  const enrolled = { status: 'enrolled', to_pay_online: null };
  expect(await payer.participate('accept')).toMatchObject({ body: enrolled });
  expect(await payer.open()).toMatchObject(tooLittle);
  expect(await sums(owner)).toEqual([[24_000], [-23_950, -20]]);
});

test('who goes to pay late gets the time that Stripe needs, but no one holds a place for ever', async () => {
  const payer = await enrolls(await createFirst());
  const minutesUntilEnd = async (minutes: number) => {
    setTime(start + minutes * minute);
    const { status, body } = await payer.open();
    const session = given.stripe.sessions().at(-1);
    if (session?.status === 'open') {
      given.stripe.act('expire', session.id);
      await deliverEvent(given.stripe.event('checkout.session.expired'));
    }
    return status === 200 ? (Date.parse(body.expires_at) - start) / minute : body.code;
  };
  expect(await minutesUntilEnd(35)).toBe(66);
  expect(await minutesUntilEnd(70)).toBe(101);
  expect(await minutesUntilEnd(100)).toBe('offer_expired');
});

test('no one lengthens an offer that is not to be paid for', async () => {
  const owner = await createSelling({ paymentMode: 'own', capacity: 1 });
  const expiresAt = new Date(start + 20 * minute);
  const offered = await owner.person({ status: 'offered', changedBy: 'clock', expiresAt });
  expect(await offered.open()).toMatchObject(refused('payment_off'));
  expect((await enrollmentRow(offered.id))?.expiresAt).toEqual(expiresAt);
});

test('a page that is open stays payable when the mode changes or the account is paused', async () => {
  const changed = await createHeld();
  await changeCohort(changed.owner, { paymentMode: 'own' });
  await payLast();
  expect(await standing(changed.payer)).toBe('enrolled');

  const paused = await createHeld();
  given.stripe.act('pause', paused.owner.account);
  await deliverLast('account.updated');
  expect(await (await enrolls(await createFirst())).open()).toMatchObject({ status: 200 });
  expect(await paused.payer.open()).toMatchObject({ status: 200 });
  given.stripe.act('pay', (await checkoutOf(paused.payer))?.sessionId ?? '');
  await deliverLast(paid);
  expect(await standing(paused.payer)).toBe('enrolled');
});

test('approved people and accepted invitations hold the place, too; who is added is in', async () => {
  const refundNote = 'None after the first session.';
  const owner = await createFirst({ joinMode: 'approval', capacity: null, refundNote });
  const asking = await enrolls(owner);
  expect(asking.status).toBe('applied');
  await owner.post(`enrollments/${asking.id}/approve/`);
  expect(given.mailsTo(asking.email).at(-1)?.text).toContain(refundNote);
  const row = await enrollmentRow(asking.id);
  expect(row).toMatchObject({ status: 'offered', expiresAt: new Date(start + 48 * hour) });
  const both = [await enrolls(owner), await enrolls(owner)].map(({ id }) => id);
  const { body: counts } = await owner.post('enrollments/approve/', { enrollments: both });
  expect(counts).toEqual({ enrolled: 0, offered: 2, waitlisted: 0 });
  const invited = await owner.person({
    ...{ status: 'invited', changedBy: 'owner', expiresAt: new Date(start + 72 * hour) },
  });
  expect(await invited.participate('accept')).toMatchObject({ body: { status: 'offered' } });
  const { body } = await owner.add();
  expect(await standing(body)).toBe('enrolled');
});

test('who is moved to another cohort while they pay has the payment there', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.open();
  const there = await owner.moveAway(payer);
  await payLast();
  const [payment] = (await owner.entries()).filter(({ kind }) => kind === 'payment');
  expect(payment).toMatchObject({ cohortId: there, amountMinor: -24_000 });
});
