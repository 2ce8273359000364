import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mailsDue } from '#features/outbox/table.ts';
import { people } from '#features/people/table.ts';
import { settled } from '#support/background.ts';
import { db, uniqueEmail } from '#support/factories.ts';
import { nodesOf, textIn, typedTexts } from '#support/typed-texts.ts';
import { createMail, drainByClock } from '../outbox/support.ts';
import { startFresh } from '../people/fresh.ts';
import { actionsOn, start } from '../people/storm.ts';
import { enrollBy, setTime } from '../people/support.ts';
import { createPaid } from './support.ts';

const hour = 60 * 60 * 1000;
const week = 7 * 24 * hour;

const fresh = startFresh();

async function personOf(email: string) {
  const [person] = await db.select().from(people).where(eq(people.email, email));
  if (person === undefined) {
    throw new Error(email);
  }
  return person;
}

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
  const { client, cohort, enroll, pay, remind } = await createPaid();
  const add = async (as: string, name: string) => {
    const path = `/api/cohorts/${cohort.id}/enrollments/`;
    const email = uniqueEmail();
    const response = await client.post(path, { as, name, email });
    expect(response.status).toBe(201);
    return { ...(await response.json<{ id: string }>()), email };
  };
  const actions = actionsOn(cohort);
  await add('enrolled', 'Added');
  const back = await add('enrolled', 'Added and back');
  const paid = await add('enrolled', 'Added and paid');
  await pay(paid.id);
  // Who has left has agreed to nothing.
  const person = await personOf(back.email);
  await actions.leave(start + 1, person);
  await actions.add(start + 2, person);
  const { email: asked } = await enrollBy(fresh.resend, cohort.slug, { name: 'Asked' });
  const invited = await add('invited', 'Invited');
  await actions.acceptInvitation(start + 3, await personOf(invited.email));
  const { person: self } = await enroll('By themselves');
  await settled();
  fresh.resend.accepted.length = 0;

  expect(await remind()).toEqual({ status: 200, body: { recipients: 3, not_agreed: 2 } });
  const mails = [...fresh.resend.accepted, ...(await sent(start + hour))];
  expect(mails.filter(({ subject }) => /Still to pay/.test(subject)).map(({ to }) => to)).toEqual([
    asked,
    self.email,
    invited.email,
  ]);
});

test('a reminder of an amount that is owed no more, or to someone who has left, is not sent', async () => {
  const { client, cohort, enroll, pay, remind } = await createPaid();
  const members = [await enroll('Ada'), await enroll('Bea'), await enroll('Cleo')];
  const limited = { bindings: { LIMITS: { bulk_mails_per_owner: ['1/h'] } } };
  expect((await remind(limited)).body).toEqual({ recipients: 3, not_agreed: 0 });
  expect(fresh.resend.accepted.map(({ to }) => to)).toEqual([members[0]?.person.email]);
  await pay(members[1]?.id ?? '', 1000);
  const path = `/api/cohorts/${cohort.id}/enrollments/${members[2]?.id}/remove/`;
  expect((await client.post(path, {})).status).toBe(200);

  const later = [...(await sent(start + hour)), ...(await sent(start + 3 * hour))];
  expect(
    later.map(({ subject }) => subject).filter((subject) => /Still to pay/.test(subject)),
  ).toEqual([]);
  const left = await db.select().from(mailsDue).where(eq(mailsDue.kind, 'payment_reminder'));
  expect(left.map(({ failure }) => failure).toSorted()).toEqual(['not_needed', 'not_needed', null]);
  // Reminders that were never sent hold up no new ones.
  await client.post(`/api/cohorts/${cohort.id}/enrollments/${members[2]?.id}/accept/`, {});
  expect((await remind()).body).toEqual({ recipients: 2, not_agreed: 0 });
});

test('a reminder that waits is not sent to an address that was corrected since', async () => {
  const { client, enroll, remind } = await createPaid();
  const [ada, bea] = [await enroll('Ada'), await enroll('Bea')];
  const limited = { bindings: { LIMITS: { bulk_mails_per_owner: ['1/h'] } } };
  expect((await remind(limited)).body).toEqual({ recipients: 2, not_agreed: 0 });
  expect(fresh.resend.accepted.map(({ to }) => to)).toEqual([ada.person.email]);
  const email = uniqueEmail();
  const corrected = await client.request('PATCH', `/api/people/${bea.person.id}/`, { email });
  expect(corrected.status).toBe(200);
  await settled();

  const later = await sent(start + hour);
  expect(later.filter(({ subject }) => /Still to pay/.test(subject))).toEqual([]);
  const waiting = await db.select().from(mailsDue).where(eq(mailsDue.toAddress, email));
  expect(waiting.find(({ kind }) => kind === 'payment_reminder')?.failure).toBe('not_needed');
});

test('reminders keep the distance of all that an instructor sends to many', async () => {
  const { enroll, remind } = await createPaid();
  for (const name of ['Ada', 'Bea', 'Cleo']) {
    await enroll(name);
  }
  await remind({ bindings: { LIMITS: { bulk_mails_per_owner: ['2/h'] } } });
  const mails = await db.select().from(mailsDue).where(eq(mailsDue.kind, 'payment_reminder'));

  expect(
    mails.map(({ dueAt, sentAt }) => [(sentAt ?? dueAt).getTime() - start]).toSorted(),
  ).toEqual([[0], [hour / 2], [hour]]);
});

test('while people mark what an instructor sends as spam, reminders wait and new ones are refused', async () => {
  const { user, enroll, remind } = await createPaid();
  const limited = { bindings: { LIMITS: { bulk_mails_per_owner: ['1/h'] } } };
  await enroll('Ada');
  await enroll('Bea');
  expect((await remind(limited)).body).toEqual({ recipients: 2, not_agreed: 0 });
  expect(fresh.resend.accepted.splice(0)).toHaveLength(1);
  const complainedAt = new Date(start - hour);
  await createMail({
    ownerId: user.id,
    toAddress: uniqueEmail(),
    sentAt: complainedAt,
    complainedAt,
  });
  await enroll('Cleo');
  expect(await remind()).toMatchObject({ status: 422, body: { code: 'messages_paused' } });
  expect(await sent(start + hour)).toEqual([]);
  const mails = await db.select().from(mailsDue).where(eq(mailsDue.kind, 'payment_reminder'));

  expect(mails).toHaveLength(2);
  expect(mails.find(({ sentAt }) => sentAt === null)).toMatchObject({
    failedAt: null,
    attempts: 0,
  });
});

test('of a cohort that is archived or in the trash, no one is reminded', async () => {
  const { client, cohort, enroll, remind } = await createPaid();
  await enroll('Ada');
  await client.post(`/api/cohorts/${cohort.id}/archive/`);
  expect(await remind()).toMatchObject({ status: 422, body: { code: 'cohort_archived' } });
  await client.request('DELETE', `/api/cohorts/${cohort.id}/`);

  expect(await remind()).toMatchObject({ status: 422, body: { code: 'cohort_in_trash' } });
  expect(await db.select().from(mailsDue)).toEqual([]);
});

test.each(Object.entries(typedTexts))(
  'how to pay appears as typed in the email: %s',
  async (_kind, typed) => {
    const { enroll, remind } = await createPaid({ paymentNote: typed });
    await enroll('Ada');
    await remind();
    const [mail] = fresh.resend.accepted;

    expect(mail?.text).toContain(typed);
    expect(textIn(nodesOf(mail?.html ?? ''))).toContain(typed);
  },
);
