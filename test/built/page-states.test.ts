import { expect, test } from 'vitest';
import { dayFromToday } from '#support/days.ts';
import { payloadOf, person, read, serveSite } from './pages.ts';
import {
  addPerson,
  type BuiltWorker,
  createCohort,
  createDraft,
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
let nobody: Visitor;
let cohort: { id: string; slug: string };

serveSite(async (site) => {
  ({ built, ada } = site);
  nobody = createVisitor(built.server);
  cohort = await createCohort(ada);
});

test.each([
  ['/cohorts/archive', 'Nothing is archived.'],
  ['/cohorts/trash', 'The trash is empty.'],
  ['/lessons', 'Start with one lesson'],
  ['/lessons/trash', 'The trash is empty.'],
  ['/settings/billing', 'Your plan and invoices will appear here.'],
  ['/settings/payments', 'You open an account at Stripe, or use yours.'],
])('%s says that there is nothing', async (path, sentence) => {
  expect(await read(ada, path)).toContain(sentence);
});

test('unknown cohorts, parts of one that do not exist and canceled sessions are not found inside the frame, as a document and as a payload', async () => {
  const canceled = await createMeetings(ada, cohort, 1);
  await ada.send('DELETE', `/api/cohorts/${cohort.id}/meetings/${canceled}/`, undefined);
  const unknown = crypto.randomUUID();
  const parts = [`roster/${unknown}`, `attestation/${unknown}`, 'emails/unknown'];
  parts.push(`schedule/${unknown}`, `schedule/${canceled}`);
  for (const path of [
    ...['', '/settings', '/move', '/preview'].map((part) => `/cohorts/${unknown}${part}`),
    ...parts.map((part) => `/cohorts/${cohort.id}/${part}`),
    `/payments/${cohort.id}/${unknown}`,
  ]) {
    const page = await ada.get(path);
    expect([path, page.status, page.headers['cache-control']]).toEqual([path, 404, 'no-store']);
    for (const { text } of [page, await ada.get(payloadOf(path))]) {
      expect(text).toContain('Page not found');
      expect(text).toContain('Main navigation');
    }
    expect((await nobody.get(path)).headers['location']).toContain('/login');
  }
});

test('the outline names where the people of the chosen cohort have stopped', async () => {
  const courseId = await firstCourseOf(ada);
  const other = await createCohort(ada);
  for (const one of [cohort, other]) {
    await addPerson(ada, one, { name: 'Grace Hopper', email: 'grace@example.com' });
  }
  for (const [title, opened] of Object.entries({ Sounds: 9, Scenes: 3 })) {
    const id = await createLesson(ada, courseId, { title, text: 'Words' });
    await built.sql(`INSERT INTO lesson_counts (cohort_id, lesson_id, owner_id, opened, done)
      SELECT '${cohort.id}', id, owner_id, ${opened}, ${opened - 1}
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
  await make(ada, path, { course_type: 'evergreen' }, 'PATCH');
  const form = await read(ada, '/cohorts/new');
  const list = await read(ada, '/cohorts');
  await make(ada, path, { course_type: 'cohort' }, 'PATCH');

  expect(form).toContain('This is an evergreen course.');
  expect(form).not.toContain('Create draft');
  expect(list).not.toContain('New cohort');
  expect(await read(ada, '/cohorts/new')).toContain('Create draft');
});

test('a link that confirms says what it does by then', async () => {
  const token = await requestPlace(built, cohort);
  const open = () => read(nobody, `/p/confirm?token=${token}`);

  expect(await open()).toContain('Confirm your place in');
  await built.setCohort(cohort, "join_mode = 'approval'");
  expect(await open()).toContain('Ask for a place in');
  await addPerson(ada, cohort, { name: 'Joan Clarke', email: 'joan@example.com' });
  await built.setCohort(cohort, "join_mode = 'open', capacity = 1");
  expect(await open()).toContain('Join the waitlist for');
  await built.setCohort(cohort, 'capacity = NULL');
  await make(nobody, '/api/public/requests/confirm/', { token });
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
    const { text } = await ada.get(`${path}${query}`);
    const names = text.matchAll(/<a[^>]* data-name[^>]*>([^<]*)</g);
    expect(
      [...names].map(([, name]) => name),
      query,
    ).toEqual(shown);
  }
  expect((await ada.get(`${path}?q=elod`)).text).toContain(
    `href="${path}?status=invited&amp;q=elod"`,
  );
});

test('an archived cohort lets no one in, both sides read it, and people are imported only while a cohort can have more', async () => {
  const closing = await createCohort(ada, { join_mode: 'approval' });
  const { link, token } = await createParticipant(built, ada, closing);
  await make(nobody, '/api/public/requests/confirm/', { token });
  const roster = `/cohorts/${closing.id}/roster`;
  const pages = [`/cohorts/${closing.id}/import`, roster, `${roster}?status=applied`];
  const readPages = () => Promise.all(pages.map((page) => read(ada, page)));
  const pageOfGrace = () => read(nobody, `/p/${link}?lang=en`);
  const decide = '1 person has asked to join. You decide.';
  const [form, people, requests] = await readPages();
  expect(form).toContain('Nothing changes until you’ve seen');
  expect(people).toContain('Add someone');
  expect(requests).toContain(decide);
  expect(requests).toContain('Approve');
  expect(await pageOfGrace()).toContain('You are enrolled.');

  await make(ada, `/api/cohorts/${closing.id}/archive/`);
  const archived = await readPages();
  for (const page of archived.slice(0, 2)) {
    expect(page).toContain('This cohort is archived, so no emails go out.');
    expect(page).not.toContain('Add someone');
  }
  expect(archived[2]).toContain(`${decide} Take the cohort out of the archive first`);
  expect(archived[2]).not.toContain('Approve');
  expect(await pageOfGrace()).toContain('This cohort has ended.');
  expect(await read(ada, '/cohorts/archive')).toContain('Winter');

  await make(ada, `/api/cohorts/${closing.id}/unarchive/`);
  await built.setCohort(closing, 'ends_at = 1');
  expect((await readPages())[0]).toContain('This cohort has ended, so no one can be added.');
});

test('home leads to what comes next in a course', async () => {
  const names = { firstName: 'Edith', lastName: 'Clarke', courseName: 'Circuits' };
  const edith = await signUpPerson(built, { ...names, email: 'edith@example.com' });
  const home = () => read(edith, '/');
  const days = { starts_on: dayFromToday(-17), ends_on: dayFromToday(24), capacity: 18 };
  expect(await home()).toMatch(/Your course is ready.*Create a cohort.*Add a second course/s);
  const { text } = await edith.get('/');
  const next = /<a [^>]*href="\/cohorts\/new"[^>]*>(<[^>]+>)*Create a cohort/g;
  expect(text.match(next)).toHaveLength(1);
  const cards = text.match(/<button type="button" disabled="" class="soon">.*?<\/button>/gs) ?? [];
  expect(cards.map((card) => card.includes('Coming soon'))).toEqual([true, true]);
  await createDraft(edith, { ...days, name: 'Idea' });
  await createCohort(edith);
  expect(await home()).toMatch(/Winter.*Enrolling/);
  await createCohort(edith, { ...days, name: 'Autumn', time_zone: 'America/Vancouver' });
  const running = await home();
  expect(running).toMatch(/Autumn.*Running.*Week 3 of 6.*0 of 18/);
  expect(running).toContain('Cohort · 1 running, 1 upcoming');
  expect(running).not.toContain('Idea');

  const owed = { price_minor: 5_000, currency: 'EUR', name: 'Now', time_zone: 'UTC' };
  const taught = await createCohort(edith, { ...days, ...owed });
  await addPerson(edith, taught, { name: 'Dorothy Vaughan', email: 'dorothy@example.com' });
  const session = { starts_local: new Date().toISOString().slice(0, 16), duration_minutes: 60 };
  await make(edith, `/api/cohorts/${taught.id}/meetings/`, { title: 'Aloud', ...session });
  expect(await home()).toMatch(/Session 1 of 1.*Aloud.*Now.*1 person still has to pay/s);
  expect(await read(edith, `/cohorts/${taught.id}`)).toMatch(/Still to pay.*1 person · €50/s);

  const own = { name: 'Relays', course_type: 'evergreen' };
  const { id } = await make(edith, '/api/courses/', own);
  expect(await home()).toMatch(/There are no dates to set\..*Write the first lesson/);
  const lesson = await createLesson(edith, id, { text: 'They click.' }, false);
  expect(await home()).toContain('Your lesson isn’t published yet.');
  await edith.send('DELETE', `/api/lessons/${lesson}/`, undefined);
  await createLesson(edith, id, { text: 'They click.' });
  expect(await home()).toContain('Your lesson is published. Open enrollment');
  const run = await make(edith, `/api/courses/${id}/enrollment/`);
  expect(await home()).toContain('Share the address of your course.');
  const joan = await addPerson(edith, run, { name: 'Joan Clarke', email: 'joan@example.com' });
  expect(await home()).toMatch(/1 person.*1 person enrolled this week\..*1 on their way/);
  const page = await read(edith, `/cohorts/${run.id}/roster?standing=under_way`);
  expect(page).toContain('Joan Clarke');
  await built.sql('UPDATE enrollments SET completed_at = 1 WHERE id = ?', joan);
  expect(await read(edith, `/cohorts/${run.id}`)).toContain('Joan Clarke completed the course');
});

test.each([
  ['invalid_state', 'Google authentication failed, consider using email login'],
  ['email_not_verified', 'Your Gmail account has not been verified, consider using email login'],
  ['auth_failed', 'Google authentication failed, consider using email login'],
  ['Call 555-0100', 'Something went wrong. Please try again.'],
])('the login page says in our words why a sign-in failed: %s', async (error, words) => {
  const page = await read(nobody, `/login?error=${encodeURIComponent(error)}`);
  expect(page).toContain(words);
  expect(page).not.toContain('555-0100');
});

test('the login pages have all ways to log in, and the first course is asked for by name', async () => {
  for (const [path, ...parts] of [
    ['/login', 'name="email"', 'Continue with Google', 'href="/signup"', 'href="/terms"'],
    ['/signup', 'name="first_name"', 'name="last_name"', 'Continue with Google', 'href="/login"'],
  ] as const) {
    const { text } = await nobody.get(path);
    expect([...parts, 'href="/privacy"'].filter((part) => !text.includes(part))).toEqual([]);
  }
  const newcomer = { email: 'mary@example.com', firstName: 'Mary', lastName: 'Somerville' };
  const page = await read(await signUpNewcomer(built, newcomer), '/onboarding/course');
  expect(page).toContain('Welcome, Mary . Let’s get started.');
  expect(page).toContain('You can change these settings later.');
});
