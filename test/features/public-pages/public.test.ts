import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { contextOn } from '#support/context.ts';
import { createCohortRow, createCourseRow, createUser } from '#support/factories.ts';

const now = new Date('2026-11-24T12:00:00.000Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => {
  vi.useRealTimers();
});

async function createCohort(values: Parameters<typeof createCohortRow>[1]) {
  const user = await createUser({ firstName: 'Anna', lastName: 'Martin' });
  const course = await createCourseRow(user.id, { name: 'Writing', courseType: 'cohort' });
  return createCohortRow(course, { publishedAt: now, ...values });
}

test('everyone with the address of a published cohort may know this of it, and nothing else', async () => {
  const { slug } = await createCohort({
    description: 'Six weeks',
    place: 'Room 4',
    joinUrl: 'https://meet.example.com/secret',
    capacity: 20,
    minimumPeople: 6,
    showsMinimum: true,
    priceMinor: 24_000,
    currency: 'EUR',
    termsUrl: 'https://example.com/terms',
    enrollmentClosesLocal: '2027-01-03T00:00',
    enrollmentClosesAt: new Date('2027-01-02T23:00:00Z'),
  });

  expect((await findPublicPage(contextOn(), slug))?.cohort).toEqual({
    slug,
    courseName: 'Writing',
    courseSlug: null,
    courseHue: expect.any(String),
    instructor: { firstName: 'Anna', lastName: 'Martin', hue: expect.any(String) },
    name: 'Writing in spring',
    description: 'Six weeks',
    place: 'Room 4',
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
    waiting: 0,
    minimumPeople: 6,
    question: null,
    secondTeacher: null,
    secondTeacherLine: null,
    refundNote: null,
    earlyUntilLocal: null,
    termsUrl: 'https://example.com/terms',
    priceMinor: 24_000,
    currency: 'EUR',
    meetings: [],
  });
});

test('places and minimum are shown only if their owner shows them', async () => {
  const { slug } = await createCohort({ capacity: 20, minimumPeople: 6, showsPlacesLeft: false });

  expect((await findPublicPage(contextOn(), slug))?.cohort).toMatchObject({
    placesLeft: null,
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
