import { env } from 'cloudflare:workers';
import { expect, inject, test, vi } from 'vitest';
import { findActor } from '#features/auth/find-actor.ts';
import { listSessions } from '#features/auth/list-sessions.ts';
import { listCourses } from '#features/courses/list-courses.ts';
import { hashToken } from '#lib/tokens.ts';
import { contextOn, runByClock } from '../test/support/context.ts';
import { driveApp, type Operation } from '../test/support/drive-app.ts';
import { createCourseRow, createSession, createUser } from '../test/support/factories.ts';
import {
  growingSteps,
  grownReads,
  planOf,
  type Recorded,
  recordDatabase,
  shapeOf,
} from '../test/support/recorder.ts';
import { seedUsers, type TableBytes } from '../test/support/seed.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface merges with Vitest's -- it is declared there.
  interface ProvidedContext {
    scaleUsers: number;
  }
}

/** All measurements of a database with this many users. */
type Measured = {
  users: number;
  totalBytes: number;
  seedSeconds: number;
  bytes: TableBytes;
  operations: (Operation & { plans: string[][] })[];
  pageReadMicroseconds: number;
  writesPerSecond: Record<string, number>;
  cleanUp: { removed: number; rowsRead: number; milliseconds: number };
  /** A new index on the largest table: what a migration may need, in one statement. */
  newIndexSeconds: number;
};

const small = 1_000;

test('rows read and plans are those of a thousand users', async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  const few = await measure(small, small);
  const many = await measure(inject('scaleUsers'), inject('scaleUsers') - small);
  say('ANALYZE, so that the planner knows what the tables hold …');
  await env.DB.exec('ANALYZE');
  const analysed = await operationsWithPlans();

  say(report(few, many));
  const failures = [
    ...failuresOf('', few.operations, many.operations),
    ...failuresOf('after ANALYZE: ', few.operations, analysed),
  ];
  say(failures.length === 0 ? 'Nothing grows with the data.' : failures.join('\n'));
  expect(failures).toEqual([]);
  expect(rowsPerRemoved(many)).toBeLessThan(rowsPerRemoved(few) * 1.1);
});

async function measure(users: number, added: number): Promise<Measured> {
  const begin = performance.now();
  const bytes = await seedUsers(env.DB, added, (count) => {
    const seconds = Math.round((performance.now() - begin) / 1000);
    say(`seeded ${thousands(count)} of ${thousands(added)} users in ${seconds} s`);
  });
  const seedSeconds = (performance.now() - begin) / 1000;
  const { meta } = await env.DB.prepare('SELECT 1').run();
  say(`measuring at ${thousands(users)} users …`);
  const operations = await operationsWithPlans();
  return {
    users,
    totalBytes: meta.size_after,
    seedSeconds,
    bytes,
    operations,
    pageReadMicroseconds: await timePageReads(),
    writesPerSecond: await timeWrites(),
    cleanUp: await timeCleanUp(users),
    newIndexSeconds: await timeNewIndex(),
  };
}

async function operationsWithPlans() {
  const operations = await driveApp();
  return Promise.all(
    operations.map(async (operation) => ({
      ...operation,
      plans: await Promise.all(operation.statements.map((statement) => planOf(env.DB, statement))),
    })),
  );
}

/** Statements that read more, plans that changed, and every step of a plan that grows. */
function failuresOf(
  when: string,
  few: Measured['operations'],
  many: Measured['operations'],
): string[] {
  return many.flatMap(({ name, statements, plans }, at) => {
    const before = few[at];
    const changed = plans.flatMap((plan, index) =>
      plan.join('; ') === before?.plans[index]?.join('; ')
        ? []
        : [`${shapeOf(statements[index]?.sql ?? '')}: another plan: ${plan.join('; ')}`],
    );
    return [
      ...grownReads(before?.statements ?? [], statements),
      ...changed,
      ...plans.flat().flatMap((step) => growingSteps([step])),
    ].map((words) => `${when}${name}: ${words}`);
  });
}

const readers = 200;
const rounds = 7;

/**
 * The database time for the three reads of the settings page, for users from across the database
 * who were not read before: many in one batch, so that the round trip does not count.
 *
 * @returns microseconds per user; the median of several rounds
 */
async function timePageReads(): Promise<number> {
  const user = await createUser();
  await createCourseRow(user.id);
  const token = await createSession(user.id);
  const recording = recordDatabase(env.DB);
  const ctx = contextOn({ DB: recording.db });
  if ((await findActor(ctx, token, { courses: listCourses, sessions: listSessions })) === null) {
    throw new Error('The session is not known.');
  }
  const { statements } = recording.take();
  const tokenHash = await hashToken(token);

  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { results } = await env.DB.prepare(
      `WITH RECURSIVE picked (id) AS (SELECT abs(random()) % (SELECT max(rowid) FROM sessions)
         UNION ALL SELECT abs(random()) % (SELECT max(rowid) FROM sessions) FROM picked LIMIT ?)
       SELECT token_hash FROM picked JOIN sessions ON sessions.rowid = picked.id`,
    )
      .bind(readers)
      .all<{ token_hash: string }>();
    const batch = results.flatMap((other) =>
      statements.map(({ sql, params }) =>
        env.DB.prepare(sql).bind(
          ...params.map((param) => (param === tokenHash ? other.token_hash : param)),
        ),
      ),
    );
    const begin = performance.now();
    await env.DB.batch(batch);
    times.push(((performance.now() - begin) * 1000) / results.length);
  }
  return median(times);
}

const writes = 1_000;

/** Writes per second, one after the other: each awaited, and in batches of a hundred. */
async function timeWrites(): Promise<Measured['writesPerSecond']> {
  const user = await createUser();
  const now = Date.now();
  const counter = () =>
    env.DB.prepare(
      'INSERT INTO counters (key, window_start, count, expires_at) VALUES (?, 0, 1, ?)',
    ).bind(`scale ${crypto.randomUUID()}`, now + 60_000);
  const session = () =>
    env.DB.prepare(
      'INSERT INTO sessions (id, token_hash, user_id, user_agent, created_at, last_seen_at) VALUES (?, ?, ?, ?, ?, ?)',
    ).bind(crypto.randomUUID(), crypto.randomUUID(), user.id, 'scale', now, now);
  const rates: Record<string, number> = {};
  for (const [name, statement] of [
    ['a counter (3 rows with indexes)', counter],
    ['a session (6 rows)', session],
  ] as const) {
    let begin = performance.now();
    for (let count = 0; count < writes; count += 1) {
      await statement().run();
    }
    rates[`${name}, one by one`] = (writes * 1000) / (performance.now() - begin);
    begin = performance.now();
    for (let count = 0; count < writes; count += 100) {
      await env.DB.batch(Array.from({ length: 100 }, statement));
    }
    rates[`${name}, a hundred to a batch`] = (writes * 1000) / (performance.now() - begin);
  }
  await env.DB.batch([
    env.DB.prepare("DELETE FROM counters WHERE key >= 'scale' AND key < 'scalf'"),
    env.DB.prepare('DELETE FROM users WHERE id = ?').bind(user.id),
  ]);
  return rates;
}

const expiredRows = 20_000;

/** One cron run, with more to remove than a run removes. */
async function timeCleanUp(users: number): Promise<Measured['cleanUp']> {
  const numbers =
    'WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)';
  const id = 'lower(hex(randomblob(16)))';
  await env.DB.batch([
    env.DB.prepare(
      `${numbers} INSERT INTO counters SELECT 'gone ' || ${id}, 0, 1, n FROM numbers`,
    ).bind(expiredRows),
    env.DB.prepare(
      `${numbers} INSERT INTO sessions SELECT 'gone ' || ${id}, ${id} || ${id}, (SELECT id FROM users WHERE rowid = 1 + n % ${small}), 'scale', n, n FROM numbers`,
    ).bind(expiredRows),
    env.DB.prepare(
      `INSERT OR IGNORE INTO links (id, token_hash, user_id, purpose, email_canonical, created_at, expires_at)
       SELECT 'gone ' || ${id}, ${id} || ${id}, id, 'address_change', email_canonical, rowid, rowid FROM users WHERE rowid <= ?`,
    ).bind(Math.min(users, expiredRows)),
  ]);
  const recording = recordDatabase(env.DB);
  const begin = performance.now();
  await runByClock({ DB: recording.db });
  const milliseconds = performance.now() - begin;
  const { statements } = recording.take();
  await env.DB.batch(
    ['counters', 'sessions', 'links'].map((table) => {
      const column = table === 'counters' ? 'key' : 'id';
      return env.DB.prepare(
        `DELETE FROM ${table} WHERE ${column} >= 'gone ' AND ${column} < 'gone!'`,
      );
    }),
  );
  return {
    // A removed row counts as one written, regardless of its indexes.
    removed: sum(statements, 'rowsWritten'),
    rowsRead: sum(statements, 'rowsRead'),
    milliseconds,
  };
}

async function timeNewIndex(): Promise<number> {
  const begin = performance.now();
  await env.DB.exec('CREATE INDEX scale_index ON courses (idempotency_key, name)');
  const seconds = (performance.now() - begin) / 1000;
  await env.DB.exec('DROP INDEX scale_index');
  return seconds;
}

function rowsPerRemoved({ cleanUp }: Measured): number {
  return cleanUp.rowsRead / cleanUp.removed;
}

/** The figures, as in docs/scaling.md. */
function report(few: Measured, many: Measured): string {
  const head = `| operation | trips | statements | rows read at ${thousands(few.users)} | at ${thousands(many.users)} | rows written | at ${thousands(many.users)} |`;
  const rows = many.operations.map(({ name, trips, statements }, index) => {
    const before = few.operations[index]?.statements ?? [];
    const figures = [
      trips,
      statements.length,
      sum(before, 'rowsRead'),
      sum(statements, 'rowsRead'),
      sum(before, 'rowsWritten'),
      sum(statements, 'rowsWritten'),
    ];
    return `| ${[name, ...figures].join(' | ')} |`;
  });
  const shapes = new Set(
    many.operations.flatMap(({ statements }) => statements.map(({ sql }) => shapeOf(sql))),
  );
  return [
    '',
    head,
    `|${' --- |'.repeat(7)}`,
    ...rows,
    '',
    `${shapes.size} different statements.`,
    ...[few, many].flatMap((measured) => [
      '',
      `At ${thousands(measured.users)} users:`,
      `- seeded in ${measured.seedSeconds.toFixed(0)} s; ${thousands(measured.totalBytes)} bytes, ${Math.round(measured.totalBytes / measured.users)} for a user`,
      `- of what was added, by table: ${Object.entries(measured.bytes)
        .map(([table, bytes]) => `${table} ${thousands(bytes)}`)
        .join(', ')}`,
      `- the reads of the settings page: ${measured.pageReadMicroseconds.toFixed(0)} µs for a person`,
      ...Object.entries(measured.writesPerSecond).map(
        ([name, rate]) => `- ${name}: ${thousands(Math.round(rate))} in a second`,
      ),
      `- a clean-up of ${thousands(measured.cleanUp.removed)} rows: ${thousands(measured.cleanUp.rowsRead)} rows read (${rowsPerRemoved(measured).toFixed(2)} for each), ${thousands(Math.round(measured.cleanUp.milliseconds))} ms`,
      `- a new index on courses: ${measured.newIndexSeconds.toFixed(1)} s`,
    ]),
    '',
    `The reads of a page take ${(many.pageReadMicroseconds / few.pageReadMicroseconds).toFixed(2)} times as long as at ${thousands(few.users)} users.`,
  ].join('\n');
}

function sum(statements: Recorded[], column: 'rowsRead' | 'rowsWritten'): number {
  return statements.reduce((total, statement) => total + (statement[column] ?? 0), 0);
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function thousands(value: number): string {
  return value.toLocaleString('en');
}

function say(text: string): void {
  console.log(text);
}
