import { beforeAll, expect, test } from 'vitest';
import { person, serveSite } from './pages.ts';
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

let built: BuiltWorker;
let ada: Visitor;
let courseId: string;
let lessons: { published: string; second: string; draft: string; trashed: string };
let cohortId: string;
let enrollmentId: string;
/** Remembered as someone who is enrolled, and as someone in a course of another instructor. */
let learner: Visitor;
let other: Visitor;

serveSite(async (site) => {
  ({ built, ada } = site);
  const cohort = await createCohort(ada);
  cohortId = cohort.id;
  courseId = await firstCourseOf(ada);
  const unseen = { title: hidden, text: hidden };
  lessons = {
    published: await createLesson(ada, courseId, { text: `${secret} one` }),
    second: await createLesson(ada, courseId, { text: `${secret} two` }),
    draft: await createLesson(ada, courseId, unseen, false),
    trashed: await createLesson(ada, courseId, unseen),
  };
  await ada.send('DELETE', `/api/lessons/${lessons.trashed}/`, undefined);
  const participant = await createParticipant(built, ada, cohort);
  ({ enrollmentId } = participant);
  learner = await openCourse(built, participant.link);

  const grete = { email: 'grete@example.com', firstName: 'Grete', lastName: 'Hermann' };
  const instructor = await signUpPerson(built, { ...grete, courseName: 'Ciphers' });
  const ciphers = await createCohort(instructor);
  await createLesson(instructor, await firstCourseOf(instructor), { text: 'Ciphers' });
  other = await openCourse(built, (await createParticipant(built, instructor, ciphers)).link);
});

let pages: string[];

beforeAll(() => {
  pages = [
    `/learn/${courseId}`,
    `/learn/${courseId}/${lessons.published}`,
    `/learn/${courseId}/all`,
  ];
});

/** A page and its payload. */
function bothOf(page: string): string[] {
  return [page, `/RSC/R${page}.txt`];
}

/** The texts of pages and their payloads, with their status. */
async function readAll(visitor: Visitor, addresses: string[]) {
  const answers = [];
  for (const address of addresses.flatMap(bothOf)) {
    const response = await visitor.request(address);
    answers.push({ status: response.status, text: await response.text() });
  }
  return answers;
}

test('someone who is enrolled reads what is published, and nothing else', async () => {
  const [course, , lesson, , all] = await readAll(learner, pages);

  expect([course, lesson, all].map((answer) => answer?.status)).toEqual([200, 200, 200]);
  expect(course?.text).toContain('Grace Hopper');
  expect(course?.text).not.toContain(secret);
  expect(lesson?.text).toContain(`${secret} one`);
  expect(lesson?.text).not.toContain(`${secret} two`);
  expect(all?.text).toContain(`${secret} two`);
  for (const { text } of await readAll(learner, pages)) {
    expect(text).not.toContain(hidden);
  }
});

test('a lesson that is not published, in the trash or of another course is not there', async () => {
  for (const id of [lessons.draft, lessons.trashed, courseId, crypto.randomUUID(), 'x']) {
    const [page, payload] = await readAll(learner, [`/learn/${courseId}/${id}`]);
    expect(page?.status, id).toBe(404);
    expect(page?.text).toContain('This lesson isn’t open to you');
    expect(`${page?.text}${payload?.text}`).not.toMatch(/HiddenSentence|CanarySentence/);
  }
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
  await ada.post(`/api/lessons/${id}/publish/`, { draft_version: 0 });
  for (const [visitor, page] of [
    [learner, `/learn/${courseId}/${id}`],
    [learner, `/learn/${courseId}/all`],
    [ada, `/lessons/preview/${id}`],
  ] as const) {
    const html = await (await visitor.request(page)).text();
    expect(html).toMatch(
      /<track kind="captions" src="\/files\/c{26}\/\d+\.[0-9a-f]{64}\/big\.vtt"/,
    );
    expect(html).not.toContain('Download big.vtt');
  }
  await ada.send('DELETE', `/api/lessons/${id}/`, undefined);
});

test('a lesson that opens later is listed, and its text is in no page or payload', async () => {
  const later = await createLesson(ada, courseId, { title: 'Later', text: secret });
  const section = { title: 'Endings', release_days: 30 };
  const { id } = await make(ada, `/api/courses/${courseId}/sections/`, section);
  await ada.post(`/api/lessons/${later}/move/`, { section_id: id, before: null });
  const all = `/learn/${courseId}/all`;
  const [page, payload, ...others] = await readAll(learner, [`/learn/${courseId}/${later}`, all]);
  expect(page?.status).toBe(404);
  expect(page?.text).toContain('This lesson isn’t open to you');
  expect(`${page?.text}${payload?.text}`).not.toContain(secret);
  expect(others[0]?.text).not.toContain('Later');
  const [outline] = await readAll(learner, [`/learn/${courseId}`]);
  expect(outline?.text).toMatch(/Later/);
  expect(outline?.text).not.toContain(`/learn/${courseId}/${later}`);
  // Its owner previews a day before and after.
  const preview = async (on: string) => {
    const query = new URLSearchParams({ cohort: cohortId, on });
    return (await ada.request(`/lessons/preview/${later}?${query}`)).text();
  };
  expect(await preview('2099-02-02')).not.toContain(secret);
  expect(await preview('2099-02-03')).toContain(secret);
  await ada.send('DELETE', `/api/lessons/${later}/`, undefined);
});

test('the search of a course finds what is open, and nothing that is closed or hidden', async () => {
  const closed = await createLesson(ada, courseId, { title: 'Closed', text: `${secret} three` });
  const { id } = await make(ada, `/api/courses/${courseId}/sections/`, { title: 'After' });
  await ada.post(`/api/lessons/${closed}/move/`, { section_id: id, before: null });
  const search = async () => {
    const page = await learner.request(`/learn/${courseId}/search?q=${secret.toLowerCase()}`);
    const titles = (await page.text()).matchAll(/>(Said is enough|Closed)<\/a>/g);
    return Array.from(titles, ([, title]) => title);
  };
  const found = ['Said is enough', 'Said is enough'];
  expect(await search()).toEqual([...found, 'Closed']);
  await ada.send('PATCH', `/api/sections/${id}/`, { release_days: 30 });
  expect(await search()).toEqual(found);
  await ada.send('PATCH', `/api/sections/${id}/`, { release_days: null });
  expect(await search()).toEqual([...found, 'Closed']);
  await ada.send('PUT', `/api/cohorts/${cohortId}/sections/${id}/`, { mode: 'hidden' });
  expect(await search()).toEqual(found);
  await ada.send('DELETE', `/api/lessons/${closed}/`, undefined);
});

test('access that has ended leaves a page that says so, and no lesson', async () => {
  const cohorts = (days: string) =>
    built.sql(
      `UPDATE cohorts SET ends_at = ${days}, access_days = iif(${days} = 1, 0, NULL)
      WHERE id = ?`,
      cohortId,
    );
  const [{ ends_at: endsAt } = { ends_at: 0 }] = (await built.sql(
    'SELECT ends_at FROM cohorts WHERE id = ?',
    cohortId,
  )) as { ends_at: number }[];
  await cohorts('1');
  for (const { status, text } of await readAll(learner, pages)) {
    expect([200, 404]).toContain(status);
    expect(text).toContain('Your access has ended');
    expect(text).not.toContain(secret);
  }
  expect((await learner.request(pages[1] ?? '')).status).toBe(404);
  await cohorts(String(endsAt));
});

test('people of other courses see nothing of a course, not even its name', async () => {
  for (const { status, text } of await readAll(other, pages)) {
    expect([200, 404]).toContain(status);
    expect(text).not.toMatch(
      new RegExp(`${secret}|${person.courseName}|${person.lastName}|Winter`),
    );
  }
  expect((await other.request(pages[1] ?? '')).status).toBe(404);
});

test('a browser that is not remembered is asked for an address, and told nothing', async () => {
  const stranger = createVisitor(built.server);
  const forger = createVisitor(built.server);
  const genuine = learner.cookies.get('__Host-learner') ?? '';
  forger.cookies.set(
    '__Host-learner',
    genuine.replace(/.$/, (end) => (end === '0' ? '1' : '0')),
  );
  for (const visitor of [stranger, forger, ada]) {
    for (const { status, text } of await readAll(visitor, [
      '/learn',
      ...pages,
      `/learn/${crypto.randomUUID()}`,
    ])) {
      expect(status).toBe(200);
      expect(text).toContain('Open your course');
      expect(text).not.toMatch(new RegExp(`${secret}|${person.courseName}|Winter|Grace`));
    }
  }
});

test('people who wait, were invited, have left or were removed see nothing', async () => {
  const set = (status: string) =>
    built.sql(
      `UPDATE enrollments SET status = ?1, queue_no = iif(?1 = 'waitlisted', 1, NULL),
        expires_at = iif(?1 = 'invited', 9e12, NULL) WHERE id = ?2`,
      status,
      enrollmentId,
    );
  for (const status of ['waitlisted', 'invited', 'left', 'removed']) {
    await set(status);
    for (const { text } of await readAll(learner, pages)) {
      expect(text, status).not.toMatch(new RegExp(`${secret}|${person.courseName}|Winter`));
    }
    expect((await learner.request(pages[1] ?? '')).status).toBe(404);
  }
  await set('enrolled');
  expect((await learner.request(pages[1] ?? '')).status).toBe(200);
});

test('opening pages of learners, and previews, changes nothing', async () => {
  const tables = ['learning', 'lesson_marks', 'lesson_counts', 'people', 'enrollments', 'lessons'];
  const written = () =>
    Promise.all(tables.map((table) => built.sql(`SELECT * FROM ${table} ORDER BY 1, 2`)));
  const before = await written();
  const previews = ['/lessons/preview', `/lessons/preview/${lessons.published}`];
  for (const method of ['GET', 'HEAD']) {
    for (const address of ['/learn', ...pages].flatMap(bothOf)) {
      const response = await learner.request(address, { method });
      expect(response.status).toBe(200);
      expect(response.headers.get('Cache-Control')).toBe('no-store');
    }
    for (const address of previews.flatMap(bothOf)) {
      expect((await ada.request(address, { method })).status).toBe(200);
    }
  }

  expect(await written()).toEqual(before);
});

test('only pages with lessons let videos of other sites in', async () => {
  const policyOf = async (visitor: Visitor, page: string) =>
    (await visitor.request(page)).headers.get('Content-Security-Policy') ?? '';
  const videos = /frame-src [^;]*youtube-nocookie\.com/;

  expect(await policyOf(learner, pages[1] ?? '')).toMatch(videos);
  expect(await policyOf(ada, `/lessons/preview/${lessons.published}`)).toMatch(videos);
  expect(await policyOf(ada, '/')).not.toMatch(videos);
});

test('a preview shows drafts only when asked to, and only to the owner', async () => {
  const draft = `/lessons/preview/${lessons.draft}`;
  const textOf = async (visitor: Visitor, page: string) => (await visitor.request(page)).text();

  expect(await textOf(ada, '/lessons/preview')).not.toContain(hidden);
  expect(await textOf(ada, draft)).toContain('Participants don’t see this lesson yet');
  expect(await textOf(ada, `${draft}?drafts=1`)).toContain(hidden);
  expect((await ada.request(`/lessons/preview/${lessons.trashed}?drafts=1`)).status).toBe(404);
  const alan = { email: 'alan@example.com', firstName: 'Alan', lastName: 'Turing' };
  const stranger = await signUpPerson(built, { ...alan, courseName: 'Machines' });
  for (const page of [draft, `/lessons/preview/${lessons.published}`]) {
    const response = await stranger.request(`${page}?drafts=1`);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toMatch(new RegExp(`${hidden}|${secret}`));
  }
});
