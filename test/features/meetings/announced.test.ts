import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEnrollment } from '#support/factories.ts';
import { addMeeting, createPlace, meetingRowOf, meetingsPath, readMeetings } from './support.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-02-01T09:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('what people know', () => {
  const isAnnounced = async (place: Parameters<typeof readMeetings>[0]) =>
    (await readMeetings(place)).map((meeting) => meeting.is_announced);
  const change = (place: Awaited<ReturnType<typeof createPlace>>, id: string, patch: object) =>
    place.client.request('PATCH', meetingsPath(place.cohort.id, id), patch);

  test('a change is to be announced where people are enrolled, until it is taken back', async () => {
    const place = await createPlace({}, { isPublished: true });
    const { id } = await addMeeting(place);
    await change(place, id, { starts_local: '2027-03-02T18:30' });
    expect(await isAnnounced(place)).toEqual([true]);

    const cohort = { id: place.cohort.id, ownerId: place.user.id };
    await createEnrollment(cohort, {});
    for (const patch of [
      { starts_local: '2027-03-02T19:00' },
      { title: 'Another' },
      { duration_minutes: 60 },
      { place: 'Room 4' },
    ]) {
      const before = await meetingRowOf(id);
      await change(place, id, patch);
      expect(await isAnnounced(place), JSON.stringify(patch)).toEqual([false]);
      await change(place, id, {
        starts_local: before?.startsLocal,
        title: before?.title,
        duration_minutes: before?.durationMinutes,
        place: before?.place,
      });
      expect(await isAnnounced(place)).toEqual([true]);
    }
    await change(place, id, { note: 'Bring a pen', join_url: 'https://meet.example/1' });
    expect(await isAnnounced(place)).toEqual([true]);
    await place.client.request('DELETE', meetingsPath(place.cohort.id, id));
    expect(await isAnnounced(place)).toEqual([false]);
  });

  test('a new session is to be announced, and one that is canceled before that is not', async () => {
    const place = await createPlace({}, { isPublished: true });
    await createEnrollment({ id: place.cohort.id, ownerId: place.user.id }, {});
    const { id, is_announced: isKnown } = await addMeeting(place);
    expect(isKnown).toBe(false);
    await place.client.request('DELETE', meetingsPath(place.cohort.id, id));
    expect(await isAnnounced(place)).toEqual([true]);
  });

  test('nothing is to be announced of a draft, of what has begun, and to people who wait', async () => {
    const draft = await createPlace();
    const cohort = { id: draft.cohort.id, ownerId: draft.user.id };
    await createEnrollment(cohort, {});
    await addMeeting(draft);
    expect(await isAnnounced(draft)).toEqual([true]);

    const begun = await createPlace({}, { isPublished: true });
    await createEnrollment({ id: begun.cohort.id, ownerId: begun.user.id }, {});
    await addMeeting(begun, { starts_local: '2027-02-01T10:00' });
    expect(await isAnnounced(begun)).toEqual([true]);

    const full = await createPlace({}, { isPublished: true });
    const queue = { id: full.cohort.id, ownerId: full.user.id };
    await createEnrollment(queue, { status: 'waitlisted', queueNo: 1 });
    await addMeeting(full);
    expect(await isAnnounced(full)).toEqual([true]);
  });
});
