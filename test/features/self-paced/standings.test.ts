import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { enrollments, people } from '#db/schema/people.ts';
import { settleStandings } from '#features/learning/settle-standings.ts';
import { loggedEvents } from '#support/console.ts';
import { contextOn } from '#support/context.ts';
import { day } from '#support/days.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  createOpenRun,
  createUser,
  db,
} from '#support/factories.ts';
import { updateRow } from '#support/rows.ts';
import { enrollMany, startAt } from '../letters/reminders.ts';
import { setTime } from '../places/support.ts';
import { began, createRun, enroll, visit } from './clock.ts';

startAt(began);

/** How many people stand in each way, by the counters. */
async function counted(run: { id: string }) {
  const { results } = await env.DB.prepare(
    'SELECT standing, people FROM run_counts WHERE cohort_id = ? AND people <> 0',
  )
    .bind(run.id)
    .all<{ standing: string; people: number }>();
  return Object.fromEntries(results.map(({ standing, people: count }) => [standing, count]));
}

/** Where a counter is not what a count of the rows would be. */
async function differences() {
  const { results } = await env.DB.prepare(
    `SELECT coalesce(n.cohort_id, g.cohort_id) AS cohort, coalesce(n.standing, g.standing) AS standing,
        coalesce(n.people, 0) AS counted, coalesce(g.people, 0) AS there
      FROM run_counts n FULL JOIN (SELECT g.cohort_id, g.standing, count(*) AS people FROM learning g
          WHERE g.standing IS NOT NULL GROUP BY g.cohort_id, g.standing) g
        ON g.cohort_id = n.cohort_id AND g.standing = n.standing
      WHERE coalesce(n.people, 0) <> coalesce(g.people, 0)
    UNION ALL SELECT g.cohort_id, g.standing, e.status, e.completed_at FROM learning g
      JOIN enrollments e ON e.id = g.enrollment_id JOIN cohorts c ON c.id = e.cohort_id
      WHERE g.cohort_id <> e.cohort_id OR (g.standing IS NULL) <> (c.kind <> 'open' OR e.status <> 'enrolled')
        OR (coalesce(g.standing, '') = 'completed') <> (c.kind = 'open' AND e.status = 'enrolled'
          AND e.completed_at IS NOT NULL)
    UNION ALL SELECT n.cohort_id, n.standing, n.people, 0 FROM run_counts n
      JOIN cohorts c ON c.id = n.cohort_id WHERE c.kind <> 'open'
    UNION ALL SELECT coalesce(n.cohort_id, e.cohort_id), coalesce(n.status, e.status), n.people, e.people
      FROM run_statuses n FULL JOIN (SELECT e.cohort_id, e.status, count(*) AS people FROM enrollments e
          JOIN cohorts c ON c.id = e.cohort_id WHERE c.kind = 'open' GROUP BY e.cohort_id, e.status) e
        ON e.cohort_id = n.cohort_id AND e.status = n.status
      WHERE coalesce(n.people, 0) <> coalesce(e.people, 0)`,
  ).all();
  return results;
}

test('who comes back is under way again, and stuck again two weeks later', async () => {
  const { run } = await createRun([null]);
  const learner = await enroll(run);
  const at = async (now: number) => {
    setTime(now);
    await settleStandings(contextOn());
    return counted(run);
  };
  expect(await at(began + 7 * day - 1)).toEqual({ under_way: 1 });
  expect(await at(began + 7 * day)).toEqual({ not_started: 1 });
  await visit(learner, began + 10 * day);
  expect(await at(began + 24 * day - 1)).toEqual({ under_way: 1 });
  expect(await at(began + 24 * day)).toEqual({ stuck: 1 });
  // Someone who has left and enrolls again has a week.
  const move = (status: 'left' | 'enrolled', now: number) =>
    updateRow(enrollments, learner, { status, statusChangedAt: new Date(now) });
  await move('left', began + 30 * day);
  expect(await at(began + 30 * day)).toEqual({});
  await move('enrolled', began + 60 * day);
  expect(await at(began + 67 * day - 1)).toEqual({ under_way: 1 });
  expect(await at(began + 67 * day)).toEqual({ stuck: 1 });
  expect(loggedEvents('standings_settled')).toMatchObject([
    { count: 1 },
    { count: 1 },
    { count: 1 },
  ]);
});

test('2,000 people are settled in one run, each counted once by two clocks at once', async () => {
  const { run } = await createRun([null]);
  await enrollMany(run, 2_000);
  await Promise.all([settleStandings(contextOn()), settleStandings(contextOn())]);
  expect(await counted(run)).toEqual({ not_started: 2_000 });
  expect(await differences()).toEqual([]);
});

test('the counters equal a count of the rows after people have come, moved and left in any order', async () => {
  const owner = await createUser();
  const [course, other] = [await createCourseRow(owner.id), await createCourseRow(owner.id)];
  const dated = await createCourseRow(owner.id, { courseType: 'cohort' });
  const places = [
    await createOpenRun(course),
    await createOpenRun(other),
    await createCohortRow(dated, { publishedAt: new Date() }),
  ];
  let queueNo = 0;
  const statuses = ['enrolled', 'left', 'removed', 'invited', 'waitlisted'] as const;
  const kinds = [
    'enroll',
    'status',
    'move',
    'complete',
    'undo',
    'visit',
    'clock',
    'erase',
  ] as const;
  const step = fc.record({
    what: fc.constantFrom(...kinds),
    who: fc.nat(7),
    place: fc.nat(2),
    status: fc.constantFrom(...statuses),
    days: fc.nat(20),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const ids: string[] = [];
      let now = began;
      for (const { what, who, place, status, days } of steps) {
        now += days * day;
        queueNo += 1;
        setTime(now);
        const standing = {
          status,
          statusChangedAt: new Date(now),
          queueNo: status === 'waitlisted' ? queueNo : null,
          expiresAt: status === 'invited' ? new Date(now + day) : null,
        };
        const id = ids[who % Math.max(1, ids.length)] ?? '';
        const change = (values: object) =>
          db.update(enrollments).set(values).where(eq(enrollments.id, id));
        const cohort = places[place] ?? places[0];
        await {
          enroll: async () => {
            ids.push((await createEnrollment(cohort as never, standing)).id);
          },
          status: () => change({ ...standing, completedAt: null }),
          move: () =>
            change({ cohortId: cohort?.id, completedAt: null, statusChangedAt: new Date(now) }),
          complete: () =>
            db.run(sql`UPDATE enrollments SET completed_at = ${now}
              WHERE id = ${id} AND status = 'enrolled' AND completed_at IS NULL`),
          undo: () => change({ completedAt: null }),
          visit: () => visit({ id }, now),
          clock: () => settleStandings(contextOn()),
          erase: () =>
            db.run(sql`DELETE FROM people WHERE id IN
              (SELECT person_id FROM enrollments WHERE id = ${id})`),
        }[what]();
        expect(await differences()).toEqual([]);
      }
    }),
    { numRuns: 15 },
  );
  await db.delete(people).where(eq(people.ownerId, owner.id));
  expect(await differences()).toEqual([]);
  await db.delete(courses).where(eq(courses.ownerId, owner.id));
  expect(await db.$count(sql`run_counts` as never)).toBe(0);
});

test('the days say how many have started and how many have completed it, also who left since', async () => {
  const { run } = await createRun([null]);
  const [first, second] = [await enroll(run), await enroll(run, began + day)];
  await enroll(run, began + day);
  const complete = (enrollment: { id: string }, at: number | null) =>
    updateRow(enrollments, enrollment, { completedAt: at === null ? null : new Date(at) });
  await complete(first, began + 2 * day);
  await complete(second, began + 2 * day);
  await complete(second, null);
  await complete(second, began + 3 * day);
  await updateRow(enrollments, first, { status: 'left', completedAt: null });
  const other = await createOpenRun(await createCourseRow(run.ownerId));
  await updateRow(enrollments, second, { cohortId: other.id, completedAt: null });
  const { results } = await env.DB.prepare(
    'SELECT day - ? AS day, started, completed FROM run_days WHERE cohort_id = ? ORDER BY day',
  )
    .bind(Math.floor(began / day), run.id)
    .all();

  expect(results).toEqual([
    { day: 0, started: 1, completed: 0 },
    { day: 1, started: 2, completed: 0 },
    { day: 2, started: 0, completed: 1 },
    { day: 3, started: 0, completed: 1 },
  ]);
});
