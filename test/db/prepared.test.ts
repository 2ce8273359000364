import { env } from 'cloudflare:workers';
import { and, eq, gt, SQL, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { ask, db } from '#db/query.ts';
import { courses } from '#db/schema/courses.ts';
import { createCourseRow, createUser } from '#support/factories.ts';

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
