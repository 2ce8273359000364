import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openParticipant } from '#features/participant/find-participant.ts';
import { emptyTrash } from '#features/planning/change-state.ts';
import { contextOn } from '#support/context.ts';
import { day, hour, minute } from '#support/days.ts';
import { createCohortRow, createEnrollment } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { rowsOf } from '../../../scripts/local/stripe/state.ts';
import { received } from '../ledger/support.ts';
import { contextAt, start } from '../places/storm.ts';
import { enrollmentRow, personRow, refused, setTime } from '../places/support.ts';
import {
  checkoutOf,
  createFirst,
  createRun,
  createSelling,
  deliverLast,
  type Payer,
  payLast,
  runForMoney,
  type Selling,
  startPaying,
  statusOf,
  sweepAt,
} from './support.ts';

/** What goes wrong where places, accounts and payments meet. */

const given = startPaying();
const { enrolls } = given;

const subjects = (email: string) => mailsTo(email, given.accepted).map(({ subject }) => subject);

/** Until when someone can read, as their page says. */
async function accessEnd({ link }: { link: string }) {
  const found = await openParticipant(contextOn(), link);
  return found?.enrollments[0]?.accessEndsAt?.getTime();
}

test.each([
  ['a note', { begun: true }, { welcome_note: 'Bring a pen.' }],
  [
    'the name, an hour before the beginning',
    { startsAt: new Date(start + hour) },
    { name: 'Fall' },
  ],
  ['a day later', {}, { ends_on: '2027-02-12' }],
])('who is paying keeps their place while the owner saves %s', async (_what, values, patch) => {
  const when =
    'begun' in values
      ? { startsAt: new Date(start - 4 * day), enrollmentOverride: 'open' as const }
      : values;
  const owner = await createFirst(when);
  const ana = await enrolls(owner);
  await ana.open();
  const until = (await enrollmentRow(ana.id))?.expiresAt;
  expect(await moveOrSave(owner, patch)).toMatchObject({ status: 200 });
  expect(await enrollmentRow(ana.id)).toMatchObject({ status: 'offered', expiresAt: until });
  await payLast();
  expect(await statusOf(ana)).toBe('enrolled');
  expect(subjects(ana.email)).not.toContainEqual(expect.stringContaining('no longer kept'));
});

/** Other days of a published cohort are a move. */
async function moveOrSave(owner: Selling, patch: Record<string, string>) {
  if (patch['ends_on'] === undefined && patch['starts_on'] === undefined) {
    return owner.send('PATCH', '', patch);
  }
  const { starts_on, ends_on, time_zone, ...dates } = await owner.read<Record<string, string>>();
  const expected = { starts_on, ends_on, time_zone };
  for (const name of ['enrollment_opens_local', 'enrollment_closes_local', 'early_until_local']) {
    Object.assign(expected, { [name]: dates[name] ?? null });
  }
  return owner.post('move/', {
    ...{ starts_on, ends_on, time_zone, ...patch, expected },
    ...{ dry_run: false, notify: false, note: null },
  });
}

test('an earlier beginning cuts offers, as its preview says; who is to pay keeps an hour, who pays their page', async () => {
  const owner = await createFirst({ capacity: 4, joinMode: 'approval' });
  const [paying, approved] = [await enrolls(owner), await enrolls(owner)];
  for (const { id } of [paying, approved]) {
    await owner.post(`enrollments/${id}/approve/`);
  }
  const offered = await createEnrollment(owner.cohort, {
    ...{ status: 'offered', expiresAt: new Date(start + 40 * hour), offerNo: 1 },
  });
  await paying.open();
  const end = (await enrollmentRow(paying.id))?.expiresAt;
  const first = { starts_on: '2026-11-24', ends_on: '2027-02-05' };
  const dates = await owner.read<Record<string, string>>();
  const move = (dry_run: boolean) =>
    owner.post('move/', {
      ...{ ...first, time_zone: dates['time_zone'], dry_run, notify: false, note: null },
      expected: {
        ...{ starts_on: dates['starts_on'], ends_on: dates['ends_on'] },
        ...{ time_zone: dates['time_zone'], enrollment_opens_local: null },
        ...{ enrollment_closes_local: null, early_until_local: null },
      },
    });
  const preview = await move(true);
  expect(preview.body).toMatchObject({
    offers: expect.arrayContaining([
      { id: offered.id, name: 'Grace Hopper', before: expect.any(String), after: null },
      {
        id: approved.id,
        name: expect.any(String),
        before: expect.any(String),
        after: expect.any(String),
      },
    ]),
  });
  expect(await move(false)).toMatchObject({ status: 200 });
  expect(await enrollmentRow(offered.id)).toMatchObject({ status: 'expired', changedBy: 'owner' });
  expect(await enrollmentRow(approved.id)).toMatchObject({
    ...{ status: 'offered', expiresAt: new Date(start + 70 * minute) },
  });
  const kept = (await enrollmentRow(paying.id))?.expiresAt?.getTime() ?? 0;
  const page = (await checkoutOf(paying))?.expiresAt.getTime() ?? 0;
  expect(kept).toBe(Math.min(end?.getTime() ?? 0, page + 10 * minute));
});

const access = 10 * day;

test.each([
  ['they pay again', async (_owner: Selling, payer: Payer) => payAgain(payer)],
  [
    'they are removed and added',
    async (owner: Selling, payer: Payer) => {
      await owner.post(`enrollments/${payer.id}/accept/`);
    },
  ],
])('in a course of 10 days, someone who left has access again once %s', async (_how, comeBack) => {
  const owner = await createRun();
  const payer = await enrolls(owner);
  await payer.pay();
  expect(await accessEnd(payer)).toBe(start + access);
  setTime(start + 5 * day);
  await payer.participate('leave');
  const account = { balance_minor: 0, paid_minor: 24_000 };
  await owner.post(`enrollments/${payer.id}/settle/`, { money: 'refund', ...account });
  await runForMoney(start + 5 * day + minute);
  setTime(start + 20 * day);
  await comeBack(owner, payer);
  expect(await statusOf(payer)).toBe('enrolled');
  expect(await accessEnd(payer)).toBe(start + 20 * day + access);
});

async function payAgain(payer: Payer): Promise<void> {
  expect(await payer.participate('rejoin')).toMatchObject({ body: { status: 'offered' } });
  await payer.pay();
}

test('access that was paid for once is not renewed by leaving and coming back, and is charged anew when it is over', async () => {
  const owner = await createRun();
  const payer = await enrolls(owner);
  await payer.pay();
  setTime(start + 8 * day);
  await payer.participate('leave');
  expect(await payer.participate('rejoin')).toMatchObject({ body: { status: 'enrolled' } });
  expect(await accessEnd(payer)).toBe(start + access);
  setTime(start + 20 * day);
  await payer.participate('leave');
  expect(await payer.participate('rejoin')).toMatchObject({
    body: { status: 'offered', to_pay_online: { amount_minor: 24_000 } },
  });
  await payer.pay();
  expect(await accessEnd(payer)).toBe(start + 20 * day + access);
  expect([await owner.amounts('charge'), await owner.amounts('payment')]).toEqual([
    [24_000, 24_000],
    [-24_000, -24_000],
  ]);
});

test.each([
  ['the first was paid back', 'enrolled'],
  ['the price was raised for the second', 'enrolled'],
  ['both were paid back', 'offered'],
  ['the second was paid back', 'offered'],
])('access was bought twice and %s: who leaves and comes back is %s', async (what, status) => {
  const owner = await createRun();
  const payer = await enrolls(owner);
  const settle = (money: 'refund' | 'waive', balance: number, paid: number) =>
    owner.post(`enrollments/${payer.id}/settle/`, {
      ...{ money, balance_minor: balance, paid_minor: paid },
    });
  await payer.pay();
  setTime(start + 5 * day);
  await payer.participate('leave');
  if (what.startsWith('the first')) {
    await settle('refund', 0, 24_000);
    await runForMoney(start + 5 * day + minute);
  }
  setTime(start + 20 * day);
  await owner.send('PATCH', '', { price_minor: what.includes('raised') ? 30_000 : 24_000 });
  await payAgain(payer);
  setTime(start + 22 * day);
  await payer.participate('leave');
  if (what.startsWith('both')) {
    await settle('refund', 0, 48_000);
  } else if (what.startsWith('the second')) {
    await owner.post(`/api/checkouts/${(await checkoutOf(payer))?.id}/refunds/`, {});
    await settle('waive', 24_000, 24_000);
  }
  await runForMoney(start + 22 * day + minute);
  setTime(start + 23 * day);
  expect(await payer.participate('rejoin')).toMatchObject({ body: { status } });
  if (status === 'offered') {
    await payer.pay();
  }
  expect(await accessEnd(payer)).toBe(start + (status === 'offered' ? 23 : 20) * day + access);
  expect(await owner.read('ledger/?show=everyone')).toMatchObject({
    items: [{ balance_minor: 0 }],
  });
});

test('who is moved into a course with limited access can read from that day on', async () => {
  const owner = await createSelling({ priceMinor: null, currency: null, paymentMode: 'own' });
  const payer = await owner.person({ statusChangedAt: new Date(start - 90 * day) });
  const run = await createCohortRow(owner.course, { kind: 'open', accessDays: 10, slug: 'run' });
  await owner.post(`enrollments/${payer.id}/transfer/`, { cohort_id: run.id });
  expect(await accessEnd(payer)).toBe(start + access);
});

test('who was added and pays online hears of it: a receipt, and of a refund', async () => {
  const owner = await createSelling();
  const { email, body } = await owner.add();
  const payer = await given.payerOf(body.id);
  await payer.pay();
  const { id } = (await checkoutOf(payer)) ?? {};
  await owner.post(`/api/checkouts/${id}/refunds/`, {});
  expect(subjects(email)).toEqual([
    expect.stringContaining('has enrolled you'),
    expect.stringContaining('€240'),
    expect.stringContaining('Refund of €240'),
  ]);
  // Paying was their own will: they can be reminded of what is open by now.
  expect(await owner.post('payment-reminders/')).toMatchObject({ body: { not_agreed: 0 } });
});

test('who was added is not reminded until they say that they take part, by one tap', async () => {
  const owner = await createSelling();
  const { email, body } = await owner.add();
  const remind = () => owner.post('payment-reminders/');
  expect(await remind()).toMatchObject({ body: { recipients: 0, not_agreed: 1 } });
  expect(await owner.post('confirmation-requests/')).toMatchObject({ body: { recipients: 0 } });
  for (const [days, recipients] of [
    [8, 1],
    [16, 1],
    [24, 0],
  ] as const) {
    setTime(start + days * day);
    expect(await owner.post('confirmation-requests/')).toMatchObject({ body: { recipients } });
  }
  expect(mailsTo(email, given.accepted).at(-1)?.text).toContain('Yes, I take part');
  const { link } = await given.payerOf(body.id);
  const tap = await owner.client.request('PATCH', '/api/participation/', {
    link,
    takes_part: true,
  });
  expect(tap.status).toBe(200);
  expect(await remind()).toMatchObject({ body: { recipients: 1, not_agreed: 0 } });
});

test('while a bank takes its time no one is reminded; when it refuses, payer and owner hear of it', async () => {
  const owner = await createSelling();
  const payer = await enrolls(owner);
  await confirm(payer);
  setTime(start + 2 * day);
  expect(await owner.post('payment-reminders/')).toMatchObject({ body: { recipients: 0 } });
  given.stripe.act('bounce', given.stripe.sessions()[0]?.id ?? '');
  await deliverLast('checkout.session.async_payment_failed');
  await deliverLast('checkout.session.async_payment_failed');
  const refusals = subjects(payer.email).filter((subject) => subject.includes('didn’t go through'));
  expect(refusals).toHaveLength(1);
  expect(subjects(owner.user.email).at(-1)).toContain('The bank refused a payment: €240');
  expect(await owner.post('payment-reminders/')).toMatchObject({ body: { recipients: 1 } });
});

test('a reminder that is about to go out is not sent to someone whose bank is confirming', async () => {
  const owner = await createSelling();
  const people = [await enrolls(owner), await enrolls(owner), await enrolls(owner)];
  await owner.post('payment-reminders/');
  const isReminded = ({ email }: Payer) => subjects(email).some((said) => said.includes('to pay'));
  const last = people.findLast((payer) => !isReminded(payer)) ?? expect.fail();
  await confirm(last);
  await runForMoney(start + 10 * minute);
  expect(people.map(isReminded)).toEqual(people.map((payer) => payer !== last));
});

test('who has got their money back by a dispute is not reminded, until the owner has settled it', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.pay();
  given.stripe.act('dispute', rowsOf(given.stripe.state, 'charge').at(-1)?.id ?? '');
  await deliverLast('charge.dispute.created');
  given.stripe.act('lose', rowsOf(given.stripe.state, 'dispute').at(-1)?.id ?? '');
  await deliverLast('charge.dispute.closed');
  const remind = () => owner.post('payment-reminders/');
  expect(await remind()).toMatchObject({ body: { recipients: 0 } });
  const { id } = (await checkoutOf(payer)) ?? {};
  await owner.send('DELETE', `/api/checkouts/${id}/problem/`);
  expect(await remind()).toMatchObject({ body: { recipients: 1 } });
});

test('an invitation outlives the hour in which it was not paid', async () => {
  const owner = await createFirst({ joinMode: 'invitation' });
  const { body } = await owner.add({ as: 'invited' });
  const payer = await given.payerOf(body.id);
  const until = (await enrollmentRow(payer.id))?.expiresAt;
  expect(await payer.participate('accept')).toMatchObject({ body: { status: 'offered' } });
  await payer.open();
  await sweepAt(start + 71 * minute);
  expect(await enrollmentRow(payer.id)).toMatchObject({ status: 'invited', expiresAt: until });
  expect(await payer.participate('accept')).toMatchObject({ body: { status: 'offered' } });
  await payer.pay();
  expect(await statusOf(payer)).toBe('enrolled');
  // Not for ever.
  const late = await given.payerOf((await owner.add({ as: 'invited' })).body.id);
  await sweepAt(start + 15 * day);
  expect(await statusOf(late)).toBe('expired');
});

test('while no one can be paid, no place is offered or held; it goes on when Stripe says so', async () => {
  const owner = await createFirst();
  const [ana, ben] = [await enrolls(owner), await enrolls(owner)];
  given.stripe.act('pause', owner.account);
  await deliverLast('account.updated');
  expect(mailsTo(owner.user.email, given.accepted).at(-1)?.text).toContain(
    'aren’t offered meanwhile',
  );
  await sweepAt(start + 71 * minute);
  expect([await statusOf(ana), await statusOf(ben)]).toEqual(['expired', 'waitlisted']);
  expect(await owner.read('waitlist/')).toMatchObject({ reason: 'no_payments' });
  expect(await ana.participate('rejoin')).toMatchObject({ body: { status: 'waitlisted' } });
  expect(await owner.post(`enrollments/${ben.id}/offer/`)).toMatchObject(
    refused('payments_paused'),
  );
  given.stripe.act('resume', owner.account);
  await deliverLast('account.updated');
  expect([await statusOf(ana), await statusOf(ben)]).toEqual(['waitlisted', 'offered']);
});

test('without a waitlist, and for those who ask, nothing is held while no one can be paid', async () => {
  const paused = async (values: object) => {
    const owner = await createFirst({ waitlist: false, ...values });
    const payer = await enrolls(owner);
    await payer.participate('leave');
    await payer.participate('decline');
    given.stripe.act('pause', owner.account);
    await deliverLast('account.updated');
    return { owner, payer };
  };
  const { payer } = await paused({});
  expect(await payer.participate('rejoin')).toMatchObject(refused('payment_off'));
  const asking = await paused({ joinMode: 'approval' });
  await asking.payer.participate('rejoin');
  const { id } = asking.payer;
  expect(await asking.owner.post(`enrollments/${id}/approve/`)).toMatchObject(
    refused('payments_paused'),
  );
  expect(await asking.owner.post('enrollments/approve/', { enrollments: [id] })).toMatchObject(
    refused('payments_paused'),
  );
  expect(await statusOf(asking.payer)).toBe('applied');
});

test('someone who is erased while paying stays as a number with what they have paid', async () => {
  const owner = await createFirst();
  const payer = await enrolls(owner);
  await payer.open();
  await owner.send('DELETE', `/api/people/${payer.person.id}/`);
  await payLast();
  const gone = await owner.read<{ items: object[]; totals: object }>('ledger/?show=gone');
  expect(gone).toMatchObject({ items: [{ erased_no: 1, paid_minor: 24_000 }] });
  expect(gone.totals).toMatchObject({ paid_minor: 24_000, accounts: 1 });
  const file = await owner.client.get(`${owner.base}ledger.csv`);
  expect((await file.text()).trim().split('\n')).toHaveLength(2);
});

test('what was paid back in cash does not go back once more', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.pay();
  const refund = { kind: 'refund', enrollments: [payer.id], amount_minor: 24_000, ...received };
  expect(await owner.post('ledger/', refund)).toMatchObject({ status: 201 });
  const { id } = (await checkoutOf(payer)) ?? {};
  expect(await owner.post(`/api/checkouts/${id}/refunds/`, {})).toMatchObject(
    refused('nothing_paid'),
  );
  expect(await owner.read('checkouts/?show=all')).toMatchObject({
    items: [{ refundable_minor: 0 }],
  });
});

test.each([
  ['all is waived', { kind: 'waiver', amount_minor: 24_000 }],
  ['a part is paid in cash', { kind: 'payment', amount_minor: 10_000, ...received }],
])('a page is ended at the first look once %s', async (_what, entry) => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.open();
  await owner.post('ledger/', { enrollments: [payer.id], ...entry });
  await runForMoney(start + minute);
  expect(given.stripe.sessions()).toMatchObject([{ status: 'expired' }]);
});

test('the agreed price holds for someone whom the owner lets in while they pay', async () => {
  const early = { earlyPriceMinor: 18_000, earlyUntilAt: new Date(start + 30 * minute) };
  const owner = await createFirst({ ...early, earlyUntilLocal: '2026-11-24T12:30' });
  const payer = await enrolls(owner);
  await payer.open();
  setTime(start + 40 * minute);
  expect(await owner.post(`enrollments/${payer.id}/accept/`)).toMatchObject({ status: 200 });
  await runForMoney(start + 41 * minute);
  await payLast();
  expect([await owner.amounts('charge'), await owner.amounts('payment')]).toEqual([
    [18_000],
    [-18_000],
  ]);
});

test('the currency stays while someone is paying', async () => {
  const owner = await createFirst();
  const payer = await enrolls(owner);
  await payer.open();
  const change = () => owner.send('PATCH', '', { currency: 'USD' });
  expect(await change()).toMatchObject(refused('currency_in_use'));
  await payer.participate('decline');
  await runForMoney(start + minute);
  expect(await change()).toMatchObject({ status: 200 });
});

test('who has paid is moved only where their money can go', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.open();
  const dollars = await createCohortRow(owner.course, { priceMinor: 30_000, currency: 'USD' });
  const moveTo = (cohort: { id: string }) =>
    owner.post(`enrollments/${payer.id}/transfer/`, { cohort_id: cohort.id });
  expect(await moveTo(dollars)).toMatchObject(refused('money_in_other_currency'));
  await payLast();
  expect(await moveTo(dollars)).toMatchObject(refused('money_in_other_currency'));
  const free = await createCohortRow(owner.course, { priceMinor: null, currency: null });
  expect(await moveTo(free)).toMatchObject({ status: 200 });
  const accounts = await owner.client.get(`/api/cohorts/${free.id}/ledger/`);
  expect(await accounts.json()).toMatchObject({
    items: [{ state: 'overpaid', balance_minor: -24_000 }],
  });
});

test('the owner of a deleted cohort pays back, and the payer hears of it', async () => {
  const owner = await createFirst();
  const payer = await enrolls(owner);
  await payer.open();
  given.stripe.pay();
  await env.DB.prepare('UPDATE cohorts SET deleted_at = 1 WHERE id = ?')
    .bind(owner.cohort.id)
    .run();
  await deliverLast('checkout.session.completed');
  await env.DB.prepare('DELETE FROM cohorts WHERE id = ?').bind(owner.cohort.id).run();
  await runForMoney(start + day + hour);
  expect(subjects(payer.email).at(-1)).toBe('Refund of €240: Writing');
});

/** Someone who has paid online, someone who has paid in cash, and someone who owes. */
async function createPaidCohort() {
  const owner = await createSelling();
  const [online, cash, owing] = [await owner.person(), await owner.person(), await owner.person()];
  await online.pay();
  const entry = { kind: 'payment', enrollments: [cash.id], amount_minor: 24_000, ...received };
  await owner.post('ledger/', entry);
  return { owner, online, cash, owing };
}

test('what was paid for a canceled cohort goes back in one step, and nothing is owed any more', async () => {
  const { owner, online } = await createPaidCohort();
  await owner.send('DELETE', '', { notify: true, money: 'refund' });
  expect(await owner.post('purge/')).toMatchObject(refused('money_undecided'));
  await runForMoney(start + minute);
  expect(subjects(online.person.email).at(-1)).toBe('Refund of €240: Writing');
  expect((await owner.read<{ totals: object }>('ledger/?show=everyone')).totals).toMatchObject({
    ...{ paid_minor: 48_000, refunded_minor: 48_000, owed_minor: 0 },
  });
  expect(await owner.post('purge/')).toMatchObject({ status: 204 });
});

test('without a decision about the money, neither the cohort nor its course is deleted', async () => {
  const { owner } = await createPaidCohort();
  await owner.send('DELETE', '');
  const deleteCourse = () => owner.send('DELETE', `/api/courses/${owner.course.id}/`);
  expect(await owner.post('purge/')).toMatchObject(refused('money_undecided'));
  expect(await deleteCourse()).toMatchObject(refused('money_undecided'));
  await emptyTrash(contextAt(start + 31 * day));
  expect(await owner.post('money/', { money: 'keep' })).toMatchObject({ status: 204 });
  // Restored, it is undecided again.
  await owner.post('restore/');
  await owner.send('DELETE', '');
  expect(await owner.post('purge/')).toMatchObject(refused('money_undecided'));
  await owner.post('money/', { money: 'keep' });
  expect(await deleteCourse()).toMatchObject({ status: 204 });
});

/** Someone whose bank confirms their payment. */
async function confirm(payer: Payer): Promise<void> {
  await payer.open();
  given.stripe.act('pay_later', given.stripe.sessions().at(-1)?.id ?? '');
  await deliverLast('checkout.session.completed');
}

/** The bank of the last page says yes. */
async function arrive(time: number): Promise<void> {
  setTime(time);
  given.stripe.act('arrive', given.stripe.sessions().at(-1)?.id ?? '');
  await deliverLast('checkout.session.async_payment_succeeded');
}

test.each([
  ['a refund', (owner: Selling, payer: Payer) => refundOf(owner, payer)],
  [
    'their leaving',
    (owner: Selling, { id }: Payer) =>
      owner.post(`enrollments/${id}/left/`, {
        ...{ money: 'refund', balance_minor: 0, paid_minor: 24_000, note: null, notify: false },
      }),
  ],
])(
  'what Stripe is about to send back after %s does not go back by hand, too',
  async (_what, pay) => {
    const owner = await createSelling();
    const payer = await owner.person();
    await payer.pay();
    given.stripe.fail('/v1/refunds', 500, { count: 1 });
    await pay(owner, payer as Payer);
    const refund = { kind: 'refund', enrollments: [payer.id], ...received };
    expect(await owner.post('ledger/', { ...refund, amount_minor: 24_000 })).toMatchObject(
      refused('more_than_paid'),
    );
    expect(await owner.post('ledger/', { ...refund, amount_minor: null })).toMatchObject(
      refused('nothing_paid'),
    );
  },
);

async function refundOf(owner: Selling, payer: Pick<Payer, 'id'>) {
  return owner.post(`/api/checkouts/${(await checkoutOf(payer))?.id}/refunds/`, {});
}

test('who was invited and pays late gets a place that is free', async () => {
  const owner = await createFirst({ joinMode: 'invitation' });
  const { body, email } = await owner.add({ as: 'invited' });
  const payer = await given.payerOf(body.id);
  await payer.participate('accept');
  await payer.open();
  given.stripe.pay();
  await sweepAt(start + 75 * minute);
  await deliverLast('checkout.session.completed');
  expect(await statusOf(payer)).toBe('enrolled');
  expect(subjects(email)).not.toContainEqual(expect.stringContaining('too late'));
});

test('an open page goes with who is moved, and keeps the currency there', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.open();
  const free = await createCohortRow(owner.course, { priceMinor: null, currency: null });
  await owner.post(`enrollments/${payer.id}/transfer/`, { cohort_id: free.id });
  const price = { price_minor: 30_000, currency: 'USD' };
  const path = `/api/cohorts/${free.id}/`;
  expect(await owner.send('PATCH', path, price)).toMatchObject(refused('currency_in_use'));
  await payLast();
  const accounts = await owner.client.get(`${path}ledger/`);
  expect(await accounts.json()).toMatchObject({ items: [{ balance_minor: -24_000 }] });
});

test('a course is not deleted while an account is to be settled', async () => {
  const owner = await createRun();
  const payer = await enrolls(owner);
  await payer.pay();
  await payer.participate('leave');
  const deleteCourse = () => owner.send('DELETE', `/api/courses/${owner.course.id}/`);
  expect(await deleteCourse()).toMatchObject(refused('money_undecided'));
  const account = { balance_minor: 0, paid_minor: 24_000 };
  await owner.post(`enrollments/${payer.id}/settle/`, { money: 'refund', ...account });
  await runForMoney(start + minute);
  expect(await deleteCourse()).toMatchObject({ status: 204 });
});

test('what was decided about the money of a canceled cohort is undone with it', async () => {
  const { owner } = await createPaidCohort();
  await owner.send('DELETE', '', { notify: true, money: 'refund' });
  await owner.post('restore/');
  await runForMoney(start + 5 * minute);
  expect((await owner.read<{ totals: object }>('ledger/?show=everyone')).totals).toMatchObject({
    ...{ paid_minor: 48_000, refunded_minor: 0, owed_minor: 24_000 },
  });
  // What Stripe has sent back stays sent, and is owed again.
  await owner.send('DELETE', '', { notify: false, money: 'refund' });
  await runForMoney(start + 10 * minute);
  await owner.post('restore/');
  expect((await owner.read<{ totals: object }>('ledger/?show=everyone')).totals).toMatchObject({
    ...{ paid_minor: 48_000, refunded_minor: 24_000, owed_minor: 48_000 },
  });
});

test('an offer is not cut while the bank confirms its payment, and no email hurries', async () => {
  const owner = await createFirst({ capacity: 4 });
  const until = new Date(start + 40 * hour);
  const payer = await owner.person({ status: 'offered', expiresAt: until, offerNo: 1 });
  await confirm(payer as Payer);
  expect(await moveOrSave(owner, { starts_on: '2026-11-24' })).toMatchObject({ status: 200 });
  expect(await enrollmentRow(payer.id)).toMatchObject({ status: 'offered', expiresAt: until });
  await runForMoney(until.getTime() - 2 * hour);
  expect(subjects(payer.person.email)).toEqual([]);
});

test.each([['keep'], ['refund']])(
  'a debit that arrives in a canceled cohort goes back (%s)',
  async (money) => {
    const owner = await createSelling();
    const payer = await owner.person();
    await confirm(payer as Payer);
    await owner.send('DELETE', '', { notify: false, money });
    await arrive(start + 3 * day);
    expect(subjects(payer.person.email)).toEqual([expect.stringContaining('came too late')]);
    await runForMoney(start + 4 * day + minute);
    expect(await owner.amounts('refund')).toEqual([24_000]);
  },
);

test('what someone has paid who is erased goes back with the rest', async () => {
  const { owner, online, cash } = await createPaidCohort();
  for (const { person } of [online, cash]) {
    await owner.send('DELETE', `/api/people/${person.id}/`);
  }
  await owner.send('DELETE', '', { notify: false, money: 'refund' });
  await runForMoney(start + minute);
  expect(await owner.amounts('refund')).toEqual([24_000, 24_000]);
  expect(await owner.post('purge/')).toMatchObject({ status: 204 });
});

test.each([
  ['its cohort is in the trash', (owner: Selling) => owner.send('DELETE', '')],
  [
    'its person is erased',
    (owner: Selling, personId: string) => owner.send('DELETE', `/api/people/${personId}/`),
  ],
])('a page that was long open is ended at the first look once %s', async (_what, end) => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.open();
  for (const minutes of [3, 6, 12, 24, 48, 96]) {
    await runForMoney(start + minutes * minute);
  }
  await end(owner, payer.person.id);
  await runForMoney(start + 97 * minute);
  expect(given.stripe.sessions()).toMatchObject([{ status: 'expired' }]);
});

test.each([
  ['has never paid', 'online', null, 'enrolled'],
  ['has paid a price that was lowered since', 'online_first', 20_000, 'enrolled'],
  ['pays what it was raised by since', 'online_first', 24_100, 'offered'],
] as const)(
  'leaving and coming back renews no access of who %s',
  async (_who, paymentMode, price, status) => {
    const owner = await createRun({ paymentMode });
    const payer = await enrolls(owner);
    if (price !== null) {
      await payer.pay();
      await owner.send('PATCH', '', { price_minor: price });
    }
    setTime(start + 9 * day);
    await payer.participate('leave');
    expect(await payer.participate('rejoin')).toMatchObject({ body: { status } });
    if (status === 'offered') {
      await payer.pay();
    }
    expect(await statusOf(payer)).toBe('enrolled');
    expect(await accessEnd(payer)).toBe(start + access);
  },
);

test('who can no longer read is not asked to pay online for it', async () => {
  const owner = await createRun({ paymentMode: 'online' });
  const payer = await enrolls(owner);
  setTime(start + 12 * day);
  await owner.post('payment-reminders/');
  const reminder = mailsTo(payer.email, given.accepted).at(-1);
  expect(reminder?.subject).toContain('Still to pay');
  expect(reminder?.text).not.toContain('Pay online');
});

test('who was offered a place while no one can be paid waits again, before all others', async () => {
  const owner = await createFirst();
  const [holder, waiting] = [await enrolls(owner), await enrolls(owner)];
  await sweepAt(start + 71 * minute);
  expect([await statusOf(holder), await statusOf(waiting)]).toEqual(['expired', 'offered']);
  given.stripe.act('pause', owner.account);
  await deliverLast('account.updated');
  const later = await enrolls(owner);
  await sweepAt(start + 60 * hour);
  expect([await statusOf(waiting), await statusOf(later)]).toEqual(['waitlisted', 'waitlisted']);
  given.stripe.act('resume', owner.account);
  await deliverLast('account.updated');
  expect([await statusOf(waiting), await statusOf(later)]).toEqual(['offered', 'waitlisted']);
  await waiting.pay();
  expect(await statusOf(waiting)).toBe('enrolled');
});

test('an address that is corrected while its page is open has not agreed by the payment', async () => {
  const owner = await createFirst();
  const payer = await enrolls(owner);
  await payer.open();
  setTime(start + 5 * minute);
  await owner.send('PATCH', `/api/people/${payer.person.id}/`, {
    email: `${crypto.randomUUID()}@example.com`,
  });
  setTime(start + 10 * minute);
  await payLast();
  const { agreedAt, correctedAt } = (await personRow(payer.person.id)) ?? {};
  expect(agreedAt?.getTime()).toBeLessThan(correctedAt?.getTime() ?? 0);
});

/** Stripe pauses an account, or takes payments for it again. */
async function atAccount(owner: Selling, act: 'pause' | 'resume'): Promise<void> {
  given.stripe.act(act, owner.account);
  await deliverLast('account.updated');
}

test('during a pause, some wait again and others join, each at a place of their own', async () => {
  const owner = await createFirst({ capacity: 2 });
  const [one, two] = [await enrolls(owner), await enrolls(owner)];
  const [ana, ben] = [await enrolls(owner), await enrolls(owner)];
  setTime(start + minute);
  await one.participate('decline');
  setTime(start + 5 * hour);
  await two.participate('decline');
  await atAccount(owner, 'pause');
  await sweepAt(start + 49 * hour);
  const text = 'name,email\nCleo,cleo@example.com\nDan,dan@example.com';
  const imported = { as: 'enrolled', informed: true, rest: 'waitlist', dry_run: false, text };
  expect(await owner.post('imports/', imported)).toMatchObject({ status: 200 });
  const ed = await enrolls(owner);
  await sweepAt(start + 60 * hour);
  const { items } = await owner.read<{ items: { id: string }[] }>('waitlist/');
  expect(items).toMatchObject([
    ...[ana, ben].map(({ id }, nth) => ({ id, queue_position: nth + 1 })),
    { queue_position: 3 },
    { id: ed.id, queue_position: 4 },
  ]);
  expect(await owner.read(`waitlist/?after=${items[1]?.id}`)).toEqual(
    expect.objectContaining({ items: items.slice(2) }),
  );
  await atAccount(owner, 'resume');
  expect(await Promise.all([ana, ben, ed].map(statusOf))).toEqual([
    ...['offered', 'waitlisted', 'waitlisted'],
  ]);
});

test.each([
  [{}, 60 * hour, 'waitlisted'],
  // No offer would reach them there, and all others would wait behind them.
  [{ enrollmentOverride: 'open', startsAt: new Date(start + 20 * hour) }, 21 * hour, 'expired'],
] as const)(
  'who was approved waits, too, while no one can be paid, unless it begins',
  async (values, after, status) => {
    const owner = await createFirst({ joinMode: 'approval', ...values });
    const payer = await enrolls(owner);
    await owner.post(`enrollments/${payer.id}/approve/`);
    await atAccount(owner, 'pause');
    await sweepAt(start + after);
    expect(await statusOf(payer)).toBe(status);
    await runForMoney(start + after + minute);
    const text = mailsTo(payer.email, given.accepted).at(-1)?.text;
    expect(text?.includes('take online payments at the moment')).toBe(status === 'waitlisted');
  },
);

test('who waits again is in as soon as their payment arrives', async () => {
  const owner = await createFirst();
  const [holder, payer] = [await enrolls(owner), await enrolls(owner)];
  await holder.participate('decline');
  await confirm(payer);
  await atAccount(owner, 'pause');
  await sweepAt(start + 60 * hour);
  expect(await statusOf(payer)).toBe('waitlisted');
  await arrive(start + 61 * hour);
  expect(await statusOf(payer)).toBe('enrolled');
});

test('restoring takes back the refund of someone who was moved in, and of no one who was moved away', async () => {
  const owner = await createSelling();
  const [into, away] = [await owner.person(), await owner.person()];
  await into.pay();
  await away.pay();
  const other = await owner.moveAway(into);
  const inOther = (method: 'DELETE' | 'POST', path: string, input: object) =>
    owner.send(method, `/api/cohorts/${other}/${path}`, input);
  await inOther('DELETE', '', { notify: false, money: 'refund' });
  await inOther('POST', 'restore/', {});
  await owner.post(`enrollments/${away.id}/transfer/`, { cohort_id: other });
  await owner.send('DELETE', '', { notify: false, money: 'keep' });
  await inOther('POST', `enrollments/${away.id}/left/`, {
    ...{ money: 'refund', balance_minor: 0, paid_minor: 24_000, note: null, notify: false },
  });
  await owner.post('restore/');
  await runForMoney(start + 5 * minute);
  const refunded = async (payer: Pick<Payer, 'id'>) => (await checkoutOf(payer))?.refundedMinor;
  expect([await refunded(into), await refunded(away)]).toEqual([0, 24_000]);
});

test.each([['before'], ['after']])(
  'a cohort is trashed, restored, trashed and, %s a refund on its way is made, restored',
  async (when) => {
    const owner = await createSelling();
    const payer = await owner.person();
    await payer.pay();
    const totals = async () =>
      (await owner.read<{ totals: object }>('ledger/?show=everyone')).totals;
    const trash = () => owner.send('DELETE', '', { notify: false, money: 'refund' });
    await trash();
    given.stripe.fail('/v1/refunds', 500, { count: 6 });
    await runForMoney(start + minute);
    await owner.post('restore/');
    setTime(start + 2 * minute);
    await trash();
    given.stripe.recover();
    if (when === 'after') {
      await runForMoney(start + day);
      expect(await totals()).toMatchObject({ owed_minor: 0, waived_minor: 24_000 });
    }
    await owner.post('restore/');
    await runForMoney(start + 2 * day);
    expect(await totals()).toMatchObject({ refunded_minor: 24_000, owed_minor: 24_000 });
  },
);

test('a part that is on its way is owed again when its cohort is restored', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.pay();
  given.stripe.fail('/v1/refunds', 500, { count: 6 });
  const { id } = (await checkoutOf(payer)) ?? {};
  await owner.post(`/api/checkouts/${id}/refunds/`, { amount_minor: 10_000 });
  setTime(start + minute);
  await owner.send('DELETE', '', { notify: false, money: 'refund' });
  given.stripe.recover();
  await runForMoney(start + day);
  await owner.post('restore/');
  expect(await owner.read('ledger/?show=everyone')).toMatchObject({
    totals: { refunded_minor: 24_000, owed_minor: 24_000 },
  });
});

test('restoring leaves alone what was decided when someone left before', async () => {
  const owner = await createSelling();
  const payer = await owner.person();
  await payer.pay();
  given.stripe.fail('/v1/refunds', 500, { count: 6 });
  await owner.post(`enrollments/${payer.id}/left/`, {
    ...{ money: 'refund', balance_minor: 0, paid_minor: 24_000, note: null, notify: false },
  });
  setTime(start + minute);
  await owner.send('DELETE', '');
  given.stripe.recover();
  await runForMoney(start + day);
  await owner.post('restore/');
  expect(await owner.read('ledger/?show=everyone')).toMatchObject({
    items: [{ state: 'refunded', balance_minor: 0 }],
  });
});
