import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import { cohorts } from '#features/cohorts/table.ts';
import { createClient } from '#support/client.ts';
import { createCohortRow, createCourseRow, db } from '#support/factories.ts';
import { everything } from '#support/rows.ts';
import {
  cohortPath,
  createCohort,
  createTeacher,
  days,
  noWindow,
  readCohort,
  refusal,
  rowOf,
  spring,
} from './support.ts';

const now = new Date('2026-11-24T12:00:00.000Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a cohort needs a name, its days and a zone; it is a draft, and the rest has a default', async () => {
  const teacher = await createTeacher({ language: 'fr' });
  const cohort = await createCohort(teacher, { name: '  Writing in spring ' });

  expect(cohort).toEqual({
    id: expect.any(String),
    course_id: teacher.course.id,
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
    minimum_people: null,
    shows_minimum: false,
    shows_places_left: true,
    place: null,
    join_url: null,
    price_minor: null,
    currency: null,
    payment_note: null,
    payment_url: null,
    terms_url: null,
    language: 'fr',
    public_url: expect.stringMatching(
      /^https:\/\/lectern\.test\/c\/writing-in-spring-[a-km-np-z2-9]{6}$/,
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

test('everything that can be set is kept', async () => {
  const teacher = await createTeacher();
  const input = {
    ...spring,
    description: 'Six weeks.\n\nBring a pen.',
    join_mode: 'invitation',
    enrollment_opens_local: '2026-12-01T09:00',
    enrollment_closes_local: '2027-01-02T18:00',
    capacity: 20,
    waitlist: false,
    offer_hours: 72,
    minimum_people: 6,
    shows_minimum: true,
    shows_places_left: false,
    place: 'Room 4, 12 rue des Écoles',
    join_url: 'https://meet.example.com/abc',
    price_minor: 24_000,
    currency: 'EUR',
    terms_url: 'https://example.com/terms',
    language: 'fr',
  };
  const cohort = await createCohort(teacher, input);

  expect(cohort).toMatchObject({
    ...input,
    enrollment_opens_at: '2026-12-01T08:00:00.000Z',
    enrollment_closes_at: '2027-01-02T17:00:00.000Z',
  });
});

test('a day alone closes enrollment with its end; empty texts are none', async () => {
  const teacher = await createTeacher();
  const cohort = await createCohort(teacher, {
    enrollment_closes_local: '2027-01-03',
    enrollment_opens_local: '',
    description: ' \n ',
    place: '',
    join_url: ' ',
  });

  expect(cohort).toMatchObject({
    enrollment_closes_local: '2027-01-04T00:00',
    enrollment_closes_at: '2027-01-03T23:00:00.000Z',
    enrollment_opens_local: null,
    description: null,
    place: null,
    join_url: null,
  });
});

test('a start in the past is a warning for a draft, and refuses nothing', async () => {
  const teacher = await createTeacher();
  const cohort = await createCohort(teacher, { starts_on: '2026-11-23', ends_on: '2026-12-24' });
  expect(cohort.warnings).toEqual(['starts_in_past']);
  const today = await createCohort(teacher, { starts_on: '2026-11-24', ends_on: '2026-12-24' });
  expect(today.warnings).toEqual([]);

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
  expect(await refusal(await teacher.client.get(`${teacher.path}?state=all`))).toMatchObject({
    status: 400,
    fields: { state: ['This value is unknown.'] },
  });
});

test('cohorts belong to one instructor: for all others, their addresses lead to nothing', async () => {
  const [owner, stranger] = [await createTeacher(), await createTeacher()];
  const cohort = await createCohort(owner);
  const trashed = await createCohortRow(owner.course, { deletedAt: now });
  const before = await everything();
  const [{ client }, move] = [stranger, { ...days, expected: { ...days, ...noWindow } }];
  const attempts = [
    client.get(owner.path),
    client.post(owner.path, spring),
    client.get(cohortPath(cohort.id)),
    client.request('PATCH', cohortPath(cohort.id), { name: 'Theirs' }),
    client.request('DELETE', cohortPath(cohort.id)),
    ...['publish/', 'unpublish/', 'archive/', 'unarchive/'].map((action) =>
      client.post(cohortPath(cohort.id, action)),
    ),
    client.post(cohortPath(cohort.id, 'move/'), { ...move, starts_on: '2027-01-05' }),
    client.post(cohortPath(cohort.id, 'duplicate/'), { name: 'Theirs', starts_on: '2027-03-01' }),
    client.post(cohortPath(trashed.id, 'restore/')),
    client.post(cohortPath(trashed.id, 'purge/')),
  ];

  for (const response of await Promise.all(attempts)) {
    expect(await refusal(response)).toMatchObject({ status: 404, code: 'not_found' });
  }
  expect(await everything()).toEqual(before);
  const anonymous = createClient();
  expect((await anonymous.get(cohortPath(cohort.id))).status).toBe(401);
  expect((await anonymous.post(owner.path, spring)).status).toBe(401);
});

test('an evergreen course takes no new cohorts, and keeps those that it has', async () => {
  const teacher = await createTeacher();
  const cohort = await createCohort(teacher);
  const path = `/api/courses/${teacher.course.id}/`;
  await teacher.client.request('PATCH', path, { course_type: 'evergreen' });
  const evergreen = {
    status: 422,
    code: 'course_is_evergreen',
    message: 'This is an evergreen course. Change its type in the settings to give it cohorts.',
  };
  const copy = { name: 'Again', starts_on: '2027-06-07' };

  expect(await refusal(await teacher.client.post(teacher.path, spring))).toMatchObject(evergreen);
  const duplicate = await teacher.client.post(cohortPath(cohort.id, 'duplicate/'), copy);
  expect(await refusal(duplicate)).toMatchObject(evergreen);
  const published = await teacher.client.post(cohortPath(cohort.id, 'publish/'));
  expect(await published.json()).toMatchObject({ status: 'enrolling' });
  expect(await (await teacher.client.get(teacher.path)).json()).toHaveLength(1);
});

test('a course holds 200 cohorts outside the trash, however many requests come at once', async () => {
  const teacher = await createTeacher();
  for (let count = 0; count < 199; count += 1) {
    await createCohortRow(teacher.course, { archivedAt: count % 2 ? now : null });
  }
  const trashed = await createCohortRow(teacher.course, { deletedAt: now });
  const responses = await Promise.all([
    ...Array.from({ length: 4 }, () => teacher.client.post(teacher.path, spring)),
    teacher.client.post(cohortPath(trashed.id, 'restore/')),
  ]);

  const made = responses.filter(({ ok }) => ok);
  expect(made).toHaveLength(1);
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

test('deleting a course or an account deletes its cohorts, and no others', async () => {
  const teacher = await createTeacher();
  const kept = await createTeacher();
  const other = await createCourseRow(teacher.user.id, { courseType: 'cohort' });
  const [gone, left, theirs] = [
    await createCohort(teacher),
    await createCohortRow(other, { publishedAt: now }),
    await createCohort(kept),
  ];
  const deleted = await teacher.client.request('DELETE', `/api/courses/${teacher.course.id}/`);
  expect(deleted.status).toBe(204);
  expect(await rowOf(gone.id)).toBeUndefined();
  expect(await rowOf(left.id)).toBeDefined();

  const account = `/api/accounts/${teacher.user.id}/`;
  expect((await teacher.client.request('DELETE', account)).status).toBe(204);
  expect(await rowOf(left.id)).toBeUndefined();
  expect(await rowOf(theirs.id)).toBeDefined();
});

test('the database keeps a cohort with the owner of its course', async () => {
  const [owner, other] = [await createTeacher(), await createTeacher()];

  await expect(createCohortRow({ id: owner.course.id, ownerId: other.user.id })).rejects.toThrow();
  await expect(createCohortRow(owner.course, { endsOn: '2027-01-03' })).rejects.toThrow();
  await expect(createCohortRow(owner.course, { capacity: 0 })).rejects.toThrow();
  await expect(createCohortRow(owner.course, { priceMinor: 100 })).rejects.toThrow();
  expect(await db.select().from(cohorts).where(eq(cohorts.courseId, owner.course.id))).toEqual([]);
  expect(await db.$count(courses, eq(courses.id, owner.course.id))).toBe(1);
});

test('the public address has the name as far as it can be written there, and cannot be guessed', async () => {
  const teacher = await createTeacher();
  const slugs = [];
  for (const name of [
    'Écrire à l’été',
    '読書会の春',
    `${'Very '.repeat(20)}long`,
    'Écrire à l’été',
  ]) {
    const { public_url: url } = await createCohort(teacher, { name });
    slugs.push(url.replace('https://lectern.test/c/', ''));
  }

  expect(slugs[0]).toMatch(/^ecrire-a-l-ete-\w{6}$/);
  expect(slugs[1]).toMatch(/^\w{6}$/);
  expect(slugs[2]).toMatch(/^(very-){8}\w{6}$/);
  expect(slugs[3]).not.toBe(slugs[0]);
});
