import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';
import { PlainFailure } from '../../scripts/local/plain-failure.ts';
import { secretNames } from '../../src/settings.ts';
import { freePorts } from './free-port.ts';

const root = path.join(import.meta.dirname, '../..');

/** Where the tests' operator deploys to. Nothing listens there. */
export const ownOrigin = 'https://localhost:48873';

/** The examples of wrangler.toml, and what the tests' operator replaces them with. */
export const ownValues: [example: string, own: string][] = [
  ['https://lectern.example.com', ownOrigin],
  ['pattern = "lectern.example.com"', 'pattern = "localhost"'],
  ['hello@mail.lectern.example.com', 'hello@mail.orchard.test'],
  ['Example Operator', 'Orchard School'],
  ['000000000000-example', '123456789012-orchard'],
  [
    `database_name = "lectern"
# Replace it with the id that \`wrangler d1 create lectern\` prints.
database_id = "00000000-0000-0000-0000-000000000000"`,
    'database_name = "lectern"\ndatabase_id = "5eb5b4d1-7d1c-4c0b-9d3e-0a4d5a1f0c55"',
  ],
];

/** Each test of the file runs commands in its own folder, with the fakes that it makes there. */
export function runTestsInOwnFolders(): void {
  let folder: string;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'lectern-operator-'));
    process.chdir(folder);
    const names = ['APP_PORT', 'GOOGLE_PORT', 'RESEND_PORT', 'STRIPE_PORT'];
    const ports = await freePorts(names.length);
    for (const [index, name] of names.entries()) {
      vi.stubEnv(name, String(ports[index]));
    }
    const bins = ['fakes', 'node_modules/node/bin', 'node_modules/.bin'];
    const own = bins.map((bin) => path.join(folder, bin));
    vi.stubEnv('PATH', [...own, process.env['PATH']].join(path.delimiter));
    // Where wrangler stores its login.
    vi.stubEnv('HOME', folder);
    vi.stubEnv('XDG_CONFIG_HOME', folder);
    vi.stubEnv('CLOUDFLARE_API_TOKEN', undefined);
  });

  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    process.chdir(root);
    rmSync(folder, { recursive: true });
  });
}

/**
 * Copies parts of the project, with these changes to its wrangler.toml.
 *
 * @param parts all that the command reads
 */
export function makeProject(
  edits: [from: string, to: string][] = [],
  parts = ['package.json', 'wrangler.toml', 'migrations'],
): void {
  for (const part of parts) {
    cpSync(path.join(root, part), part, { recursive: true });
  }
  symlinkSync(path.join(root, 'node_modules'), 'node_modules');
  let toml = readFileSync('wrangler.toml', 'utf8');
  for (const [from, to] of edits) {
    if (!toml.includes(from)) {
      throw new Error(`wrangler.toml does not say ${from}`);
    }
    toml = toml.replaceAll(from, to);
  }
  writeFileSync('wrangler.toml', toml);
}

/** Puts a command of this name first in the PATH. */
export function fakeCommand(name: string, script: string): void {
  mkdirSync('fakes', { recursive: true });
  writeFileSync(path.join('fakes', name), `#!/bin/sh\n${script}`, { mode: 0o755 });
}

type Fakes = { secrets?: readonly string[]; failAt?: string; failWith?: string };

/** A wrangler that records its calls and answers like Cloudflare; a call with `failAt` fails. */
export function fakeWrangler({
  secrets = secretNames,
  failAt = 'nowhere',
  failWith = 'D1 is down.',
}: Fakes = {}): void {
  const listed = secrets.map((name) => ({ name, type: 'secret_text' }));
  fakeCommand(
    'wrangler',
    `echo "$*" >> calls
case "$*" in
  *"${failAt}"*) echo '✘ [ERROR] ${failWith}'; exit 1;;
  *"--dry-run") printf 'Total Upload: 3 KiB\\nenv.DB (a-database)\\n--dry-run: exiting now.\\n';;
  "whoami"*) echo '{"loggedIn":true}';;
  "secret list"*) echo '${JSON.stringify(listed)}';;
  "d1 info"*) echo '{"read_replication":{"mode":"disabled"}}';;
  "d1 migrations list"*) echo '│ 0001_add-google-limits-and-keys.sql │';;
esac
`,
  );
}

/** The calls of the fake wrangler. */
export function wranglerCalls(): string[] {
  return readFileSync('calls', 'utf8').trim().split('\n');
}

/** Answers requests to the deployment. */
export function serveHealth({ release, status = 200 }: { release?: string; status?: number }) {
  const headers = { ...(release !== undefined && { 'X-Release': release }) };
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    async () => new Response('{"status":"ok"}', { status, headers }),
  );
}

/**
 * Calls a command's function in this process. Returns what it prints, what it warns of, and whether
 * it neither failed nor returned false.
 */
export async function callCommand(
  command: () => Promise<unknown>,
): Promise<{ said: string; warned: string; isOk: boolean }> {
  const lines: string[] = [];
  const warnings: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line = '') => lines.push(line));
  // wrangler warns about settings that it does not know.
  const others = (['warn', 'error'] as const).map((method) =>
    vi.spyOn(console, method).mockImplementation((line = '') => warnings.push(String(line))),
  );
  let isOk = false;
  try {
    isOk = (await command()) !== false;
  } catch (error) {
    if (!(error instanceof PlainFailure)) {
      throw error;
    }
    lines.push(error.message);
  }
  log.mockRestore();
  for (const other of others) {
    other.mockRestore();
  }
  const [said = '', warned = ''] = [lines, warnings].map((texts) =>
    texts.map((text) => `${text}\n`).join(''),
  );
  return { said, warned, isOk };
}

/** Starts a project script as npm does, and waits for its end. */
export function runScript(script: string, args: string[] = []) {
  return runNode([path.join(root, 'scripts', script), ...args]);
}

/** What a process of Node has printed when it ends. */
export async function runNode(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ said: string; code: number | null }> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  child.stdin.end();
  const said: string[] = [];
  child.stdout.on('data', (chunk) => said.push(String(chunk)));
  child.stderr.on('data', (chunk) => said.push(String(chunk)));
  const [code] = await once(child, 'close');
  return { said: said.join(''), code };
}
