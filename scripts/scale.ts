import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PlainFailure, runScript } from './local/plain-failure.ts';

/** A database with its journal, and room for the rest; about 2.5 kB a user were measured. */
const bytesPerUser = 5_000;

/** With fewer users some tables are so short that the planner, once it knows that, rightly walks through them. */
const minUsers = 10_000;

/**
 * Shows what the database is asked for at a thousand users and at a million, or as many as are named: `npm run scale -- 100000`.
 * All of it lies in one temporary folder, which goes at the end.
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
  // Ctrl-C ends the child too, and then what is below is still done.
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

/** Of all files in a folder; some may go while they are counted. */
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
