import { env } from 'cloudflare:workers';
import { and, eq, gt, SQL, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { ask, db } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { findCourses } from '#features/courses/list-courses.ts';
import { findActor } from '#features/identity/find-actor.ts';
import { findSessions } from '#features/identity/sessions.ts';
import { apiPaths } from '#paths.ts';
import { settled } from '#support/background.ts';
import { contextOn } from '#support/context.ts';
import { cohortPageReads, publicReads } from '#support/drive-cohorts.ts';
import { exampleCalls, fillIn, keepThings } from '#support/examples.ts';
import {
  browserWith,
  createCohortRow,
  createCourseRow,
  createSession,
  createUser,
} from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { fakeStripe } from '#support/stripe.ts';

const ctx = { db: openDatabase(env.DB) };

/** How many statements are built while this runs. */
async function countBuilt(act: () => Promise<unknown>): Promise<number> {
  const building = vi.spyOn(SQL.prototype, 'toQuery');
  await act();
  const { length } = building.mock.calls;
  building.mockRestore();
  return length;
}

const ofOwner = fragment(({ id }: Given<'id'>) => sql`${courses.ownerId} = ${id}`);

test('a prepared statement is built once, and each call has its own values', async () => {
  const rowsAfter = prepared(({ ownerId, after }: Given<'ownerId' | 'after'>) =>
    db
      .select({ id: courses.id, createdAt: courses.createdAt })
      .from(courses)
      .where(and(eq(courses.ownerId, ownerId), gt(courses.createdAt, after))),
  );
  const [one, other] = [await createUser(), await createUser()];
  const course = await createCourseRow(one.id, { createdAt: new Date(2000) });
  await createCourseRow(other.id, { createdAt: new Date(2000) });
  const rowsOf = async (ownerId: string, after: Date) =>
    (await ask(ctx, { rows: rowsAfter({ ownerId, after }) })).rows;

  expect(await countBuilt(() => rowsOf(one.id, new Date(1000)))).toBe(1);
  expect(await rowsOf(one.id, new Date(1000))).toEqual([
    { id: course.id, createdAt: new Date(2000) },
  ]);
  expect(await rowsOf(one.id, new Date(2000))).toEqual([]);
  expect(await rowsOf(other.id, new Date(1000))).toHaveLength(1);
  expect(await countBuilt(() => rowsOf(other.id, new Date(1000)))).toBe(0);
});

test('a fragment is a part of the statement, with its own values; other SQL is built in place', async () => {
  const rowsWhere = prepared(({ where }: Given<'where'>) =>
    db.select({ id: courses.id }).from(courses).where(where),
  );
  const [one, other] = [await createUser(), await createUser()];
  const [first, second] = [await createCourseRow(one.id), await createCourseRow(other.id)];
  const rowsOf = async (where: SQL) => (await ask(ctx, { rows: rowsWhere({ where }) })).rows;

  expect(await rowsOf(ofOwner({ id: one.id }))).toEqual([{ id: first.id }]);
  expect(await rowsOf(ofOwner({ id: other.id }))).toEqual([{ id: second.id }]);
  expect(await rowsOf(eq(courses.id, first.id))).toEqual([{ id: first.id }]);
  expect(await countBuilt(() => rowsOf(ofOwner({ id: one.id })))).toBe(0);
  expect(await countBuilt(() => rowsOf(eq(courses.id, first.id)))).toBe(1);
});

test('a fragment that is declared for each request is refused, before it fills the memory', async () => {
  const rowsWhere = prepared(({ where }: Given<'where'>) =>
    db.select({ id: courses.id }).from(courses).where(where),
  );
  const ask20 = async () => {
    for (let request = 0; request <= 20; request += 1) {
      const where = fragment(({ id }: Given<'id'>) => sql`${courses.id} = ${id}`);
      await ask(ctx, { rows: rowsWhere({ where: where({ id: '' }) }) });
    }
  };

  await expect(ask20()).rejects.toThrow('outside of module scope');
});

/** Files, which take longer to write than their statements take to build. */
const builtEachTime = [
  'the calendar of a cohort',
  'the calendar of a participant',
  'the calendar of an instructor',
  'GET /api/accounts/{account}/export/',
  'GET /api/cohorts/{paidCohort}/ledger.csv',
  'GET /api/courses/{paidCourse}/ledger.csv',
  'GET /api/cohorts/{listCohort}/roster.csv',
];

test('no read of a page or of the API builds a statement that it has built before', {
  // Every read is made twice.
  timeout: 120_000,
}, async () => {
  fakeResend();
  fakeStripe();
  const user = await createUser();
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const otherCourse = await createCourseRow(user.id);
  const token = await createSession(user.id);
  const client = browserWith(token);
  await client.get(apiPaths.courses);
  await client.post(apiPaths.selectCourse(course.id));
  const cohort = await createCohortRow(course, { publishedAt: new Date() });
  const reader = contextOn();
  const reads: [name: string, read: () => Promise<unknown>][] = [
    ...Object.entries(cohortPageReads(reader, token, cohort.id)),
    ...(await publicReads(reader, cohort)),
    [
      'page: settings',
      () => findActor(reader, token, { courses: findCourses, sessions: findSessions }),
    ],
  ];
  for (const calls of exampleCalls) {
    const things = {
      account: user.id,
      email: user.email,
      course: course.id,
      otherCourse: otherCourse.id,
    };
    for (const example of calls) {
      const { method, path, input } = fillIn(example, things);
      if (method === 'GET') {
        reads.push([`GET ${example.path}`, () => client.get(path)]);
      }
      const response = await client.request(method, path, input);
      keepThings(example, things, await response.text(), path);
    }
  }
  await settled();
  const again: string[] = [];
  for (const [name, read] of reads) {
    await read();
    if ((await countBuilt(read)) > 0) {
      again.push(name);
    }
  }

  expect(reads.length).toBeGreaterThan(30);
  expect(again).toEqual(builtEachTime);
});
