import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { learnerCodes, learning, lessonMarks } from '#db/schema/learning.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { beforeWriting } from '#support/database.ts';
import { db, uniqueEmail } from '#support/factories.ts';
import { createLearner, createReading, day } from '#support/learners.ts';
import { codeIn, linkIn, mailsTo } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { startFresh } from '../places/fresh.ts';
import { minute, start } from '../places/storm.ts';
import { setTime } from '../places/support.ts';
import { call, expectRefusal, linkFor, tokenFor } from '../rights/rights.ts';

const given = startFresh();

const openPath = '/api/participation/open/';
const linksPath = '/api/learning/links/';
const codesPath = '/api/learning/codes/';

type Client = ReturnType<typeof createClient>;
type Learner = Awaited<ReturnType<typeof createLearner>>;

const enter = (client: Client, code: unknown) => client.request('POST', codesPath, { code });

const read = (client: Client, { course }: Pick<Learner, 'course'>) =>
  client.get(`/api/learning/${course.id}/`);

/** Asks for an email as someone in a course does in another browser. */
async function askFor(client: Client, { course, person }: Learner, email = person.email) {
  const response = await client.request('POST', linksPath, { course_id: course.id, email });
  await settled();
  return { response, mail: mailsTo(email, given.resend.accepted).at(-1) };
}

test('a browser is remembered by one press on the page of a link, and forgets by another', async () => {
  const learner = await createLearner();
  const client = createClient();
  await expectRefusal(await read(client, learner), 401, 'learner_unknown');
  const link = await linkFor(learner.person);
  const opened = await client.request('POST', openPath, { link });
  expect(opened.status).toBe(200);
  expect(await opened.json()).toEqual({ redirect_to: `/learn/${learner.course.id}` });
  expect(opened.headers.getSetCookie().join()).toMatch(
    /^__Host-learner=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const course = await read(client, learner);
  expect(course.status).toBe(200);
  expect(course.headers.get('Cache-Control')).toBe('no-store');
  // On the same day, nothing is renewed.
  expect(course.headers.getSetCookie()).toEqual([]);
  setTime(start + day);
  expect((await read(client, learner)).headers.getSetCookie()).toHaveLength(1);

  expect((await client.request('DELETE', '/api/learning/device/')).status).toBe(204);
  await expectRefusal(await read(client, learner), 401, 'learner_unknown');
});

test('a link opens only where there is something to read, and only if it is ours', async () => {
  const learner = await createLearner();
  const link = await linkFor(learner.person);
  const open = (input: object) => createClient().request('POST', openPath, input);
  const other = await createReading();
  await expectRefusal(await open({ link, course_id: other.course.id }), 422, 'lessons_not_open');
  const forged = link.replace(/.$/, link.endsWith('0') ? '1' : '0');
  for (const wrong of [undefined, 7, `${link}0`, forged]) {
    await expectRefusal(await open({ link: wrong }), 400, 'person_link_invalid');
  }
  await updateRow(people, learner.person, { linkVersion: 2 });
  await expectRefusal(await open({ link }), 400, 'person_link_invalid');
  await updateRow(enrollments, learner.place, { status: 'left' });
  const fresh = await linkFor({ ...learner.person, linkVersion: 2 });
  const refused = await open({ link: fresh });
  expect(refused.headers.getSetCookie()).toEqual([]);
  await expectRefusal(refused, 422, 'lessons_not_open');
});

test('another browser is let in by the link or the code of an email, once', async () => {
  const learner = await createLearner();
  const client = createClient();
  const { response, mail } = await askFor(client, learner);
  expect(response.status).toBe(202);
  expect(mail?.subject).toBe('Your link and code for Biology 101');
  expect(linkIn(mail)).toBe(await linkFor(learner.person));
  const code = codeIn(mail);
  // Neither the outbox nor the table of codes has the digits.
  const [due] = await db.select().from(mailsDue).where(eq(mailsDue.kind, 'learner_link'));
  expect(due?.payload).toContain('expires_at');
  expect(due?.payload).not.toContain(code);
  const [row] = await db.select().from(learnerCodes);
  expect(row?.codeHash).toMatch(/^[0-9a-f]{64}$/);

  const input = { code: `${code.slice(0, 3)} ${code.slice(3)}`, course_id: learner.course.id };
  const [elsewhere, without] = [createClient(), createClient()];
  await askFor(elsewhere, learner, uniqueEmail());
  await expectRefusal(await elsewhere.request('POST', codesPath, input), 400, 'learner_code_wrong');
  await expectRefusal(await without.request('POST', codesPath, input), 400, 'learner_code_over');
  const answers = await Promise.all([1, 2, 3].map(() => client.request('POST', codesPath, input)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  expect((await read(client, learner)).status).toBe(200);
  await expectRefusal(await client.request('POST', codesPath, input), 400, 'learner_code_over');
});

test('five wrong codes end an attempt, however many are sent at once', async () => {
  const learner = await createLearner();
  const client = createClient();
  const code = codeIn((await askFor(client, learner)).mail);
  const wrong = code === '000000' ? '000001' : '000000';
  const first = await enter(client, wrong);
  expect(await first.json()).toMatchObject({
    code: 'learner_code_wrong',
    message: 'This code isn’t right. You can try 4 more times.',
  });
  const more = await Promise.all(Array.from({ length: 9 }, () => enter(client, wrong)));
  const codes = await Promise.all(
    more.map(async (one) => (await one.json<{ code: string }>()).code),
  );
  expect(codes.filter((one) => one === 'learner_code_wrong')).toHaveLength(3);
  await expectRefusal(await enter(client, code), 400, 'learner_code_over');
});

test('wrong codes do not tell whether an address takes part', async () => {
  const learner = await createLearner();
  const answersFor = async (email: string) => {
    const client = createClient();
    const { mail } = await askFor(client, learner, email);
    const wrong = mail !== undefined && codeIn(mail) === '000000' ? '000001' : '000000';
    const answers = [];
    for (const at of [0, 0, 1, 0, 9, 0, 0, 20]) {
      setTime(start + at * minute);
      const response = await enter(client, wrong);
      const { request_id: _own, ...body } = await response.json<{ request_id: string }>();
      answers.push([response.status, body]);
    }
    setTime(start);
    return answers;
  };
  const known = await answersFor(learner.person.email);
  expect(known[4]).toMatchObject([400, { code: 'learner_code_over' }]);
  expect(await answersFor(uniqueEmail())).toEqual(known);
});

test('a code works for ten minutes, and not after a newer one', async () => {
  const learner = await createLearner();
  const [one, other] = [createClient(), createClient()];
  const first = codeIn((await askFor(one, learner)).mail);
  setTime(start + minute);
  const second = codeIn((await askFor(other, learner)).mail);
  await expectRefusal(await enter(one, first), 400, 'learner_code_wrong');
  setTime(start + 11 * minute);
  await expectRefusal(await enter(other, second), 400, 'learner_code_wrong');
});

test('who does not take part gets the same answer and no email, and no address gets many', async () => {
  const learner = await createLearner();
  const waiting = await createLearner({ status: 'invited', expiresAt: new Date(start + day) });
  const other = await createLearner();
  const asked = [
    await askFor(createClient(), learner, uniqueEmail()),
    await askFor(createClient(), waiting),
    await askFor(createClient(), { ...learner, person: other.person }),
    await askFor(createClient(), { ...learner, course: { ...learner.course, id: 'none' } }),
  ];
  for (const { response } of asked) {
    expect(response.status).toBe(202);
    expect(await response.text()).toBe('');
    expect(response.headers.getSetCookie().join()).toMatch(
      /^__Host-learner-attempt=\w{64}; Max-Age=600;/,
    );
  }
  expect(given.resend.accepted).toEqual([]);
  expect(await db.$count(learnerCodes, eq(learnerCodes.personId, waiting.person.id))).toBe(0);
  for (let no = 0; no < 5; no += 1) {
    setTime(start + no * minute);
    expect((await askFor(createClient(), learner)).response.status).toBe(202);
  }
  expect(mailsTo(learner.person.email, given.resend.accepted)).toHaveLength(3);
});

test('what was pressed is written once, and can be taken back', async () => {
  const learner = await createLearner();
  const { course, place, lessons: ids } = learner;
  const client = await browserOf(learner);
  const mark = (input: object, id: string = ids[0]) =>
    client.request('PUT', `/api/learning/${course.id}/lessons/${id}/`, input);
  const row = async () =>
    (await db.select().from(lessonMarks).where(eq(lessonMarks.enrollmentId, place.id)))[0];
  const progress = { done: 1, of: 3, completed_at: null, next: ids[1] };
  expect(await (await mark({ opened: true })).json()).toEqual({ ...progress, done: 0 });
  setTime(start + minute);
  const presses = await Promise.all(Array.from({ length: 8 }, () => mark({ done: true })));
  for (const press of presses) {
    expect(await press.json()).toEqual(progress);
  }
  setTime(start + 2 * minute);
  await mark({ opened: true, done: true });
  expect(await row()).toMatchObject({
    openedAt: new Date(start),
    doneAt: new Date(start + minute),
  });
  const [far] = await db.select().from(learning).where(eq(learning.enrollmentId, place.id));
  expect(far).toMatchObject({
    done: 1,
    lastLessonId: ids[0],
    lastSeenAt: new Date(start + 2 * minute),
  });
  expect(await (await read(client, learner)).json()).toMatchObject({
    done: 1,
    continue_with: ids[1],
  });
  expect(await (await mark({ done: false })).json()).toEqual({ ...progress, done: 0 });
  expect(await row()).toMatchObject({ openedAt: new Date(start), doneAt: null });
  expect(await (await mark({ done: true }, ids[2])).json()).toMatchObject({ done: 1, next: null });
});

test('no one marks a lesson that is not theirs or not open', async () => {
  const [learner, other] = [await createLearner(), await createLearner()];
  const client = await browserOf(learner);
  const mark = (browser: Client, of: Learner, id: string) =>
    browser.request('PUT', `/api/learning/${of.course.id}/lessons/${id}/`, { done: true });
  const [[own], [foreign]] = [learner.lessons, other.lessons];
  await expectRefusal(await mark(createClient(), learner, own), 401, 'learner_unknown');
  await expectRefusal(await mark(client, learner, foreign), 404, 'not_found');
  await expectRefusal(await mark(client, other, foreign), 404, 'not_found');
  const unread = await client.get(`/api/learning/${other.course.id}/lessons/${foreign}/`);
  await expectRefusal(unread, 404, 'not_found');
  await updateRow(enrollments, learner.place, { status: 'left' });
  await expectRefusal(await mark(client, learner, own), 404, 'not_found');
  await expectRefusal(await read(client, learner), 404, 'not_found');
  expect(await db.$count(lessonMarks, eq(lessonMarks.ownerId, learner.course.ownerId))).toBe(0);
});

test('a mark that arrives while someone is removed is not written', async () => {
  const learner = await createLearner();
  const client = await browserOf(learner);
  const path = `/api/learning/${learner.course.id}/lessons/${learner.lessons[0]}/`;
  const DB = beforeWriting(() => updateRow(people, learner.person, { linkVersion: 2 }));
  const answer = await client.request('PUT', path, { done: true }, { bindings: { DB } });
  await expectRefusal(answer, 404, 'not_found');
  expect(await db.$count(lessonMarks, eq(lessonMarks.enrollmentId, learner.place.id))).toBe(0);
});

async function browserOf({ person }: Learner): Promise<Client> {
  const client = createClient();
  await client.request('POST', openPath, { link: await linkFor(person) });
  return client;
}

test('new links end a code that was not used', async () => {
  const learner = await createLearner();
  const client = createClient();
  const code = codeIn((await askFor(client, learner)).mail);
  setTime(start + minute);
  await call('renew-link', { token: await tokenFor('data', learner.person) });
  await expectRefusal(await enter(client, code), 400, 'learner_code_wrong');
});
