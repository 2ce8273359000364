import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { contextOn } from '#support/context.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createUser,
  db,
} from '#support/factories.ts';
import { updateRow } from '#support/rows.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { cohortPath, createCohort, createTeacher } from '../planning/support.ts';

const now = new Date(start);

startFresh();

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
  const user = await createUser({ firstName: 'Anna', lastName: 'Martin', bio: 'Writes stories.' });
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
  const opens = { enrollmentOpensLocal: '2027-01-01T09:00' };
  await add({
    name: 'Later',
    startsOn: '2027-05-03',
    endsOn: '2027-06-04',
    enrollmentOpensAt: new Date('2027-01-01T08:00:00Z'),
    priceMinor: 24_000,
    currency: 'EUR',
    ...opens,
  });
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
    instructor: {
      firstName: 'Anna',
      lastName: 'Martin',
      bio: 'Writes stories.',
      avatarUrl: null,
      hue: expect.any(String),
    },
    canEnroll: false,
    cohorts: [
      expect.objectContaining({ name: 'Next', enrollmentState: 'by_invitation' }),
      {
        slug: expect.any(String),
        name: 'Later',
        startsOn: '2027-05-03',
        endsOn: '2027-06-04',
        timeZone: 'Europe/Paris',
        enrollmentState: 'not_yet',
        ...opens,
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
