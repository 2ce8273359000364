import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { people } from '#db/schema/people.ts';
import { settled } from '#support/background.ts';
import { hour } from '#support/days.ts';
import { db, uniqueEmail } from '#support/factories.ts';
import { mailsTo, type SentMail } from '#support/resend.ts';
import { nodesOf, textIn, typedTexts } from '#support/typed-texts.ts';
import { createSpam, drainByClock } from '../letters/support.ts';
import { startFresh } from '../places/fresh.ts';
import { actionsOn, start } from '../places/storm.ts';
import { enrollBy, refused, setTime } from '../places/support.ts';
import { checkBalances, createPaid, earlyUntil } from './support.ts';

checkBalances();

const week = 7 * 24 * hour;
const oneInTheRequest = { bindings: { LIMITS: { bulk_mails_per_owner: ['1/h'] } } };

const fresh = startFresh();

const remindersDue = () => db.select().from(mailsDue).where(eq(mailsDue.kind, 'payment_reminder'));

async function personOf(email: string) {
  const person = await db.select().from(people).where(eq(people.email, email)).get();
  if (person === undefined) {
    throw new Error(email);
  }
  return person;
}

const asksForMoney = ({ subject }: SentMail) => /Still to pay/.test(subject);

/** What is sent within an hour: emails go out one after another. */
async function sent(time: number) {
  fresh.resend.accepted.length = 0;
  for (let minute = 0; minute <= 60; minute += 10) {
    setTime(time + minute * 60_000);
    await drainByClock();
  }
  return fresh.resend.accepted;
}

test('someone who is enrolled and still owes gets a reminder of the amount, and no second one in a week', async () => {
  const { enroll, pay, waive, remind } = await createPaid({ paymentNote: 'To FR76 3000.' });
  const ada = await enroll('Ada Lovelace');
  await pay((await enroll('Bea')).id);
  await waive((await enroll('Cleo')).id);
  await enroll('Dora', { status: 'left' });
  const eve = await enroll('Eve Arden');
  await pay(eve.id, 10_000);

  expect(await remind()).toEqual({ status: 200, body: { recipients: 2, not_agreed: 0 } });
  // The first goes out with the request.
  const mails = [...fresh.resend.accepted, ...(await sent(start))];
  expect(mails.map(({ to, subject }) => [to, subject.replace(/.*: /, '')])).toEqual([
    [ada.person.email, '€240'],
    [eve.person.email, '€140'],
  ]);
  expect(mails[0]?.text).toMatch(/How to pay:\s+To FR76 3000\./);
  expect(mails[0]?.text).toContain('Lectern keeps the account');

  setTime(start + week - hour);
  expect((await remind()).body).toEqual({ recipients: 0, not_agreed: 0 });
  setTime(start + week + hour);
  expect((await remind()).body).toEqual({ recipients: 2, not_agreed: 0 });
});

test('only people who have enrolled by themselves or accepted are asked for money, and the answer counts the others', async () => {
  const { add, cohort, enroll, pay, remind } = await createPaid();
  const actions = actionsOn(cohort);
  await add({ name: 'Added' });
  const back = await add({ name: 'Added and back' });
  const paid = await add({ name: 'Added and paid' });
  await pay(paid.body.id);
  // Who has left has agreed to nothing.
  const person = await personOf(back.email);
  await actions.leave(start + 1, person);
  await actions.add(start + 2, person);
  const { email: asked } = await enrollBy(fresh.resend, cohort.slug, { name: 'Asked' });
  const invited = await add({ as: 'invited', name: 'Invited' });
  await actions.acceptInvitation(start + 3, await personOf(invited.email));
  const { person: self } = await enroll('By themselves');
  await settled();
  fresh.resend.accepted.length = 0;

  expect(await remind()).toEqual({ status: 200, body: { recipients: 3, not_agreed: 2 } });
  const mails = [...fresh.resend.accepted, ...(await sent(start + hour))].filter(asksForMoney);
  expect(mails.map(({ to }) => to)).toEqual([asked, self.email, invited.email]);
});

test('a reminder is not sent if the amount, the address or the status of its person has changed by then', async () => {
  const { enroll, pay, post, remind, send } = await createPaid();
  const [ada, bea, cleo, dora] = [
    await enroll('Ada'),
    await enroll('Bea'),
    await enroll('Cleo'),
    await enroll('Dora'),
  ];
  expect((await remind(oneInTheRequest)).body).toEqual({ recipients: 4, not_agreed: 0 });
  expect(fresh.resend.accepted.map(({ to }) => to)).toEqual([ada.person.email]);
  await pay(bea.id, 1000);
  expect((await post(`enrollments/${cleo.id}/remove/`)).status).toBe(200);
  const email = uniqueEmail();
  expect((await send('PATCH', `/api/people/${dora.person.id}/`, { email })).status).toBe(200);

  const later = [...(await sent(start + hour)), ...(await sent(start + 3 * hour))];
  expect(later.filter(asksForMoney)).toEqual([]);
  expect((await remindersDue()).map(({ failure }) => failure).toSorted()).toEqual([
    ...Array(3).fill('not_needed'),
    null,
  ]);
  // Reminders that were never sent hold up no new ones.
  await post(`enrollments/${cleo.id}/accept/`);
  expect((await remind()).body).toEqual({ recipients: 2, not_agreed: 1 });
});

test('while people mark what an instructor sends as spam, reminders wait and new ones are refused', async () => {
  const { user, enroll, remind } = await createPaid();
  await enroll('Ada');
  await enroll('Bea');
  expect((await remind(oneInTheRequest)).body).toEqual({ recipients: 2, not_agreed: 0 });
  expect(fresh.resend.accepted.splice(0)).toHaveLength(1);
  await createSpam(user.id, new Date(start - hour));
  await enroll('Cleo');
  expect(await remind()).toMatchObject(refused('messages_paused'));
  expect(await sent(start + hour)).toEqual([]);
  const mails = await remindersDue();

  expect(mails).toHaveLength(2);
  const waiting = mails.find(({ sentAt }) => sentAt === null);
  expect(waiting).toMatchObject({ failedAt: null, attempts: 0 });
});

test('of a cohort that is archived or in the trash, no one is reminded', async () => {
  const { enroll, post, remind, send } = await createPaid();
  await enroll('Ada');
  await post('archive/');
  expect(await remind()).toMatchObject(refused('cohort_archived'));
  await send('DELETE', '');

  expect(await remind()).toMatchObject(refused('cohort_in_trash'));
  expect(await db.select().from(mailsDue)).toEqual([]);
});

test('how to pay appears as typed in the email', async () => {
  for (const typed of Object.values(typedTexts)) {
    const { enroll, remind } = await createPaid({ paymentNote: typed });
    await enroll('Ada');
    await remind();
    const mail = fresh.resend.accepted.pop();
    expect(mail?.text).toContain(typed);
    expect(textIn(nodesOf(mail?.html ?? ''))).toContain(typed);
  }
});

/** What the emails to someone say of the price, by their subjects. */
function pricesIn(email: string) {
  return mailsTo(email, fresh.resend.accepted).map(({ text }) =>
    /Price: (.*)/.exec(text)?.[1]?.replaceAll('\u00a0', ' '),
  );
}

test('emails say the price by when their reader has enrolled, and both to who may still enroll', async () => {
  const early = Date.parse('2026-12-18T00:00:00Z');
  const values = { ...earlyUntil(early), timeZone: 'UTC' };
  const { add, cohort, enroll, remind, send } = await createPaid(values);
  const both = '€200.00 until December 17, then €240.00';
  const { email } = await enrollBy(fresh.resend, cohort.slug);
  expect(pricesIn(email)).toEqual([both, '€200.00']);
  const invited = await add({ as: 'invited' });
  expect(pricesIn(invited.email)).toEqual([both]);

  setTime(early);
  fresh.resend.accepted.length = 0;
  await remind();
  const waits = await enroll('Bea', { status: 'waitlisted', queueNo: 1 });
  expect((await send('DELETE', '', { notify: true })).status).toBe(204);
  expect(pricesIn(email)).toEqual(['€200.00', '€200.00']);
  expect(pricesIn(waits.person.email)).toEqual(['€240.00']);
});

/** Someone who has enrolled by themselves and owes 240 euros, and the receipts that they got. */
async function createPayer(values: Parameters<typeof createPaid>[0] = {}) {
  const owner = await createPaid(values);
  const { email } = await enrollBy(fresh.resend, owner.cohort.slug, { name: 'Grace Hopper' });
  const [member] = (await owner.list()).items;
  return {
    ...owner,
    id: member?.id ?? '',
    receipts: async () => {
      await drainByClock();
      return mailsTo(email, fresh.resend.accepted).filter(({ subject }) =>
        subject.startsWith('Receipt'),
      );
    },
  };
}

test('a receipt says what was paid, how and when, and what is left', async () => {
  const { cohort, id, pay, post, receipts } = await createPayer();
  const how = { method: 'other', method_word: 'Wero', received_on: '2026-11-20' };
  const [entry] = (await pay(id, 10_000, how)).entries;
  expect(await receipts()).toEqual([]);
  // A second press on the same day sends no other.
  for (let press = 0; press < 2; press += 1) {
    expect((await post(`/api/ledger/${entry?.id}/receipt/`)).status).toBe(204);
  }

  const [mail, ...more] = await receipts();
  expect(more).toEqual([]);
  for (const said of [
    'not an invoice',
    '€100.00',
    'November 20, 2026',
    'Wero',
    'Writing',
    cohort.name,
    'Anna Martin',
    '€140.00',
  ]) {
    expect(mail?.text.replaceAll('\u00a0', ' ')).toContain(said);
  }
});

test('a cohort that sends receipts sends one for each payment, which does not say what someone may still owe who has left', async () => {
  const { id, pay, post, receipts, waive } = await createPayer({ sendsReceipts: true });
  await post(`enrollments/${id}/remove/`);
  await pay(id, 10_000);
  await waive(id, 1_000);

  const [mail, ...others] = await receipts();
  expect(others).toEqual([]);
  expect(mail?.text).toContain('€100.00');
  expect(mail?.text).not.toContain('Still owed');
});

test('an owner sends only so many receipts, and none of reversed payments, other entries or entries of other instructors', async () => {
  const owner = await createPayer();
  const { account, id, pay, post, reverse } = owner;
  const [entry] = (await pay(id, 10_000)).entries;
  const limited = { bindings: { LIMITS: { receipts_per_user: ['1/d'] } } };
  for (const [by, status] of [
    [owner, 204],
    [owner, 429],
    [await createPaid(), 404],
  ] as const) {
    const answer = await by.post(`/api/ledger/${entry?.id}/receipt/`, undefined, limited);
    expect(answer.status).toBe(status);
  }
  const [reversed] = (await pay(id, 100)).entries;
  await reverse(reversed?.id ?? '');
  const [charge] = (await account(id)).entries;

  for (const of of [reversed, charge]) {
    expect(await post(`/api/ledger/${of?.id}/receipt/`)).toMatchObject(refused('no_receipt'));
  }
});
