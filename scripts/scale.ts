import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PlainFailure, runScript } from './local/plain-failure.ts';

/** A database with its journal, with a margin; about 25 kB per user were measured. */
const bytesPerUser = 30_000;

/** With fewer users some tables are so short that scanning them is the right plan. */
const minUsers = 10_000;

/**
 * Shows what the database reads at a thousand and at a million users, or at the number given: `npm
 * run scale -- 100000`. Everything is in one temporary folder, which is removed at the end.
 */
await runScript(async () => {
  const users = Number(process.argv[2] ?? 1_000_000);
  if (!Number.isInteger(users) || users < minUsers) {
    throw new PlainFailure(`Name a number of users from ${minUsers} up, or none for a million.`);
  }
  const { bavail, bsize } = statfsSync(os.tmpdir());
  if (bavail * bsize < users * bytesPerUser) {
    const gigabytes = Math.ceil((users * bytesPerUser) / 1e9);
    throw new PlainFailure(`${os.tmpdir()} needs ${gigabytes} GB of room. Name fewer users.`);
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-scale-'));
  // Ctrl-C ends the child too, and the clean-up below still runs.
  process.on('SIGINT', () => {});
  let peakBytes = 0;
  const watch = setInterval(async () => {
    peakBytes = Math.max(peakBytes, await sizeOf(folder));
  }, 1000);
  try {
    process.exitCode = await run(users, folder);
  } finally {
    clearInterval(watch);
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`It took ${Math.round(peakBytes / 1e6)} MB of disk at most, which are free again.`);
});

function run(users: number, folder: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn('vitest', ['run', '--config', 'bench/vitest.config.ts'], {
      env: { ...process.env, TMPDIR: folder, SCALE_USERS: String(users) },
      stdio: 'inherit',
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** The size of all files in a folder; some may disappear meanwhile. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(path.join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((total, size) => total + size, 0);
}
