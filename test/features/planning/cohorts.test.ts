import { eq } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import { copyRow, createCohortRow, createCourseRow, db } from '#support/factories.ts';
import { refused } from '../places/support.ts';
import {
  cohortPath,
  createCohort,
  createTeacher,
  days,
  noWindow,
  readCohort,
  settings,
  spring,
} from './support.ts';

const now = new Date('2026-11-24T12:00:00.000Z');
const summer = { name: 'Writing in summer', starts_on: '2027-06-07' };
const withKey = { headers: { 'Idempotency-Key': 'a-key' } };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});

test('a cohort needs a name, its days and a zone; it is a draft, and the rest has a default', async () => {
  const teacher = await createTeacher({ language: 'fr' });
  const cohort = await createCohort(teacher, { name: '  Writing in spring ' });

  // Without a default, it is null.
  const given = Object.entries(cohort).filter(([, value]) => value !== null);
  expect(Object.fromEntries(given)).toEqual({
    id: expect.any(String),
    course_id: teacher.course.id,
    kind: 'dated',
    name: 'Writing in spring',
    ...days,
    starts_at: '2027-01-03T23:00:00.000Z',
    ends_at: '2027-02-12T23:00:00.000Z',
    join_mode: 'open',
    counts: { enrolled: 0, offered: 0, waitlisted: 0, applied: 0, invited: 0, places_left: null },
    waitlist: true,
    offer_hours: 48,
    payment_mode: 'own',
    shows_minimum: false,
    shows_places_left: true,
    sends_receipts: false,
    sends_certificates: true,
    language: 'fr',
    public_url: expect.stringMatching(
      /^https:\/\/lectern\.test\/c\/biology-101-writing-in-spring-[a-km-np-z2-9]{6}$/,
    ),
    status: 'draft',
    enrollment_state: 'not_published',
    warnings: [],
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  });
  expect(cohort).toMatchObject(noWindow);
  expect(await readCohort(teacher, cohort.id)).toEqual(cohort);
});

test('everything that can be set is kept; a day alone closes enrollment with its end, and empty texts are none', async () => {
  const teacher = await createTeacher();
  const input = {
    ...spring,
    ...settings,
    enrollment_opens_local: '2026-12-01T09:00',
    enrollment_closes_local: '2027-01-02T18:00',
    join_url: 'https://meet.example.com/abc',
    terms_url: 'https://example.com/terms',
  };

  expect(await createCohort(teacher, input)).toMatchObject({
    ...input,
    enrollment_opens_at: '2026-12-01T08:00:00.000Z',
    enrollment_closes_at: '2027-01-02T17:00:00.000Z',
  });
  const empty = { description: ' \n ', place: '', join_url: ' ', enrollment_opens_local: '' };
  const none = { description: null, place: null, join_url: null, enrollment_opens_local: null };
  const closing = { enrollment_closes_local: '2027-01-03' };
  expect(await createCohort(teacher, { ...empty, ...closing })).toMatchObject({
    ...none,
    enrollment_closes_local: '2027-01-04T00:00',
    enrollment_closes_at: '2027-01-03T23:00:00.000Z',
  });
});

test('a start in the past is a warning for a draft, and refuses nothing', async () => {
  const teacher = await createTeacher();
  const cohort = await createCohort(teacher, { starts_on: '2026-11-23', ends_on: '2026-12-24' });
  expect(cohort.warnings).toEqual(['starts_in_past']);

  const published = await teacher.send('POST', cohortPath(cohort.id, 'publish/'));
  expect(published.body).toMatchObject({ status: 'running', warnings: [] });
});

test('a list has the cohorts of one course: in use or archived by their first day, in the trash the last one first', async () => {
  const { course, path, send, user } = await createTeacher();
  await createCohortRow(await createCourseRow(user.id, { courseType: 'cohort' }));
  const names: Record<string, [string, object]> = {
    second: ['2027-03-01', {}],
    first: ['2027-01-04', { publishedAt: now }],
    'archived late': ['2027-06-01', { archivedAt: now }],
    'archived early': ['2026-06-01', { archivedAt: now }],
    'deleted before': ['2027-06-01', { deletedAt: new Date(now.getTime() - 2) }],
    'deleted last': ['2027-01-01', { deletedAt: now, archivedAt: now }],
  };
  for (const [name, [startsOn, values]] of Object.entries(names)) {
    await createCohortRow(course, { name, startsOn, endsOn: '2027-12-31', ...values });
  }

  for (const [query, expected] of [
    ['', ['first', 'second']],
    ['?state=current', ['first', 'second']],
    ['?state=archived', ['archived early', 'archived late']],
    ['?state=trash', ['deleted last', 'deleted before']],
  ] as const) {
    const { body } = await send<Cohort[]>('GET', path + query);
    expect(body.map(({ name }) => name)).toEqual(expected);
  }
});

test('an evergreen course takes no new cohorts, copies neither, and keeps those that it has', async () => {
  const teacher = await createTeacher();
  const { course, path, send } = teacher;
  const { id } = await createCohort(teacher);
  await send('PATCH', `/api/courses/${course.id}/`, { course_type: 'evergreen' });

  const copyPath = cohortPath(id, 'duplicate/');
  for (const [address, input] of [
    [path, spring],
    [copyPath, { ...summer, dry_run: true }],
    [copyPath, summer],
  ] as const) {
    expect(await send('POST', address, input)).toMatchObject(refused('course_is_evergreen'));
  }
  const published = await send('POST', cohortPath(id, 'publish/'));
  expect(published.body).toMatchObject({ status: 'enrolling' });
  expect((await send('GET', path)).body).toHaveLength(1);
});

test('a course holds 200 cohorts outside the trash, however many requests come at once, and takes no copy', async () => {
  const { course, path, send, user } = await createTeacher();
  const pattern = await createCohortRow(course, { archivedAt: now });
  await copyRow('cohorts', pattern.id, 198, { slug: 'slug || n' });
  const trashed = [
    await createCohortRow(course, { deletedAt: now }),
    await createCohortRow(course, { deletedAt: now }),
  ];
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => send('POST', path, spring)),
    ...trashed.map(({ id }) => send('POST', cohortPath(id, 'restore/'))),
  ]);
  for (const dry_run of [true, false]) {
    answers.push(await send('POST', cohortPath(pattern.id, 'duplicate/'), { ...summer, dry_run }));
  }
  const others = answers.filter(({ status }) => status > 201);
  expect(others).toMatchObject(Array(7).fill(refused('too_many_cohorts')));
  const other = await createCourseRow(user.id, { courseType: 'cohort' });
  expect((await send('POST', `/api/courses/${other.id}/cohorts/`, spring)).status).toBe(201);
});

test('the public address has the name as far as it can be written there, and cannot be guessed', async () => {
  const teacher = await createTeacher();
  const slugs = [];
  const ecrire = 'Écrire à l’été';
  for (const name of [ecrire, '読書会の春', ecrire]) {
    const { public_url: url } = await createCohort(teacher, { name });
    slugs.push(url.replace('https://lectern.test/c/', ''));
  }

  expect(slugs[0]).toMatch(/^biology-101-ecrire-a-l-ete-\w{6}$/);
  expect(slugs[1]).toMatch(/^biology-101-\w{6}$/);
  expect(slugs[2]).not.toBe(slugs[0]);
});

test('requests at once with one key create one cohort; others with it, in another course too, create none', async () => {
  const teacher = await createTeacher();
  const create = (values = {}, path = teacher.path) =>
    teacher.send<Cohort>('POST', path, { ...spring, ...values }, withKey);
  const answers = await Promise.all(Array.from({ length: 6 }, () => create()));
  expect(answers).toEqual(Array(6).fill({ status: 201, body: answers[0]?.body }));

  const second = await createCourseRow(teacher.user.id, { courseType: 'cohort' });
  for (const other of [
    await create({ name: 'Writing in autumn' }),
    await create({ time_zone: 'Europe/Berlin' }),
    await create({ capacity: 12 }),
    await create({}, `/api/courses/${second.id}/cohorts/`),
  ]) {
    expect(other).toMatchObject(refused('idempotency_key_reused'));
  }
  expect(await countOf(teacher)).toBe(1);
  // The key of someone else is another one.
  const { send, path } = await createTeacher();
  expect((await send('POST', path, spring, withKey)).status).toBe(201);
});

test('a retry gets the cohort as it is now, spelled differently too, at the limit and in a full course', async () => {
  const teacher = await createTeacher();
  const options = { ...withKey, bindings: { LIMITS: { cohorts_per_user: ['1/d'] } } };
  const create = (values: object) =>
    teacher.send<Cohort>('POST', teacher.path, { ...spring, ...values }, options);
  const { body: first } = await create({ enrollment_closes_local: '2027-01-02' });
  const name = ' Writing in spring';
  const retry = await create({ name, enrollment_closes_local: '2027-01-03T00:00' });
  expect(retry).toEqual({ status: 201, body: first });

  await teacher.send('POST', cohortPath(first.id, 'publish/'));
  const course = `/api/courses/${teacher.course.id}/`;
  await teacher.send('PATCH', course, { course_type: 'evergreen' });
  const later = await create({ enrollment_closes_local: '2027-01-02' });
  expect(later.body).toMatchObject({ id: first.id, published_at: expect.any(String) });
  expect(await countOf(teacher)).toBe(1);
});

test('a copy is made once for a key, even if the original changes before the retry', async () => {
  const teacher = await createTeacher();
  const { id } = await createCohort(teacher);
  const copy = (values = {}) =>
    teacher.send('POST', cohortPath(id, 'duplicate/'), { ...summer, ...values }, withKey);
  const first = await copy();
  expect(first.status).toBe(201);
  await teacher.send('PATCH', cohortPath(id), { capacity: 5 });
  expect(await copy()).toEqual(first);

  for (const other of [{ name: 'Another' }, { starts_on: '2027-06-08' }]) {
    expect(await copy(other)).toMatchObject(refused('idempotency_key_reused'));
  }
  expect(await countOf(teacher)).toBe(2);
});

function countOf({ user }: { user: { id: string } }) {
  return db.$count(cohorts, eq(cohorts.ownerId, user.id));
}
