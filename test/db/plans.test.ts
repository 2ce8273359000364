import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { operations, routeOf } from '#support/contract.ts';
import { drives } from '#support/drive-app.ts';
import { putEnds } from '#support/drive-ends.ts';
import { type Operation, record } from '#support/driver.ts';
import { growingSteps, grownReads, plansOf, shapeOf } from '#support/recorder.ts';
import { seedUsers } from '#support/seed.ts';
import { budgets, checkBudgets, noneOf } from '../budgets/budgets.ts';

/** The app is driven with this many users, and then with 100 times as many. */
const [few, many] = [3, 300];

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

/** Statements of two columns; and files, which take longer to write than theirs take to build. */
const builtEachTime = [
  'health',
  'page: first of the day',
  'GET /api/accounts/{account}/export/',
  'GET /api/people/{id}/export/',
  'GET /api/cohorts/{listCohort}/roster.csv',
  'GET /api/cohorts/{paidCohort}/ledger.csv',
  'GET /api/courses/{paidCourse}/ledger.csv',
  'the calendar of a cohort',
  'the calendar of a participant',
  'the calendar of an instructor',
];

/** What each part of the app did with few users. */
const driven: Record<string, Operation[]> = {};

const parts = Object.entries(drives);

describe(`with ${few} users`, () => {
  beforeAll(async () => {
    await seedUsers(env.DB, few);
    await putEnds();
  });

  test.for(parts)(
    '%s: calls take one trip to read and two to write, and each statement uses its index',
    async ([part, drive], { task }) => {
      const done = await record(drive);
      driven[part] = done;
      const calls = done.filter(({ name, method }) => method !== null || isPage(name));
      const writing = done.filter(
        (operation) =>
          isRead(operation) && operation.statements.some(({ rowsWritten }) => rowsWritten),
      );

      expect(namesOf(writing)).toEqual(namesOf(done, readsThatWrite));
      checkBudgets(task, [
        ...calls.map((call) => ({
          what: `trips of ${call.name}`,
          measured: call.trips,
          budget: budgetOf(call),
          unit: '' as const,
        })),
        ...noneOf('growing steps of plans', budgets.growingSteps, await stepsOf(done)),
      ]);
    },
  );

  test('every route of the API is called, and answers as the schema document says', () => {
    const called = Object.values(driven)
      .flat()
      .map(({ method, path }) => routeOf(method ?? '', path ?? ''));
    const missing = operations.filter((route) => !called.includes(route)).map(({ path }) => path);

    // Resend and Stripe call these.
    expect(missing.toSorted()).toEqual(['/api/webhooks/resend/', '/api/webhooks/stripe/']);
  });
});

describe(`with ${many / few} times as many`, () => {
  beforeAll(async () => {
    await seedUsers(env.DB, many - few);
  });

  test.for(parts)(
    '%s: no statement reads more rows than with few users, and reads use the statements that are built',
    async ([part, drive], { task }) => {
      const [before, after] = [driven[part] ?? [], await record(drive)];
      const grown = after.flatMap(({ name, statements }, index) => {
        const earlier = before[index]?.statements ?? [];
        expect(shapesIn(statements), name).toEqual(shapesIn(earlier));
        return grownReads(earlier, statements).map((sql) => `${name}: ${sql}`);
      });
      const building = after.filter((operation) => isRead(operation) && operation.built > 0);

      expect(namesOf(building)).toEqual(namesOf(after, builtEachTime));
      checkBudgets(task, [
        ...noneOf('growing statements', budgets.growingStatements, grown),
        ...after.map(({ name, statements }) => ({
          what: `rows read by ${name}`,
          measured: statements.reduce((rows, { rowsRead }) => rows + (rowsRead ?? 0), 0),
          unit: '' as const,
        })),
      ]);
    },
  );
});

function isPage(name: string): boolean {
  return /^(page|the public page|the calendar)\b/.test(name);
}

/** A sign-in with Google also comes back by a GET. */
function isRead({ name, method }: Operation): boolean {
  return method === 'GET' ? !name.startsWith('Google') : isPage(name);
}

/** Their names, or those of them that are in a list. */
function namesOf(operations: Operation[], list?: string[]): string[] {
  const names = operations.map(({ name }) => name);
  return names.filter((name) => list?.includes(name) ?? true);
}

function budgetOf(operation: Operation): number {
  const { read, write, email } = budgets.trips;
  const sends = operation.statements.some(({ sql }) => sql.includes('INTO mails_due'));
  const usual = isRead(operation) ? read : write;
  return usual + (sends ? email : 0) + (moreTrips[operation.name] ?? 0);
}

/** Each step that grows with the data, and its statement. */
async function stepsOf(operations: Operation[]): Promise<string[]> {
  const statements = new Map(
    operations.flatMap(({ statements }) => statements.map((one) => [one.sql, one] as const)),
  );
  const plans = await plansOf(env.DB, [...statements.values()]);
  return [...statements.keys()].flatMap((sql, index) =>
    growingSteps(plans[index] ?? []).map((step) => `${step}: ${shapeOf(sql)}`),
  );
}

function shapesIn(statements: Operation['statements']): string[] {
  return statements.map(({ sql }) => shapeOf(sql));
}
