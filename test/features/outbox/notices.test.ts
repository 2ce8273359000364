import { expect, test } from 'vitest';
import { mailsDue } from '#db/schema/outbox.ts';
import { day, hour } from '#support/days.ts';
import { createEnrollment, db } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { createMeeting } from '../letters/reminders.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { createOwner, enrollmentRow, refused, setTime } from '../places/support.ts';
import { noWindow } from '../planning/support.ts';

const given = startFresh();

const daysOf = (starts_on: string, ends_on: string) => ({ starts_on, ends_on, time_zone: 'UTC' });

/** A published cohort in January, and a function that moves it. */
async function createJanuary(values: Parameters<typeof createOwner>[0] = {}) {
  const owner = await createOwner({
    startsOn: '2027-01-04',
    endsOn: '2027-01-29',
    timeZone: 'UTC',
    startsAt: new Date('2027-01-04T00:00:00Z'),
    endsAt: new Date('2027-01-30T00:00:00Z'),
    ...values,
  });
  let now = daysOf('2027-01-04', '2027-01-29');
  /** Moves it to other days, from where it was last moved to. */
  async function moveTo(first: string, last: string, input: object = {}, options = {}) {
    const next = daysOf(first, last);
    const expected = { ...noWindow, ...now };
    const move = { ...next, expected, notify: true, ...input };
    const answer = await owner.post('move/', move, options);
    now = answer.status === 200 ? next : now;
    return answer;
  }
  return { ...owner, moveTo };
}

test('people are told of every move, also back to dates that they were told of before', async () => {
  const { cohort, moveTo } = await createJanuary();
  const { person } = await createEnrollment(cohort);
  const told: number[] = [];
  for (const [first, last] of [
    ['2027-01-11', '2027-02-05'],
    ['2027-01-04', '2027-01-29'],
    ['2027-01-11', '2027-02-05'],
  ] as const) {
    expect((await moveTo(first, last)).status).toBe(200);
    told.push(mailsTo(person.email, given.resend.accepted).length);
  }
  expect(told).toEqual([1, 2, 3]);
});

test('a newer move replaces what has not gone yet, and says what people knew before', async () => {
  const { cohort, moveTo } = await createJanuary();
  await createEnrollment(cohort);
  // As if it had not been sent yet.
  const keepBack = () => db.update(mailsDue).set({ sentAt: null, attempts: 0, batchKey: null });
  await moveTo('2027-01-11', '2027-02-05');
  await keepBack();
  await moveTo('2027-01-18', '2027-02-12');
  const rows = await db.select().from(mailsDue);
  expect(rows.map(({ payload }) => JSON.parse(payload).before)).toMatchObject([
    { starts_on: '2027-01-04' },
  ]);

  await keepBack();
  await moveTo('2027-01-04', '2027-01-29');
  expect(await db.select().from(mailsDue)).toEqual([]);
});

test('an offer that a move cuts is made again, with its true end', async () => {
  const { cohort, moveTo } = await createJanuary({ capacity: 1 });
  const expiresAt = new Date('2027-01-03T12:00:00Z');
  const { person, id } = await createEnrollment(cohort, { status: 'offered', expiresAt });
  expect((await moveTo('2026-12-01', '2026-12-29')).status).toBe(200);

  const subjects = mailsTo(person.email, given.resend.accepted).map(({ subject }) => subject);
  const again = expect.stringMatching(/^A place is free .* until Tuesday, December 1/);
  expect(subjects).toContainEqual(again);
  const end = { status: 'offered', expiresAt: new Date('2026-12-01T00:00:00Z') };
  expect(await enrollmentRow(id)).toMatchObject(end);
});

test('enrollment that closes earlier cuts offers, and tells so', async () => {
  const closes = '2027-01-20T12:00';
  const { cohort, send } = await createJanuary({
    capacity: 1,
    enrollmentClosesLocal: closes,
    enrollmentClosesAt: new Date(`${closes}:00Z`),
  });
  const expiresAt = new Date('2027-01-15T12:00:00Z');
  const { person } = await createEnrollment(cohort, { status: 'offered', expiresAt });
  const earlier = { enrollment_closes_local: '2027-01-10T12:00' };
  expect((await send('PATCH', '', earlier)).status).toBe(200);

  const [mail] = mailsTo(person.email, given.resend.accepted);
  expect(mail?.subject).toMatch(/until Sunday, January 10/);
});

test('people of a cohort are told of five changes a day; it can still be moved without', async () => {
  const { cohort, moveTo, send } = await createJanuary();
  await createEnrollment(cohort);
  for (let n = 11; n < 16; n += 1) {
    expect((await moveTo(`2027-01-${n}`, '2027-03-01')).status).toBe(200);
  }
  const answer = await moveTo('2027-01-20', '2027-03-01');
  expect(answer).toMatchObject(refused('too_many_notices'));
  expect(answer.body.message).toBe(
    'You’ve already emailed people about changes 5 times today. Continue without emailing them, or try again tomorrow.',
  );
  expect((await send('DELETE', '', { notify: true })).status).toBe(422);
  expect((await moveTo('2027-01-20', '2027-03-01', { notify: false })).status).toBe(200);
  setTime(start + day + hour);
  expect((await moveTo('2027-01-21', '2027-03-01')).status).toBe(200);
});

test('all that an owner tells of changes counts together, of dates and of sessions', async () => {
  const { cohort, moveTo, post } = await createJanuary();
  await createEnrollment(cohort);
  const limited = { bindings: { LIMITS: { notices_per_owner: ['2/d'] } } };
  const move = (first: string) => moveTo(first, '2027-03-01', {}, limited);
  const announce = async () => {
    await createMeeting(cohort);
    return post('announcements/', {}, limited);
  };
  expect((await move('2027-01-11')).status).toBe(200);
  expect((await announce()).status).toBe(202);
  expect((await announce()).status).toBe(429);
  expect(await move('2027-01-12')).toMatchObject(refused('too_many_notices'));
});
