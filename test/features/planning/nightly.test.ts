import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { jobs } from '#cron.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { crons } from '#settings.ts';
import { loggedEvents } from '#support/console.ts';
import { runByClock } from '#support/context.ts';
import { databaseWith } from '#support/database.ts';
import { createCohortRow, createCourseRow, createUser, db } from '#support/factories.ts';
import { recordDatabase } from '#support/recorder.ts';
import { rowOf } from './support.ts';

const now = new Date('2026-11-24T03:41:00.000Z');
const hour = 60 * 60 * 1000;
const day = 24 * hour;

// Both jobs cover the whole database.
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  // Other files may have left users whose selected course this is.
  await db.update(users).set({ selectedCourseId: null });
  await db.delete(courses);
});
afterEach(() => {
  vi.useRealTimers();
});

async function createCourse() {
  return createCourseRow((await createUser()).id, { courseType: 'cohort' });
}

function run(name: string, bindings = {}) {
  const chosen = jobs.filter((job) => job.name === name);
  return runByClock(bindings, { cron: crons.nightly, jobs: chosen });
}

const renew = (bindings = {}) => run('renewal of instants', bindings);
const empty = (bindings = {}) => run('emptying of the trash', bindings);

/** What a runtime with other rules has written: an hour off. */
const anHourOff = {
  startsAt: new Date('2027-01-04T00:00:00Z'),
  endsAt: new Date('2027-02-13T00:00:00Z'),
};

const window = {
  enrollmentOpensLocal: '2026-12-01T09:00',
  enrollmentOpensAt: new Date('2026-12-01T09:00:00Z'),
  enrollmentClosesLocal: '2027-01-03T00:00',
  enrollmentClosesAt: new Date('2027-01-03T00:00:00Z'),
};

test('instants that another runtime has written are computed again overnight; wall times, and zones that this one does not know, stay', async () => {
  const course = await createCourse();
  const startReminderAt = new Date('2027-01-01T08:00:00Z');
  const off = await createCohortRow(course, { ...anHourOff, ...window });
  const unknown = await createCohortRow(course, { timeZone: 'Mars/Base', ...anHourOff });
  const right = await createCohortRow(course, { startReminderAt });
  const [offBefore, rightBefore] = [await rowOf(off.id), await rowOf(right.id)];
  await renew();

  expect(await rowOf(off.id)).toEqual({
    ...offBefore,
    startsAt: new Date('2027-01-03T23:00:00Z'),
    endsAt: new Date('2027-02-12T23:00:00Z'),
    startReminderAt,
    enrollmentOpensAt: new Date('2026-12-01T08:00:00Z'),
    enrollmentClosesAt: new Date('2027-01-02T23:00:00Z'),
  });
  expect(await rowOf(right.id)).toEqual(rightBefore);
  expect(await rowOf(unknown.id)).toMatchObject(anHourOff);
  await renew();
  expect(loggedEvents('instants_moved')).toMatchObject([
    { cohorts: 1, unknown_zones: 1, is_done: true },
    { cohorts: 0, unknown_zones: 1, is_done: true },
  ]);
});

test('what is over stays as it was, drafts and the trash do not, and a time that clocks now skip becomes the next one', async () => {
  const course = await createCourse();
  const over = await createCohortRow(course, {
    startsOn: '2026-10-01',
    endsOn: '2026-11-20',
    startsAt: new Date(0),
    endsAt: new Date('2026-11-20T23:00:00Z'),
  });
  const trashed = await createCohortRow(course, { ...anHourOff, deletedAt: now });
  const skipped = await createCohortRow(course, {
    startsOn: '2027-04-05',
    endsOn: '2027-05-07',
    enrollmentOpensLocal: '2027-03-28T02:30',
    enrollmentOpensAt: new Date('2027-03-28T00:30:00Z'),
  });
  await renew();

  expect(await rowOf(over.id)).toMatchObject({ startsAt: new Date(0) });
  expect(await rowOf(trashed.id)).toMatchObject({ startsAt: new Date('2027-01-03T23:00:00Z') });
  expect(await rowOf(skipped.id)).toMatchObject({
    enrollmentOpensLocal: '2027-03-28T02:30',
    enrollmentOpensAt: new Date('2027-03-28T01:30:00Z'),
  });
});

test('a move while the instants are renewed wins', async () => {
  const course = await createCourse();
  const { id } = await createCohortRow(course, anHourOff);
  let batches = 0;
  const DB = databaseWith({
    batch: async <Row>(statements: D1PreparedStatement[]) => {
      batches += 1;
      if (batches === 2) {
        await db
          .update(cohorts)
          .set({ startsOn: '2027-01-11', startsAt: new Date('2027-01-10T23:00:00Z') })
          .where(eq(cohorts.id, id));
      }
      return env.DB.batch<Row>(statements);
    },
  });
  await renew({ DB });

  expect(await rowOf(id)).toMatchObject({
    startsOn: '2027-01-11',
    startsAt: new Date('2027-01-10T23:00:00Z'),
  });
});

test('thousands are renewed in chunks, and each once', async () => {
  const course = await createCourse();
  const { id: pattern } = await createCohortRow(course, anHourOff);
  const columns =
    'owner_id, course_id, name, starts_on, ends_on, time_zone, starts_at, join_mode, waitlist, offer_hours, shows_minimum, shows_places_left, language, created_at, updated_at';
  await env.DB.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2500)
     INSERT INTO cohorts (id, slug, ends_at, ${columns})
     SELECT 'id ' || n, 'slug ' || n, ends_at + n % 7, ${columns} FROM cohorts, numbers WHERE id = ?`,
  )
    .bind(pattern)
    .run();
  const recording = recordDatabase(env.DB);
  await renew({ DB: recording.db });

  expect(recording.take().statements).toHaveLength(6);
  expect(loggedEvents('instants_moved')).toMatchObject([{ cohorts: 2_501, is_done: true }]);
  const right = eq(cohorts.endsAt, new Date('2027-02-12T23:00:00Z'));
  expect(await db.$count(cohorts, right)).toBe(2_501);
});

test('the trash keeps a cohort for 30 days, and not a millisecond longer', async () => {
  const course = await createCourse();
  const kept = await createCohortRow(course, {
    deletedAt: new Date(now.getTime() - 30 * day + 1),
  });
  const live = await createCohortRow(course);
  await createCohortRow(course, { deletedAt: new Date(now.getTime() - 30 * day) });
  await createCohortRow(course, { deletedAt: new Date(1) });
  await empty();

  const left = await db.select({ id: cohorts.id }).from(cohorts);
  expect(left.map(({ id }) => id).sort()).toEqual([kept.id, live.id].sort());
  expect(loggedEvents('trash_emptied')).toMatchObject([{ cohorts: 2, is_done: true }]);
});

test('the trash is emptied in pieces until its time is up, and the next night continues', async () => {
  const course = await createCourse();
  for (let count = 0; count < 250; count += 1) {
    await createCohortRow(course, { deletedAt: new Date(1) });
  }
  // Six minutes per statement.
  const slow = databaseWith({
    prepare: (query) => {
      vi.setSystemTime(Date.now() + 6 * 60_000);
      return env.DB.prepare(query);
    },
  });
  await empty({ DB: slow });
  expect(await db.$count(cohorts)).toBe(50);
  await empty();

  expect(await db.$count(cohorts)).toBe(0);
  expect(loggedEvents('trash_emptied')).toMatchObject([
    { cohorts: 200, is_done: false },
    { cohorts: 50, is_done: true },
  ]);
});
