import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { accounts } from './mutations/accounts.ts';
import { auth } from './mutations/auth.ts';
import { built } from './mutations/built.ts';
import { cohorts } from './mutations/cohorts.ts';
import { faults } from './mutations/faults.ts';
import { limits } from './mutations/limits.ts';
import { requests } from './mutations/requests.ts';

/** A change that removes a protection, and the tests that must notice. */
export type Mutation = {
  /** Its number and rules; see docs/security.md. */
  defense: string;
  file: string;
  /** Occurs in the file exactly once. */
  find: string;
  replace: string;
  project: 'workerd' | 'built';
  /** The test file that must fail, below `test`. */
  tests: string;
  /** Matches the name of at least one test that must fail. */
  named: RegExp;
};

const mutations: Mutation[] = [
  ...built,
  ...auth,
  ...requests,
  ...limits,
  ...accounts,
  ...cohorts,
  ...faults,
];

/**
 * Shows for each protection that the tests notice when it is removed: in a copy of the project, one
 * at a time. Not part of CI, which shows that the tests pass with the protections.
 */
function main(): void {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'lectern-mutations-'));
  try {
    for (const file of execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')) {
      if (file !== '') {
        cpSync(file, path.join(copy, file));
      }
    }
    symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
    const survivors = mutations.filter((mutation) => !isNoticed(copy, mutation));
    console.log(`${mutations.length - survivors.length} of ${mutations.length} were noticed`);
    process.exitCode = survivors.length === 0 ? 0 : 1;
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
  const noticing = failed.filter((name) => where.named.test(name));
  console.log(`${noticing.length > 0 ? '✓' : '✗'}  ${defense}: ${failed.length} failed`);
  for (const name of noticing.slice(0, 3)) {
    console.log(`     ${name}`);
  }
  return noticing.length > 0;
}

/** The names of the failing tests of one file. */
function failedTests(copy: string, project: string, tests: string): string[] {
  const run = (command: string, args: string[]) =>
    spawnSync(command, args, { cwd: copy, stdio: 'ignore', timeout: 300_000 });
  if (project === 'built' && run('waku', ['build']).status !== 0) {
    throw new Error('The mutated project does not build');
  }
  const report = path.join(copy, 'test-results/vitest.json');
  rmSync(report, { force: true });
  const config = ['--config', 'test/vitest.config.ts', '--project', project];
  run('vitest', ['run', ...config, tests]);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: { fullName: string; status: string }[] }[];
  };
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName);
}

main();
