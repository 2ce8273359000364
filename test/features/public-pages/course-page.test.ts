import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { createClient } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createOpenRun,
  createUser,
  db,
} from '#support/factories.ts';
import { createLessonRow, createSectionRow, draft } from '#support/lesson-rows.ts';
import { updateRow } from '#support/rows.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { cohortPath, createCohort, createTeacher } from '../planning/support.ts';

const now = new Date(start);

startFresh();

const anna = { firstName: 'Anna', lastName: 'Martin', bio: 'Writes stories.' };

async function slugOf(courseId: string) {
  const [row] = await db.select().from(courses).where(eq(courses.id, courseId));
  return row?.slug;
}

test('a course gets its address with its first published cohort, and keeps it', async () => {
  const teacher = await createTeacher();
  const { client, course } = teacher;
  const [first, second] = [await createCohort(teacher), await createCohort(teacher)];
  expect(await slugOf(course.id)).toBeNull();

  await client.post(cohortPath(first.id, 'publish/'), {});
  const slug = await slugOf(course.id);
  expect(slug).toMatch(/^[a-z0-9-]+-[a-z2-9]{6}$/);
  await client.request('PATCH', `/api/courses/${course.id}/`, { name: 'Another name' });
  await client.post(cohortPath(first.id, 'unpublish/'), {});
  await client.post(cohortPath(first.id, 'publish/'), {});
  await client.post(cohortPath(second.id, 'publish/'), {});

  expect(await slugOf(course.id)).toBe(slug);
});

async function createCourse(slug: string) {
  const user = await createUser(anna);
  const course = await createCourseRow(user.id, {
    name: 'Writing',
    courseType: 'cohort',
    about: 'One story a week.',
  });
  await updateRow(courses, course, { slug });
  const add = (values: Parameters<typeof createCohortRow>[1]) =>
    createCohortRow(course, { publishedAt: now, ...values });
  return { course, add };
}

async function pageOf(slug: string) {
  return (await findPublicPage(contextOn(), slug))?.course ?? null;
}

test('its page has the published cohorts that are not over, by their first day, and nothing else', async () => {
  const slug = 'writing-aaaaaa';
  const { add } = await createCourse(slug);
  const later = {
    name: 'Later',
    startsOn: '2027-05-03',
    endsOn: '2027-06-04',
    enrollmentOpensLocal: '2027-01-01T09:00',
  };
  const enrollmentOpensAt = new Date('2027-01-01T08:00:00Z');
  await add({ ...later, enrollmentOpensAt, priceMinor: 24_000, currency: 'EUR' });
  await add({ name: 'Next', joinMode: 'invitation' });
  await add({ name: 'A draft', publishedAt: null });
  await add({ name: 'Archived', archivedAt: now });
  await add({ name: 'In the trash', deletedAt: now });
  await add({ name: 'Over', startsOn: '2026-10-01', endsOn: '2026-11-23', endsAt: now });

  const page = await pageOf(slug);
  expect(page).toEqual({
    name: 'Writing',
    about: 'One story a week.',
    slug,
    hue: expect.any(String),
    picture: null,
    instructor: { ...anna, avatarUrl: null, hue: expect.any(String) },
    canEnroll: false,
    cohorts: [
      expect.objectContaining({ name: 'Next', enrollmentState: 'by_invitation' }),
      {
        ...later,
        slug: expect.any(String),
        timeZone: 'Europe/Paris',
        enrollmentState: 'not_yet',
        price: { minor: 24_000, currency: 'EUR', minorNow: 24_000, early: null },
      },
    ],
  });
});

test('the page is there even without cohorts, and says where people can enroll', async () => {
  const slug = 'writing-bbbbbb';
  const { add } = await createCourse(slug);
  expect(await pageOf(slug)).toMatchObject({ cohorts: [], canEnroll: false });
  expect(await pageOf('writing-none')).toBeNull();
  await createEnrollment(await add({ capacity: 1, waitlist: false }));
  expect(await pageOf(slug)).toMatchObject({ canEnroll: false });
  await createEnrollment(await add({ capacity: 2 }));
  expect(await pageOf(slug)).toMatchObject({ canEnroll: true });
});

async function createRun(values: Parameters<typeof createOpenRun>[1] = {}) {
  const user = await createUser();
  const course = await createCourseRow(user.id, { name: 'Grammar', about: 'One a day.' });
  return { course, run: await createOpenRun(course, values) };
}

test('at the address of an evergreen course, everyone sees its lessons with their days, also if its outline is not shown', async () => {
  const { course, run } = await createRun({ accessDays: 90, joinUrl: 'https://secret.example' });
  const commas = await createSectionRow(course, { position: 2, title: 'Commas', releaseDays: 7 });
  const sentences = await createSectionRow(course, { position: 1 });
  await createLessonRow(commas, { title: 'Lists', minutes: 12 });
  await createLessonRow(sentences, { position: 1, title: 'Subjects' });
  await createLessonRow(sentences, { position: 2, title: 'secret draft', ...draft });

  const page = await findPublicPage(contextOn(), run.slug);
  expect(page).toMatchObject({ cohort: null, course: null });
  expect(page?.run).toMatchObject({
    courseName: 'Grammar',
    about: 'One a day.',
    accessDays: 90,
    enrollmentState: 'open',
    hasEnded: false,
    cohorts: [],
    outline: [
      { section: sentences.id, heading: null, title: 'Subjects', releaseDays: null },
      { section: commas.id, heading: 'Commas', title: 'Lists', releaseDays: 7, minutes: 12 },
    ],
  });
  expect(JSON.stringify(page)).not.toContain('secret');
});

test('what the public API says of a run has no dates, and changes with its enrollment', async () => {
  const { run } = await createRun({ capacity: 3 });
  const availability = async () => {
    const response = await createClient().get(`/api/public/cohorts/${run.slug}/`);
    const text = await response.text();
    expect(text).not.toMatch(/2100|2101|cohort/);
    return JSON.parse(text);
  };
  expect(await availability()).toMatchObject({ enrollment_state: 'open', places_left: 3 });

  await updateRow(cohorts, run, { enrollmentOverride: 'closed' });
  expect(await availability()).toMatchObject({ enrollment_state: 'closed' });
});

test('the cohorts that an evergreen course still has stand below, without its run', async () => {
  const { course, run } = await createRun();
  const cohort = await createCohortRow(course, { name: 'Winter', publishedAt: new Date() });

  const page = await findPublicPage(contextOn(), run.slug);
  expect(page?.run?.cohorts).toMatchObject([{ slug: cohort.slug, name: 'Winter' }]);
});

test('a course that is taught in cohorts again has its own page, and its run is not on it', async () => {
  const { course, run } = await createRun();
  await updateRow(courses, course, { courseType: 'cohort' });

  const page = await findPublicPage(contextOn(), run.slug);
  expect(page).toMatchObject({ cohort: null, run: null, course: { name: 'Grammar', cohorts: [] } });
});
