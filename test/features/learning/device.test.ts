import { and, eq, isNotNull } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { learnerCodes, learning, lessonMarks } from '#db/schema/learning.ts';
import { lessons } from '#db/schema/lessons.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { findOwnCertificate } from '#features/learning/find-own-certificate.ts';
import { settled } from '#support/background.ts';
import { type Client, createClient } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import { beforeWriting } from '#support/database.ts';
import { day, minute } from '#support/days.ts';
import { createEnrollment, db, uniqueEmail } from '#support/factories.ts';
import { createLearner, createReading, deviceOf } from '#support/learners.ts';
import { createMark } from '#support/lesson-rows.ts';
import { codeIn, linkIn, mailsTo } from '#support/resend.ts';
import { updateRow } from '#support/rows.ts';
import { digitsFrom } from '#support/typed-texts.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { refused, setTime } from '../places/support.ts';
import { call, linkFor, tokenFor } from '../rights/rights.ts';

const given = startFresh();

const openPath = '/api/participation/open/';

type Learner = Awaited<ReturnType<typeof createLearner>>;

const unknown = refused('learner_unknown', 401);
const isWrong = refused('learner_code_wrong', 400);
const isOver = refused('learner_code_over', 400);
const notFound = refused('not_found', 404);

const enter = ({ send }: Client, code: unknown, of: object = {}) =>
  send<{ code: string }>('POST', '/api/learning/codes/', { code, ...of });

const read = ({ send }: Client, { course }: Pick<Learner, 'course'>) =>
  send('GET', `/api/learning/${course.id}/`);

const open = (input: object, client = createClient()) => client.request('POST', openPath, input);

/** Asks for an email as someone in a course does in another browser. */
async function askFor(client: Client, { course, person }: Learner, email = person.email) {
  const input = { course_id: course.id, email };
  const response = await client.request('POST', '/api/learning/links/', input);
  await settled();
  return { response, mail: mailsTo(email, given.resend.accepted).at(-1) };
}

/** A browser that has asked for a code, and a code that is wrong. */
async function createAsking(learner: Learner, email?: string) {
  const client = createClient();
  const { mail } = await askFor(client, learner, email);
  const code = mail === undefined ? '' : codeIn(mail);
  return { client, code, wrong: code === '000000' ? '000001' : '000000' };
}

test('a browser is remembered by one press on the page of a link, and forgets by another', async () => {
  const learner = await createLearner();
  const client = createClient();
  expect(await read(client, learner)).toMatchObject(unknown);
  const opened = await open({ link: await linkFor(learner.person) }, client);
  expect(opened.status).toBe(200);
  expect(await opened.json()).toEqual({ redirect_to: `/learn/${learner.course.id}` });
  expect(opened.headers.getSetCookie().join()).toMatch(
    /^__Host-learner=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const visit = () => client.get(`/api/learning/${learner.course.id}/`);
  const course = await visit();
  expect([course.status, course.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
  // On the same day, nothing is renewed.
  expect(course.headers.getSetCookie()).toEqual([]);
  setTime(start + day);
  expect((await visit()).headers.getSetCookie()).toHaveLength(1);

  expect((await client.send('DELETE', '/api/learning/device/')).status).toBe(204);
  expect(await read(client, learner)).toMatchObject(unknown);
});

test('a link opens only where there is something to read, and only if it is ours', async () => {
  const { person, place } = await createLearner();
  const link = await linkFor(person);
  const { course } = await createReading();
  const forged = link.replace(/.$/, link.endsWith('0') ? '1' : '0');
  const notOpen = refused('lessons_not_open');
  const refusalOf = async (input: object) => {
    const response = await open(input);
    expect(response.headers.getSetCookie()).toEqual([]);
    return { status: response.status, body: await response.json() };
  };
  expect(await refusalOf({ link, course_id: course.id })).toMatchObject(notOpen);
  const invalid = refused('person_link_invalid', 400);
  for (const wrong of [undefined, 7, `${link}0`, forged]) {
    expect(await refusalOf({ link: wrong })).toMatchObject(invalid);
  }
  await updateRow(people, person, { linkVersion: 2 });
  expect(await refusalOf({ link })).toMatchObject(invalid);
  await updateRow(enrollments, place, { status: 'left' });
  const fresh = await linkFor({ ...person, linkVersion: 2 });
  expect(await refusalOf({ link: fresh })).toMatchObject(notOpen);
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

  const enterIn = (browser: Client) =>
    enter(browser, `${digitsFrom('\uff10', code.slice(0, 3))} ${code.slice(3)}`, {
      course_id: learner.course.id,
    });
  const elsewhere = await createAsking(learner, uniqueEmail());
  expect(await enterIn(elsewhere.client)).toMatchObject(isWrong);
  expect(await enterIn(createClient())).toMatchObject(isOver);
  const answers = await Promise.all([1, 2, 3].map(() => enterIn(client)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  expect((await read(client, learner)).status).toBe(200);
  expect(await enterIn(client)).toMatchObject(isOver);
});

test('five wrong codes end an attempt, however many are sent at once', async () => {
  const { client, code, wrong } = await createAsking(await createLearner());
  const message = 'This code isn’t right. You can try 4 more times.';
  expect((await enter(client, wrong)).body).toMatchObject({ code: 'learner_code_wrong', message });
  const more = await Promise.all(Array.from({ length: 9 }, () => enter(client, wrong)));
  expect(more.filter(({ body }) => body.code === 'learner_code_wrong')).toHaveLength(3);
  expect(await enter(client, code)).toMatchObject(isOver);
});

test('wrong codes do not tell whether an address takes part', async () => {
  const learner = await createLearner();
  const answersFor = async (email: string) => {
    const { client, wrong } = await createAsking(learner, email);
    const answers = [];
    for (const at of [0, 0, 1, 0, 9, 0, 0, 20]) {
      setTime(start + at * minute);
      const { status, body } = await enter(client, wrong);
      answers.push({ status, body: { ...body, request_id: 'its own' } });
    }
    setTime(start);
    return answers;
  };
  const known = await answersFor(learner.person.email);
  expect(known[4]).toMatchObject(isOver);
  expect(await answersFor(uniqueEmail())).toEqual(known);
});

test('a code works for ten minutes, and not after a newer one or after new links', async () => {
  const learner = await createLearner();
  const first = await createAsking(learner);
  setTime(start + minute);
  const second = await createAsking(learner);
  expect(await enter(first.client, first.code)).toMatchObject(isWrong);
  setTime(start + 11 * minute);
  expect(await enter(second.client, second.code)).toMatchObject(isWrong);

  const third = await createAsking(learner);
  await call('renew-link', { token: await tokenFor('data', learner.person) });
  expect(await enter(third.client, third.code)).toMatchObject(isWrong);
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
    expect([response.status, await response.text()]).toEqual([202, '']);
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

const marksPath = ({ course }: Learner, id: string) => `/api/learning/${course.id}/lessons/${id}/`;

test('what was pressed is written once, and can be taken back', async () => {
  const learner = await createLearner();
  const { place, lessons: ids } = learner;
  const client = await browserOf(learner);
  const mark = async (input: object, id: string = ids[0]) =>
    (await client.send('PUT', marksPath(learner, id), input)).body;
  const row = async () =>
    (await db.select().from(lessonMarks).where(eq(lessonMarks.enrollmentId, place.id)))[0];
  const progress = { done: 1, of: 3, completed_at: null, next: ids[1] };
  expect(await mark({ opened: true })).toEqual({ ...progress, done: 0 });
  setTime(start + minute);
  const presses = await Promise.all(Array.from({ length: 8 }, () => mark({ done: true })));
  expect(presses).toEqual(Array(8).fill(progress));
  const lastSeenAt = new Date(start + 2 * minute);
  setTime(lastSeenAt);
  await mark({ opened: true, done: true });
  const openedAt = new Date(start);
  expect(await row()).toMatchObject({ openedAt, doneAt: new Date(start + minute) });
  const [far] = await db.select().from(learning).where(eq(learning.enrollmentId, place.id));
  expect(far).toMatchObject({ done: 1, lastLessonId: ids[0], lastSeenAt });
  const course = await read(client, learner);
  expect(course.body).toMatchObject({ done: 1, continue_with: ids[1] });
  expect(await mark({ done: false })).toEqual({ ...progress, done: 0 });
  expect(await row()).toMatchObject({ openedAt, doneAt: null });
  expect(await mark({ done: true }, ids[2])).toMatchObject({ done: 1, next: null });
});

test('no one marks a lesson that is not theirs or not open', async () => {
  const [learner, other] = [await createLearner(), await createLearner()];
  const client = await browserOf(learner);
  const mark = ({ send }: Client, of: Learner, id: string) =>
    send('PUT', marksPath(of, id), { done: true });
  const [[own], [foreign]] = [learner.lessons, other.lessons];
  expect(await mark(createClient(), learner, own)).toMatchObject(unknown);
  expect(await mark(client, learner, foreign)).toMatchObject(notFound);
  expect(await mark(client, other, foreign)).toMatchObject(notFound);
  expect(await client.send('GET', marksPath(other, foreign))).toMatchObject(notFound);
  await updateRow(enrollments, learner.place, { status: 'left' });
  expect(await mark(client, learner, own)).toMatchObject(notFound);
  expect(await read(client, learner)).toMatchObject(notFound);
  expect(await db.$count(lessonMarks, eq(lessonMarks.ownerId, learner.course.ownerId))).toBe(0);
});

test('what is pressed while someone is removed or gets new links, or the lesson is deleted, is not written', async () => {
  for (const meanwhile of [
    ({ person }: Learner) => updateRow(people, person, { linkVersion: 2 }),
    ({ place }: Learner) => updateRow(enrollments, place, { status: 'removed' }),
    ({ lessons: [id] }: Learner) => updateRow(lessons, { id }, { deletedAt: new Date() }),
  ]) {
    for (const wasDone of [false, true]) {
      const learner = await createLearner();
      const { place, lessons: ids } = learner;
      const marks = wasDone ? [await createMark(place, { id: ids[0] })] : [];
      const { send } = await browserOf(learner);
      const bindings = { DB: beforeWriting(() => meanwhile(learner)) };
      const answer = await send(
        'PUT',
        marksPath(learner, ids[0]),
        { done: !wasDone },
        { bindings },
      );
      expect(answer).toMatchObject(notFound);
      const isTheirs = eq(lessonMarks.enrollmentId, place.id);
      expect(await db.select().from(lessonMarks).where(isTheirs)).toEqual(marks);
    }
  }
});

test('of two people of one course in a browser, the one whose link was used last reads and has the certificate, and a mark is of who made it', async () => {
  const one = await createLearner();
  const { person, ...place } = await createEnrollment(one.cohort);
  const other: Learner = { ...one, person, place };
  const client = await browserOf(one);
  const use = async (learner: Learner) => open({ link: await linkFor(learner.person) }, client);
  const reader = async () => {
    const { body } = await client.send<{ person: { name: string; enrollment_id: string } }>(
      'GET',
      `/api/learning/${one.course.id}/`,
    );
    return body.person;
  };
  const mark = (input: object) =>
    client.send<{ code?: string }>('PUT', marksPath(one, one.lessons[0]), input);
  const doneBy = async ({ place: { id } }: Learner) =>
    db.$count(lessonMarks, and(eq(lessonMarks.enrollmentId, id), isNotNull(lessonMarks.doneAt)));

  await use(other);
  expect(await reader()).toEqual({ name: person.name, enrollment_id: place.id });
  expect((await mark({ done: true })).status).toBe(200);
  expect([await doneBy(one), await doneBy(other)]).toEqual([0, 1]);
  // Kept by a page of the other one, and sent only now.
  expect((await mark({ done: true, enrollment_id: one.place.id })).status).toBe(200);
  expect([await doneBy(one), await doneBy(other)]).toEqual([1, 1]);
  await mark({ done: false, enrollment_id: one.place.id });
  expect([await doneBy(one), await doneBy(other)]).toEqual([0, 1]);

  await updateRow(enrollments, one.place, { completedAt: new Date(start) });
  const certificateIn = async (...known: { id: string; linkVersion: number }[]) =>
    (await findOwnCertificate(contextOn(), await deviceOf(...known), one.course.id)).certificate;
  expect(await certificateIn(one.person, person)).toBeNull();
  expect(await certificateIn(person, one.person)).toMatchObject({ name: one.person.name });
  await use(one);
  expect((await reader()).enrollment_id).toBe(one.place.id);
  // Of someone whom the browser does not know, nothing is written.
  const { place: stranger } = await createLearner();
  expect(await mark({ done: true, enrollment_id: stranger.id })).toMatchObject(notFound);
  const third = await createEnrollment(one.cohort);
  expect(await mark({ done: true, enrollment_id: third.id })).toMatchObject(notFound);
  await updateRow(people, one.person, { linkVersion: 2 });
  expect(await mark({ done: true, enrollment_id: one.place.id })).toMatchObject(notFound);
  expect([await doneBy(one), await doneBy(other)]).toEqual([0, 1]);
});

async function browserOf({ person }: Learner): Promise<Client> {
  const client = createClient();
  await open({ link: await linkFor(person) }, client);
  return client;
}
