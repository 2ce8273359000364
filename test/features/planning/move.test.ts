import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { cohorts } from '#db/schema/cohorts.ts';
import { findOwnCohort } from '#features/planning/own-cohorts.ts';
import { readAs } from '#support/context.ts';
import { beforeWriting } from '#support/database.ts';
import { db } from '#support/factories.ts';
import { refused } from '../places/support.ts';
import { createOwn, datesOf, days, invalid, noWindow, rowOf, settings } from './support.ts';

const shift = { starts_on: '2027-01-14', ends_on: '2027-02-22' };
const noSessions = { meetings: [], meetings_mark: expect.any(String), days_off: [] };

test('a dry run shows all dates before and after, and changes nothing', async () => {
  const { cohort, read, ...own } = await createOwn({
    enrollment_opens_local: '2026-12-01T09:00',
    enrollment_closes_local: '2027-01-02',
  });
  expect((await own.move({ ...shift, dry_run: true })).body).toEqual({
    before: datesOf(cohort),
    after: {
      ...shift,
      time_zone: 'Europe/Paris',
      enrollment_opens_local: '2026-12-11T09:00',
      enrollment_closes_local: '2027-01-13T00:00',
      early_until_local: null,
    },
    adjusted: [],
    ...noSessions,
    warnings: [],
  });
  expect(await read()).toEqual(cohort);
});

test.each([
  ['a later end', { ends_on: '2027-03-05' }, '2027-01-03T23:00:00Z', '2027-03-05T23:00:00Z'],
  ['other days', shift, '2027-01-13T23:00:00Z', '2027-02-22T23:00:00Z'],
  ['another zone', { time_zone: 'Asia/Kathmandu' }, '2027-01-03T18:15:00Z', '2027-02-12T18:15:00Z'],
])(
  'a published cohort gets %s, and its instants move; moved back, it is where it was',
  async (_what, target, starts, ends) => {
    const { id, ...own } = await createOwn();
    await own.post('publish');
    const start = await rowOf(id);
    const after = { ...days, ...noWindow, ...target };
    expect(await own.move(target)).toMatchObject({ status: 200, body: { after } });

    const moved = await own.read();
    expect(datesOf(moved)).toEqual(after);
    const instants = [new Date(starts), new Date(ends)];
    expect([new Date(moved.starts_at), new Date(moved.ends_at)]).toEqual(instants);
    await own.move(days);
    expect(await rowOf(id)).toEqual({ ...start, updatedAt: expect.any(Date) });
  },
);

test('across a clock change the wall clock stays, and a skipped time moves forward, marked', async () => {
  const { cohort, read, ...own } = await createOwn({
    ...{ starts_on: '2026-04-01', ends_on: '2026-05-08' },
    enrollment_opens_local: '2026-03-18T18:00',
    enrollment_closes_local: '2026-03-19T02:30',
  });
  expect(cohort.enrollment_opens_at).toBe('2026-03-18T17:00:00.000Z');
  const { body } = await own.move({ starts_on: '2026-04-11', ends_on: '2026-05-18' });

  const locals = {
    enrollment_opens_local: '2026-03-28T18:00',
    enrollment_closes_local: '2026-03-29T03:30',
  };
  expect(body).toMatchObject({ after: locals, adjusted: ['enrollment_closes_local'] });
  expect(await read()).toMatchObject({
    enrollment_opens_at: '2026-03-28T17:00:00.000Z',
    enrollment_closes_at: '2026-03-29T01:30:00.000Z',
  });
});

test('a shorter cohort closes enrollment with its last day at the latest', async () => {
  const { id, ...own } = await createOwn({ enrollment_closes_local: '2027-02-01T18:00' });
  expect((await own.move({ ends_on: '2027-01-29' })).body).toMatchObject({
    after: { enrollment_closes_local: '2027-01-30T00:00' },
    adjusted: ['enrollment_closes_local'],
  });
  const end = new Date('2027-01-29T23:00:00Z');
  expect(await rowOf(id)).toMatchObject({ enrollmentClosesAt: end, endsAt: end });
});

test('the same move again changes nothing, even though its dates are no longer those it expects', async () => {
  const { cohort, id, ...own } = await createOwn({ enrollment_opens_local: '2026-12-01T09:00' });
  const input = { ...shift, expected: datesOf(cohort) };
  expect((await own.move(input)).status).toBe(200);
  const moved = await rowOf(id);
  const { status, body } = await own.move(input);

  expect(status).toBe(200);
  expect(body).toMatchObject({ before: body.after, adjusted: [] });
  expect(await rowOf(id)).toEqual(moved);
});

describe('a move from dates that have changed', () => {
  const setting = (id: string, values: Partial<typeof cohorts.$inferInsert>) => {
    const DB = beforeWriting(async () => {
      await db.update(cohorts).set(values).where(eq(cohorts.id, id));
    });
    return { bindings: { DB } };
  };

  test('is refused, as a dry run too', async () => {
    const { cohort, read, ...own } = await createOwn();
    for (const other of [
      { starts_on: '2027-01-05' },
      { time_zone: 'Europe/Berlin' },
      { enrollment_opens_local: '2026-12-01T10:00' },
    ]) {
      const expected = { ...datesOf(cohort), ...other };
      for (const dry_run of [true, false]) {
        const answer = await own.move({ ...shift, expected, dry_run });
        expect(answer, JSON.stringify(other)).toMatchObject(refused('dates_changed'));
      }
    }
    expect(await read()).toEqual(cohort);
  });

  test.each([
    [{ enrollmentOpensLocal: '2026-12-01T09:00' }, 'dates_changed'],
    [{ deletedAt: new Date() }, 'cohort_in_trash'],
  ])('is refused if they change after it has read them: %j', async (values, code) => {
    const { id, ...own } = await createOwn();
    expect(await own.move(shift, setting(id, values))).toMatchObject(refused(code));
    expect(await rowOf(id)).toMatchObject({ startsOn: '2027-01-04', ...values });
  });

  test('loses no other change of the cohort', async () => {
    const { id, ...own } = await createOwn();
    expect((await own.move(shift, setting(id, { capacity: 7 }))).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ startsOn: shift.starts_on, capacity: 7 });
  });
});

test('a move to dates that are not allowed is refused, with an error at its field', async () => {
  const { cohort, read, ...own } = await createOwn({
    enrollment_opens_local: '2027-01-06T09:00',
    enrollment_closes_local: '2027-01-08',
  });
  for (const [ends_on, field, message] of [
    ['2027-01-03', 'ends_on', 'The last day cannot be before the first day'],
    ['2029-01-04', 'ends_on', 'A cohort lasts two years at most'],
    ['2027-01-05', 'enrollment_closes_local', 'Enrollment cannot close before it opens'],
  ] as const) {
    expect(await own.move({ ends_on })).toMatchObject(invalid({ [field]: [message] }));
  }
  expect(await read()).toEqual(cohort);
});

describe('a copy', () => {
  const now = new Date('2026-11-24T12:00:00.000Z');
  const summer = { name: 'Writing in summer', starts_on: '2027-06-07' };

  test('is a draft with the same settings and length, all times moved along, and its meeting link on request only', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    const {
      cohort: original,
      patch,
      post,
      read,
      user,
    } = await createOwn({
      ...settings,
      enrollment_opens_local: '2026-12-01T09:00',
      enrollment_closes_local: '2027-01-02',
      join_url: 'https://meet.example.com/abc',
    });
    await patch({ enrollment_override: 'closed' });
    await post('publish');
    await post('archive');
    const before = await read();
    vi.setSystemTime(now.getTime() + 60_000);
    const { status, body: copy } = await post('duplicate', summer);

    expect(status).toBe(201);
    expect(copy).toEqual({
      ...original,
      ...settings,
      ...summer,
      id: expect.any(String),
      ends_on: '2027-07-16',
      starts_at: '2027-06-06T22:00:00.000Z',
      ends_at: '2027-07-16T22:00:00.000Z',
      enrollment_opens_local: '2027-05-04T09:00',
      enrollment_opens_at: '2027-05-04T07:00:00.000Z',
      enrollment_closes_local: '2027-06-06T00:00',
      enrollment_closes_at: '2027-06-05T22:00:00.000Z',
      join_url: null,
      public_url: expect.stringContaining('/c/biology-101-writing-in-summer-'),
      created_at: '2026-11-24T12:01:00.000Z',
      updated_at: '2026-11-24T12:01:00.000Z',
    });
    expect(copy.id).not.toBe(original.id);
    const withUrl = { ...summer, with_join_url: true };
    const copied = (await post('duplicate', withUrl)).body;
    expect(copied.join_url).toBe(original.join_url);
    // The draft then says what is missing.
    const lacksMeetingLink = async (of: { id: string }) =>
      (await readAs(user.id, findOwnCohort(of.id)))?.lacksMeetingLink;
    expect(await Promise.all([copy, copied, original].map(lacksMeetingLink))).toEqual([
      true,
      false,
      false,
    ]);
    expect(await read()).toEqual(before);
  });

  test('is shown with the dates of both by a dry run, which makes nothing and is not counted', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    const own = await createOwn({ enrollment_opens_local: '2026-11-30T02:30' });
    const limited = { bindings: { LIMITS: { cohorts_per_user: ['2/d'] } } };
    const copy = (input: object) => own.act('POST', 'duplicate/', input, limited);
    const after = { ...days, ...noWindow, starts_on: '2025-05-04', ends_on: '2025-06-12' };
    for (const _ of [1, 2, 3]) {
      expect(await copy({ name: 'Later', starts_on: '2025-05-04', dry_run: true })).toEqual({
        status: 200,
        body: {
          before: { ...days, ...noWindow, enrollment_opens_local: '2026-11-30T02:30' },
          // The clocks skip 2:30 on that night.
          after: { ...after, enrollment_opens_local: '2025-03-30T03:30' },
          adjusted: ['enrollment_opens_local'],
          ...noSessions,
          warnings: ['starts_in_past'],
        },
      });
    }
    expect((await own.send('GET', own.path)).body).toEqual([own.cohort]);
    expect([(await copy(summer)).status, (await copy(summer)).status]).toEqual([201, 429]);
  });

  test('without a name, or with days that do not exist, is refused, with an error at its field', async () => {
    const { post } = await createOwn();
    for (const input of [
      { name: 'ab' },
      { starts_on: '2027-02-30' },
      // The last day would be after the calendar.
      { starts_on: '2100-12-31' },
      { ends_on: '2027-12-31' },
    ]) {
      const answer = await post('duplicate', { ...summer, ...input });
      const [field = ''] = Object.keys(input);
      expect(answer).toMatchObject(invalid({ [field]: [expect.any(String)] }));
    }
  });
});
