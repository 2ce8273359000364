import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../scripts/local/command.ts';
import { migrate } from '../../scripts/local/database.ts';
import { readSettings } from '../../scripts/local/settings.ts';

const root = path.join(import.meta.dirname, '../..');
const ports = { APP_PORT: '8807', GOOGLE_PORT: '4030', RESEND_PORT: '4031' };
const app = `http://localhost:${ports.APP_PORT}`;

let folder: string;
let started: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-'));
  started = [];
});

afterEach(() => {
  // Processes that a failed test has left running.
  for (const { pid } of started.filter((child) => isAlive(-Number(child.pid)))) {
    process.kill(-Number(pid), 'SIGKILL');
  }
  rmSync(folder, { recursive: true });
});

test('a port in use is one sentence and a non-zero exit', async () => {
  const squatter = createServer().listen(Number(ports.RESEND_PORT), '127.0.0.1');
  await once(squatter, 'listening');
  const { said, code } = await ended(start(root));
  squatter.close();

  expect(code).toBe(1);
  expect(said).toBe(
    'Port 4031 is taken. End what listens there, or set RESEND_PORT to another port.\n',
  );
});

test('an invalid port is one sentence and a non-zero exit', async () => {
  const { said, code } = await ended(start(root, { APP_PORT: 'http' }));

  expect(code).toBe(1);
  expect(said).toBe('APP_PORT must be a port between 1 and 65535, but is "http".\n');
});

test('two parts cannot share a port', async () => {
  const { said, code } = await ended(start(root, { APP_PORT: ports.RESEND_PORT }));

  expect(code).toBe(1);
  expect(said).toBe('APP_PORT, GOOGLE_PORT and RESEND_PORT must be three different ports.\n');
});

test.each([
  ['{"mails"', /^LIMITS must be JSON such as /],
  [
    '{"mails_per_adress":[]}',
    /^LIMITS does not know mails_per_adress; the limits are mails_per_add/,
  ],
  ['{"mails":["lots"]}', /^LIMITS\.mails\.0 must look like "3\/15m", 3 in 15 minutes\.\n$/],
])('invalid limits are one sentence and a non-zero exit: %s', async (LIMITS, sentence) => {
  const { said, code } = await ended(start(root, { LIMITS }));

  expect(code).toBe(1);
  expect(said).toMatch(sentence);
});

test('an invalid DSN is one sentence and a non-zero exit', async () => {
  const { said, code } = await ended(start(root, { SENTRY_DSN: 'localhost:8969' }));

  expect(code).toBe(1);
  expect(said).toBe('SENTRY_DSN must look like https://key@host/project, as Sentry shows it.\n');
});

test('an invalid secret is one sentence and a non-zero exit', async () => {
  writeFileSync(path.join(folder, '.dev.vars'), 'APP_SECRET=short\n');
  const { said, code } = await ended(start(folder));
  rmSync(path.join(folder, '.dev.vars'));

  expect(code).toBe(1);
  expect(said).toContain('The setting APP_SECRET must have at least 32 characters.');
  expect(said).toContain('Remove the line from .dev.vars: the next start makes a new one.');
});

test('a missing build is one sentence and a non-zero exit', async () => {
  const { said, code } = await ended(start(folder));

  expect(code).toBe(1);
  expect(said).toBe('There is no build to start. Make one with `npm run build`.\n');
});

test('a build for a deployment is not started locally', async () => {
  mkdirSync(path.join(folder, 'dist/server'), { recursive: true });
  const built = { targetEnvironment: 'production' };
  writeFileSync(path.join(folder, 'dist/server/wrangler.json'), JSON.stringify(built));
  const { said, code } = await ended(start(folder));

  expect(code).toBe(1);
  expect(said).toBe(
    'The build in dist/ was made for production. Make a local one with `npm run build`.\n',
  );
});

test('a failed migration is one sentence and a non-zero exit', async () => {
  cpSync(path.join(root, 'wrangler.toml'), path.join(folder, 'wrangler.toml'));
  symlinkSync(path.join(root, 'dist'), path.join(folder, 'dist'));
  mkdirSync(path.join(folder, 'migrations'));
  writeFileSync(path.join(folder, 'migrations/0000_broken.sql'), 'CREATE TABLE broken (');
  const { said, code } = await ended(start(folder));

  expect(code).toBe(1);
  expect(said).toMatch(
    /^The database migration 0000_broken\.sql failed: .*incomplete input.*\.\n$/,
  );
});

// Two starts, next to the other tests of this suite.
const patient = { timeout: 240_000 };

test('Ctrl-C stops everything, and the next start keeps the data', patient, async () => {
  const first = start(root);
  const said: string[] = [];
  first.stdout?.on('data', (chunk) => said.push(String(chunk)));
  first.stderr?.on('data', (chunk) => said.push(String(chunk)));
  await answers(`${app}/api/health/`);
  await expect
    .poll(() => said.join(''))
    .toBe(`
  Lectern     ${app}
  Mail inbox  http://localhost:4031/inbox

  Mails go nowhere but into this inbox. Stop with Ctrl-C.

`);
  expect(
    await post('/api/accounts/auth/signup/', {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
    }),
  ).toBe(201);
  await stop(first);

  const second = start(root);
  await answers(`${app}/api/health/`);
  // Known, but not verified yet.
  expect(await post('/api/accounts/auth/login/', { email: 'ada@example.com' })).toBe(403);
  await stop(second);
});

test('wrangler finds each migration of the local database applied', async () => {
  await migrate(readSettings({ STATE_FOLDER: path.join(folder, 'state') }));
  const list = ['d1', 'migrations', 'list', 'DB', '--local', '--persist-to'];
  const { said } = await runCommand('wrangler', [...list, path.join(folder, 'state')]);

  expect(said).toContain('No migrations to apply');
});

test(
  'a missing script or style is a 404, and an unexpected or empty body is not a server error',
  patient,
  async () => {
    const running = start(root);
    await answers(`${app}/api/health/`);
    const missing = await Promise.all(
      ['/assets/nothing.js', '/assets/nothing.css', '/nothing.js'].map(
        async (file) => (await fetch(`${app}${file}`)).status,
      ),
    );
    const answered = [
      await send('GET', '/api/health/', '{}'),
      await send('GET', '/api/health/', ''),
      await send('GET', '/login', ''),
      await send('GET', '/login', 'x'),
      // Requests from elsewhere can only read.
      await send('POST', '/api/accounts/auth/logout/', ''),
    ];
    await stop(running);

    expect(missing).toEqual([404, 404, 404]);
    expect(answered).toEqual([200, 200, 200, 405, 403]);
  },
);

function start(cwd: string, env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [path.join(root, 'scripts/start.ts'), '--skip-build'], {
    cwd,
    env: { ...process.env, ...ports, STATE_FOLDER: path.join(folder, 'state'), ...env },
    // A separate process group, as in a terminal.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  return child;
}

async function ended(child: ChildProcess): Promise<{ said: string; code: number | null }> {
  const said: string[] = [];
  child.stdout?.on('data', (chunk) => said.push(String(chunk)));
  child.stderr?.on('data', (chunk) => said.push(String(chunk)));
  const [code] = await once(child, 'close');
  return { said: said.join(''), code };
}

/** Ctrl-C goes to the whole group, and no process is left afterwards. */
async function stop(child: ChildProcess): Promise<void> {
  const group = -Number(child.pid);
  process.kill(group, 'SIGINT');
  // npm sends it a second time.
  process.kill(group, 'SIGINT');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  await expect.poll(() => isAlive(group)).toBe(false);
  await expect(fetch(app)).rejects.toThrow();
}

function isAlive(group: number): boolean {
  try {
    process.kill(group, 0);
    return true;
  } catch {
    return false;
  }
}

async function answers(url: string): Promise<void> {
  const isUp = async () => (await fetch(url).catch(() => null))?.status;
  await expect.poll(isUp, { timeout: 120_000, interval: 200 }).toBe(200);
}

async function post(pathname: string, input: unknown): Promise<number> {
  const page = await fetch(`${app}/login`);
  const [cookie = ''] = page.headers.getSetCookie();
  const [, token = ''] = /^csrftoken=([^;]*)/.exec(cookie) ?? [];
  const response = await fetch(`${app}${pathname}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Cookie: `csrftoken=${token}`,
      Origin: app,
      'X-CSRFToken': token,
    },
    body: JSON.stringify(input),
  });
  return response.status;
}

/** A request with a body and length that `fetch` would not send. */
function send(method: string, pathname: string, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    // One connection each: a worker that answers before it has read the body closes it.
    const options = { method, headers, agent: false };
    const sent = request(new URL(pathname, app), options, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
