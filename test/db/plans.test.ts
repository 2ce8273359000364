import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { driveApp, type Operation } from '#support/drive-app.ts';
import { growingSteps, grownReads, planOf, shapeOf } from '#support/recorder.ts';
import { seedUsers } from '#support/seed.ts';
import { budgets, checkBudgets, noneOf } from '../budgets/budgets.ts';

/** The app is driven with this many users, and then with 100 times as many. */
const [few, many] = [10, 1_000];

/** How many more trips some calls take than others of their kind, and why. */
const moreTrips: Record<string, number> = {
  // A limit counts it.
  'GET /api/accounts/{account}/export/': 1,
  // Google's answer comes in between.
  'Google: new': 2,
  'Google: known': 1,
  'Google: linked by address': 2,
  'Google: takes over an unproven account': 2,
  // A limit counts it in a trip before, because reading a list or telling people costs more.
  'POST /api/cohorts/{listCohort}/imports/': 1,
  // R2 is asked in between.
  'POST /api/courses/{course}/files/': 1,
  'PUT /api/courses/{course}/picture/': 1,
  'PUT /api/accounts/photo/': 1,
  // A limit counts it before it is passed on.
  'PUT /api/courses/{course}/files/{file}/parts/1/': 1,
  // Stripe is asked in between, and a refund is claimed before it is made.
  'POST /api/participation/checkout/': 1,
  'POST /api/participation/checkout/check/': 3,
  'POST /api/checkouts/{id}/refunds/': 3,
  'POST /api/checkouts/{id}/check/': 1,
  'POST /api/checkouts/{payer}/check/': 1,
  'POST /api/checkouts/{id}/let-in/': 1,
  'POST /api/payment-account/': 2,
  'POST /api/payment-account/check/': 3,
  // What was used of a limit is given back.
  'sign up, email refused': 2,
  // What R2 had of it is deleted after the answer.
  'DELETE /api/courses/{course}/files/{sentFile}/': 1,
  // The visit is recorded after the answer.
  'page: first of the day': 1,
};

/** Reads that also write: the day of a visit, a limit. */
const readsThatWrite = ['page: first of the day', 'GET /api/accounts/{account}/export/'];

test('calls take one trip to read and two to write; with 100 times the users each statement uses its index and reads no more rows', {
  timeout: 180_000,
}, async ({ task }) => {
  await seedUsers(env.DB, few);
  const before = await driveApp();
  await seedUsers(env.DB, many - few);
  const after = await driveApp();
  const grown = after.flatMap(({ name, statements }, index) => {
    const earlier = before[index]?.statements ?? [];
    expect(shapesIn(statements), name).toEqual(shapesIn(earlier));
    return grownReads(earlier, statements).map((sql) => `${name}: ${sql}`);
  });
  const calls = after.filter(({ name, method }) => method !== null || name.startsWith('page'));
  const writing = calls.filter(({ name, method, statements }) => {
    const isRead = method === null || method === 'GET';
    return (
      isRead && !name.startsWith('Google') && statements.some(({ rowsWritten }) => rowsWritten)
    );
  });

  expect(new Set(after.flatMap(({ statements }) => shapesIn(statements))).size).toBeGreaterThan(50);
  expect(writing.map(({ name }) => name)).toEqual(readsThatWrite);
  checkBudgets(task, [
    ...calls.map((call) => ({
      what: `trips of ${call.name}`,
      measured: call.trips,
      budget: budgetOf(call),
      unit: '' as const,
    })),
    ...noneOf('growing statements of calls', budgets.growingStatements, grown),
    ...noneOf('growing steps of plans of calls', budgets.growingSteps, await stepsOf(after)),
    ...after.map(({ name, statements }) => ({
      what: `rows read by ${name}`,
      measured: statements.reduce((rows, { rowsRead }) => rows + (rowsRead ?? 0), 0),
      unit: '' as const,
    })),
  ]);
});

function budgetOf({ name, method, statements }: Operation): number {
  const { read, write, email } = budgets.trips;
  const sends = statements.some(({ sql }) => sql.includes('INTO mails_due'));
  const isRead = method === null || method === 'GET';
  return (isRead ? read : write) + (sends ? email : 0) + (moreTrips[name] ?? 0);
}

/** Each step that grows with the data, and its statement. */
async function stepsOf(driven: Operation[]): Promise<string[]> {
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

function shapesIn(statements: Operation['statements']): string[] {
  return statements.map(({ sql }) => shapeOf(sql));
}
