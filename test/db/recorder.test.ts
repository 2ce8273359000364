import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { expect, test } from 'vitest';
import { users } from '#db/schema/users.ts';
import { createUser } from '#support/factories.ts';
import { growingSteps, grownReads, planOf, recordDatabase } from '#support/recorder.ts';

test('reads and writes through the recorder work as without it, and are counted', async () => {
  const user = await createUser();
  const { db, take } = recordDatabase(env.DB);
  const session = db.withSession('first-primary');
  const find = session.prepare('SELECT id FROM users WHERE id = ?').bind(user.id);
  const [first] = await session.batch<{ id: string }>([find, find]);
  expect(first?.results).toEqual([{ id: user.id }]);
  expect(take()).toMatchObject({ statements: [{ rowsRead: 1 }, { rowsRead: 1 }], trips: 1 });

  const renamed = drizzle(db).update(users).set({ firstName: 'Grace' });
  const made = await renamed.where(eq(users.id, user.id)).returning({ name: users.firstName });
  expect(made).toEqual([{ name: 'Grace' }]);
  expect(take()).toMatchObject({ statements: [{ rowsReturned: 1, rowsWritten: 1 }], trips: 1 });
});

test.each([
  ['SELECT id FROM users WHERE first_name = ?', 'SCAN users'],
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
});
