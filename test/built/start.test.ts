import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../scripts/local/database.ts';
import { readSettings } from '../../scripts/local/settings.ts';
import { prepareStart, requireBuild } from '../../scripts/local/steps.ts';
import { visitorAt } from './local-site.ts';
import { callCommand, makeProject, runTestsInOwnFolders } from './operator.ts';

const root = path.join(import.meta.dirname, '../..');

let app: string;
let started: ChildProcess[];

runTestsInOwnFolders();

beforeEach(() => {
  app = `http://localhost:${process.env['APP_PORT']}`;
  started = [];
});

afterEach(() => {
  // Processes that a failed test has left running.
  for (const { pid } of started.filter((child) => isAlive(-Number(child.pid)))) {
    process.kill(-Number(pid), 'SIGKILL');
  }
});

test('a port in use is one sentence', async () => {
  const port = process.env['RESEND_PORT'];
  const squatter = createServer().listen(Number(port), '127.0.0.1');
  await once(squatter, 'listening');
  const { said, isOk } = await callCommand(() => prepareStart(process.env));
  squatter.close();

  expect(said).toBe(
    `Port ${port} is taken. End what listens there, or set RESEND_PORT to another port.\n`,
  );
  expect(isOk).toBe(false);
});

test.each([
  [{ APP_PORT: 'http' }, /^APP_PORT must be a port between 1 and 65535, but is "http"\.\n$/],
  [
    { APP_PORT: '4031', RESEND_PORT: '4031' },
    /^APP_PORT, GOOGLE_PORT, RESEND_PORT and STRIPE_PORT must be four different ports\.\n$/,
  ],
  [
    { LIMITS: '{"mails_per_adress":[]}' },
    /^LIMITS does not know mails_per_adress; the limits are mails_per_add/,
  ],
  [
    { SENTRY_DSN: 'localhost:8969' },
    /^SENTRY_DSN must look like https:\/\/key@host\/project, as Sentry shows it\.\n$/,
  ],
])('an invalid setting is one sentence: %o', async (env, sentence) => {
  const { said, isOk } = await callCommand(() => prepareStart({ ...process.env, ...env }));

  expect(said).toMatch(sentence);
  expect(isOk).toBe(false);
});

test('an invalid secret, a missing build or one for a deployment, and a failed migration are one sentence each', async () => {
  writeFileSync('.dev.vars', 'APP_SECRET=short\n');
  const { said } = await callCommand(() => prepareStart(process.env));
  expect(said).toContain('The setting APP_SECRET must have at least 32 characters.');
  expect(said).toContain('Remove the line from .dev.vars: the next start makes a new one.');

  expect(requireBuild).toThrow('There is no build to start. Make one with `npm run build`.');
  mkdirSync('dist/server', { recursive: true });
  const built = { targetEnvironment: 'production' };
  writeFileSync('dist/server/wrangler.json', JSON.stringify(built));
  expect(requireBuild).toThrow(
    'The build in dist/ was made for production. Make a local one with `npm run build`.',
  );

  makeProject([], ['wrangler.toml']);
  mkdirSync('migrations');
  writeFileSync('migrations/0000_broken.sql', 'CREATE TABLE broken (');
  await expect(migrate(readSettings({ STATE_FOLDER: 'state' }))).rejects.toThrow(
    /^The database migration 0000_broken\.sql failed: .*incomplete input.*\.$/,
  );
});

test('a first start serves the app, Ctrl-C stops everything, and the next start keeps the data', {
  timeout: 240_000,
}, async () => {
  makeProject();
  symlinkSync(path.join(root, 'dist'), 'dist');
  const first = start();
  const said = outputOf(first);
  await answers(`${app}/api/health/`);
  const missing = await Promise.all(
    ['/assets/nothing.js', '/assets/nothing.css', '/nothing.js'].map(
      async (file) => (await fetch(`${app}${file}`)).status,
    ),
  );
  expect(missing).toEqual([404, 404, 404]);
  // Requests from elsewhere can only read.
  expect((await fetch(`${app}/api/accounts/auth/logout/`, { method: 'POST' })).status).toBe(403);
  const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' };
  const signedUp = await visitorAt(app).post('/api/accounts/auth/signup/', ada);
  expect(signedUp.status).toBe(201);
  await stop(first);
  // Without the lines of its log.
  expect((await said).replaceAll(/^\{"event":.*\n/gm, '')).toBe(`
  Lectern     ${app}
  Mail inbox  http://localhost:${process.env['RESEND_PORT']}/inbox
  Stripe      http://localhost:${process.env['STRIPE_PORT']}/

  Mails go nowhere but into this inbox, and no money moves. Stop with Ctrl-C.

`);

  // What the next start does to the database.
  await migrate(readSettings(process.env));
  const [file = ''] = globSync('.wrangler/state/v3/d1/*/*[0-9a-f].sqlite');
  const database = new DatabaseSync(file);
  expect(database.prepare('SELECT email FROM users').all()).toEqual([{ email: ada.email }]);
  database.close();
});

function start(): ChildProcess {
  const child = spawn(process.execPath, [path.join(root, 'scripts/start.ts'), '--skip-build'], {
    // A separate process group, as in a terminal.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  return child;
}

/** What a process has printed when it ends. */
async function outputOf(child: ChildProcess): Promise<string> {
  const said: string[] = [];
  child.stdout?.on('data', (chunk) => said.push(String(chunk)));
  child.stderr?.on('data', (chunk) => said.push(String(chunk)));
  await once(child, 'close');
  return said.join('');
}

/** Ctrl-C goes to the whole group, and no process is left afterwards. */
async function stop(child: ChildProcess): Promise<void> {
  const group = -Number(child.pid);
  process.kill(group, 'SIGINT');
  // npm sends it a second time.
  process.kill(group, 'SIGINT');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  await expect.poll(() => isAlive(group), { timeout: 60_000 }).toBe(false);
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
  await expect.poll(isUp, { timeout: 60_000, interval: 200 }).toBe(200);
}
