import { env } from 'cloudflare:workers';
import { expect, inject, test, vi } from 'vitest';
import { jobs } from '#cron.ts';
import { listCourses } from '#features/courses/list-courses.ts';
import { findActor } from '#features/identity/find-actor.ts';
import { findSessions } from '#features/identity/sessions.ts';
import { findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { hashToken } from '#lib/tokens.ts';
import { crons } from '#settings.ts';
import { contextOn, runByClock } from '../test/support/context.ts';
import { driveApp } from '../test/support/drive-app.ts';
import { cohortPageReads } from '../test/support/drive-cohorts.ts';
import type { Operation } from '../test/support/driver.ts';
import {
  createCohortRow,
  createCourseRow,
  createSession,
  createUser,
} from '../test/support/factories.ts';
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
  pageReadMicroseconds: PageTimes;
  writesPerSecond: Record<string, number>;
  cleanUp: Cleaned;
  /** The job that empties the trash. */
  trash: Cleaned;
  /** The job that derives the instants of all cohorts that are not over again. */
  renewal: { statements: number; rowsRead: number; rowsWritten: number; milliseconds: number };
  /** A new index on the largest table: what a migration may need, in one statement. */
  newIndexSeconds: number;
};

type Cleaned = { removed: number; rowsRead: number; milliseconds: number };

const small = 1_000;

/** With statistics, an index may be chosen that finds all rows of a cohort: here no more. */
const rowsOfOneCohort = 20;

/**
 * Steps that are as short as they look: the failed emails of one cohort are counted by kind, the
 * lessons in the trash of one course are sorted, what stands before one list of people is one row,
 * and here one person waits for a course, and few courses are open on any day.
 */
const shortByStatistics = new RegExp(
  `: (${[
    'USE TEMP B-TREE FOR GROUP BY',
    'SCAN queue LEFT-JOIN',
    'SCAN i USING INDEX course_interests_confirmed_index',
    'SCAN c USING INDEX cohorts_open_run_unique',
    'lessons in the trash: USE TEMP B-TREE FOR ORDER BY',
  ].join('|')})$`,
);

test('rows read and plans are those of a thousand users', async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  const few = await measure(small, small);
  const many = await measure(inject('scaleUsers'), inject('scaleUsers') - small);
  say('ANALYZE, so that the planner knows what the tables hold …');
  // Of a table that is not seeded it would learn that it is empty.
  await env.DB.batch(Object.keys(few.bytes).map((table) => env.DB.prepare(`ANALYZE ${table}`)));
  const analysed = await operationsWithPlans();

  say(report(few, many));
  const failures = [
    ...failuresOf(few.operations, many.operations),
    ...changedPlans(few.operations, many.operations),
    ...failuresOf(few.operations, analysed, rowsOfOneCohort)
      .filter((words) => !shortByStatistics.test(words))
      .map((words) => `after ANALYZE: ${words}`),
  ];
  say(failures.length === 0 ? 'Nothing grows with the data.' : failures.join('\n'));
  expect(failures).toEqual([]);
  expect(rowsPerRemoved(many.cleanUp)).toBeLessThan(rowsPerRemoved(few.cleanUp) * 1.1);
  expect(rowsPerRemoved(many.trash)).toBeLessThan(rowsPerRemoved(few.trash) * 1.1);
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
    trash: await timeTrash(),
    renewal: await timeRenewal(),
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

/** Statements that read more, by more rows than allowed, and every step of a plan that grows. */
function failuresOf(
  few: Measured['operations'],
  many: Measured['operations'],
  allowed = 0,
): string[] {
  return many.flatMap(({ name, statements, plans }, at) =>
    [
      ...grownReads(few[at]?.statements ?? [], statements, allowed),
      ...growingSteps(plans.flat()),
    ].map((words) => `${name}: ${words}`),
  );
}

function changedPlans(few: Measured['operations'], many: Measured['operations']): string[] {
  return many.flatMap(({ name, statements, plans }, at) =>
    plans.flatMap((plan, index) =>
      plan.join('; ') === few[at]?.plans[index]?.join('; ')
        ? []
        : [`${name}: ${shapeOf(statements[index]?.sql ?? '')}: another plan: ${plan.join('; ')}`],
    ),
  );
}

const readers = 200;
const rounds = 7;

/** By the page, in microseconds for one person. */
type PageTimes = Record<string, number>;

/**
 * The database time for the reads of pages, for users from across the database who were not read
 * before: many in one batch, so that the round trip does not count; the median of several rounds.
 */
async function timePageReads(): Promise<PageTimes> {
  const user = await createUser();
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  const cohort = await createCohortRow(course, { publishedAt: new Date() });
  const token = await createSession(user.id);
  const own = { token_hash: await hashToken(token), id: cohort.id, slug: cohort.slug };
  const recording = recordDatabase(env.DB);
  const ctx = contextOn({ DB: recording.db });
  const reads = {
    settings: () => findActor(ctx, token, { courses: listCourses, sessions: findSessions }),
    ...cohortPageReads(ctx, token, cohort.id),
    'the public page of a cohort': () => findPublicPage(ctx, cohort.slug),
  };
  const times: PageTimes = {};
  for (const [name, read] of Object.entries(reads)) {
    recording.take();
    if ((await read()) === null) {
      throw new Error(`There is nothing to read for ${name}.`);
    }
    const { statements } = recording.take();
    const rows: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const others = await pickOthers();
      const batch = others.flatMap((other) =>
        statements.map(({ sql, params }) =>
          env.DB.prepare(sql).bind(...params.map((param) => ofOther(param, own, other))),
        ),
      );
      const begin = performance.now();
      await env.DB.batch(batch);
      rows.push(((performance.now() - begin) * 1000) / others.length);
    }
    times[name] = median(rows);
  }
  return times;
}

/** What the statements of a page are bound to. */
type Reader = { token_hash: string; id: string; slug: string };

/** People from anywhere in the database, with a cohort of theirs. */
async function pickOthers(): Promise<Reader[]> {
  const { results } = await env.DB.prepare(
    `WITH RECURSIVE picked (id) AS (SELECT abs(random()) % (SELECT max(rowid) FROM sessions)
       UNION ALL SELECT abs(random()) % (SELECT max(rowid) FROM sessions) FROM picked LIMIT ?)
     SELECT token_hash, cohorts.id, slug FROM picked
     JOIN sessions ON sessions.rowid = picked.id
     JOIN cohorts ON cohorts.owner_id = user_id AND ends_at > unixepoch() * 1000`,
  )
    .bind(readers)
    .all<Reader>();
  return results;
}

function ofOther(param: unknown, own: Reader, other: Reader): unknown {
  const [key] = Object.entries(own).find(([, value]) => value === param) ?? [];
  return key === undefined ? param : other[key as keyof Reader];
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

const trashedCohorts = 500;

/** Empties the trash of seeded cohorts, by the job alone. */
async function timeTrash(): Promise<Cleaned> {
  await env.DB.prepare(
    'UPDATE cohorts SET deleted_at = 1 WHERE id IN (SELECT id FROM cohorts ORDER BY ends_at LIMIT ?)',
  )
    .bind(trashedCohorts)
    .run();
  const { statements, milliseconds } = await runNightly('emptying of the trash');
  return {
    removed: trashedCohorts,
    rowsRead: sum(statements, 'rowsRead'),
    milliseconds,
  };
}

async function timeRenewal(): Promise<Measured['renewal']> {
  const { statements, milliseconds } = await runNightly('renewal of instants');
  return {
    statements: statements.length,
    rowsRead: sum(statements, 'rowsRead'),
    rowsWritten: sum(statements, 'rowsWritten'),
    milliseconds,
  };
}

async function runNightly(job: string) {
  const recording = recordDatabase(env.DB);
  const begin = performance.now();
  await runByClock(
    { DB: recording.db },
    { cron: crons.nightly, jobs: jobs.filter(({ name }) => name === job) },
  );
  const milliseconds = performance.now() - begin;
  return { statements: recording.take().statements, milliseconds };
}

async function timeNewIndex(): Promise<number> {
  const begin = performance.now();
  await env.DB.exec('CREATE INDEX scale_index ON courses (idempotency_key, name)');
  const seconds = (performance.now() - begin) / 1000;
  await env.DB.exec('DROP INDEX scale_index');
  return seconds;
}

function rowsPerRemoved({ rowsRead, removed }: Cleaned): number {
  return rowsRead / removed;
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
      ...Object.entries(measured.pageReadMicroseconds).map(
        ([page, time]) => `- the reads of ${page}: ${time.toFixed(0)} µs for a person`,
      ),
      ...Object.entries(measured.writesPerSecond).map(
        ([name, rate]) => `- ${name}: ${thousands(Math.round(rate))} in a second`,
      ),
      `- a clean-up of ${cleanedWords(measured.cleanUp)}`,
      `- the trash emptied of ${cleanedWords(measured.trash)}`,
      `- instants renewed: ${thousands(measured.renewal.statements)} statements, ${thousands(measured.renewal.rowsRead)} rows read, ${thousands(measured.renewal.rowsWritten)} written, ${thousands(Math.round(measured.renewal.milliseconds))} ms`,
      `- a new index on courses: ${measured.newIndexSeconds.toFixed(1)} s`,
    ]),
    '',
    `The reads of a page take, compared with ${thousands(few.users)} users:`,
    ...Object.entries(many.pageReadMicroseconds).map(
      ([page, time]) =>
        `- ${page}: ${(time / (few.pageReadMicroseconds[page] ?? 0)).toFixed(2)} times as long`,
    ),
  ].join('\n');
}

function cleanedWords(cleaned: Cleaned): string {
  const { removed, rowsRead, milliseconds } = cleaned;
  return `${thousands(removed)} rows: ${thousands(rowsRead)} rows read (${rowsPerRemoved(cleaned).toFixed(2)} for each), ${thousands(Math.round(milliseconds))} ms`;
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
