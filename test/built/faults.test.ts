import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startWorkerd, type Workerd } from '../../bench/workerd.ts';
import { migrate } from '../../scripts/local/database.ts';
import { appOrigin, ensureSecrets } from '../../scripts/local/settings.ts';
import { builtWorker, startBuiltWorker } from '../../scripts/local/worker.ts';
import { freePort } from './free-port.ts';

type Mail = { to: string; text: string };
type Fetch = (address: string, init: RequestInit) => Promise<Response>;

const settings = {
  appPort: await freePort(),
  googlePort: 4021,
  resendPort: 0,
  stateFolder: mkdtempSync(path.join(os.tmpdir(), 'lectern-faults-')),
  limits: { mails_per_ip: [], confirmations_per_ip: [], codes_per_ip: [] },
  sentryDsn: null,
};
const origin = appOrigin(settings);
const biology = { name: 'Biology 101', course_type: 'cohort' };

let resend: Server;
/** The emails Resend accepted, and whether it then fails to say so. */
const accepted: Mail[] = [];
let isSilent = false;

beforeAll(async () => {
  resend = createServer(async (request, response) => {
    accepted.push(JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()));
    if (!isSilent) {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ id: 'a-mail' }));
    }
  });
  await new Promise<void>((resolve) => resend.listen(0, '127.0.0.1', resolve));
  settings.resendPort = (resend.address() as AddressInfo).port;
  ensureSecrets();
  await migrate(settings);
});

afterEach(() => {
  accepted.length = 0;
  isSilent = false;
});

afterAll(() => {
  resend.closeAllConnections();
  resend.close();
  rmSync(settings.stateFolder, { recursive: true });
});

test('two workers on one database count one link, one key, one limit and one address once between them', async () => {
  const { miniflare, close } = await startBuiltWorker(
    settings,
    ['one', 'two'].map((name) => builtWorker(settings, name)),
  );
  const workers = await Promise.all(['one', 'two'].map((name) => miniflare.getWorker(name)));
  const fetches = workers.map(
    (worker): Fetch =>
      async (address, init) =>
        // The same as the global one, with its own types.
        (await worker.fetch(address, init as object)) as unknown as Response,
  );
  /** Alternates between both. */
  const everywhere = <Result>(count: number, ask: (fetch: Fetch) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(fetches[index % 2] ?? fetch)));

  const email = 'two.workers@example.com';
  const person = { first_name: 'Ada', last_name: 'Lovelace', email };
  const signUps = await everywhere(6, (fetch) =>
    createVisitor(fetch).post('/api/accounts/auth/signup/', person),
  );
  // Three emails to one address in 15 minutes.
  expect(signUps.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429, 429]);
  expect(accepted).toHaveLength(3);

  const tokens = accepted.map(tokenIn);
  const browsers = await everywhere(12, async (fetch) => createVisitor(fetch));
  const spent = await Promise.all(
    browsers.map((browser, index) =>
      browser.post('/api/accounts/auth/confirm/', { token: tokens[index % 3] }),
    ),
  );
  expect(spent.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(spent.filter(({ status }) => status === 400)).toHaveLength(11);

  const winner = browsers[spent.findIndex(({ status }) => status === 200)];
  const courses = await everywhere(8, (fetch) =>
    createVisitor(fetch, winner?.cookies).post('/api/courses/', biology, 'one-key'),
  );
  expect(courses.map(({ status }) => status)).toEqual(Array(8).fill(201));
  const ids = await Promise.all(courses.map(async (course) => (await course.json()) as object));
  expect(ids).toEqual(Array(8).fill(ids[0]));
  await close();
});

test('after a worker is killed while Resend has the email, the next request emails a newer link, and the account exists once', async () => {
  const email = 'killed@example.com';
  const person = { first_name: 'Ada', last_name: 'Lovelace', email };
  isSilent = true;
  const first = await startKillable();
  const lost = createVisitor()
    .post('/api/accounts/auth/signup/', person)
    .then(
      () => 'answered',
      () => 'lost',
    );
  await vi.waitFor(() => expect(accepted).toHaveLength(1), 10_000);
  await kill(first);
  expect(await lost).toBe('lost');

  isSilent = false;
  const second = await startKillable();
  const again = await createVisitor().post('/api/accounts/auth/signup/', person);
  expect(again.status).toBe(201);
  expect(accepted).toHaveLength(2);
  const [old, fresh] = accepted.map(tokenIn);
  const browser = createVisitor();
  // A newer link of the same purpose replaces the older one.
  expect((await browser.post('/api/accounts/auth/confirm/', { token: old })).status).toBe(400);
  expect((await browser.post('/api/accounts/auth/confirm/', { token: fresh })).status).toBe(200);
  await kill(second);
});

test('after a worker is killed while creating a course, at any moment, repeating the request with its key leaves one course, selected', async () => {
  let worker = await startKillable();
  const browser = createVisitor();
  const email = 'killed.courses@example.com';
  const person = { first_name: 'Ada', last_name: 'Lovelace', email };
  await browser.post('/api/accounts/auth/signup/', person);
  await browser.post('/api/accounts/auth/confirm/', { token: accepted.map(tokenIn)[0] });
  const keys = ['a', 'b', 'c', 'd'];
  for (const [index, key] of keys.entries()) {
    const input = { ...biology, name: `Course ${key}` };
    const cut = browser.post('/api/courses/', input, key).catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, index * 4));
    await kill(worker);
    await cut;
    worker = await startKillable();
    expect((await browser.post('/api/courses/', input, key)).status).toBe(201);
  }

  const courses = (await (await browser.get('/api/courses/')).json()) as {
    name: string;
    is_selected: boolean;
  }[];
  expect(courses.map(({ name }) => name)).toEqual(keys.map((key) => `Course ${key}`));
  expect(courses.filter(({ is_selected: isSelected }) => isSelected)).toHaveLength(1);
  await kill(worker);
}, 60_000);

test('while D1 hangs, a page fails in time with a request id, and works again afterwards', async () => {
  const browser = createVisitor();
  const email = 'hanging@example.com';
  const person = { first_name: 'Ada', last_name: 'Lovelace', email };
  const before = await startBuiltWorker(settings);
  await browser.post('/api/accounts/auth/signup/', person);
  await browser.post('/api/accounts/auth/confirm/', { token: accepted.map(tokenIn)[0] });
  await browser.post('/api/courses/', biology);
  await before.close();

  const hanging = await startBuiltWorker(settings, [withSilentDatabase(builtWorker(settings))]);
  const written: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => written.push(line));
  const page = await browser.get('/');
  const html = await page.text();
  vi.restoreAllMocks();
  await hanging.close();
  expect(page.status).toBe(500);
  expect(html).toContain('Failed to fetch user information.');
  const requestId = page.headers.get('X-Request-Id') ?? '';
  expect(html).toContain(requestId);
  expect(written.find((line) => line.includes(requestId))).toContain('D1 did not answer');
  expect(written.filter((line) => !line.startsWith('{"event":'))).toEqual([]);

  const after = await startBuiltWorker(settings);
  expect((await browser.get('/')).status).toBe(200);
  await after.close();
}, 60_000);

test('while the database is locked, logout and confirming a link are refused in plain words, and both work afterwards', async () => {
  const worker = await startBuiltWorker(settings);
  const browser = createVisitor();
  const email = 'locked@example.com';
  const person = { first_name: 'Ada', last_name: 'Lovelace', email };
  await browser.post('/api/accounts/auth/signup/', person);
  await browser.post('/api/accounts/auth/confirm/', { token: accepted.map(tokenIn)[0] });
  await browser.post('/api/courses/', biology);
  await browser.post('/api/accounts/auth/login/', { email });
  const click = { token: accepted.map(tokenIn)[1] };
  const other = createVisitor();
  await other.get('/login');

  const written: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => written.push(line));
  const lock = lockDatabase();
  const refused = [
    await other.post('/api/accounts/auth/confirm/', click),
    await browser.post('/api/accounts/auth/logout/', {}),
  ];
  lock.close();
  vi.restoreAllMocks();
  for (const response of refused) {
    expect(await response.json()).toMatchObject({
      code: 'unavailable',
      message: 'We can’t load your data right now. Please try again in a moment.',
    });
    expect(response.status).toBe(503);
  }
  expect(written.filter((line) => line.includes('"event":"failure"'))).toHaveLength(2);

  expect((await browser.get('/api/accounts/auth/user/')).status).toBe(200);
  expect((await other.post('/api/accounts/auth/confirm/', click)).status).toBe(200);
  expect((await browser.post('/api/accounts/auth/logout/', {})).status).toBe(204);
  await worker.close();
}, 60_000);

/**
 * Blocks all other writers until it is closed, like a backup or a tool in another process.
 */
function lockDatabase(): DatabaseSync {
  const [file = ''] = globSync(path.join(settings.stateFolder, 'v3/d1/*/*.sqlite')).filter(
    (name) => !name.endsWith('metadata.sqlite'),
  );
  const database = new DatabaseSync(file);
  database.exec('BEGIN EXCLUSIVE');
  return database;
}

/**
 * The worker behind a module that delays D1 by a minute: all sessions send requests through
 * `fetcher`. workerd treats a promise that never settles as its own error.
 */
function withSilentDatabase(worker: ReturnType<typeof builtWorker>) {
  const [main] = 'modules' in worker && Array.isArray(worker.modules) ? worker.modules : [];
  const folder = path.dirname(main?.path ?? '');
  const silent = {
    type: 'ESModule' as const,
    path: path.join(folder, 'silent.js'),
    contents: `
      import { env } from 'cloudflare:workers';
      import worker from './index.js';
      env.DB.fetcher = { fetch: () => scheduler.wait(60_000) };
      export default worker;`,
  };
  return { ...worker, modules: [silent, ...(Array.isArray(worker.modules) ? worker.modules : [])] };
}

/** The worker in a process that can be killed without warning. */
function startKillable(): Promise<Workerd> {
  return startWorkerd(settings, [builtWorker(settings)]);
}

async function kill({ pid, close }: Workerd): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await close();
}

/** A browser as the worker sees one. */
function createVisitor(fetch: Fetch = globalThis.fetch, cookies = new Map<string, string>()) {
  async function request(address: string, init: RequestInit) {
    const headers = {
      ...init.headers,
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    };
    const response = await fetch(origin + address, { redirect: 'manual', ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response;
  }

  return {
    cookies,
    get: (address: string) => request(address, {}),
    post: async (address: string, input: unknown, idempotencyKey?: string) => {
      if (!cookies.has('csrftoken')) {
        await request('/api/health/', {});
      }
      return request(address, {
        method: 'POST',
        headers: {
          Origin: origin,
          'Content-Type': 'application/json',
          'X-CSRFToken': cookies.get('csrftoken') ?? '',
          ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
        },
        body: JSON.stringify(input),
      });
    },
  };
}

function tokenIn({ text }: Mail): string {
  return /\/confirm\?token=(\w+)/.exec(text)?.[1] ?? '';
}
