import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { driveApp, type Operation } from '#support/drive-app.ts';
import { growingSteps, grownReads, planOf, shapeOf } from '#support/recorder.ts';
import { seedUsers } from '#support/seed.ts';
import { holdBudgets } from '../budgets/budget.ts';
import type { Row } from '../budgets/row.ts';

/** The numbers of users when the app is driven: the same data once, 100 times and 1,000 times. */
const sizes = [10, 1_000, 10_000];

/** Driving the whole app takes time, especially on a busy machine. */
const timeout = 180_000;

test('with 100 and 1,000 times the users every statement still uses its index and reads no more rows', {
  timeout,
}, async ({ task }) => {
  const rows: Row[] = [];
  let users = 0;
  let fewest: Operation[] | null = null;
  for (const size of sizes) {
    await seedUsers(env.DB, size - users);
    users = size;
    const driven = await driveApp();
    const at = `at ${size.toLocaleString('en')} users`;
    rows.push({
      what: `steps of query plans that walk through a table or sort, ${at}`,
      ...countOf(await growingPlans(driven)),
    });
    if (fewest === null) {
      fewest = driven;
      continue;
    }
    for (const [index, one] of driven.entries()) {
      expect(shapesOf(one)).toEqual(shapesOf(fewest[index] as Operation));
    }
    const before = fewest;
    rows.push(
      {
        what: `statements that read more rows than at ${sizes[0]} users, ${at}`,
        ...countOf(
          driven.flatMap(({ name, statements }, index) =>
            grownReads(before[index]?.statements ?? [], statements).map((sql) => `${name}: ${sql}`),
          ),
        ),
      },
      {
        what: `rows read in all that the app does, ${at}`,
        measured: totalOf(rowsReadIn(driven)),
        budget: totalOf(rowsReadIn(fewest)),
        unit: '',
        parts: rowsReadIn(driven),
      },
    );
  }

  const shapes = new Set(fewest?.flatMap(shapesOf));
  expect(shapes.size).toBeGreaterThan(50);
  holdBudgets(task, rows);
});

/** Each step that grows with the data, and its statement. */
async function growingPlans(driven: Operation[]): Promise<string[]> {
  const growing: string[] = [];
  for (const { name, statements } of driven) {
    for (const statement of statements) {
      for (const step of growingSteps(await planOf(env.DB, statement))) {
        growing.push(`${name}: ${step}: ${shapeOf(statement.sql)}`);
      }
    }
  }
  return growing;
}

function shapesOf({ name, statements }: Operation): string[] {
  return [name, ...statements.map(({ sql }) => shapeOf(sql))];
}

function rowsReadIn(driven: Operation[]): Record<string, number> {
  return Object.fromEntries(
    driven.map(({ name, statements }) => [
      name,
      statements.reduce((rows, { rowsRead }) => rows + (rowsRead ?? 0), 0),
    ]),
  );
}

function totalOf(rows: Record<string, number>): number {
  return Object.values(rows).reduce((total, count) => total + count, 0);
}

/** Must be empty. */
function countOf(found: string[]): Omit<Row, 'what'> {
  const parts = Object.fromEntries(found.map((one) => [one, 1]));
  return { measured: found.length, budget: 0, unit: '', parts };
}
