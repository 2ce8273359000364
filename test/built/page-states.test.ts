import { expect, test } from 'vitest';
import { person, read, serveSite } from './pages.ts';
import {
  type BuiltWorker,
  createCohort,
  createMeetings,
  createParticipant,
  createVisitor,
  firstCourseOf,
  make,
  requestPlace,
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

test('people are imported only while a cohort can have more', async () => {
  const path = `/cohorts/${cohort.id}/import`;
  expect(await read(ada, path)).toContain('Nothing changes until you’ve seen');
  await ada.post(`/api/cohorts/${cohort.id}/archive/`, {});
  expect(await read(ada, path)).toContain('This cohort is archived, so no emails go out.');
  expect(await read(ada, '/cohorts/archive')).toContain('Winter');
  await ada.post(`/api/cohorts/${cohort.id}/unarchive/`, {});
  await built.sql(`UPDATE cohorts SET ends_at = 1 WHERE id = '${cohort.id}'`);
  expect(await read(ada, path)).toContain('This cohort has ended, so no one can be added.');
});
