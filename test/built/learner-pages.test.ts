import { beforeAll, expect, test } from 'vitest';
import { payloadOf, person, serveSite } from './pages.ts';
import {
  type BuiltWorker,
  createCohort,
  createLesson,
  createParticipant,
  createVisitor,
  firstCourseOf,
  make,
  openCourse,
  signUpPerson,
  type Visitor,
} from './worker.ts';

/** Only in texts of lessons. */
const secret = 'CanarySentence';
/** Only in texts that no learner may see. */
const hidden = 'HiddenSentence';
/** What someone who is not in the course must not read. */
const ofCourse = new RegExp(`${secret}|${hidden}|${person.courseName}|${person.lastName}|Winter`);

let built: BuiltWorker;
let ada: Visitor;
let courseId: string;
let lessons: { published: string; second: string; draft: string; trashed: string };
let cohort: { id: string; slug: string };
let enrollmentId: string;
/** Remembered as someone who is enrolled, and as someone in a course of another instructor. */
let learner: Visitor;
let other: Visitor;
/** The instructor of that. */
let stranger: Visitor;
/** The course, its first lesson, and all of it. */
let pages: [string, string, string];

serveSite(async (site) => {
  ({ built, ada } = site);
  cohort = await createCohort(ada);
  courseId = await firstCourseOf(ada);
  const unseen = { title: hidden, text: hidden };
  lessons = {
    published: await createLesson(ada, courseId, { text: `${secret} one` }),
    second: await createLesson(ada, courseId, { text: `${secret} two` }),
    draft: await createLesson(ada, courseId, unseen, false),
    trashed: await createLesson(ada, courseId, unseen),
  };
  await trash(lessons.trashed);
  const participant = await createParticipant(built, ada, cohort);
  ({ enrollmentId } = participant);
  learner = await openCourse(built, participant.link);

  const grete = { email: 'grete@example.com', firstName: 'Grete', lastName: 'Hermann' };
  stranger = await signUpPerson(built, { ...grete, courseName: 'Ciphers' });
  const ciphers = await createCohort(stranger);
  await createLesson(stranger, await firstCourseOf(stranger), { text: 'Ciphers' });
  other = await openCourse(built, (await createParticipant(built, stranger, ciphers)).link);
});

beforeAll(() => {
  const course = `/learn/${courseId}`;
  pages = [course, `${course}/${lessons.published}`, `${course}/all`];
});

function trash(lesson: string) {
  return ada.send('DELETE', `/api/lessons/${lesson}/`, undefined);
}

/** A page and its payload, in one text, with the status of the page. */
async function readBoth(visitor: Visitor, page: string) {
  const { status, text } = await visitor.get(page);
  return { status, text: text + (await visitor.get(payloadOf(page))).text };
}

const readAll = (visitor: Visitor, addresses: readonly string[] = pages) =>
  Promise.all(addresses.map((address) => readBoth(visitor, address)));

/** A lesson in a section of its own. */
async function createLater(section: object) {
  const lesson = await createLesson(ada, courseId, { title: 'Later', text: `${secret} three` });
  const { id } = await make(ada, `/api/courses/${courseId}/sections/`, section);
  await make(ada, `/api/lessons/${lesson}/move/`, { section_id: id, before: null });
  return { lesson, section: id };
}

test('someone who is enrolled reads what is published, and nothing else', async () => {
  const [course, lesson, all] = await readAll(learner);

  expect([course, lesson, all].map((answer) => answer?.status)).toEqual([200, 200, 200]);
  expect(course?.text).toContain('Grace Hopper');
  expect(course?.text).not.toContain(secret);
  expect(lesson?.text).toContain(`${secret} one`);
  expect(lesson?.text).not.toContain(`${secret} two`);
  expect(all?.text).toContain(`${secret} two`);
  expect(`${course?.text}${lesson?.text}${all?.text}`).not.toContain(hidden);
  for (const id of [lessons.draft, lessons.trashed, courseId, crypto.randomUUID(), 'x']) {
    const { status, text } = await readBoth(learner, `/learn/${courseId}/${id}`);
    expect([id, status]).toEqual([id, 404]);
    expect(text).toContain('This lesson isn’t open to you');
    expect(text).not.toMatch(/HiddenSentence|CanarySentence/);
  }
  const certificate = await learner.get(`/learn/${courseId}/attestation`);
  expect(certificate.status).toBe(404);
  expect(certificate.text).toContain('You don’t have a certificate yet');
  expect(certificate.text).not.toContain('This lesson');
});

test('a video has the captions of its name among the files of the course', async () => {
  await built.sql(
    `INSERT INTO files (id, owner_id, course_id, key, object_key, name, content_type, size, created_at)
      SELECT value ->> 0, c.owner_id, c.id, value ->> 0, value ->> 1, value ->> 2, value ->> 3, 1, 0
      FROM courses c, json_each(?) WHERE c.id = ?`,
    JSON.stringify([
      ['v'.repeat(10), 'v'.repeat(26), 'big.mp4', 'video/mp4'],
      ['c'.repeat(10), 'c'.repeat(26), 'big.vtt', 'text/vtt'],
    ]),
    courseId,
  );
  const video = { type: 'file', attrs: { file: 'v'.repeat(10), name: 'big.mp4' } };
  const document = { type: 'doc', content: [video] };
  const { id } = await make(ada, `/api/courses/${courseId}/lessons/`, { title: 'Film', document });
  await make(ada, `/api/lessons/${id}/publish/`, { draft_version: 0 });
  for (const [visitor, page] of [
    [learner, `/learn/${courseId}/${id}`],
    [learner, `/learn/${courseId}/all`],
    [ada, `/lessons/preview/${id}`],
  ] as const) {
    const { text } = await visitor.get(page);
    expect(text).toMatch(
      /<track kind="captions" src="\/files\/c{26}\/\d+\.[0-9a-f]{64}\/big\.vtt"/,
    );
    expect(text).not.toContain('Download big.vtt');
  }
  await trash(id);
});

test('a lesson that opens later is listed, and its text is in no page or payload', async () => {
  const { lesson } = await createLater({ title: 'Endings', release_days: 30 });
  const [page, course, all] = await readAll(learner, [
    `/learn/${courseId}/${lesson}`,
    `/learn/${courseId}`,
    `/learn/${courseId}/all`,
  ]);
  expect(page?.status).toBe(404);
  expect(page?.text).toContain('This lesson isn’t open to you');
  expect(page?.text).not.toContain(secret);
  expect(all?.text).not.toContain('Later');
  expect(course?.text).toContain('Later');
  expect(course?.text).not.toContain(`/learn/${courseId}/${lesson}`);
  // Its owner previews a day before and after.
  for (const [on, isOpen] of Object.entries({ '2099-02-02': false, '2099-02-03': true })) {
    const query = new URLSearchParams({ cohort: cohort.id, on });
    const { text } = await ada.get(`/lessons/preview/${lesson}?${query}`);
    expect(text.includes(secret), on).toBe(isOpen);
  }
  await trash(lesson);
});

test('the search of a course finds what is open, and nothing that is closed or hidden', async () => {
  const { lesson, section } = await createLater({ title: 'After' });
  const field = `action="/learn/${courseId}/search"`;
  expect((await learner.get(`/learn/${courseId}`)).text).toContain(field);
  const search = async () => {
    const { text } = await learner.get(`/learn/${courseId}/search?q=${secret.toLowerCase()}`);
    return Array.from(text.matchAll(/>(Said is enough|Later)<\/a>/g), ([, title]) => title);
  };
  const release = (release_days: number | null) =>
    make(ada, `/api/sections/${section}/`, { release_days }, 'PATCH');
  const found = ['Said is enough', 'Said is enough'];
  expect(await search()).toEqual([...found, 'Later']);
  await release(30);
  expect(await search()).toEqual(found);
  await release(null);
  expect(await search()).toEqual([...found, 'Later']);
  const path = `/api/cohorts/${cohort.id}/sections/${section}/`;
  await make(ada, path, { mode: 'hidden' }, 'PUT');
  expect(await search()).toEqual(found);
  await trash(lesson);
});

test('access that has ended leaves a page that says so, and no lesson', async () => {
  const [{ ends_at } = {}] = await built.sql('SELECT ends_at FROM cohorts WHERE id = ?', cohort.id);
  await built.setCohort(cohort, 'ends_at = 1, access_days = 0');
  const answers = await readAll(learner);
  await built.setCohort(cohort, `ends_at = ${ends_at}, access_days = NULL`);

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  for (const { text } of answers) {
    expect(text).toContain('Your access has ended');
    expect(text).not.toContain(secret);
  }
});

test('people of other courses, and those who wait, were invited, have left or were removed, see nothing of a course, not even its name', async () => {
  const set = (status: string) =>
    built.sql(
      `UPDATE enrollments SET status = ?1, queue_no = iif(?1 = 'waitlisted', 1, NULL),
        expires_at = iif(?1 = 'invited', 9e12, NULL) WHERE id = ?2`,
      status,
      enrollmentId,
    );
  const answers = { 'another course': await readAll(other) };
  for (const status of ['waitlisted', 'invited', 'left', 'removed']) {
    await set(status);
    Object.assign(answers, { [status]: await readAll(learner) });
  }
  await set('enrolled');
  for (const [who, [course, lesson, all]] of Object.entries(answers)) {
    expect(lesson?.status, who).toBe(404);
    expect(`${course?.text}${lesson?.text}${all?.text}`, who).not.toMatch(ofCourse);
  }
  expect((await learner.get(pages[1])).status).toBe(200);
});

test('a browser that is not remembered is asked for an address, and told nothing', async () => {
  const forger = createVisitor(built.server);
  const genuine = learner.cookies.get('__Host-learner') ?? '';
  forger.cookies.set(
    '__Host-learner',
    genuine.replace(/.$/, (end) => (end === '0' ? '1' : '0')),
  );
  for (const visitor of [createVisitor(built.server), forger, ada]) {
    const addresses = ['/learn', ...pages, `/learn/${crypto.randomUUID()}`];
    for (const { status, text } of await readAll(visitor, addresses)) {
      expect(status).toBe(200);
      expect(text).toContain('Open your course');
      expect(text).not.toMatch(new RegExp(`${secret}|${person.courseName}|Winter|Grace`));
    }
  }
});

test('opening pages of learners, and previews, changes nothing, and nothing keeps them', async () => {
  const tables = ['learning', 'lesson_marks', 'lesson_counts', 'people', 'enrollments', 'lessons'];
  const written = () =>
    Promise.all(tables.map((table) => built.sql(`SELECT * FROM ${table} ORDER BY 1, 2`)));
  const before = await written();
  const previews = ['/lessons/preview', `/lessons/preview/${lessons.published}`];
  const readings = [
    ...['/learn', ...pages].map((page) => [learner, page] as const),
    ...previews.map((page) => [ada, page] as const),
  ];
  for (const [visitor, page] of readings) {
    for (const address of [page, payloadOf(page)]) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await visitor.request(address, { method });
        expect([status, headers.get('Cache-Control')], address).toEqual([200, 'no-store']);
      }
    }
  }

  expect(await written()).toEqual(before);
});

test('a preview shows drafts only when asked to, and only to the owner', async () => {
  const draft = `/lessons/preview/${lessons.draft}`;

  expect((await ada.get('/lessons/preview')).text).not.toContain(hidden);
  expect((await ada.get(draft)).text).toContain('Participants don’t see this lesson yet');
  expect((await ada.get(`${draft}?drafts=1`)).text).toContain(hidden);
  expect((await ada.get(`/lessons/preview/${lessons.trashed}?drafts=1`)).status).toBe(404);
  for (const page of [draft, `/lessons/preview/${lessons.published}`]) {
    const { status, text } = await stranger.get(`${page}?drafts=1`);
    expect(status).toBe(404);
    expect(text).not.toMatch(ofCourse);
  }
});
