import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { createCourseRow, createUser } from '#support/factories.ts';
import { growingSteps, grownReads, planOf, recordDatabase } from '#support/recorder.ts';

test('reads through the recorder return what the database holds, including columns of the same name', async () => {
  const user = await createUser();
  const course = await createCourseRow(user.id);
  const recording = recordDatabase(env.DB);
  const rows = await drizzle(recording.db)
    .select({ user: users.id, course: courses.id, name: courses.name })
    .from(courses)
    .innerJoin(users, eq(users.id, courses.ownerId))
    .where(eq(courses.id, course.id));

  expect(rows).toEqual([{ user: user.id, course: course.id, name: course.name }]);
  const { statements, trips } = recording.take();
  expect(statements).toMatchObject([{ rowsReturned: 1, rowsRead: 2, rowsWritten: 0 }]);
  expect(trips).toBe(1);
  expect(recording.take()).toEqual({ statements: [], trips: 0 });
});

test('writes through the recorder happen once, and their results are returned', async () => {
  const user = await createUser();
  const recording = recordDatabase(env.DB);
  const id = crypto.randomUUID();
  const now = new Date();
  const made = await drizzle(recording.db)
    .insert(courses)
    .values({
      id,
      ownerId: user.id,
      name: 'Biology',
      courseType: 'cohort',
      createdAt: now,
      updatedAt: now,
    })
    .returning({ name: courses.name, id: courses.id });

  expect(made).toEqual([{ name: 'Biology', id }]);
  // The row, and five indexes.
  expect(recording.take()).toMatchObject({
    statements: [{ rowsReturned: 1, rowsWritten: 6 }],
    trips: 1,
  });
});

test('a batch is one trip, also in a session, and a failing statement is recorded and fails', async () => {
  const user = await createUser();
  const recording = recordDatabase(env.DB);
  const session = recording.db.withSession('first-primary');
  const find = session.prepare('SELECT id FROM users WHERE id = ?').bind(user.id);
  const [first] = await session.batch<{ id: string }>([find, find]);

  expect(first?.results).toEqual([{ id: user.id }]);
  expect(recording.take()).toMatchObject({
    statements: [{ rowsRead: 1 }, { rowsRead: 1 }],
    trips: 1,
  });

  const again = recording.db.prepare('UPDATE users SET id = NULL WHERE id = ?').bind(user.id);
  await expect(again.run()).rejects.toThrow('NOT NULL');
  expect(recording.take().statements).toMatchObject([{ rowsRead: null, rowsWritten: null }]);
});

test.each([
  ['SELECT id FROM users WHERE first_name = ?', 'SCAN users'],
  ['SELECT count(*) FROM users WHERE first_name <> ?', 'SCAN users'],
  ['UPDATE links SET new_email = ?', 'SCAN links'],
  ['SELECT id FROM courses WHERE owner_id = ? ORDER BY name', 'USE TEMP B-TREE FOR ORDER BY'],
])('a plan that grows with the data is recognized: %s', async (sql, step) => {
  expect(growingSteps(await planOf(env.DB, { sql, params: ['x'] }))).toEqual([step]);
});

test('a statement that reads one more row is reported as growing', () => {
  const statement = { sql: 'SELECT 1', params: [], rowsReturned: 1, rowsRead: 4, rowsWritten: 0 };

  expect(grownReads([statement], [statement])).toEqual([]);
  expect(grownReads([statement], [{ ...statement, rowsRead: 5 }])).toEqual([
    'SELECT 1: 4 → 5 rows',
  ]);
  expect(grownReads([], [statement])).toEqual(['SELECT 1: 0 → 4 rows']);
});
