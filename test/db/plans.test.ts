import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { driveApp, type Operation } from '../support/drive-app.ts';
import { growingSteps, grownReads, planOf, shapeOf } from '../support/recorder.ts';
import { seedUsers } from '../support/seed.ts';

/** The app is driven as a whole, and on a busy machine that takes its time. */
const timeout = 60_000;

test('no statement of the app walks through a table, and none sorts what it has found', {
  timeout,
}, async () => {
  await seedUsers(env.DB, 300);
  const growing: string[] = [];
  const shapes = new Set<string>();
  for (const { name, statements } of await driveApp()) {
    for (const statement of statements) {
      shapes.add(shapeOf(statement.sql));
      for (const step of growingSteps(await planOf(env.DB, statement))) {
        growing.push(`${name}: ${step}: ${shapeOf(statement.sql)}`);
      }
    }
  }

  expect(growing).toEqual([]);
  expect(shapes.size).toBeGreaterThan(50);
});

test('no statement of the app reads more rows where there are more users', {
  timeout,
}, async () => {
  await seedUsers(env.DB, 10);
  const few = await driveApp();
  await seedUsers(env.DB, 290);
  const many = await driveApp();

  expect(many.map(shapesOf)).toEqual(few.map(shapesOf));
  expect(
    many.flatMap(({ name, statements }, index) =>
      grownReads(few[index]?.statements ?? [], statements).map((sql) => `${name}: ${sql}`),
    ),
  ).toEqual([]);
});

function shapesOf({ name, statements }: Operation): string[] {
  return [name, ...statements.map(({ sql }) => shapeOf(sql))];
}
