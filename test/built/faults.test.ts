import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { startWorkerd, type Workerd } from '../../bench/workerd.ts';
import { builtWorker, startBuiltWorker } from '../../scripts/local/worker.ts';
import { hasEveryCase } from '../every-case.ts';
import { startWithRetry } from './free-port.ts';
import { createLocalSite } from './local-site.ts';
import { addPerson, createCohort, mailedTo, tokenIn } from './worker.ts';

const site = await createLocalSite();
const { settings, accepted, resend, createVisitor, signUp } = site;
const biology = { name: 'Biology 101', course_type: 'cohort' };

/** What runs, in a process that can be killed without warning: a test takes what another left. */
let running: Workerd | null = null;

async function serve(): Promise<void> {
  running ??= await startWithRetry(() =>
    startWorkerd(settings, [withSwitch(builtWorker(settings))]),
  );
}

async function stop(): Promise<void> {
  await running?.close();
  running = null;
}

async function kill(): Promise<void> {
  process.kill(running?.pid ?? Number.NaN, 'SIGKILL');
  await stop();
}

afterAll(stop);

/** Instead of what runs. */
async function start(workers: ReturnType<typeof builtWorker>[]) {
  await stop();
  return startWithRetry(() => startBuiltWorker(settings, workers));
}

const tokens = () => accepted.map(({ to, ...mail }) => tokenIn({ ...mail, to: [to] }));

test('two workers on one database count one link, one key, one limit and one address once between them', async () => {
  const { miniflare, close } = await start(
    ['one', 'two'].map((name) => builtWorker(settings, name)),
  );
  const workers = await Promise.all(['one', 'two'].map((name) => miniflare.getWorker(name)));
  type Fetch = Parameters<typeof createVisitor>[0];
  const fetches = workers.map((worker) => worker.fetch.bind(worker) as unknown as Fetch);
  /** Alternates between both. */
  const everywhere = <Result>(count: number, ask: (fetch: Fetch) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(fetches[index % 2])));

  const email = 'two.workers@example.com';
  const person = { first_name: 'Ada', last_name: 'Lovelace', email };
  const signUps = await everywhere(6, (fetch) =>
    createVisitor(fetch).post('/api/accounts/auth/signup/', person),
  );
  // Three emails to one address in 15 minutes.
  expect(signUps.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429, 429]);
  expect(accepted).toHaveLength(3);

  const browsers = await everywhere(12, async (fetch) => createVisitor(fetch));
  const spent = await Promise.all(
    browsers.map((browser, index) =>
      browser.post('/api/accounts/auth/confirm/', { token: tokens()[index % 3] }),
    ),
  );
  expect(spent.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(spent.filter(({ status }) => status === 400)).toHaveLength(11);

  const winner = browsers[spent.findIndex(({ status }) => status === 200)];
  const courses = await everywhere(8, (fetch) => {
    const visitor = createVisitor(fetch);
    for (const [name, value] of winner?.cookies ?? []) {
      visitor.cookies.set(name, value);
    }
    return visitor.post('/api/courses/', biology, { headers: { 'Idempotency-Key': 'one-key' } });
  });
  expect(courses.map(({ status }) => status)).toEqual(Array(8).fill(201));
  const made = await Promise.all(courses.map((course) => course.json()));
  expect(made).toEqual(Array(8).fill(made[0]));
  await close();
});

test('after a worker is killed while Resend has an email or, at any moment, while it creates a course, the same request again emails a newer link, or leaves one course, selected', async () => {
  await serve();
  const browser = await signUp('killed.courses@example.com');
  accepted.length = 0;
  resend.isSilent = true;
  const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'killed@example.com' };
  const ask = () => createVisitor().post('/api/accounts/auth/signup/', person);
  const lost = ask().then(
    () => 'answered',
    () => 'lost',
  );
  await vi.waitFor(() => expect(accepted).toHaveLength(1), 60_000);
  const moments = hasEveryCase ? [0, 5, 10] : [5];
  for (const ms of moments) {
    const create = () => {
      const headers = { 'Idempotency-Key': `key-${ms}` };
      return browser.post('/api/courses/', { ...biology, name: `Course ${ms}` }, { headers });
    };
    const cut = create().catch(() => null);
    await wait(ms);
    await kill();
    await cut;
    await serve();
    expect((await create()).status).toBe(201);
  }

  expect(await lost).toBe('lost');
  resend.isSilent = false;
  expect((await ask()).status).toBe(201);
  expect(accepted).toHaveLength(2);
  const [old, fresh] = tokens();
  const clicked = createVisitor();
  // A newer link of the same purpose replaces the older one.
  expect((await clicked.post('/api/accounts/auth/confirm/', { token: old })).status).toBe(400);
  expect((await clicked.post('/api/accounts/auth/confirm/', { token: fresh })).status).toBe(200);
  const listed = await (await browser.request('/api/courses/')).json();
  const courses = listed as { name: string; is_selected: boolean }[];
  expect(courses.map(({ name }) => name)).toEqual(moments.map((ms) => `Course ${ms}`));
  expect(courses.filter(({ is_selected: isSelected }) => isSelected)).toHaveLength(1);
});

/** What is logged meanwhile. */
async function logOf(work: () => Promise<void>): Promise<string[]> {
  const written: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => written.push(line));
  await work();
  vi.restoreAllMocks();
  return written;
}

test('while D1 hangs, a page fails in time with a request id, and works again afterwards', async () => {
  await serve();
  const browser = await signUp('hanging@example.com');
  await browser.post('/api/courses/', biology);
  await browser.request('/switch');
  const written = await logOf(async () => {
    const { status, headers, text } = await browser.get('/');
    expect(status).toBe(500);
    expect(text).toContain('Failed to fetch user information.');
    expect(text).toContain(headers['x-request-id'] ?? 'none');
  });
  await browser.request('/switch');

  expect(written.join('\n')).toContain('D1 did not answer');
  expect(written.filter((line) => !line.startsWith('{"event":'))).toEqual([]);
  expect((await browser.get('/')).status).toBe(200);
});

test('while the database is locked, logout and confirming a link are refused in plain words, and both work afterwards', async () => {
  await serve();
  const email = 'locked@example.com';
  const browser = await signUp(email);
  await browser.post('/api/courses/', biology);
  await browser.post('/api/accounts/auth/login/', { email });
  const click = { token: tokens()[1] };
  const other = createVisitor();
  await other.request('/login');

  const written = await logOf(async () => {
    // Like a backup or a tool in another process.
    const lock = new DatabaseSync(site.databaseFile());
    lock.exec('BEGIN EXCLUSIVE');
    const refused = [
      await other.post('/api/accounts/auth/confirm/', click),
      await browser.post('/api/accounts/auth/logout/', {}),
    ];
    lock.close();
    for (const response of refused) {
      expect(await response.json()).toMatchObject({
        code: 'unavailable',
        message: 'We can’t load your data right now. Please try again in a moment.',
      });
      expect(response.status).toBe(503);
    }
  });
  expect(written.filter((line) => line.includes('"event":"failure"'))).toHaveLength(2);

  expect((await browser.request('/api/accounts/auth/user/')).status).toBe(200);
  expect((await other.post('/api/accounts/auth/confirm/', click)).status).toBe(200);
  expect((await browser.post('/api/accounts/auth/logout/', {})).status).toBe(204);
});

test('a login completes even if the browser disconnects in the middle', async () => {
  await serve();
  const email = 'hanging.up@example.com';
  await signUp(email);
  accepted.length = 0;
  const visitor = createVisitor();
  await visitor.request('/login');
  const token = visitor.cookies.get('csrftoken');
  const body = JSON.stringify({ email });
  const socket = connect(settings.appPort, 'localhost');
  const fail = await new Promise<() => void>((resolve) => {
    resend.failNext = resolve;
    socket.write(
      [
        'POST /api/accounts/auth/login/ HTTP/1.1',
        `Host: localhost:${settings.appPort}`,
        `Origin: ${site.origin}`,
        `Cookie: csrftoken=${token}`,
        `X-CSRFToken: ${token}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    );
  });
  socket.resetAndDestroy();
  await once(socket, 'close');
  fail();

  await vi.waitFor(() => expect(accepted.map(({ to }) => to)).toEqual([email]), 60_000);
});

test('the files of the database contain nothing of someone who was erased', async () => {
  await serve();
  const owner = await signUp('ada@example.com');
  await owner.post('/api/courses/', biology);
  const email = 'zoltan.quixote@example.com';
  for (const cohort of [await createCohort(owner), await createCohort(owner)]) {
    await addPerson(owner, cohort, { name: 'Zoltan Quixote', email });
  }
  const visitor = createVisitor();
  const link = await mailedTo(site, email, /\/p\/([0-9a-f.-]{100,})/, 0);
  await visitor.post('/api/participation/data-link/', { link });
  const token = await mailedTo(site, email, /\/p\/data\?token=([\w.-]+)/);
  expect(wordsIn(['zoltan', 'quixote'])).toBeGreaterThan(0);
  const erased = await visitor.post('/api/participation/erase/', { token });
  expect(erased.status).toBe(204);
  await stop();

  // SQLite overwrites freed pages only later. So does D1, which also keeps a history of 30 days.
  // What remains there is in no table, so a file with the rows alone has none of it.
  const database = new DatabaseSync(site.databaseFile());
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.exec('VACUUM');
  database.close();
  expect(wordsIn(['zoltan', 'quixote'])).toBe(0);
  expect(wordsIn(['ada@example.com'])).toBeGreaterThan(0);
});

/** How often the words occur in the files of the database, in upper or lower case. */
function wordsIn(words: string[]): number {
  const files = globSync(path.join(settings.stateFolder, 'v3/d1/**/*.sqlite*'));
  const texts = files.map((file) => readFileSync(file).toString('latin1').toLowerCase());
  return words.reduce((sum, word) => sum + texts.join('').split(word).length - 1, 0);
}

/**
 * The worker behind a module that delays D1 by a minute, or no longer, after a request to /switch:
 * all sessions send requests through `fetcher`. workerd treats a promise that never settles as its
 * own error.
 */
function withSwitch(worker: ReturnType<typeof builtWorker>) {
  const modules = 'modules' in worker && Array.isArray(worker.modules) ? worker.modules : [];
  const main = {
    type: 'ESModule' as const,
    path: path.join(path.dirname(modules[0]?.path ?? ''), 'switch.js'),
    contents: `
      import { env } from 'cloudflare:workers';
      import worker from './index.js';
      const { fetcher } = env.DB;
      let isSilent = false;
      env.DB.fetcher = {
        fetch: (...sent) => (isSilent ? scheduler.wait(60_000) : fetcher.fetch(...sent)),
      };
      export default {
        fetch(request, ...more) {
          const isSwitched = new URL(request.url).pathname === '/switch';
          isSilent = isSwitched !== isSilent;
          return isSwitched ? new Response() : worker.fetch(request, ...more);
        },
      };`,
  };
  return { ...worker, modules: [main, ...modules] };
}
