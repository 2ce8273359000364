import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { fakeCommand, runNode, runTestsInOwnFolders } from './operator.ts';

const root = path.join(import.meta.dirname, '../..');
const installing = 'Installing what package-lock.json names …\n';

runTestsInOwnFolders();

beforeEach(() => {
  cpSync(path.join(root, 'scripts/run.mjs'), 'scripts/run.mjs');
  write('scripts/greet.ts', "console.log('Hello', ...process.argv.slice(2));");
  lockAt('1.0.0');
  // A slow npm that ends like the real one.
  fakeCommand(
    'npm',
    `echo "$*" >> calls
rm -rf node_modules
sleep 0.5
\${FAIL:-true} || exit 1
mkdir -p node_modules/.bin
ln -s ${process.execPath} node_modules/.bin/node
cp package-lock.json node_modules/.package-lock.json
`,
  );
});

test('a command first installs missing packages, and the next one only if they differ from the lockfile', async () => {
  expect(await greet('Ada')).toEqual({ said: `${installing}Hello Ada\n`, code: 0 });
  expect(await greet('Zoë')).toEqual({ said: 'Hello Zoë\n', code: 0 });
  expect(installs()).toEqual(['ci --include=dev --no-audit --no-fund --loglevel=error']);
  expect(existsSync('.wrangler/installing')).toBe(false);

  lockAt('1.0.1');
  expect(await greet()).toEqual({ said: `${installing}Hello\n`, code: 0 });
  // As after an interrupted install.
  rmSync('node_modules/.package-lock.json');
  expect(await greet()).toEqual({ said: `${installing}Hello\n`, code: 0 });
  // Packages for other platforms may be missing.
  const packages = { 'node_modules/a': { ...one, version: '1.0.1' } };
  write('node_modules/.package-lock.json', JSON.stringify({ packages }));
  expect(await greet()).toEqual({ said: 'Hello\n', code: 0 });
  expect(installs()).toHaveLength(3);
});

test('two commands started at the same time install once', async () => {
  const greetings = await Promise.all([greet('Ada'), greet('Zoë')]);

  expect(greetings.map(({ code }) => code)).toEqual([0, 0]);
  expect(greetings.filter(({ said }) => said.includes(installing))).toHaveLength(1);
  expect(installs()).toHaveLength(1);
});

test('a failed install is reported, and the next command tries again, even if the process that holds the lock was killed', async () => {
  const { said, code } = await greet('Ada', { FAIL: 'false' });

  expect(said).toBe(`${installing}The packages could not be installed: \`npm ci\` says why.\n`);
  expect(code).toBe(1);
  const killed = spawn('true');
  await once(killed, 'exit');
  write('.wrangler/installing', String(killed.pid));
  expect(await greet('Ada')).toEqual({ said: `${installing}Hello Ada\n`, code: 0 });
});

const one = { version: '1.0.0', integrity: 'sha512-1' };

function lockAt(version: string): void {
  const packages = {
    '': { name: 'lectern' },
    'node_modules/a': { ...one, version },
    'node_modules/b': { ...one, optional: true },
  };
  write('package-lock.json', JSON.stringify({ packages }));
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function installs(): string[] {
  return readFileSync('calls', 'utf8').trim().split('\n');
}

function greet(name = '', env: Record<string, string> = {}) {
  return runNode(['scripts/run.mjs', 'greet', ...(name === '' ? [] : [name])], env);
}
