import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { ask, db, query } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { users } from '#db/schema/users.ts';
import { takeNoise } from '#support/console.ts';
import { databaseWith } from '#support/database.ts';
import {
  createCourseRow,
  createSignedInClient,
  createUser,
  db as directDb,
} from '#support/factories.ts';

const ctx = { db: openDatabase(env.DB) };

test('results come by name, and columns of the same name keep their values', async () => {
  const user = await createUser();
  const course = await createCourseRow(user.id);
  const { joined, names, none } = await ask(ctx, {
    joined: db
      .select({ user: users.id, course: { id: courses.id, createdAt: courses.createdAt } })
      .from(courses)
      .innerJoin(users, eq(users.id, courses.ownerId))
      .where(eq(courses.id, course.id)),
    none: undefined,
    names: query(
      { rows: db.select({ name: courses.name }).from(courses).where(eq(courses.id, course.id)) },
      ({ rows }) => rows.map(({ name }) => name),
    ),
  });

  expect(joined).toEqual([
    { user: user.id, course: { id: course.id, createdAt: course.createdAt } },
  ]);
  expect(names).toEqual([course.name]);
  expect(none).toBeUndefined();
});

test('a statement awaited without ask never reaches the database', async () => {
  await expect(db.select().from(users)).rejects.toThrow();
});

test('a write whose answer D1 lost is not repeated', async () => {
  const { client, user } = await createSignedInClient();
  let batches = 0;
  const forgetful = databaseWith({
    batch: async <Row>(statements: D1PreparedStatement[]) => {
      batches += 1;
      const result = await env.DB.batch<Row>(statements);
      if (batches > 1) {
        throw new Error('D1_ERROR: Network connection lost.');
      }
      return result;
    },
  });
  await client.get('/api/health/');
  const course = { name: 'Biology 101', course_type: 'cohort' };
  const lost = await client.post('/api/courses/', course, { bindings: { DB: forgetful } });

  expect(lost.status).toBe(503);
  expect(takeNoise()).toHaveLength(1);
  expect(batches).toBe(2);
  expect(await directDb.$count(courses, eq(courses.ownerId, user.id))).toBe(1);
});
