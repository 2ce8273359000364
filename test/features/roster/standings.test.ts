import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cohortSections, sections } from '#db/schema/lessons.ts';
import { enrollments } from '#db/schema/people.ts';
import { type Standing, standings } from '#db/values.ts';
import { readTable } from '#features/lists/read-table.ts';
import type { EnrollmentPage } from '#features/places/schema.ts';
import { dayMs } from '#lib/time/calendar.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createOpenRun,
  createSignedInClient,
  db,
} from '#support/factories.ts';
import {
  createLessonRow,
  createMark,
  createSectionRow,
  updateLearning,
} from '#support/lesson-rows.ts';
import { updateRow } from '#support/rows.ts';

type Facts = {
  /** How many days ago they enrolled. */
  started: number;
  /** How many days ago they were there last; null if never. */
  seen: number | null;
  done?: number;
  isCompleted?: boolean;
};

const minute = 1 / 24 / 60;

/** The thirty people of an open run: where each stands, by what they did. */
const groupOfRun: [Standing, Facts][] = [
  ['completed', { started: 90, seen: 60, isCompleted: true }],
  ['completed', { started: 1, seen: 0, isCompleted: true }],
  ['completed', { started: 40, seen: null, isCompleted: true }],
  ['not_started', { started: 7 + minute, seen: null }],
  ['not_started', { started: 100, seen: null }],
  ['under_way', { started: 7 - minute, seen: null }],
  ['under_way', { started: 0, seen: null }],
  ['under_way', { started: 30, seen: 14 - minute }],
  ['stuck', { started: 30, seen: 14 + minute }],
  ['stuck', { started: 400, seen: 300 }],
  ...Array.from({ length: 10 }, (_, day): [Standing, Facts] => [
    day < 4 ? 'under_way' : 'stuck',
    { started: 60, seen: 10.5 + day },
  ]),
  ...Array.from({ length: 10 }, (_, day): [Standing, Facts] => [
    day < 5 ? 'under_way' : 'not_started',
    { started: 2.5 + day, seen: null },
  ]),
];

test('in an open run, stuck, not started and completed are right to the person, before and after the clock', async () => {
  const owner = await createRun();
  const expected = await createGroup(owner.run, groupOfRun);
  const before = await owner.standings();
  expect(before).toEqual(expected);

  // What the clock writes about those who have been quiet for too long.
  await db.run(sql`UPDATE learning SET
      standing = CASE WHEN last_seen_at IS NULL THEN 'not_started' ELSE 'stuck' END
    WHERE cohort_id = ${owner.run.id} AND standing = 'under_way' AND quiet_at <= ${Date.now()}`);
  expect(await owner.standings()).toEqual(expected);
});

test('in a cohort, three open lessons that are not done make someone stuck who stays away', async () => {
  const { client, user } = await createSignedInClient();
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const days = { startsAt: daysAgo(10), endsAt: daysAgo(-60), publishedAt: daysAgo(40) };
  const cohort = await createCohortRow(course, days);
  const read = () => standingsIn(client, cohort.id);
  const group: [Standing, Facts][] = [
    ['completed', { started: 20, seen: 15, done: 1, isCompleted: true }],
    ['not_started', { started: 8, seen: null }],
    ['under_way', { started: 6, seen: null }],
    ['stuck', { started: 20, seen: 7 + minute, done: 2 }],
    ['under_way', { started: 20, seen: 7 - minute, done: 2 }],
    ['under_way', { started: 20, seen: 9, done: 3 }],
  ];
  // Without lessons, no one is behind.
  const expected = await createGroup(cohort, group);
  expect(await read()).toMatchObject({ stuck: [], not_started: [] });

  const addSection = async (position: number, releaseDays: number | null, lessons: number) => {
    const section = await createSectionRow(course, { position, releaseDays });
    const made = [];
    for (let no = 1; no <= lessons; no += 1) {
      made.push(await createLessonRow(section, { position: no }));
    }
    return { ...section, lessons: made };
  };
  await addSection(1, null, 3);
  const second = await addSection(2, 9, 2);
  const later = await addSection(3, 11, 3);
  expect(await read()).toEqual(expected);

  // What is hidden in this cohort, or opens later there, is not behind.
  const { id: sectionId, ownerId } = second;
  const override = { cohortId: cohort.id, sectionId, ownerId, mode: 'hidden' as const };
  await db.insert(cohortSections).values(override);
  expect((await read()).stuck).toEqual([]);
  // Nor does it make up for what is.
  const ahead = await createEnrollment(cohort, { statusChangedAt: daysAgo(20) });
  for (const lesson of second.lessons) {
    await createMark(ahead, lesson);
  }
  await updateLearning(ahead, { lastSeenAt: daysAgo(9) });
  expect((await read()).stuck).toHaveLength(1);
  await updateRow(enrollments, ahead, { status: 'left' });
  await db.update(cohortSections).set({ mode: 'date', opensAt: daysAgo(-1) });
  expect((await read()).stuck).toEqual([]);
  await db.update(cohortSections).set({ opensAt: daysAgo(1) });
  expect((await read()).stuck).toHaveLength(1);
  await updateRow(sections, later, { releaseDays: null });
  expect((await read()).stuck).toHaveLength(2);
});

test('those of a standing are read 100 at a time, and by a part of their name', async () => {
  const { run, client } = await createRun();
  const seen = Array.from({ length: 103 }, (_, index) => 20 + index);
  await createGroup(
    run,
    seen.map((days) => ['stuck', { started: 300, seen: days }]),
  );
  const path = `/api/cohorts/${run.id}/enrollments/?state=stuck`;
  const page = async (query: string) => {
    const { items, next } = await (await client.get(`${path}${query}`)).json<EnrollmentPage>();
    return { names: items.map(({ name }) => name), next };
  };
  const first = await page('');
  const second = await page(`&after=${first.next}`);
  expect([first.names.length, second.names.length, second.next]).toEqual([100, 3, null]);
  // Who was there last comes first.
  const inOrder = seen.map((_, index) => `Person ${index}`);
  expect([...first.names, ...second.names]).toEqual(inOrder);
  expect(await page('&q=person%20102')).toMatchObject({ names: ['Person 102'] });
  expect((await client.get(`${path}x`)).status).toBe(400);
});

test('the file of an open run has no dates of a cohort, and can have only some people', async () => {
  const { run, client } = await createRun();
  const section = await createSectionRow(run.course);
  await createLessonRow(section);
  await createGroup(run, groupOfRun);
  const table = async (query: string) => {
    const response = await client.get(`/api/cohorts/${run.id}/roster.csv${query}`);
    expect(response.headers.get('Content-Disposition')).not.toMatch(/cohort/i);
    return (await readTable(await response.text())).rows.map(({ cells }) => cells);
  };
  const [columns = [], ...people] = await table('');
  expect(people).toHaveLength(30);
  expect(columns).toEqual(expect.arrayContaining(['lessons_done', 'last_active_at']));
  for (const missing of ['attended', 'sessions', 'cohort', 'starts_on', 'ends_on']) {
    expect(columns).not.toContain(missing);
  }
  const stuck = groupOfRun.filter(([standing]) => standing === 'stuck').length;
  expect(await table('?state=stuck')).toHaveLength(1 + stuck);
});

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * dayMs);
}

async function createRun() {
  const { client, user } = await createSignedInClient();
  const course = await createCourseRow(user.id);
  const run = { ...(await createOpenRun(course)), course };
  return { run, client, standings: () => standingsIn(client, run.id) };
}

type Client = Awaited<ReturnType<typeof createSignedInClient>>['client'];

/** Whom the API lists for each standing, by their names in order. */
async function standingsIn(client: Client, cohortId: string) {
  const lists = emptyLists();
  for (const standing of standings) {
    const path = `/api/cohorts/${cohortId}/enrollments/?state=${standing}`;
    const { items } = await (await client.get(path)).json<EnrollmentPage>();
    lists[standing] = items.map(({ name }) => name).toSorted();
  }
  return lists;
}

function emptyLists(): Record<Standing, string[]> {
  return { completed: [], under_way: [], stuck: [], not_started: [] };
}

/** @returns the names of those who should be listed for each standing */
async function createGroup(cohort: { id: string; ownerId: string }, group: [Standing, Facts][]) {
  const lists = emptyLists();
  for (const [index, [standing, { started, seen, done = 0, isCompleted }]] of group.entries()) {
    const name = `Person ${index}`;
    lists[standing].push(name);
    const since = { statusChangedAt: daysAgo(started) };
    const enrollment = await createEnrollment(cohort, since, { name });
    await updateLearning(enrollment, { done, ...(seen !== null && { lastSeenAt: daysAgo(seen) }) });
    if (isCompleted) {
      await updateRow(enrollments, enrollment, { completedAt: new Date() });
    }
  }
  for (const names of Object.values(lists)) {
    names.sort();
  }
  return lists;
}
