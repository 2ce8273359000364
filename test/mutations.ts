import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { everyCase } from './every-case.ts';
import { type Mutation, mutations } from './mutations/all.ts';

/**
 * Shows for each protection that the tests notice when it is removed: in a copy of the project, one
 * at a time. Not part of CI, which shows that the tests pass with the protections.
 *
 * @param words only those with one of these in their name or in a path; all if none are given
 */
function main(words: readonly string[]): void {
  const chosen = mutations.filter(
    ({ defense, file, tests }) =>
      words.length === 0 ||
      words.some((word) => [defense, file, tests].some((text) => text.includes(word))),
  );
  const copy = mkdtempSync(path.join(os.tmpdir(), 'lectern-mutations-'));
  try {
    for (const file of execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')) {
      if (file !== '') {
        cpSync(file, path.join(copy, file));
      }
    }
    symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
    const survivors = chosen.filter((mutation) => !isNoticed(copy, mutation));
    console.log(`${chosen.length - survivors.length} of ${chosen.length} were noticed`);
    process.exitCode = survivors.length === 0 && chosen.length > 0 ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function isNoticed(copy: string, { defense, file, find, replace, ...where }: Mutation): boolean {
  const target = path.join(copy, file);
  const source = readFileSync(target, 'utf8');
  if (source.split(find).length !== 2) {
    console.log(`?  ${defense}: ${file} does not hold the text to replace exactly once`);
    return false;
  }
  writeFileSync(
    target,
    source.replace(find, () => replace),
  );
  const failed = failedTests(copy, where.project, where.tests);
  writeFileSync(target, source);
  if (failed === null) {
    console.log(`?  ${defense}: ${where.tests} did not run to its end`);
    return false;
  }
  const noticing = failed.filter((name) => where.named.test(name));
  console.log(`${noticing.length > 0 ? '✓' : '✗'}  ${defense}: ${failed.length} failed`);
  for (const name of noticing.slice(0, 3)) {
    console.log(`     ${name}`);
  }
  return noticing.length > 0;
}

/** A test that waits for a request that never ends fails only after its own timeout. */
const timeLimitMs = 15 * 60 * 1000;

/** The names of the failing tests of one file; null if it did not run, or not to its end. */
function failedTests(copy: string, project: string, tests: string): string[] | null {
  const env = { ...process.env, ...everyCase };
  const run = (command: string, args: string[]) =>
    spawnSync(command, args, { cwd: copy, env, stdio: 'ignore', timeout: timeLimitMs });
  if (project === 'built' && run('waku', ['build']).status !== 0) {
    throw new Error('The mutated project does not build');
  }
  const report = path.join(copy, 'test-results/vitest.json');
  rmSync(report, { force: true });
  const config = ['--config', 'test/vitest.config.ts', '--project', project];
  run('vitest', ['run', ...config, tests]);
  if (!existsSync(report)) {
    return null;
  }
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: { fullName: string; status: string }[] }[];
  };
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  // A file that does not compile has no results.
  return results.length === 0
    ? null
    : results.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
}

main(process.argv.slice(2));
