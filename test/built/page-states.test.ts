import { expect, test } from 'vitest';
import { person, read, serveSite } from './pages.ts';
import {
  type BuiltWorker,
  createCohort,
  createLesson,
  createMeetings,
  createParticipant,
  createVisitor,
  firstCourseOf,
  make,
  requestPlace,
  signUpNewcomer,
  signUpPerson,
  type Visitor,
} from './worker.ts';

let built: BuiltWorker;
let ada: Visitor;
let cohort: { id: string; slug: string };

serveSite(async (site) => {
  ({ built, ada } = site);
  cohort = await createCohort(ada);
});

test('pages without anything say so', async () => {
  for (const [path, sentence] of [
    ['/cohorts/archive', 'Nothing is archived.'],
    ['/cohorts/trash', 'The trash is empty.'],
    ['/lessons', 'Start with one lesson'],
    ['/lessons/trash', 'The trash is empty.'],
    ['/settings/billing', 'Your plan and invoices will appear here.'],
    ['/settings/payments', 'You open an account at Stripe, or use yours.'],
  ] as const) {
    expect(await read(ada, path)).toContain(sentence);
  }
});

test('parts of a cohort that do not exist, and canceled sessions, are not found', async () => {
  const canceled = await createMeetings(ada, cohort, 1);
  await ada.send('DELETE', `/api/cohorts/${cohort.id}/meetings/${canceled}/`, undefined);
  const unknown = crypto.randomUUID();
  for (const path of [
    `/cohorts/${cohort.id}/roster/${unknown}`,
    `/cohorts/${cohort.id}/attestation/${unknown}`,
    `/cohorts/${cohort.id}/emails/unknown`,
    `/cohorts/${cohort.id}/schedule/${unknown}`,
    `/cohorts/${cohort.id}/schedule/${canceled}`,
    `/payments/${cohort.id}/${unknown}`,
  ]) {
    const response = await ada.request(path);
    expect(response.status, path).toBe(404);
    expect(await response.text()).toContain('Page not found');
  }
});

test('the outline names where the people of the chosen cohort have stopped', async () => {
  const courseId = await firstCourseOf(ada);
  const other = await createCohort(ada);
  for (const one of [cohort, other]) {
    await createParticipant(built, ada, one);
  }
  const titles = ['Sounds', 'Scenes'];
  for (const [index, title] of titles.entries()) {
    const { id } = await make(ada, `/api/courses/${courseId}/lessons/`, { title });
    await built.sql(`UPDATE lessons SET published_title = title, html = '', published_words = 0,
      published_version = draft_version, published_at = draft_at WHERE id = '${id}'`);
    await built.sql(`INSERT INTO lesson_counts (cohort_id, lesson_id, owner_id, opened, done)
      SELECT '${cohort.id}', id, owner_id, ${9 - index * 6}, ${8 - index * 6}
      FROM lessons WHERE id = '${id}'`);
  }
  const stopped = '5 people stopped after “Sounds”.';

  const page = await read(ada, `/lessons?cohort=${cohort.id}`);
  expect(page).toContain(stopped);
  expect(page).toContain('The largest drop: 8 people finished “Sounds”, 3 opened the next lesson.');
  expect(page).toContain('9 opened · 8 done');
  expect(await read(ada, `/lessons?cohort=${other.id}`)).not.toContain(stopped);
  const stranger = await signUpPerson(built, { ...person, email: 'other@example.com' });
  expect(await read(stranger, `/lessons?cohort=${cohort.id}`)).not.toContain('Sounds');
});

test('a course without a schedule is given no cohorts', async () => {
  const path = `/api/courses/${await firstCourseOf(ada)}/`;
  await ada.send('PATCH', path, { course_type: 'evergreen' });
  const form = await read(ada, '/cohorts/new');
  const list = await read(ada, '/cohorts');
  await ada.send('PATCH', path, { course_type: 'cohort' });

  expect(form).toContain('This is an evergreen course.');
  expect(form).not.toContain('Create draft');
  expect(list).not.toContain('New cohort');
  expect(await read(ada, '/cohorts/new')).toContain('Create draft');
});

test('a link that confirms says what it does by then', async () => {
  const token = await requestPlace(built, cohort);
  const change = (values: string) =>
    built.sql(`UPDATE cohorts SET ${values} WHERE id = '${cohort.id}'`);
  const nobody = createVisitor(built.server, built.origin);
  const open = () => read(nobody, `/p/confirm?token=${token}`);

  expect(await open()).toContain('Confirm your place in');
  await change("join_mode = 'approval'");
  expect(await open()).toContain('Ask for a place in');
  await createParticipant(built, ada, cohort);
  await change("join_mode = 'open', capacity = 1");
  expect(await open()).toContain('Join the waitlist for');
  await change('capacity = NULL');
  await nobody.post('/api/public/requests/confirm/', { token });
  expect(await open()).toContain('You’ve already confirmed');
});

test('the roster shows whom its address asks for, by status and by a part of the name', async () => {
  const { id } = await createCohort(ada);
  for (const [as, name] of [
    ['enrolled', 'Élodie Blanc'],
    ['invited', 'Zoltan Kodály'],
  ]) {
    const guest = { as, name, email: `${crypto.randomUUID()}@example.com`, language: 'en' };
    await make(ada, `/api/cohorts/${id}/enrollments/`, guest);
  }
  const path = `/cohorts/${id}/roster`;
  for (const [query, shown] of [
    ['', ['Élodie Blanc', 'Zoltan Kodály']],
    ['?status=invited', ['Zoltan Kodály']],
    ['?q=elod', ['Élodie Blanc']],
    ['?status=invited&q=elod', []],
  ] as const) {
    const html = await (await ada.request(`${path}${query}`)).text();
    const names = html.matchAll(/<a[^>]* data-name[^>]*>([^<]*)</g);
    expect(
      [...names].map(([, name]) => name),
      query,
    ).toEqual(shown);
  }
  const found = await (await ada.request(`${path}?q=elod`)).text();
  expect(found).toContain(`href="${path}?status=invited&amp;q=elod"`);
});

test('people are imported only while a cohort can have more', async () => {
  const path = `/cohorts/${cohort.id}/import`;
  expect(await read(ada, path)).toContain('Nothing changes until you’ve seen');
  await ada.post(`/api/cohorts/${cohort.id}/archive/`, {});
  expect(await read(ada, path)).toContain('This cohort is archived, so no emails go out.');
  const roster = await read(ada, `/cohorts/${cohort.id}/roster`);
  expect(roster).toContain('This cohort is archived, so no emails go out.');
  expect(roster).not.toContain('Add someone');
  expect(await read(ada, '/cohorts/archive')).toContain('Winter');
  await ada.post(`/api/cohorts/${cohort.id}/unarchive/`, {});
  await built.sql(`UPDATE cohorts SET ends_at = 1 WHERE id = '${cohort.id}'`);
  expect(await read(ada, path)).toContain('This cohort has ended, so no one can be added.');
});

test('home leads to what comes next in a course', async () => {
  const names = { firstName: 'Edith', lastName: 'Clarke', courseName: 'Circuits' };
  const edith = await signUpPerson(built, { ...names, email: 'edith@example.com' });
  const home = () => read(edith, '/');
  const [course] = (await (await edith.request('/api/courses/')).json()) as { id: string }[];
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const addCohort = (name: string, from: number, to: number) =>
    edith.post(`/api/courses/${course?.id}/cohorts/`, {
      name,
      starts_on: dayIn(from).slice(0, 10),
      ends_on: dayIn(to).slice(0, 10),
      time_zone: 'America/Vancouver',
      capacity: 18,
    });
  expect(await home()).toMatch(/Your course is ready.*Create a cohort.*Add a second course/s);
  const next = /<a [^>]*href="\/cohorts\/new"[^>]*>(<[^>]+>)*Create a cohort/g;
  expect((await (await edith.request('/')).text()).match(next)).toHaveLength(1);
  expect((await home()).match(/Coming soon/g)).toHaveLength(2);
  await addCohort('Idea', -17, 24);
  await createCohort(edith);
  expect(await home()).toMatch(/Winter.*Enrolling/);
  const made = await addCohort('Autumn', -17, 24);
  const { id: autumn } = (await made.json()) as { id: string };
  await edith.post(`/api/cohorts/${autumn}/publish/`, {});
  const running = await home();
  expect(running).toMatch(/Autumn.*Running.*Week 3 of 6.*0 of 18/);
  expect(running).toContain('Cohort · 1 running, 1 upcoming');
  expect(running).not.toContain('Idea');

  const own = await edith.post('/api/courses/', { name: 'Relays', course_type: 'evergreen' });
  const { id } = (await own.json()) as { id: string };
  expect(await home()).toMatch(/There are no dates to set\..*Write the first lesson/);
  const lesson = await createLesson(edith, id, { text: 'They click.' }, false);
  expect(await home()).toContain('Your lesson isn’t published yet.');
  await edith.send('DELETE', `/api/lessons/${lesson}/`, undefined);
  await createLesson(edith, id, { text: 'They click.' });
  expect(await home()).toContain('Your lesson is published. Open enrollment');
  const opened = await edith.post(`/api/courses/${id}/enrollment/`, {});
  const run = (await opened.json()) as { id: string };
  expect(await home()).toContain('Share the address of your course.');
  const reader = { as: 'enrolled', name: 'Joan Clarke', email: 'joan@example.com', language: 'en' };
  await edith.post(`/api/cohorts/${run.id}/enrollments/`, reader);
  expect(await home()).toMatch(/1 person.*1 person started this week\..*1 on their way/);
  const page = await read(edith, `/cohorts/${run.id}/roster?standing=under_way`);
  expect(page).toContain('Joan Clarke');
});

test.each([
  ['invalid_state', 'Google authentication failed, consider using email login'],
  ['email_not_verified', 'Your Gmail account has not been verified, consider using email login'],
  ['auth_failed', 'Google authentication failed, consider using email login'],
  ['Call 555-0100', 'Something went wrong. Please try again.'],
])('the login page says in our words why a sign-in failed: %s', async (error, words) => {
  const html = await read(createVisitor(built.server), `/login?error=${encodeURIComponent(error)}`);
  expect(html).toContain(words);
  expect(html).not.toContain('555-0100');
});

test('the login pages have all ways to log in, and the first course is asked for by name', async () => {
  const newcomer = { email: 'mary@example.com', firstName: 'Mary', lastName: 'Somerville' };
  const mary = await signUpNewcomer(built, newcomer);
  const nobody = createVisitor(built.server);
  for (const [path, ...parts] of [
    ['/login', 'name="email"', 'Continue with Google', 'href="/signup"', 'href="/terms"'],
    ['/signup', 'name="first_name"', 'name="last_name"', 'Continue with Google', 'href="/login"'],
  ] as const) {
    const html = await (await nobody.request(path)).text();
    expect(
      [...parts, 'href="/privacy"'].filter((part) => !html.includes(part)),
      path,
    ).toEqual([]);
  }
  const page = await read(mary, '/onboarding/course');
  expect(page).toContain('Welcome, Mary. Let’s get started.');
  expect(page).toContain('You can change these settings later.');
});
