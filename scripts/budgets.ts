import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Accepted, amount, explain, isOver, type Row } from '../test/budgets/row.ts';
import { hasChromium, howToGetChromium } from '../test/e2e/chromium.ts';
import { everyCase } from '../test/every-case.ts';
import { runCommand } from './local/command.ts';
import { PlainFailure, runScript } from './local/plain-failure.ts';
import { ensureSecrets } from './local/settings.ts';
import { build } from './local/steps.ts';

/** What a test adds to Vitest's report; see test/budgets/budget.ts. */
type TestReport = {
  title: string;
  status: string;
  failureMessages: string[];
  meta: { budgets?: Row[] };
};

const report = 'test-results/vitest.json';
const acceptedFile = 'test/budgets/accepted.json';

/**
 * Measures everything that has a budget, on a new build, and prints one table. Fails when a row is
 * over its budget, and says what has grown. `--accept` stores the measurements that later rows are
 * compared with.
 */
await runScript(async () => {
  ensureSecrets();
  console.log('Building Lectern …');
  await build();
  console.log('Measuring, which takes some minutes …');
  const tests = await measure();
  const rows = tests.flatMap(({ meta }) => meta.budgets ?? []);
  printTable(rows);
  if (!hasChromium) {
    console.log(howToGetChromium);
  }
  // Failures without a row over budget.
  const broken = tests.filter(
    ({ status, meta }) => status === 'failed' && !meta.budgets?.some(isOver),
  );
  for (const { title, failureMessages } of broken) {
    console.log(`\n${title}\n${failureMessages.join('\n')}`);
  }
  if (process.argv.includes('--accept')) {
    if (broken.length > 0 || !hasChromium || rows.some(isOver)) {
      throw new PlainFailure(
        'Not every row was measured and within its budget, so nothing was accepted.',
      );
    }
    const accepted: Accepted = {};
    for (const { what, measured, parts } of rows) {
      accepted[what] = { measured, parts };
    }
    writeFileSync(acceptedFile, `${JSON.stringify(accepted, null, 2)}\n`);
    console.log(`\n${acceptedFile} holds these figures from now on.`);
  }
  const over = rows.filter(isOver).length;
  console.log(`\n${rows.length - over} within budget, ${over} over`);
  process.exitCode = over + broken.length === 0 ? 0 : 1;
});

/** @throws PlainFailure when the tests wrote no report */
async function measure(): Promise<TestReport[]> {
  rmSync(report, { force: true });
  const config = ['--config', 'test/vitest.config.ts'];
  const projects = ['--project', 'budgets', '--project', 'workerd'];
  const files = ['test/budgets', 'test/db/plans.test.ts'];
  const args = ['run', ...config, ...projects, ...files];
  const { isDone, reason } = await runCommand('vitest', args, {
    seconds: 3600,
    env: everyCase,
  });
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: {
        name: string;
        message: string;
        status: string;
        assertionResults: TestReport[];
      }[];
    };
    const tests = testResults.flatMap(({ name, message, status, assertionResults }) =>
      // A file that failed outside its tests.
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed')
        ? [...assertionResults, { title: name, status, failureMessages: [message], meta: {} }]
        : assertionResults,
    );
    // Such as an error outside of all tests, or no test at all.
    const isAccountedFor = isDone || tests.some((test) => test.status === 'failed');
    return isAccountedFor
      ? tests
      : [...tests, { title: reason, status: 'failed', failureMessages: [], meta: {} }];
  } catch {
    throw new PlainFailure(`The tests broke off: ${reason}`);
  }
}

function printTable(rows: Row[]): void {
  const lines = rows.map((row) => [
    `${isOver(row) ? '✗' : ' '} ${row.what}`,
    amount(row.measured, row),
    amount(row.budget, row),
    amount(row.budget - row.measured, row),
  ]);
  const titles = ['  what', 'measured', 'budget', 'room left'];
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  const print = (line: string[]) =>
    console.log(
      line
        .map((text, column) =>
          column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
        )
        .join('  '),
    );
  console.log('');
  print(titles);
  lines.forEach((line, index) => {
    const row = rows[index];
    print(line);
    if (row !== undefined && isOver(row)) {
      console.log(explain(row).replace(/^/gm, '    '));
    }
  });
}
