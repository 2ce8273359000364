import { expect, test, vi } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { daysOff } from '#db/schema/meetings.ts';
import { findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { contextOn } from '#support/context.ts';
import { createCohortRow, createCourseRow, createUser, db } from '#support/factories.ts';
import { createLessonRow, createSectionRow, draft } from '#support/lesson-rows.ts';
import { updateRow } from '#support/rows.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';

const now = new Date(start);

startFresh();

const anna = { firstName: 'Anna', lastName: 'Martin', bio: 'Writes stories.' };

async function createCohort(values: Parameters<typeof createCohortRow>[1]) {
  const user = await createUser(anna);
  const course = await createCourseRow(user.id, {
    name: 'Writing',
    courseType: 'cohort',
    about: 'For people who write.',
    picture: 'pictures/k3v9x2m7qa',
  });
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

  const page = (await findPublicPage(contextOn(), slug))?.cohort;
  expect(JSON.stringify(page)).not.toContain('secret');
  expect(page).toEqual({
    ...shown,
    ...{ slug, name, startsOn, endsOn, timeZone, startsAt, endsAt, earlyUntilLocal },
    courseName: 'Writing',
    about: 'For people who write.',
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

  expect((await findPublicPage(contextOn(), slug))?.cohort).toMatchObject({
    placesLeft: null,
    capacity: null,
    waiting: null,
    minimumPeople: null,
  });
});

test('there is no page of a draft or of what is in the trash; that of an archived cohort says that it has ended', async () => {
  for (const values of [{ publishedAt: null }, { deletedAt: now }]) {
    const { slug } = await createCohort(values);
    expect(await findPublicPage(contextOn(), slug)).toBeNull();
  }
  expect(await findPublicPage(contextOn(), 'no-such-cohort')).toBeNull();
  const { slug } = await createCohort({ archivedAt: now });

  expect((await findPublicPage(contextOn(), slug))?.cohort).toMatchObject({
    enrollmentState: 'closed',
    hasEnded: true,
  });
});

test('the early price is there until its last moment', async () => {
  const { slug } = await createCohort({ priceMinor: 24_000, currency: 'EUR', ...earlyPrice });
  const priceAt = async (time: string) => {
    vi.setSystemTime(time);
    return (await findPublicPage(contextOn(), slug))?.cohort?.price;
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

  expect((await findPublicPage(contextOn(), cohort.slug))?.cohort?.daysOff).toEqual([
    { onDate: '2027-01-18', reason: 'Holiday' },
    { onDate: '2027-02-15', reason: '' },
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
  const outline = async () => (await findPublicPage(contextOn(), slug))?.cohort?.outline;
  expect(await outline()).toEqual([]);

  await updateRow(courses, course, { showsOutline: true });
  expect(await outline()).toEqual([
    { section: opening.id, heading: null, title: 'Words', minutes: null, words: 400 },
    { section: scenes.id, heading: 'Scenes', title: 'Voices', minutes: 12, words: 400 },
  ]);
});
