import { readdirSync, readFileSync, rmSync } from 'node:fs';
import type { Row } from '../test/budgets/budgets.ts';
import { bytesByFeature, serverModules, weighModule } from '../test/budgets/built-files.ts';
import { everyCase } from '../test/every-case.ts';
import { runCommand } from './local/command.ts';
import { PlainFailure, runScript } from './local/plain-failure.ts';
import { ensureSecrets } from './local/settings.ts';
import { build } from './local/steps.ts';

type TestReport = {
  title: string;
  status: string;
  failureMessages: string[];
  /** What a test measured; see test/budgets/budgets.ts. */
  meta: { rows?: Row[] };
};

const report = 'test-results/vitest.json';

/**
 * Measures a new build and prints one table: the figures with a budget, then all others. Fails if a
 * figure is over its budget.
 */
await runScript(async () => {
  ensureSecrets();
  console.log('Building Lectern …');
  await build();
  console.log('Measuring, which takes some minutes …');
  const tests = await measure();
  const rows = tests.flatMap(({ meta }) => meta.rows ?? []);
  const modules = serverModules().map(weighModule);
  printTable([
    ...rows.filter(({ budget }) => budget !== undefined),
    ...rows.filter(({ budget }) => budget === undefined),
    { what: 'all server modules', measured: modules.reduce((sum, one) => sum + one), unit: 'B' },
    ...bytesByFeature(readdirSync('src/features')),
  ]);
  const failed = tests.filter(({ status }) => status === 'failed');
  for (const { title, failureMessages } of failed) {
    console.log(`\nFailed: ${title}\n${failureMessages.join('\n')}`);
  }
  process.exitCode = failed.length === 0 ? 0 : 1;
});

/** @throws PlainFailure when the tests wrote no report */
async function measure(): Promise<TestReport[]> {
  rmSync(report, { force: true });
  const projects = ['--project', 'budgets', '--project', 'workerd'];
  const files = ['test/budgets', 'test/db/plans.test.ts'];
  const reporter = ['--reporter', 'json', '--outputFile', report];
  const args = ['run', '--config', 'test/vitest.config.ts', ...projects, ...reporter, ...files];
  const { isDone, reason } = await runCommand('vitest', args, { seconds: 3600, env: everyCase });
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { message: string; assertionResults: TestReport[] }[];
    };
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    // Such as an error outside of all tests, or no test at all.
    const isAccountedFor = isDone || tests.some(({ status }) => status === 'failed');
    const failureMessages = testResults.map(({ message }) => message);
    const outside = { title: reason, status: 'failed', failureMessages, meta: {} };
    return isAccountedFor ? tests : [...tests, outside];
  } catch {
    throw new PlainFailure(`The tests stopped early: ${reason}`);
  }
}

function printTable(rows: Row[]): void {
  const amount = (value: number, { unit }: Row) => `${value.toLocaleString('en')} ${unit}`.trim();
  const lines = rows.map((row) => {
    const { what, measured, budget } = row;
    const limits =
      budget === undefined ? [] : [amount(budget, row), amount(budget - measured, row)];
    return [what, amount(measured, row), ...limits];
  });
  const all = [['what', 'measured', 'budget', 'room left'], ...lines];
  const widths = [0, 1, 2, 3].map((at) => Math.max(...all.map((line) => line[at]?.length ?? 0)));
  console.log('');
  for (const line of all) {
    const [what = '', ...figures] = line.map((text, at) =>
      at === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[at] ?? 0),
    );
    console.log([what, ...figures].join('  '));
  }
}
