import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { checkouts } from '#db/schema/checkouts.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { sessions } from '#db/schema/sign-in.ts';
import { sweep } from '#features/places/sweep.ts';
import { settled } from '#support/background.ts';
import { takeNoise } from '#support/console.ts';
import { db } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { deliverEvent, fakeStripe } from '#support/stripe.ts';
import { rowsOf } from '../../../scripts/local/stripe/state.ts';
import { checkBalances } from '../ledger/support.ts';
import { startFresh } from '../places/fresh.ts';
import { contextAt, start } from '../places/storm.ts';
import { enrollmentRow, refused, setTime } from '../places/support.ts';
import {
  checkoutOf,
  createSelling,
  deliverLast,
  enrolls as enrollsOn,
  runForMoney,
  type Stripe,
  wantedOf,
} from './support.ts';

const [minute, hour] = [60 * 1000, 60 * 60 * 1000];
const paid = 'checkout.session.completed';
const given = startFresh();
checkBalances();

let stripe: Stripe;
beforeEach(() => {
  stripe = fakeStripe();
});

/** A course with one place, which is someone's once they have paid 240 euros. */
const createFirst = (values = {}) =>
  createSelling({ paymentMode: 'online_first', capacity: 1, ...values });

type Selling = Awaited<ReturnType<typeof createFirst>>;

const enrolls = (owner: Selling) => enrollsOn(given, owner);

/** The clock's run for places at a moment. */
async function sweepAt(time: number): Promise<void> {
  setTime(time);
  await sweep(contextAt(time));
  await settled();
}

const standing = async ({ id }: { id: string }) => (await enrollmentRow(id))?.status;
const sums = async ({ entries }: Selling, kind: string) =>
  (await entries()).filter((entry) => entry.kind === kind).map(({ amountMinor }) => amountMinor);
const subjects = (email: string) => mailsTo(email, given.resend.accepted).map((m) => m.subject);

test('the last place is held for the first; it runs out, goes to the second, who pays and is in', async () => {
  const owner = await createFirst();
  const ana = await enrolls(owner);
  const ben = await enrolls(owner);
  expect([ana.status, ben.status]).toEqual(['offered', 'waitlisted']);
  expect(await ana.participate('accept')).toMatchObject(refused('payment_required'));
  await ana.open();
  await sweepAt(start + 71 * minute);
  expect([await standing(ana), await standing(ben)]).toEqual(['expired', 'offered']);
  await ben.open();
  stripe.pay();
  await deliverLast(stripe, paid);
  expect(await standing(ben)).toBe('enrolled');
  expect([await sums(owner, 'charge'), await sums(owner, 'payment')]).toEqual([
    [24_000],
    [-24_000],
  ]);
  expect(await owner.read('enrollments/')).toMatchObject({ items: [{ id: ben.id }] });
});

test('the price is the one that was agreed, even if it was raised or removed while someone pays', async () => {
  for (const change of [{ priceMinor: 30_000 }, { priceMinor: null, currency: null }]) {
    const owner = await createFirst();
    const payer = await enrolls(owner);
    await payer.open();
    await db.update(cohorts).set(change).where(eq(cohorts.id, owner.cohort.id));
    stripe.pay();
    await deliverLast(stripe, paid);
    expect([await sums(owner, 'charge'), await sums(owner, 'payment')]).toEqual([
      [24_000],
      [-24_000],
    ]);
  }
});

test('a hold outlasts its page by ten minutes, in which a late word of the payment counts', async () => {
  const owner = await createFirst();
  const [ana, ben] = [await enrolls(owner), await enrolls(owner)];
  const { body } = await ana.open();
  expect(Date.parse(body.expires_at)).toBe(start + 60 * minute);
  stripe.pay();
  await sweepAt(start + 69 * minute);
  await deliverLast(stripe, paid);
  expect([await standing(ana), await standing(ben)]).toEqual(['enrolled', 'waitlisted']);
});

test('who holds a place keeps it when the owner lowers the places meanwhile', async () => {
  const owner = await createFirst({ capacity: 2 });
  const [ana, ben] = [await enrolls(owner), await enrolls(owner)];
  await ben.open();
  const path = `/api/cohorts/${owner.cohort.id}/`;
  expect(await owner.send('PATCH', path, { capacity: 1 })).toMatchObject({ status: 200 });
  stripe.pay();
  await deliverLast(stripe, paid);
  const third = await enrolls(owner);
  expect([await standing(ana), await standing(ben), await standing(third)]).toEqual([
    ...['offered', 'enrolled', 'waitlisted'],
  ]);
});

test('late money finds a free place; one that was given on waits a day for the owner', async () => {
  const owner = await createFirst();
  const ana = await enrolls(owner);
  await ana.open();
  stripe.pay();
  await sweepAt(start + 71 * minute);
  expect(await standing(ana)).toBe('expired');
  await deliverLast(stripe, paid);
  expect(await standing(ana)).toBe('enrolled');
  expect(await checkoutOf(ana)).toMatchObject({ problem: null });
});

/** Someone whose payment came when their place was offered to the next in line. */
async function createLate(values = {}) {
  const owner = await createFirst(values);
  const [ana, ben] = [await enrolls(owner), await enrolls(owner)];
  await ana.open();
  stripe.pay();
  await sweepAt(start + 71 * minute);
  await deliverLast(stripe, paid);
  expect([await standing(ana), await standing(ben)]).toEqual(['expired', 'offered']);
  const checkout = await checkoutOf(ana);
  expect(checkout).toMatchObject({ status: 'paid', problem: 'no_place' });
  return { owner, ana, ben, id: checkout?.id ?? '' };
}

/** Pays 100 of 240 euros back, while Stripe does not answer. */
async function refundUnanswered(owner: Selling, id: string): Promise<void> {
  stripe.fail('/v1/refunds', 500);
  const part = { amount_minor: 10_000 };
  expect(await owner.post(`/api/checkouts/${id}/refunds/`, part)).toMatchObject({ status: 202 });
  stripe.recover();
  takeNoise();
}

test('without a decision, all of it goes back after a day, and both are told', async () => {
  const { owner, ana, id } = await createLate();
  expect(subjects(ana.email).at(-1)).toContain('came too late');
  expect(subjects(owner.user.email)).toHaveLength(1);
  setTime(start + 71 * minute + 23 * hour);
  await runForMoney();
  expect(await wantedOf(id)).toEqual([]);
  setTime(start + 71 * minute + 24 * hour);
  await runForMoney();
  expect(await checkoutOf(ana)).toMatchObject({ problem: null, refundedMinor: 24_000 });
  expect([await sums(owner, 'payment'), await sums(owner, 'refund')]).toEqual([
    [-24_000],
    [24_000],
  ]);
  expect(subjects(owner.user.email)).toHaveLength(2);
  const before = subjects(ana.email).length;
  await runForMoney();
  expect([await sums(owner, 'refund'), subjects(ana.email).length]).toEqual([[24_000], before]);
});

test('who gets in otherwise meanwhile keeps the place, and nothing goes back', async () => {
  const { owner, ana, ben, id } = await createLate();
  await ben.participate('decline');
  // What they have paid is on their account.
  expect(await ana.participate('rejoin')).toMatchObject({ body: { status: 'enrolled' } });
  expect(await checkoutOf(ana)).toMatchObject({ problem: null, decideBy: null });
  setTime(start + 73 * minute + 24 * hour);
  await runForMoney();
  expect([await wantedOf(id), await sums(owner, 'refund')]).toEqual([[], []]);
});

test('someone who gets in while a part is refunded keeps the place, and the rest is not refunded', async () => {
  const { owner, ana, ben, id } = await createLate();
  await refundUnanswered(owner, id);
  await ben.participate('decline');
  const added = { as: 'enrolled', name: 'Ana', email: ana.email, language: 'en' };
  expect(await owner.post('enrollments/', added)).toMatchObject({ status: 201 });
  setTime(start + 73 * minute + 24 * hour);
  await runForMoney();
  await runForMoney();
  expect([await standing(ana), await sums(owner, 'refund')]).toEqual(['enrolled', [10_000]]);
  expect(await checkoutOf(ana)).toMatchObject({ problem: null, decideBy: null });
});

test('what the owner has paid back by hand does not go back once more', async () => {
  const { owner, ana, id } = await createLate();
  const refund = { kind: 'refund', enrollments: [ana.id], amount_minor: 24_000 };
  const sent = { method: 'transfer', received_on: '2026-11-24' };
  expect(await owner.post('ledger/', { ...refund, ...sent })).toMatchObject({ status: 201 });
  setTime(start + 71 * minute + 24 * hour);
  await runForMoney();
  expect(await wantedOf(id)).toEqual([]);
  expect(await checkoutOf(ana)).toMatchObject({ problem: null });
});

test('deleting the account still refunds a payment without a place, and what is under way', async () => {
  const { owner, id } = await createLate();
  await refundUnanswered(owner, id);
  // A recent login.
  const byOwner = eq(sessions.userId, owner.user.id);
  await db.update(sessions).set({ createdAt: new Date() }).where(byOwner);
  expect(await owner.send('DELETE', `/api/accounts/${owner.user.id}/`)).toMatchObject({
    status: 204,
  });
  const amounts = rowsOf(stripe.state, 'refund').map(({ amount }) => amount);
  expect(amounts.toSorted()).toEqual([10_000, 14_000]);
});

test('the owner lets them in although all is full, at the agreed price, once', async () => {
  const { owner, ana, ben, id } = await createLate();
  const path = `/api/checkouts/${id}/let-in/`;
  // Ben's offer takes the place.
  expect(await owner.post(path)).toMatchObject(refused('cohort_full'));
  await db.update(cohorts).set({ priceMinor: 30_000 }).where(eq(cohorts.id, owner.cohort.id));
  expect(await owner.post(path, { over_capacity: true })).toMatchObject({ status: 204 });
  expect([await standing(ana), await standing(ben)]).toEqual(['enrolled', 'offered']);
  expect([await sums(owner, 'charge'), (await checkoutOf(ana))?.decideBy]).toEqual([
    [24_000],
    null,
  ]);
  expect(await owner.post(path, { over_capacity: true })).toMatchObject(refused('not_found', 404));
});

test.each([
  ['has declined', null],
  ['the owner has removed', 'removed'],
  ['is erased', 'erased'],
  ['was removed with the cohort', { deletedAt: new Date(start) }],
  ['would come into an archived cohort', { archivedAt: new Date(start) }],
  ['would come into one that is over', { endsAt: new Date(start) }],
])('money never brings back who %s', async (_case, change) => {
  const owner = await createFirst();
  const payer = await enrolls(owner);
  await payer.open();
  if (change === null) {
    await payer.participate('decline');
  } else if (change === 'removed') {
    await owner.post(`enrollments/${payer.id}/remove/`);
  } else if (change === 'erased') {
    await owner.send('DELETE', `/api/people/${payer.person.id}/`);
  } else if (typeof change === 'object') {
    await db.update(cohorts).set(change).where(eq(cohorts.id, owner.cohort.id));
  }
  stripe.pay();
  await deliverLast(stripe, paid);
  expect(await standing(payer)).not.toBe('enrolled');
  expect(await checkoutOf(payer)).toMatchObject({ problem: 'no_place', paidMinor: 24_000 });
  expect(await sums(owner, 'payment')).toEqual([-24_000]);
});

test('a page that no one needs any more is ended by the clock', async () => {
  const owner = await createFirst();
  const payer = await enrolls(owner);
  await payer.open();
  await payer.participate('decline');
  setTime(start + 3 * minute);
  await runForMoney();
  expect(stripe.sessions()).toMatchObject([{ status: 'expired' }]);
  expect(await checkoutOf(payer)).toMatchObject({ status: 'expired' });
});

test('another amount counts as it is, and another currency is not in the account', async () => {
  const owner = await createFirst({ capacity: null });
  const [less, other] = [await enrolls(owner), await enrolls(owner)];
  await less.open();
  Object.assign(stripe.sessions().at(-1) ?? {}, { amount_total: 20_000 });
  stripe.pay();
  await deliverLast(stripe, paid);
  expect(await standing(less)).toBe('enrolled');
  expect([await sums(owner, 'charge'), await sums(owner, 'payment')]).toEqual([
    [24_000],
    [-20_000],
  ]);
  await other.open();
  Object.assign(stripe.sessions().at(-1) ?? {}, { currency: 'usd' });
  stripe.pay();
  await deliverLast(stripe, paid);
  expect(await standing(other)).toBe('offered');
  expect(subjects(other.email).at(-1)).toContain('another currency');
  expect(await checkoutOf(other)).toMatchObject({ problem: 'other_currency', paidCurrency: 'USD' });
  expect(await sums(owner, 'payment')).toEqual([-20_000]);
});

test('what was paid twice is shown as too much', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.open();
  const [old] = stripe.sessions();
  await db.update(checkouts).set({ status: 'expired' }).where(eq(checkouts.enrollmentId, payer.id));
  await payer.open();
  stripe.pay();
  await deliverLast(stripe, paid);
  stripe.act('pay', old?.id ?? '');
  await deliverLast(stripe, paid);
  expect(await sums(owner, 'payment')).toEqual([-24_000, -24_000]);
  const { body } = await owner.send('GET', 'checkouts/');
  expect(body).toMatchObject({ items: [{ problem: 'overpaid', refundable_minor: 24_000 }] });
});

test('someone who comes back pays what is not on their account, or nothing', async () => {
  const owner = await createFirst();
  const payer = await enrolls(owner);
  await payer.open();
  stripe.pay();
  await deliverLast(stripe, paid);
  await payer.participate('leave');
  expect(await payer.participate('rejoin')).toMatchObject({ body: { status: 'enrolled' } });
  await payer.participate('leave');
  await db.update(cohorts).set({ priceMinor: 30_000 }).where(eq(cohorts.id, owner.cohort.id));
  expect(await payer.participate('rejoin')).toMatchObject({
    body: { status: 'offered', to_pay_online: { amount_minor: 6_000 } },
  });
});

test('who goes to pay late gets the time that Stripe needs, but no one holds a place for ever', async () => {
  const owner = await createFirst();
  const payer = await enrolls(owner);
  const openAt = async (minutes: number) => {
    setTime(start + minutes * minute);
    const { status, body } = await payer.open();
    const session = stripe.sessions().at(-1);
    if (session?.status === 'open') {
      stripe.act('expire', session.id);
      await deliverEvent(stripe.event('checkout.session.expired'));
    }
    return status === 200 ? (Date.parse(body.expires_at) - start) / minute : body.code;
  };
  expect([await openAt(35), await openAt(70), await openAt(100)]).toEqual([
    66,
    101,
    'offer_expired',
  ]);
});

test('no one lengthens an offer that is not to be paid for', async () => {
  const owner = await createSelling({ paymentMode: 'own', capacity: 1 });
  const expiresAt = new Date(start + 20 * minute);
  const offered = await owner.person({ status: 'offered', changedBy: 'clock', expiresAt });
  expect(await offered.open()).toMatchObject(refused('payment_off'));
  expect((await enrollmentRow(offered.id))?.expiresAt).toEqual(expiresAt);
});

test('a page that is open stays payable when the mode changes or the account is paused', async () => {
  for (const change of ['own', 'paused'] as const) {
    const owner = await createFirst();
    const payer = await enrolls(owner);
    await payer.open();
    if (change === 'own') {
      const mode = { paymentMode: 'own' as const };
      await db.update(cohorts).set(mode).where(eq(cohorts.id, owner.cohort.id));
    } else {
      stripe.act('pause', owner.account);
      await deliverLast(stripe, 'account.updated');
      expect(await (await enrolls(await createFirst())).open()).toMatchObject({ status: 200 });
      expect(await payer.open()).toMatchObject({ status: 200 });
    }
    stripe.act('pay', (await checkoutOf(payer))?.sessionId ?? '');
    await deliverLast(stripe, paid);
    expect([change, await standing(payer)]).toEqual([change, 'enrolled']);
  }
});

test('approved people and accepted invitations hold the place, too; who is added is in', async () => {
  const owner = await createFirst({ joinMode: 'approval', capacity: null });
  const asking = await enrolls(owner);
  expect(asking.status).toBe('applied');
  await owner.post(`enrollments/${asking.id}/approve/`);
  const row = await enrollmentRow(asking.id);
  expect(row).toMatchObject({ status: 'offered', expiresAt: new Date(start + 48 * hour) });
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
  const { body: copy } = await owner.post('duplicate/', { starts_on: '2027-09-06', name: 'Fall' });
  await owner.post(`enrollments/${payer.id}/transfer/`, { cohort_id: copy.id });
  stripe.pay();
  await deliverLast(stripe, paid);
  const [payment] = (await owner.entries()).filter(({ kind }) => kind === 'payment');
  expect(payment).toMatchObject({ cohortId: copy.id, amountMinor: -24_000 });
});
