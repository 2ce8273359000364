import { env } from 'cloudflare:workers';
import { and, eq, gt, SQL, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { ask, db, query } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { links } from '#db/schema/sign-in.ts';
import { suppressedAddresses, webhookDeliveries } from '#db/schema/suppression.ts';
import { users } from '#db/schema/users.ts';
import { takeNoise } from '#support/console.ts';
import { forgetfulDatabase, lostConnection } from '#support/database.ts';
import {
  createCourseRow,
  createSignedInClient,
  createUser,
  db as storage,
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
  await client.get('/api/health/');
  const course = { name: 'Biology 101', course_type: 'cohort' };
  const bindings = { DB: forgetfulDatabase(lostConnection) };
  const lost = await client.post('/api/courses/', course, { bindings });

  expect(lost.status).toBe(503);
  expect(takeNoise()).toHaveLength(1);
  expect(await storage.$count(courses, eq(courses.ownerId, user.id))).toBe(1);
});

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

test('a value that is not in its list is not written, even if its type was cast', () => {
  const wrong = 'something else' as never;
  for (const write of [
    storage.update(users).set({ language: wrong }),
    storage.update(courses).set({ courseType: wrong }),
    storage.update(links).set({ purpose: wrong }),
    storage.update(suppressedAddresses).set({ reason: wrong }),
    storage.update(webhookDeliveries).set({ provider: wrong }),
  ]) {
    expect(() => write.toSQL()).toThrow('is not in its list');
  }
});
