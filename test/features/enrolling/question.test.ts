import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { enrollments, people } from '#db/schema/people.ts';
import { removeExpired } from '#features/clean-up/remove-expired.ts';
import { findRequest } from '#features/enrolling/confirm-request.ts';
import { requireFound } from '#lib/app-error.ts';
import { createClient } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import { db, uniqueEmail } from '#support/factories.ts';
import { mailsTo, requestTokenIn } from '#support/resend.ts';
import { listsOf, said } from '../lists/support.ts';
import { startFresh } from '../places/fresh.ts';
import { contextAt, start } from '../places/storm.ts';
import {
  ask,
  confirmPath,
  createOwner,
  enrollBy,
  participate,
  setTime,
} from '../places/support.ts';
import { call, placesOf, tokenFor } from '../rights/rights.ts';

const question = 'What would you like to write?';
const answer = 'A novel about lighthouses';

const given = startFresh();

/** An instructor whose cohort asks a question, and someone who has answered it. */
async function createAnswered(values: { answer?: string; name?: string } = {}) {
  const owner = await createOwner({ question });
  const { resend } = given;
  const grace = await enrollBy(resend, owner.cohort.slug, { question, answer, ...values });
  const row = await rowOf(owner.user.id);
  return { ...owner, resend, grace, id: row.id, personId: row.personId };
}

/** The enrollment of an owner’s first person. */
async function rowOf(ownerId: string) {
  const rows = db.select().from(enrollments).where(eq(enrollments.ownerId, ownerId));
  return requireFound(await rows.orderBy(enrollments.createdAt).get());
}

const tokenOf = (id: string) => tokenFor('data', { id, linkVersion: 1 });

test('an answer is kept beside what was asked, for the owner and for the person', async () => {
  const { send, read, id, personId, grace } = await createAnswered();
  const other = { question: 'Which book do you like?' };
  expect((await send('PATCH', '', other)).body).toMatchObject(other);

  expect(await read('enrollments/')).toMatchObject({ items: [{ question, answer }] });
  expect(await read(`enrollments/${id}/`)).toMatchObject({ question, answer });
  const own = await (await call('data', { token: await tokenOf(personId) })).json();
  const told = [{ question, answer }];
  expect(own).toMatchObject({ enrollments: told, requests: told });
  const left = await participate('leave', grace.link, id);
  expect(left.body).toMatchObject({ question, answer });
});

test('answering is optional', async () => {
  for (const typed of [undefined, null, '', ' \n ']) {
    const { cohort, user } = await createOwner({ question });
    await enrollBy(given.resend, cohort.slug, { question, answer: typed });
    expect(await rowOf(user.id)).toMatchObject({ question: null, answer: null });
  }
});

test.each([
  ['has up to 500 characters', question, 'é'.repeat(500), undefined],
  ['has no more', question, 'x'.repeat(501), 'validation_failed'],
  ['has printable ones', question, 'a\u0007b', 'validation_failed'],
  ['is to the question that is asked now', 'Which book do you like?', answer, 'form_stale'],
  ['is to a question', null, answer, 'form_stale'],
  ['may be left out when the question has changed', null, undefined, undefined],
])('an answer %s', async (_, asked, typed, code) => {
  const { cohort } = await createOwner({ question: asked });
  const { response } = await ask(cohort.slug, { question, answer: typed });
  expect((await response.json<{ code?: string }>()).code).toBe(code);
});

test('someone who asks again answers again, and someone who only comes back keeps the answer', async () => {
  const { resend, cohort, user, grace, id } = await createAnswered();
  await participate('leave', grace.link, id);
  setTime(start + 1);
  await participate('rejoin', grace.link, id);
  expect(await rowOf(user.id)).toMatchObject({ status: 'enrolled', answer });
  await participate('leave', grace.link, id);
  setTime(start + 2);
  await ask(cohort.slug, { email: grace.email, question, answer: 'Poems' });
  const token = requestTokenIn(mailsTo(grace.email, resend.accepted).at(-1));
  await createClient().request('POST', confirmPath, { token });
  expect(await rowOf(user.id)).toMatchObject({ status: 'enrolled', answer: 'Poems' });
});

test('each email confirms what its own request said, however often strangers ask after it', async () => {
  const { accepted } = given.resend;
  const { cohort, user } = await createOwner({ question });
  const email = uniqueEmail();
  await ask(cohort.slug, { email, name: 'Victor Hugo', language: 'fr', question, answer });
  for (let count = 1; count < 5; count += 1) {
    setTime(start + count);
    await ask(cohort.slug, { email, name: 'Stupid Cow', question, answer: 'I hate you all' });
  }
  const [own, strangers] = mailsTo(email, accepted).map(requestTokenIn);
  expect(await findRequest(contextOn(), own)).toMatchObject({ personName: 'Victor Hugo', answer });
  expect(await findRequest(contextOn(), strangers)).toMatchObject({ personName: 'Stupid Cow' });
  await createClient().request('POST', confirmPath, { token: own });
  await createClient().request('POST', confirmPath, { token: strangers });

  const known = await db.select().from(people).where(eq(people.ownerId, user.id));
  expect(known).toMatchObject([{ name: 'Victor Hugo', language: 'fr' }]);
  expect(await rowOf(user.id)).toMatchObject({ status: 'enrolled', answer });
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

test('answers go out in the file of the roster behind a guard, and come in again as nothing', async () => {
  const dangerous = '=HYPERLINK("https://example.com";"Click")\nand, more';
  const { client, cohort, grace } = await createAnswered({ answer: dangerous });
  const { exported, importList } = listsOf(client, cohort.id);
  const file = await (await exported()).text();
  expect(file).toContain(`,"'=HYPERLINK(""https://example.com"";""Click"")\nand, more",`);
  expect(file).toContain(question);
  const { body } = await importList({ text: file, as: 'enrolled' });
  expect(said(body)).toEqual(['2 already -']);
  expect(body.lines[0]).toMatchObject({ email: grace.email });
});

test('an answer is in the export of the account, and nowhere after the erasure', async () => {
  const answer = 'Only in this one test';
  const { client, user, personId } = await createAnswered({ answer });
  const whole = await (await client.get(`/api/accounts/${user.id}/export/`)).json();
  expect(whole).toMatchObject({
    cohorts: [{ question }],
    enrollments: [{ question, answer }],
    enrollment_requests: [{ question, answer }],
  });
  expect(await placesOf(answer)).toEqual([
    'enrollment_requests.answer',
    'enrollments.answer',
    'mails_due.payload',
  ]);
  expect((await call('erase', { token: await tokenOf(personId) })).status).toBe(204);
  expect(await placesOf(answer)).toEqual([]);
});
