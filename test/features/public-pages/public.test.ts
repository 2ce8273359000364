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

async function createCohort(values: Parameters<typeof createCohortRow>[1]) {
  const user = await createUser({ firstName: 'Anna', lastName: 'Martin', bio: 'Writes stories.' });
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
  const { slug } = await createCohort({
    description: 'Six weeks',
    place: 'Room 4',
    joinUrl: 'https://meet.example.com/secret',
    joinPasscode: 'secret passcode',
    welcomeNote: 'secret welcome',
    paymentNote: 'secret account number',
    paymentUrl: 'https://pay.example.com/secret',
    secondTeacher: 'Daniel Osei',
    secondTeacherLine: 'Leads the workshops.',
    refundNote: 'Full refund until January 2.',
    capacity: 20,
    minimumPeople: 6,
    showsMinimum: true,
    priceMinor: 24_000,
    currency: 'EUR',
    ...earlyPrice,
    termsUrl: 'https://example.com/terms',
    enrollmentClosesLocal: '2027-01-03T00:00',
    enrollmentClosesAt: new Date('2027-01-02T23:00:00Z'),
  });

  const page = (await findPublicPage(contextOn(), slug))?.cohort;
  expect(JSON.stringify(page)).not.toContain('secret');
  expect(page).toEqual({
    slug,
    courseName: 'Writing',
    about: 'For people who write.',
    courseSlug: null,
    courseHue: expect.any(String),
    picture: '/pictures/k3v9x2m7qa',
    instructor: {
      firstName: 'Anna',
      lastName: 'Martin',
      bio: 'Writes stories.',
      avatarUrl: null,
      hue: expect.any(String),
    },
    secondHue: expect.any(String),
    name: 'Writing in spring',
    description: 'Six weeks',
    place: 'Room 4',
    isOnline: true,
    language: 'en',
    startsOn: '2027-01-04',
    endsOn: '2027-02-12',
    timeZone: 'Europe/Paris',
    startsAt: new Date('2027-01-03T23:00:00Z'),
    endsAt: new Date('2027-02-12T23:00:00Z'),
    enrollmentOpensLocal: null,
    enrollmentOpensAt: null,
    enrollmentClosesLocal: '2027-01-03T00:00',
    enrollmentClosesAt: new Date('2027-01-02T23:00:00Z'),
    isOpenedByHand: false,
    enrollmentState: 'open',
    hasEnded: false,
    placesLeft: 20,
    capacity: 20,
    waiting: 0,
    minimumPeople: 6,
    question: null,
    secondTeacher: 'Daniel Osei',
    secondTeacherLine: 'Leads the workshops.',
    refundNote: 'Full refund until January 2.',
    earlyUntilLocal: '2026-12-19T00:00',
    termsUrl: 'https://example.com/terms',
    price: {
      minor: 24_000,
      currency: 'EUR',
      minorNow: 20_000,
      early: {
        minor: 20_000,
        untilLocal: earlyPrice.earlyUntilLocal,
        untilAt: earlyPrice.earlyUntilAt,
      },
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
