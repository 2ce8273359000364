import { beforeEach, expect, test, vi } from 'vitest';
import type { Cohort } from '#features/cohorts/schema.ts';
import { copyRow, createCohortRow, createCourseRow } from '#support/factories.ts';
import {
  cohortPath,
  createCohort,
  createTeacher,
  days,
  noWindow,
  readCohort,
  refusal,
  rowOf,
  settings,
  spring,
} from './support.ts';

const now = new Date('2026-11-24T12:00:00.000Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
test('a cohort needs a name, its days and a zone; it is a draft, and the rest has a default', async () => {
  const teacher = await createTeacher({ language: 'fr' });
  const cohort = await createCohort(teacher, { name: '  Writing in spring ' });

  expect(cohort).toEqual({
    id: expect.any(String),
    course_id: teacher.course.id,
    kind: 'dated',
    name: 'Writing in spring',
    description: null,
    ...days,
    ...noWindow,
    starts_at: '2027-01-03T23:00:00.000Z',
    ends_at: '2027-02-12T23:00:00.000Z',
    join_mode: 'open',
    enrollment_opens_at: null,
    enrollment_closes_at: null,
    enrollment_override: null,
    capacity: null,
    counts: { enrolled: 0, offered: 0, waitlisted: 0, applied: 0, invited: 0, places_left: null },
    welcome_note: null,
    question: null,
    waitlist: true,
    offer_hours: 48,
    payment_mode: 'own',
    minimum_people: null,
    access_days: null,
    shows_minimum: false,
    shows_places_left: true,
    place: null,
    join_url: null,
    price_minor: null,
    currency: null,
    early_price_minor: null,
    early_until_at: null,
    sends_receipts: false,
    sends_certificates: true,
    join_passcode: null,
    second_teacher: null,
    second_teacher_line: null,
    refund_note: null,
    payment_note: null,
    payment_url: null,
    terms_url: null,
    language: 'fr',
    public_url: expect.stringMatching(
      /^https:\/\/lectern\.test\/c\/biology-101-writing-in-spring-[a-km-np-z2-9]{6}$/,
    ),
    status: 'draft',
    enrollment_state: 'not_published',
    warnings: [],
    published_at: null,
    archived_at: null,
    deleted_at: null,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  });
  expect(await readCohort(teacher.client, cohort.id)).toEqual(cohort);
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
  expect(
    await createCohort(teacher, { ...empty, enrollment_closes_local: '2027-01-03' }),
  ).toMatchObject({
    ...none,
    enrollment_closes_local: '2027-01-04T00:00',
    enrollment_closes_at: '2027-01-03T23:00:00.000Z',
  });
});

test('a start in the past is a warning for a draft, and refuses nothing', async () => {
  const teacher = await createTeacher();
  const cohort = await createCohort(teacher, { starts_on: '2026-11-23', ends_on: '2026-12-24' });
  expect(cohort.warnings).toEqual(['starts_in_past']);

  const response = await teacher.client.post(cohortPath(cohort.id, 'publish/'));
  expect(await response.json()).toMatchObject({ status: 'running', warnings: [] });
});

test('a list has the cohorts of one course: in use or archived by their first day, in the trash the last one first', async () => {
  const teacher = await createTeacher();
  const other = await createCourseRow(teacher.user.id, { courseType: 'cohort' });
  await createCohortRow(other);
  const names: Record<string, [string, object]> = {
    second: ['2027-03-01', {}],
    first: ['2027-01-04', { publishedAt: now }],
    'archived late': ['2027-06-01', { archivedAt: now }],
    'archived early': ['2026-06-01', { archivedAt: now }],
    'deleted before': ['2027-06-01', { deletedAt: new Date(now.getTime() - 2) }],
    'deleted last': ['2027-01-01', { deletedAt: now, archivedAt: now }],
  };
  for (const [name, [startsOn, values]] of Object.entries(names)) {
    await createCohortRow(teacher.course, { name, startsOn, endsOn: '2027-12-31', ...values });
  }
  const namesIn = async (query: string) => {
    const response = await teacher.client.get(teacher.path + query);
    return (await response.json<Cohort[]>()).map(({ name }) => name);
  };

  expect(await namesIn('')).toEqual(['first', 'second']);
  expect(await namesIn('?state=current')).toEqual(['first', 'second']);
  expect(await namesIn('?state=archived')).toEqual(['archived early', 'archived late']);
  expect(await namesIn('?state=trash')).toEqual(['deleted last', 'deleted before']);
});

test('an evergreen course takes no new cohorts, and keeps those that it has', async () => {
  const teacher = await createTeacher();
  const cohort = await createCohort(teacher);
  const path = `/api/courses/${teacher.course.id}/`;
  await teacher.client.request('PATCH', path, { course_type: 'evergreen' });

  expect(await refusal(await teacher.client.post(teacher.path, spring))).toMatchObject({
    status: 422,
    code: 'course_is_evergreen',
    message: 'This is an evergreen course. Change its type in the settings to give it cohorts.',
  });
  const published = await teacher.client.post(cohortPath(cohort.id, 'publish/'));
  expect(await published.json()).toMatchObject({ status: 'enrolling' });
  expect(await (await teacher.client.get(teacher.path)).json()).toHaveLength(1);
});

test('a course holds 200 cohorts outside the trash, however many requests come at once, and takes no copy', async () => {
  const teacher = await createTeacher();
  const pattern = await createCohortRow(teacher.course, { archivedAt: now });
  await copyRow('cohorts', pattern.id, 198, { slug: 'slug || n' });
  const trashed = [
    await createCohortRow(teacher.course, { deletedAt: now }),
    await createCohortRow(teacher.course, { deletedAt: now }),
  ];
  const responses = await Promise.all([
    ...Array.from({ length: 4 }, () => teacher.client.post(teacher.path, spring)),
    ...trashed.map(({ id }) => teacher.client.post(cohortPath(id, 'restore/'))),
  ]);
  expect(responses.filter(({ ok }) => ok)).toHaveLength(1);
  const copy = { name: 'Writing in summer', starts_on: '2027-06-07' };
  for (const dry_run of [true, false]) {
    const path = cohortPath(pattern.id, 'duplicate/');
    responses.push(await teacher.client.post(path, { ...copy, dry_run }));
  }
  for (const response of responses.filter(({ ok }) => !ok)) {
    expect(await refusal(response)).toMatchObject({
      status: 422,
      code: 'too_many_cohorts',
      message: 'A course holds 200 cohorts at most.',
    });
  }
  const other = await createCourseRow(teacher.user.id, { courseType: 'cohort' });
  expect((await teacher.client.post(`/api/courses/${other.id}/cohorts/`, spring)).status).toBe(201);
});

test('deleting a course deletes its cohorts, and no others', async () => {
  const teacher = await createTeacher();
  const gone = await createCohort(teacher);
  const other = await createCourseRow(teacher.user.id, { courseType: 'cohort' });
  const left = await createCohortRow(other, { publishedAt: now });
  const deleted = await teacher.client.request('DELETE', `/api/courses/${teacher.course.id}/`);

  expect(deleted.status).toBe(204);
  expect(await rowOf(gone.id)).toBeUndefined();
  expect(await rowOf(left.id)).toBeDefined();
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
