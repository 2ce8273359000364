import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { findFirstWaiting } from '#features/places/find-enrollments.ts';
import { findOwnCohort } from '#features/planning/own-cohorts.ts';
import { findRoster } from '#features/roster/find-roster.ts';
import { sealLink } from '#lib/signed-links.ts';
import { contextOn } from '#support/context.ts';
import { createEnrollment } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { brief, checkBalances, createPaid, earlyUntil, entriesOf } from '../ledger/support.ts';
import { startFresh } from '../places/fresh.ts';
import { countsOf, start } from '../places/storm.ts';
import { createOwner, enrollmentRow, participate, refused, setTime } from '../places/support.ts';

checkBalances();

const fresh = startFresh();

/** Someone who has paid 100 of 240 euros, and what their instructor does when they leave. */
async function createPayer(values: Parameters<typeof createPaid>[0] = {}, paid = 10_000) {
  const owner = await createPaid(values);
  const { id, person } = await owner.enroll();
  if (paid > 0) {
    await owner.pay(id, paid, { method: 'other', method_word: 'Zelle' });
  }
  const seen = { balance_minor: 24_000 - paid, paid_minor: paid };
  const path = (what: string) => `enrollments/${id}/${what}/`;
  const takePart = async (action: 'leave' | 'rejoin') =>
    participate(action, await sealLink(contextOn(), 'person', person), id);
  return {
    ...owner,
    id,
    person,
    seen,
    leave: (input: object) => owner.post(path('left'), { ...seen, ...input }),
    settle: (input: object) => owner.post(path('settle'), { ...seen, ...input }),
    takePart,
    comeBack: async () =>
      expect((await takePart('rejoin')).body).toMatchObject({ status: 'enrolled' }),
    /** Removes them, which decides nothing about the money. */
    remove: () => owner.post(path('remove'), { notify: false }),
    entries: async () =>
      (await entriesOf(owner.cohort.id)).map((one) => `${one.kind} ${one.amountMinor}`),
  };
}

test('a refund goes back the way the payment came, once', async () => {
  const { account, cohort, entries, id, leave } = await createPayer();
  const { status, body } = await leave({ money: 'refund', note: ' New job ' });

  expect([status, body.status, body.left_note]).toEqual([200, 'left', 'New job']);
  const refund = (await entriesOf(cohort.id)).find(({ kind }) => kind === 'refund');
  expect(refund).toMatchObject({ method: 'other', methodWord: 'Zelle' });
  expect(brief(await account(id))).toBe('refunded 0');
  expect(await enrollmentRow(id)).toMatchObject({ changedBy: 'owner', owesAfterLeaving: false });
  // The same again writes nothing more.
  await leave({ money: 'refund' });
  expect(await entries()).toHaveLength(4);
});

test('an account that is kept as it is goes on to be owed, and counts', async () => {
  const { entries, id, leave, list } = await createPayer();
  await leave({ money: 'keep' });

  expect(await entries()).toHaveLength(2);
  expect(await enrollmentRow(id)).toMatchObject({ owesAfterLeaving: true });
  expect((await list()).totals).toMatchObject({ owed_minor: 14_000, owing: 1 });
  expect((await list('?show=owing')).items).toMatchObject([{ to_settle: false }]);
});

test('who leaves with money open owes nothing until their instructor says so, which the roster says', async () => {
  const { cohort, id, list, remove, settle } = await createPayer();
  const ctx = contextOn();
  const account = async (status: string) => {
    const roster = findRoster(cohort.id, `?status=${status}`)(ctx, sql`${cohort.ownerId}`);
    return (await ask(ctx, { roster })).roster.accounts.get(id);
  };
  const open = { balance: 14_000, state: 'partly_paid' };
  expect(await account('enrolled')).toMatchObject({ ...open, toSettle: false });
  await remove();

  expect(await account('removed')).toMatchObject({ ...open, toSettle: true });
  const { items, totals } = await list();
  expect(items).toMatchObject([{ balance_minor: 14_000, to_settle: true }]);
  expect(totals).toMatchObject({ owed_minor: 0, owing: 0, paid_minor: 10_000 });
  expect((await list('?show=owing')).items).toEqual([]);

  expect((await settle({ money: 'keep' })).status).toBe(200);
  expect(await account('removed')).toMatchObject({ ...open, toSettle: false });
  expect((await list()).totals).toMatchObject({ owed_minor: 14_000, owing: 1 });
  expect((await enrollmentRow(id))?.status).toBe('removed');
  // It is decided, so that another decision changes nothing.
  expect((await settle({ money: 'waive' })).status).toBe(200);
  expect((await list()).totals).toMatchObject({ owed_minor: 14_000, waived_minor: 0 });
});

test.each([
  ['refund', 'refund 10000', 'waiver -24000'],
  ['waive', 'waiver -14000'],
])('an account is ended with a place or after it by: %s', async (money, ...written) => {
  const [leaving, gone] = [await createPayer(), await createPayer()];
  await leaving.leave({ money });
  await gone.remove();
  await gone.settle({ money });

  for (const { account, entries, id, list } of [leaving, gone]) {
    expect((await entries()).slice(2)).toEqual(written);
    expect(await account(id)).toMatchObject({ balance_minor: 0, to_settle: false });
    expect((await list('?show=left')).items).toEqual([]);
  }
});

test('nothing is decided about an account that has changed since it was seen', async () => {
  const { entries, id, leave, pay, remove, settle } = await createPayer();
  await pay(id, 1_000);
  const before = await entries();
  const changed = refused('balance_changed');

  for (const money of ['refund', 'keep', null]) {
    expect(await leave({ money })).toMatchObject(changed);
  }
  expect(await enrollmentRow(id)).toMatchObject({ status: 'enrolled' });
  // Nor is it settled before they have left, and they leave once.
  expect(await settle({ money: 'keep' })).toMatchObject(refused('enrollment_transition'));
  await remove();
  expect(await leave({ money: 'keep' })).toMatchObject(refused('enrollment_transition'));
  for (const money of ['refund', 'waive', 'keep']) {
    expect(await settle({ money })).toMatchObject(changed);
  }
  expect(await entries()).toEqual(before);
});

test.each([
  ['refund', 24_000],
  ['waive', 14_000],
])('coming back after %s restores what was waived', async (money, owed) => {
  const { account, comeBack, id, leave, waive } = await createPayer();
  await waive(id, 1_000);
  const seen = { balance_minor: 13_000, paid_minor: 10_000 };
  expect((await leave({ money, ...seen })).status).toBe(200);
  await comeBack();

  expect(await account(id)).toMatchObject({ balance_minor: owed - 1_000, waived_minor: 1_000 });
});

test('who comes back owes what was waived on their account after they had left', async () => {
  const waived = await createPayer();
  await waived.takePart('leave');
  await waived.waive(waived.id);
  await waived.comeBack();
  expect(brief(await waived.account(waived.id))).toBe('partly_paid 14000');

  const refunded = await createPayer();
  await refunded.takePart('leave');
  await refunded.refund(refunded.id, null, { waive_rest: true });
  await refunded.comeBack();
  expect(brief(await refunded.account(refunded.id))).toBe('owes 24000');
});

test('who comes back owes nothing more, unless the early price has ended: then the price, and what they paid stays', async () => {
  const { comeBack, entries, takePart } = await createPayer(earlyUntil(start + 1_000));
  const before = ['charge 20000', 'payment -10000'];
  for (const [time, written] of [
    [start, []],
    [start + 1_000, ['charge -20000', 'charge 24000']],
  ] as const) {
    setTime(time);
    await takePart('leave');
    await comeBack();
    expect(await entries()).toEqual([...before, ...written]);
  }
});

test('two decisions at once are one', async () => {
  for (const first of ['refund', 'waive']) {
    const { entries, leave } = await createPayer();
    const second = first === 'refund' ? 'waive' : 'refund';
    const answers = await Promise.all([leave({ money: first }), leave({ money: second })]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const all = (await entries()).slice(2);
    expect([['refund 10000', 'waiver -24000'], ['waiver -14000']]).toContainEqual(all);
  }
});

test('nothing is refunded that was not paid, and nothing waived that is not owed', async () => {
  const { leave } = await createPayer({}, 0);
  expect(await leave({ money: 'refund' })).toMatchObject(refused('nothing_paid'));
  const free = await createPayer({ priceMinor: null, currency: null }, 0);
  const nothing = { balance_minor: 0, paid_minor: 0 };
  expect(await free.leave({ money: 'waive', ...nothing })).toMatchObject(refused('nothing_owed'));
  expect(await free.leave(nothing)).toMatchObject({ status: 200, body: { status: 'left' } });
});

test('the place goes to the next who waits, and a neutral email says that it has ended, or none', async () => {
  const { add, cohort, leave, person } = await createPayer({ capacity: 1 });
  const { body: waiting } = await add({ as: 'waitlisted' });
  await leave({ money: 'keep' });

  expect((await enrollmentRow(waiting.id))?.status).toBe('offered');
  const mail = mailsTo(person.email, fresh.resend.accepted).at(-1);
  expect(mail?.subject).toContain(`(${cohort.name}) has ended`);
  expect(mail?.text).toContain('Anna Martin');
  expect(mail?.text).not.toContain('removed');
  const silent = await createPayer();
  await silent.leave({ money: 'keep', notify: false });
  expect(mailsTo(silent.person.email, fresh.resend.accepted)).toEqual([]);
});

test('the owner sees who gets a freed place', async () => {
  const cases = [
    { expected: true },
    { hasMore: true, expected: false },
    // It has begun, and enrollment is closed.
    { startsAt: new Date(start - 1), expected: false },
    { publishedAt: null, expected: false },
  ];
  for (const { hasMore, expected, ...values } of cases) {
    const { cohort, user, post } = await createOwner({ capacity: 1, ...values });
    const { id } = await createEnrollment(cohort);
    if (hasMore) {
      await createEnrollment(cohort, { overCapacity: true });
    }
    await createEnrollment(cohort, { status: 'waitlisted', queueNo: 2 }, { name: 'Second' });
    const waiting = { status: 'waitlisted', queueNo: 1 } as const;
    const first = await createEnrollment(cohort, waiting, { name: 'First' });
    const ctx = contextOn();
    const found = await ask(ctx, {
      cohort: findOwnCohort(cohort.id)(ctx, sql`${user.id}`),
      next: findFirstWaiting(cohort.id)(ctx, sql`${user.id}`),
      none: findFirstWaiting(cohort.id)(ctx, sql`'someone else'`),
    });
    expect(found).toMatchObject({ cohort: { isPassedOn: expected }, next: 'First', none: null });
    const left = { money: null, balance_minor: 0, paid_minor: 0 };
    expect((await post(`enrollments/${id}/left/`, left)).status).toBe(200);
    expect((await enrollmentRow(first.id))?.status).toBe(expected ? 'offered' : 'waitlisted');
    expect((await countsOf(cohort))['offered'] ?? 0).toBe(expected ? 1 : 0);
  }
});
