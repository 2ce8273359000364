import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parts } from '../e2e/pseudo.ts';

const root = path.join(import.meta.dirname, '../..');

/** The port of the operator's worker: parallel test files use one each. */
export const ownPort = 8873 + 10 * Number(process.env['VITEST_POOL_ID']);

/** The examples of wrangler.toml, and what the tests' operator replaces them with. */
export const ownValues: [example: string, own: string][] = [
  ['https://lectern.example.com', `https://localhost:${ownPort}`],
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

/** A copy of the project with these changes to its wrangler.toml. */
export function makeProject(folder: string, edits: [from: string, to: string][] = []): void {
  for (const part of parts) {
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const file = path.join(folder, 'wrangler.toml');
  let toml = readFileSync(file, 'utf8');
  for (const [from, to] of edits) {
    if (!toml.includes(from)) {
      throw new Error(`wrangler.toml does not say ${from}`);
    }
    toml = toml.replaceAll(from, to);
  }
  writeFileSync(file, toml);
}

/** Puts a command of this name first in the PATH, for the scripts run in this project. */
export function fakeCommand(folder: string, name: string, script: string): void {
  mkdirSync(path.join(folder, 'fakes'), { recursive: true });
  writeFileSync(path.join(folder, 'fakes', name), `#!/bin/sh\n${script}`, { mode: 0o755 });
}

/**
 * A wrangler that records its calls and answers like Cloudflare; a call that contains FAIL_AT
 * fails.
 */
export function fakeWrangler(folder: string, { secrets }: { secrets: string[] }) {
  const listed = secrets.map((name) => ({ name, type: 'secret_text' }));
  fakeCommand(
    folder,
    'wrangler',
    `echo "$*" >> ${folder}/calls
case "$*" in *"\${FAIL_AT:-nowhere}"*) echo "✘ [ERROR] \${FAIL_WITH:-It is Tuesday.}"; exit 1;; esac
case "$*" in
  "whoami"*) echo '{"loggedIn":true}';;
  "secret list"*) echo '${JSON.stringify(listed)}';;
  "d1 info"*) echo '{"read_replication":{"mode":"disabled"}}';;
  "d1 migrations list"*) echo '│ 0001_add-google-limits-and-keys.sql │';;
esac
`,
  );
}

/** The calls of the fake wrangler. */
export function callsOf(folder: string): string[] {
  return readFileSync(path.join(folder, 'calls'), 'utf8').trim().split('\n');
}

/** Runs a project script as npm does, logged out, and waits for its end. */
export async function runScript(
  folder: string,
  script: string,
  args: string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<{ said: string; code: number | null }> {
  const bins = ['fakes', 'node_modules/node/bin', 'node_modules/.bin'];
  const child = spawn(process.execPath, [path.join(root, 'scripts', script), ...args], {
    cwd: folder,
    env: {
      ...process.env,
      APP_PORT: '8870',
      GOOGLE_PORT: '4170',
      RESEND_PORT: '4171',
      CLOUDFLARE_API_TOKEN: undefined,
      // Where wrangler stores its login.
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      PATH: [...bins.map((bin) => path.join(folder, bin)), process.env['PATH']].join(':'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  child.stdout.on('data', (chunk) => said.push(String(chunk)));
  child.stderr.on('data', (chunk) => said.push(String(chunk)));
  const [code] = await once(child, 'close');
  return { said: said.join(''), code };
}
