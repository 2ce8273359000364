import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { daysOff } from '#db/schema/meetings.ts';
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
import { cohortPath, createTeacher, createCohort as planCohort } from '../planning/support.ts';

const now = new Date(start);

startFresh();

const anna = { firstName: 'Anna', lastName: 'Martin', bio: 'Writes stories.' };

const about = 'One story a week.';

type CohortValues = Parameters<typeof createCohortRow>[1];

function pageOf(slug: string) {
  return findPublicPage(contextOn(), slug);
}

async function createCohort(values: CohortValues) {
  const user = await createUser(anna);
  const shown = { name: 'Writing', about, picture: 'pictures/k3v9x2m7qa' };
  const course = await createCourseRow(user.id, { courseType: 'cohort', ...shown });
  return createCohortRow(course, { publishedAt: now, ...values });
}

const earlyPrice = {
  earlyPriceMinor: 20_000,
  earlyUntilLocal: '2026-12-19T00:00',
  earlyUntilAt: new Date('2026-12-18T23:00:00Z'),
};

test('everyone with the address of a published cohort may know this of it, and nothing else', async () => {
  const shown = {
    description: 'Six weeks',
    place: 'Room 4',
    secondTeacher: 'Daniel Osei',
    secondTeacherLine: 'Leads the workshops.',
    refundNote: 'Full refund until January 2.',
    capacity: 20,
    minimumPeople: 6,
    termsUrl: 'https://example.com/terms',
    enrollmentClosesLocal: '2027-01-03T00:00',
    enrollmentClosesAt: new Date('2027-01-02T23:00:00Z'),
  };
  const cohort = await createCohort({
    ...shown,
    ...earlyPrice,
    joinUrl: 'https://meet.example.com/secret',
    joinPasscode: 'secret passcode',
    welcomeNote: 'secret welcome',
    paymentNote: 'secret account number',
    paymentUrl: 'https://pay.example.com/secret',
    showsMinimum: true,
    priceMinor: 24_000,
    currency: 'EUR',
  });
  const { slug, name, startsOn, endsOn, timeZone, startsAt, endsAt } = cohort;
  const { earlyPriceMinor: minor, earlyUntilLocal, earlyUntilAt } = earlyPrice;

  const page = (await pageOf(slug))?.cohort;
  expect(JSON.stringify(page)).not.toContain('secret');
  expect(page).toEqual({
    ...shown,
    ...{ slug, name, startsOn, endsOn, timeZone, startsAt, endsAt, earlyUntilLocal },
    courseName: 'Writing',
    about,
    courseSlug: null,
    courseHue: expect.any(String),
    picture: '/pictures/k3v9x2m7qa',
    instructor: { ...anna, avatarUrl: null, hue: expect.any(String) },
    secondHue: expect.any(String),
    isOnline: true,
    language: 'en',
    enrollmentOpensLocal: null,
    enrollmentOpensAt: null,
    isOpenedByHand: false,
    enrollmentState: 'open',
    hasEnded: false,
    placesLeft: 20,
    waiting: 0,
    question: null,
    price: {
      minor: 24_000,
      currency: 'EUR',
      minorNow: minor,
      early: { minor, untilLocal: earlyUntilLocal, untilAt: earlyUntilAt },
    },
    paymentMode: 'own',
    meetings: [],
    daysOff: [],
    outline: [],
  });
});

test('places and minimum are shown only if their owner shows them', async () => {
  const { slug } = await createCohort({ capacity: 20, minimumPeople: 6, showsPlacesLeft: false });

  expect((await pageOf(slug))?.cohort).toMatchObject({
    placesLeft: null,
    capacity: null,
    waiting: null,
    minimumPeople: null,
  });
});

test('there is no page of a draft or of what is in the trash; that of an archived cohort says that it has ended', async () => {
  for (const values of [{ publishedAt: null }, { deletedAt: now }]) {
    const { slug } = await createCohort(values);
    expect(await pageOf(slug)).toBeNull();
  }
  expect(await pageOf('no-such-cohort')).toBeNull();
  const { slug } = await createCohort({ archivedAt: now });

  expect((await pageOf(slug))?.cohort).toMatchObject({
    enrollmentState: 'closed',
    hasEnded: true,
  });
});

test('the early price is there until its last moment', async () => {
  const { slug } = await createCohort({ priceMinor: 24_000, currency: 'EUR', ...earlyPrice });
  const priceAt = async (time: string) => {
    vi.setSystemTime(time);
    return (await pageOf(slug))?.cohort?.price;
  };

  expect(await priceAt('2026-12-18T22:59:59Z')).toMatchObject({ early: { minor: 20_000 } });
  expect(await priceAt('2026-12-18T23:00:00Z')).toEqual({
    minor: 24_000,
    currency: 'EUR',
    minorNow: 24_000,
    early: null,
  });
});

test('days without a session are on the page with their reason, in order, and no one else’s', async () => {
  const [cohort, other] = [await createCohort({}), await createCohort({})];
  const off = ({ id: cohortId, ownerId }: typeof cohort, onDate: string, reason: string) =>
    db.insert(daysOff).values({
      id: crypto.randomUUID(),
      ownerId,
      cohortId,
      onDate,
      reason,
      createdAt: now,
    });
  await off(cohort, '2027-02-15', '');
  await off(cohort, '2027-01-18', 'Holiday');
  await off(other, '2027-01-19', 'Theirs');

  expect((await pageOf(cohort.slug))?.cohort?.daysOff).toEqual([
    { on_date: '2027-01-18', reason: 'Holiday' },
    { on_date: '2027-02-15', reason: '' },
  ]);
});

test('the outline of published lessons is public only while its course shows it', async () => {
  const { slug, ownerId, courseId } = await createCohort({});
  const course = { id: courseId, ownerId };
  const scenes = await createSectionRow(course, { position: 2, title: 'Scenes' });
  const opening = await createSectionRow(course, { position: 1 });
  await createLessonRow(scenes, { title: 'Voices', minutes: 12 });
  await createLessonRow(opening, { position: 2, title: 'New words', publishedTitle: 'Words' });
  await createLessonRow(opening, { position: 1, title: 'secret draft', ...draft });
  await createLessonRow(opening, { position: 3, title: 'secret trash', deletedAt: now });
  const outline = async () => (await pageOf(slug))?.cohort?.outline;
  expect(await outline()).toEqual([]);

  await updateRow(courses, course, { showsOutline: true });
  expect(await outline()).toEqual([
    { section: opening.id, heading: null, title: 'Words', minutes: null, words: 400 },
    { section: scenes.id, heading: 'Scenes', title: 'Voices', minutes: 12, words: 400 },
  ]);
});

async function slugOf(courseId: string) {
  return (await db.select().from(courses).where(eq(courses.id, courseId)).get())?.slug;
}

test('a course gets its address with its first published cohort, and keeps it', async () => {
  const teacher = await createTeacher();
  const { client, course } = teacher;
  const [first, second] = [await planCohort(teacher), await planCohort(teacher)];
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

/** Anna's course with its page, and a function that adds cohorts to it. */
async function createCourse(slug: string) {
  const user = await createUser(anna);
  const course = await createCourseRow(user.id, { name: 'Writing', courseType: 'cohort', about });
  await updateRow(courses, course, { slug });
  return (values: CohortValues) => createCohortRow(course, { publishedAt: now, ...values });
}

test('its page has the published cohorts that are not over, by their first day, and nothing else', async () => {
  const slug = 'writing-aaaaaa';
  const add = await createCourse(slug);
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

  const page = (await pageOf(slug))?.course;
  expect(page).toEqual({
    name: 'Writing',
    about,
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
  const add = await createCourse(slug);
  expect((await pageOf(slug))?.course).toMatchObject({ cohorts: [], canEnroll: false });
  expect(await pageOf('writing-none')).toBeNull();
  await createEnrollment(await add({ capacity: 1, waitlist: false }));
  expect((await pageOf(slug))?.course).toMatchObject({ canEnroll: false });
  await createEnrollment(await add({ capacity: 2 }));
  expect((await pageOf(slug))?.course).toMatchObject({ canEnroll: true });
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

  const page = await pageOf(run.slug);
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

  const page = await pageOf(run.slug);
  expect(page?.run?.cohorts).toMatchObject([{ slug: cohort.slug, name: 'Winter' }]);
});

test('a course that is taught in cohorts again has its own page, and its run is not on it', async () => {
  const { course, run } = await createRun();
  await updateRow(courses, course, { courseType: 'cohort' });

  const page = await pageOf(run.slug);
  expect(page).toMatchObject({ cohort: null, run: null, course: { name: 'Grammar', cohorts: [] } });
});
