import { expect, test } from 'vitest';
import { createEnrollment } from '#support/factories.ts';
import { addMeeting, createPlace, meetingRowOf, readMeetings, startAt } from './support.ts';

startAt('2027-02-01T09:00:00Z');

const isAnnounced = async (place: Parameters<typeof readMeetings>[0]) =>
  (await readMeetings(place)).map((meeting) => meeting.is_announced);

test('a change is to be announced where people are enrolled, until it is taken back', async () => {
  const place = await createPlace({}, { isPublished: true });
  const { id } = await addMeeting(place);
  await place.change(id, { starts_local: '2027-03-02T18:30' });
  expect(await isAnnounced(place)).toEqual([true]);

  await createEnrollment(place.of);
  for (const patch of [
    { starts_local: '2027-03-02T19:00' },
    { title: 'Another' },
    { duration_minutes: 60 },
    { place: 'Room 4' },
  ]) {
    const before = await meetingRowOf(id);
    await place.change(id, patch);
    expect(await isAnnounced(place), JSON.stringify(patch)).toEqual([false]);
    await place.change(id, {
      starts_local: before?.startsLocal,
      title: before?.title,
      duration_minutes: before?.durationMinutes,
      place: before?.place,
    });
    expect(await isAnnounced(place)).toEqual([true]);
  }
  await place.change(id, { note: 'Bring a pen', join_url: 'https://meet.example/1' });
  expect(await isAnnounced(place)).toEqual([true]);
  await place.drop(id);
  expect(await isAnnounced(place)).toEqual([false]);
});

test('a new session is to be announced, and one that is canceled before that is not', async () => {
  const place = await createPlace({}, { isPublished: true });
  await createEnrollment(place.of);
  const { id, is_announced: isKnown } = await addMeeting(place);
  expect(isKnown).toBe(false);
  await place.drop(id);
  expect(await isAnnounced(place)).toEqual([true]);
});

test('nothing is to be announced of a draft, of what has begun, and to people who wait', async () => {
  const draft = await createPlace();
  await createEnrollment(draft.of);
  await addMeeting(draft);
  expect(await isAnnounced(draft)).toEqual([true]);

  const begun = await createPlace({}, { isPublished: true });
  await createEnrollment(begun.of);
  await addMeeting(begun, { starts_local: '2027-02-01T10:00' });
  expect(await isAnnounced(begun)).toEqual([true]);

  const full = await createPlace({}, { isPublished: true });
  await createEnrollment(full.of, { status: 'waitlisted', queueNo: 1 });
  await addMeeting(full);
  expect(await isAnnounced(full)).toEqual([true]);
});
