import { and, eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments } from '#db/schema/people.ts';
import { endWaitlists, sweep } from '#features/places/sweep.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { day } from '#support/days.ts';
import { type createCohortRow, createEnrollment, db } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { createMeeting } from '../letters/reminders.ts';
import { startFresh } from './fresh.ts';
import { start } from './storm.ts';
import { createOwner, enrollmentRow, refused, setTime } from './support.ts';

const given = startFresh();
beforeEach(async () => {
  await db.delete(mailsDue);
  await db.delete(cohorts);
});

/** An instructor whose cohort has people of every status. */
async function createCrowd(values: Parameters<typeof createCohortRow>[1] = {}) {
  const owner = await createOwner({ capacity: 2, ...values });
  const { cohort } = owner;
  const expiresAt = new Date(start + day);
  const crowd = {
    enrolled: await createEnrollment(cohort, {}, { language: 'fr' }),
    offered: await createEnrollment(cohort, { status: 'offered', expiresAt }),
    waiting: await createEnrollment(cohort, { status: 'waitlisted', queueNo: 1 }),
    invited: await createEnrollment(cohort, { status: 'invited', expiresAt }),
    asking: await createEnrollment(cohort, { status: 'applied' }),
    left: await createEnrollment(cohort, { status: 'left' }),
  };
  return { ...owner, crowd, statusOf: async (id: string) => (await enrollmentRow(id))?.status };
}

type Crowd = Awaited<ReturnType<typeof createCrowd>>['crowd'];

/** Who has got an email, and what it was about. */
function toldOf(crowd: Crowd, { accepted } = given.resend) {
  return Object.entries(crowd).flatMap(([who, { person }]) =>
    mailsTo(person.email, accepted).map(({ subject }) => `${who}: ${subject}`),
  );
}

const move = {
  starts_on: '2027-01-11',
  ends_on: '2027-02-19',
  time_zone: 'Europe/Paris',
  expected: {
    starts_on: '2027-01-04',
    ends_on: '2027-02-12',
    time_zone: 'Europe/Paris',
    enrollment_opens_local: null,
    enrollment_closes_local: null,
  },
};

const canceled = [
  'enrolled: Annulation\u00a0: Writing',
  'offered: Canceled: Writing',
  'waiting: Canceled: Writing',
  'invited: Canceled: Writing',
  'asking: Canceled: Writing',
];

test('a cohort in the trash is canceled for everyone who counts on it, in words of its owner, once', async () => {
  const { crowd, send } = await createCrowd();
  const deletion = await send('DELETE', '', { note: 'I am ill.\nSorry!' });
  expect(deletion.status).toBe(204);
  expect((await send('DELETE', '')).status).toBe(204);

  expect(toldOf(crowd)).toEqual(canceled);
  const [mail] = mailsTo(crowd.waiting.person.email, given.resend.accepted);
  expect(mail?.text).toContain('A word from Anna Martin:\n\nI am ill.\n\nSorry!');
});

test.each([
  ['trash if the owner chooses so', {}, 'DELETE', '', { notify: false }],
  ['trash of a draft', { publishedAt: null }, 'DELETE', '', {}],
  ['trash after its end', { endsAt: new Date(start) }, 'DELETE', '', {}],
  ['move if the owner chooses so', {}, 'POST', 'move/', { ...move, notify: false }],
  ['move of a draft', { publishedAt: null }, 'POST', 'move/', move],
])('no one is told of the %s', async (_what, values, method, path, input) => {
  const { crowd, send } = await createCrowd(values);
  await send(method, path, input);

  expect(toldOf(crowd)).toEqual([]);
});

const isOffered = expect.stringMatching(/^waiting: A place is free for you in Writing, until /);

test('more places are offered in the request that makes them', async () => {
  const { crowd, send } = await createCrowd();
  expect((await send('PATCH', '', { capacity: 3 })).status).toBe(200);

  expect(toldOf(crowd)).toEqual([isOffered]);
});

test('a restored cohort goes on: offers that are over expire, and their places are offered', async () => {
  const { crowd, send } = await createCrowd();
  await send('DELETE', '', { notify: false });
  setTime(start + day);
  expect((await send('POST', 'restore/')).status).toBe(200);

  expect(toldOf(crowd)).toEqual(['offered: The place in Writing was passed on', isOffered]);
});

test('a move is told with the old and the new dates to all who count on it or ask, once', async () => {
  const { crowd, send } = await createCrowd();
  await send('POST', 'move/', { ...move, dry_run: true });
  expect(given.resend.accepted).toEqual([]);
  await send('POST', 'move/', { ...move, note: 'A week later.' });
  await send('POST', 'move/', move);

  expect(toldOf(crowd)).toEqual([
    'enrolled: Nouvelles dates\u00a0: Writing',
    'offered: New dates for Writing',
    'waiting: New dates for Writing',
    'invited: New dates for Writing',
    'asking: New dates for Writing',
  ]);
  const [mail] = mailsTo(crowd.waiting.person.email, given.resend.accepted);
  const text = mail?.text.replaceAll('\u00a0', ' ');
  expect(text).toContain('Previously: January 4 – February 12, 2027 (Paris)');
  expect(text).toContain('Dates: January 11 – February 19, 2027 (Paris)');
  expect(text).toContain('A week later.');
});

test.each([
  ['to other days', move, /Tuesday, January 12, 2027, 6:00\sPM \(Paris\)/],
  [
    'to another zone',
    { ...move, starts_on: '2027-01-04', ends_on: '2027-02-12', time_zone: 'Asia/Tokyo' },
    /Tuesday, January 5, 2027, 6:00\sPM \(Tokyo\)/,
  ],
])('a move %s says that live sessions moved too, and which is next', async (_, input, when) => {
  const { crowd, cohort, send } = await createCrowd();
  await createMeeting(cohort, { title: 'Second draft', startsLocal: '2027-01-12T18:00' });
  await createMeeting(cohort, { title: 'First draft' });
  await send('POST', 'move/', input);

  const [french] = mailsTo(crowd.enrolled.person.email, given.resend.accepted);
  expect(french?.text).toContain('Les séances en direct sont décalées');
  const [mail] = mailsTo(crowd.waiting.person.email, given.resend.accepted);
  expect(mail?.text).toContain('The live sessions have moved too');
  expect(mail?.text).toContain('Next live session: First draft · ');
  expect(mail?.text).toMatch(when);
});

test('a move says nothing of live sessions that stay or were canceled', async () => {
  const longer = await createCrowd();
  await createMeeting(longer.cohort);
  const later = { ...move, starts_on: '2027-01-04', ends_on: '2027-02-26' };
  await longer.send('POST', 'move/', later);
  const gone = await createCrowd();
  await createMeeting(gone.cohort, { cancelledAt: new Date(start) });
  await gone.send('POST', 'move/', move);

  for (const { crowd } of [longer, gone]) {
    const [mail] = mailsTo(crowd.waiting.person.email, given.resend.accepted);
    expect(mail?.subject).toContain('New dates');
    expect(mail?.text).not.toContain('live session');
  }
});

test('a cohort with people stays published, and its course stays', async () => {
  const { course, crowd, send } = await createCrowd();
  const message = '5 people are on the roster. Move the cohort to the trash instead.';
  const body = { code: 'cohort_has_people', message };
  expect(await send('POST', 'unpublish/')).toMatchObject({ status: 422, body });
  const deleteCourse = () => send('DELETE', `/api/courses/${course.id}/`);
  expect(await deleteCourse()).toMatchObject(refused('course_has_people'));
  const left = { status: 'left', queueNo: null, expiresAt: null } as const;
  const areTheirs = eq(enrollments.cohortId, crowd.enrolled.cohortId);
  await db.update(enrollments).set(left).where(areTheirs);

  expect((await send('POST', 'unpublish/')).status).toBe(200);
  expect((await deleteCourse()).status).toBe(204);
});

test('the clock ends offers, passes places on and emails at once; a waitlist ends with its cohort', async () => {
  const { crowd, cohort, statusOf } = await createCrowd();
  setTime(start + day);
  await sweep(contextOn());
  const now = new Date(start + day);
  for (const [{ id }, kind] of [
    [crowd.offered, 'offer_expired'],
    [crowd.waiting, 'offer'],
  ] as const) {
    const isTheirs = and(eq(mailsDue.enrollmentId, id), eq(mailsDue.kind, kind));
    expect(await db.select().from(mailsDue).where(isTheirs)).toMatchObject([{ dueAt: now }]);
  }
  await sweep(contextOn());
  expect(await statusOf(crowd.offered.id)).toBe('expired');
  expect(await statusOf(crowd.invited.id)).toBe('expired');
  expect(await statusOf(crowd.waiting.id)).toBe('offered');
  expect(loggedEvents('people_swept')).toMatchObject([{ cohorts: 1, expired: 2, promoted: 1 }]);
  const late = await createEnrollment(cohort, { status: 'waitlisted', queueNo: 2 });
  await updateRow(cohorts, cohort, { endsAt: now });
  setTime(start + 4 * day);
  await endWaitlists(contextOn());

  expect(await statusOf(late.id)).toBe('expired');
  expect(await db.$count(mailsDue, eq(mailsDue.enrollmentId, late.id))).toBe(0);
});
