import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { removeExpired } from '#features/clean-up/remove-expired.ts';
import { findRequest } from '#features/people/confirm-request.ts';
import { enrollmentRequests, enrollments, people } from '#features/people/table.ts';
import { createClient } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import { createCohortRow, createSignedInClient, db, uniqueEmail } from '#support/factories.ts';
import { fakeResend, mailsTo, requestTokenIn } from '#support/resend.ts';
import { createOwner, said } from '../roster-files/support.ts';
import { startFresh } from './fresh.ts';
import { call, placesOf, tokenFor } from './rights.ts';
import { contextAt, start } from './storm.ts';
import {
  ask,
  confirmPath,
  enrollBy,
  formOf,
  participate,
  requestsPath,
  setTime,
} from './support.ts';

const question = 'What would you like to write?';
const answer = 'A novel about lighthouses';

startFresh();

/** An instructor whose cohort asks a question, and someone who has answered it. */
async function createAnswered(values: { answer?: string; name?: string } = {}) {
  const resend = fakeResend();
  const owner = await createOwner({ question });
  const grace = await enrollBy(resend, owner.cohort.slug, { question, answer, ...values });
  const rows = await db.select().from(people).where(eq(people.emailCanonical, grace.email));
  const person = rows.find(({ ownerId }) => ownerId === owner.user.id);
  if (person === undefined) {
    throw new Error('No one has enrolled.');
  }
  return {
    ...owner,
    resend,
    grace,
    person,
    roster: `/api/cohorts/${owner.cohort.id}/enrollments/`,
  };
}

async function rowOf(personId: string) {
  const [row] = await db.select().from(enrollments).where(eq(enrollments.personId, personId));
  return row;
}

test('an answer is kept beside what was asked, for the owner and for the person', async () => {
  const { client, cohort, person, grace, roster } = await createAnswered();
  const patched = await client.request('PATCH', `/api/cohorts/${cohort.id}/`, {
    question: 'Which book do you like?',
  });
  expect(await patched.json()).toMatchObject({ question: 'Which book do you like?' });

  const { items } = await (await client.get(roster)).json<{ items: { id: string }[] }>();
  expect(items).toMatchObject([{ question, answer }]);
  const details = await client.get(`${roster}${items[0]?.id}/`);
  expect(await details.json()).toMatchObject({ question, answer });

  const token = await tokenFor('data', person);
  const own = await (await call('data', { token })).json();
  expect(own).toMatchObject({
    enrollments: [{ question, answer }],
    requests: [{ question, answer }],
  });
  const left = await participate('leave', grace.link, items[0]?.id);
  expect(left.body).toMatchObject({ question, answer });
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['an empty text', ''],
  ['spaces', ' \n '],
])('answering is optional: %s', async (_, typed) => {
  const resend = fakeResend();
  const { cohort, user } = await createOwner({ question });
  await enrollBy(resend, cohort.slug, { question, answer: typed });
  const rows = await db.select().from(enrollments).where(eq(enrollments.ownerId, user.id));
  expect(rows).toMatchObject([{ question: null, answer: null }]);
});

test.each([
  ['é'.repeat(500), 202],
  ['x'.repeat(501), 400],
  ['a\u0007b', 400],
])('an answer has up to 500 printable characters: %#', async (typed, status) => {
  const { cohort } = await createOwner({ question });
  const { response } = await ask(cohort.slug, { question, answer: typed });
  expect(response.status).toBe(status);
  if (typed.length > 500) {
    expect(await response.json()).toMatchObject({
      fields: { answer: ['Your answer must be at most 500 characters'] },
    });
  }
});

test.each([
  ['another', 'Which book do you like?'],
  ['none', null],
])('an answer to a question that is %s by now is refused', async (_, now) => {
  const { cohort } = await createOwner({ question: now });
  const { response } = await ask(cohort.slug, { question, answer });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ code: 'form_stale' });
  // Without an answer, it does not matter.
  expect((await ask(cohort.slug, { question })).response.status).toBe(202);
});

test('someone who asks again answers again, and someone who only comes back keeps the answer', async () => {
  const { resend, cohort, grace, person } = await createAnswered();
  const id = (await rowOf(person.id))?.id;
  await participate('leave', grace.link, id);
  setTime(start + 1);
  await participate('rejoin', grace.link, id);
  expect(await rowOf(person.id)).toMatchObject({ status: 'enrolled', answer });
  await participate('leave', grace.link, id);
  setTime(start + 2);
  await ask(cohort.slug, { email: grace.email, question, answer: 'Poems' });
  const token = requestTokenIn(mailsTo(grace.email, resend.accepted).at(-1));
  await createClient().request('POST', confirmPath, { token });
  expect(await rowOf(person.id)).toMatchObject({ status: 'enrolled', answer: 'Poems' });
});

test('each email confirms what its own request said, however often strangers ask after it', async () => {
  const { accepted } = fakeResend();
  const { cohort, user } = await createOwner({ question });
  const email = uniqueEmail();
  await ask(cohort.slug, { email, name: 'Victor Hugo', language: 'fr', question, answer });
  for (let count = 1; count < 5; count += 1) {
    setTime(start + count);
    await ask(cohort.slug, { email, name: 'Stupid Cow', question, answer: 'I hate you all' });
  }
  const [own, strangers] = mailsTo(email, accepted).map(requestTokenIn);
  expect(await findRequest(contextOn(), own)).toMatchObject({ name: 'Victor Hugo', answer });
  expect(await findRequest(contextOn(), strangers)).toMatchObject({
    name: 'Stupid Cow',
    answer: 'I hate you all',
  });
  await createClient().request('POST', confirmPath, { token: own });
  const [person, ...rest] = await db.select().from(people).where(eq(people.ownerId, user.id));

  expect(rest).toEqual([]);
  expect(person).toMatchObject({ name: 'Victor Hugo', language: 'fr' });
  expect(await rowOf(person?.id ?? '')).toMatchObject({ status: 'enrolled', answer });
  await createClient().request('POST', confirmPath, { token: strangers });
  expect(await rowOf(person?.id ?? '')).toMatchObject({ status: 'enrolled', answer });
});

test('what a request said is gone after its day, from its emails too', async () => {
  const { cohort } = await createOwner({ question });
  const email = uniqueEmail();
  for (const words of ['Only in the first', 'Only in the second']) {
    setTime(Date.now() + 1);
    await ask(cohort.slug, { email, name: 'Nobody Else', question, answer: words });
  }
  expect(await placesOf('Only in the first')).toEqual(['mails_due.payload']);
  await removeExpired(contextAt(start + 24 * 60 * 60 * 1000 + 2));

  expect(await placesOf('Only in the')).toEqual([]);
  expect(await placesOf('Nobody Else')).toEqual([]);
});

test('only the last answer of a request is listed, and a request counts only after its click', async () => {
  const { cohort, user } = await createOwner({ question });
  const email = 'twice@example.com';
  await ask(cohort.slug, { email, question, answer });
  setTime(start + 1);
  await ask(cohort.slug, { email, question, answer: 'Poems' });
  const rows = await db
    .select()
    .from(enrollmentRequests)
    .where(eq(enrollmentRequests.cohortId, cohort.id));
  expect(rows).toMatchObject([{ question, answer: 'Poems' }]);
  expect(await db.select().from(people).where(eq(people.ownerId, user.id))).toEqual([]);
});

test('people whom the owner adds or imports have no answer, and those who have one keep it', async () => {
  const { client, person, grace, roster, send } = await createAnswered();
  const added = await client.post(roster, {
    as: 'enrolled',
    name: 'Ada',
    email: 'ada@example.com',
  });
  expect(await added.json()).toMatchObject({ question: null, answer: null });
  await client.post(roster, { as: 'enrolled', name: 'Grace', email: grace.email });
  const list = `name,email,question,answer\nBob,bob@example.com,Why?,Because\nGrace,${grace.email},Why?,No`;
  const { body } = await send({ text: list, as: 'enrolled' });
  expect(said(body)).toEqual(['2 new enrolled', '3 already -']);
  expect(await rowOf(person.id)).toMatchObject({ question, answer });
  const [bob] = await db.select().from(people).where(eq(people.email, 'bob@example.com'));
  expect(await rowOf(bob?.id ?? '')).toMatchObject({ question: null, answer: null });
});

test('an answer goes with someone who is moved to another cohort', async () => {
  const { client, course, person, roster } = await createAnswered();
  const target = await createCohortRow(course, { publishedAt: new Date(start), question: 'Why?' });
  const moved = await client.post(`${roster}${(await rowOf(person.id))?.id}/transfer/`, {
    cohort_id: target.id,
  });
  expect(await moved.json()).toMatchObject({ question, answer });
});

test('answers go out in the file of the roster behind a guard, and come in again as nothing', async () => {
  const dangerous = '=HYPERLINK("https://example.com";"Click")\nand, more';
  const { exported, send, grace } = await createAnswered({ answer: dangerous });
  const file = await (await exported()).text();
  expect(file).toContain(`,"'=HYPERLINK(""https://example.com"";""Click"")\nand, more",`);
  expect(file).toContain(question);
  const { body } = await send({ text: file, as: 'enrolled' });
  expect(said(body)).toEqual(['2 already -']);
  expect(body.lines[0]).toMatchObject({ email: grace.email });
});

test('an answer is in the export of the account, and nowhere after the erasure', async () => {
  const { client, user, person } = await createAnswered({ answer: 'Only in this one test' });
  const whole = await (await client.get(`/api/accounts/${user.id}/export/`)).json();
  expect(whole).toMatchObject({
    cohorts: [{ question }],
    enrollments: [{ question, answer: 'Only in this one test' }],
    enrollment_requests: [{ question, answer: 'Only in this one test' }],
  });
  expect(await placesOf('Only in this one test')).toEqual([
    'enrollment_requests.answer',
    'enrollments.answer',
    'mails_due.payload',
  ]);
  expect((await call('erase', { token: await tokenFor('data', person) })).status).toBe(204);
  expect(await placesOf('Only in this one test')).toEqual([]);
});

test('a copy of a cohort asks the same, and others see neither question nor answers', async () => {
  const { client, cohort, roster } = await createAnswered();
  const copied = await client.post(`/api/cohorts/${cohort.id}/duplicate/`, {
    name: 'Writing in summer',
    starts_on: '2027-06-07',
  });
  expect(await copied.json()).toMatchObject({ question });
  const stranger = await createSignedInClient();
  expect((await stranger.client.get(roster)).status).toBe(404);
});

test('a program that fills in the form is answered as everyone, and nothing is kept', async () => {
  const { cohort } = await createOwner({ question });
  const form = await formOf({ question, answer, website: 'https://spam.example' });
  const response = await createClient().request('POST', requestsPath(cohort.slug), form);
  expect(response.status).toBe(202);
  const rows = await db
    .select()
    .from(enrollmentRequests)
    .where(eq(enrollmentRequests.cohortId, cohort.id));
  expect(rows).toEqual([]);
});
