import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * `node scripts/run.mjs start` runs `scripts/start.ts` with the project's own Node, after
 * installing what package-lock.json names and is missing. Until then there is only the machine's
 * Node and no package: this is plain JavaScript for Node 20.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const ownNode = path.join(root, 'node_modules/.bin/node');
/** Contains the id of the installing process. */
const lock = path.join(root, '.wrangler/installing');

const [, , name, ...args] = process.argv;
const script = path.join(root, 'scripts', `${name}.ts`);

if (!isInstalled()) {
  await installInTurn();
}
if (realpathSync(process.execPath) === realpathSync(ownNode)) {
  process.argv = [process.execPath, script, ...args];
  await import(pathToFileURL(script).href);
} else {
  process.exitCode = await run(ownNode, [script, ...args]);
}

/**
 * Whether the last install finished and used this lock file: npm writes what it has installed into
 * a lock file of its own as its last step.
 */
function isInstalled() {
  const [locked, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map(
    packagesIn,
  );
  return (
    existsSync(ownNode) &&
    Object.entries(locked).every(([folder, { version, integrity, optional }]) => {
      const found = installed[folder];
      return found === undefined
        ? folder === '' || optional === true
        : found.version === version && found.integrity === integrity;
    })
  );
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages;
  } catch {
    return {};
  }
}

/** Two commands started at the same time install once: the second waits for the first. */
async function installInTurn() {
  mkdirSync(path.dirname(lock), { recursive: true });
  for (let tries = 1; !(await takeLock()); tries += 1) {
    if (tries === 5) {
      console.log(`Waiting for another command, which installs the packages (${lock}) …`);
    }
    await wait(200);
  }
  try {
    if (!isInstalled()) {
      await install();
    }
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Takes the lock if it is free. The lock of an ended process is removed. */
async function takeLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
  } catch {
    const holder = lockHolder();
    if (holder === 0 ? isOldLock() : !isRunning(holder)) {
      rmSync(lock, { force: true });
    }
    return false;
  }
  // Another command may have found the same stale lock and removed ours instead.
  await wait(50);
  return lockHolder() === process.pid;
}

/** Whether its holder ended before writing its id. */
function isOldLock() {
  try {
    return Date.now() - statSync(lock).mtimeMs > 5_000;
  } catch {
    return false;
  }
}

/** 0 while its holder is still writing it, or after it was removed. */
function lockHolder() {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return 0;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function install() {
  console.log('Installing what package-lock.json names …');
  const flags = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  // With the machine's npm and Node, because the project's own are being replaced.
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const PATH = folders.filter((folder) => !folder.endsWith('node_modules/.bin'));
  const env = { ...process.env, PATH: PATH.join(path.delimiter) };
  // So that an interrupted install is never mistaken for a complete one.
  rmSync(path.join(root, 'node_modules/.package-lock.json'), { force: true });
  const code = await run('npm', ['ci', ...flags], {
    env,
    onStart: (pid) => writeFileSync(lock, String(pid)),
  });
  if (code !== 0 || !isInstalled()) {
    console.error('The packages could not be installed: `npm ci` says why.');
    rmSync(lock, { force: true });
    process.exit(code || 1);
  }
}

/** The exit code of a command, which gets this process's signals. */
function run(command, argsOf, { env = process.env, onStart = () => {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, argsOf, { cwd: root, env, stdio: 'inherit' });
    child.once('error', ({ message }) => {
      console.error(message);
      resolve(1);
    });
    child.once('spawn', () => onStart(child.pid));
    const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
      const handler = () => child.kill(signal);
      process.on(signal, handler);
      return [signal, handler];
    });
    child.once('exit', (code) => {
      for (const [signal, handler] of handlers) {
        process.off(signal, handler);
      }
      resolve(code ?? 1);
    });
  });
}
