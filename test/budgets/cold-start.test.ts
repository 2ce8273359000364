import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { origin } from '../built/worker.ts';
import { hasEveryCase } from '../every-case.ts';
import { budgets, checkBudgets } from './budgets.ts';
import { packagesOf, serverFolder, serverModules, weighModule } from './built-files.ts';
import { startWrappedWorker } from './wrapped-worker.ts';

/** Code for single routes, errors and emails, which is loaded only when it is needed. */
const packagesOnDemand = [
  'ical.js',
  'resend',
  'temporal-polyfill',
  'timezones-ical-library',
  'toucan-js',
  'yaml',
];

/** A page with a large form, which is the heaviest, and at night one for everyone. */
const pages = ['/cohorts/unknown/settings', '/c/unknown'].slice(0, hasEveryCase ? 2 : 1);

test.for(pages)(
  'a cold start evaluates little before %s, and no code that only single routes need',
  async (page, { task }) => {
    const evaluated = await evaluatedBefore(page);
    const later = serverModules().filter((name) => !evaluated.includes(name));
    const packagesIn = (names: string[]) =>
      new Set(names.flatMap((name) => packagesOf(name, 'server')));

    expect(evaluated).toContain('index.js');
    // Each is deployed, so an unevaluated module is not just missing.
    expect([...packagesIn(later)]).toEqual(expect.arrayContaining(packagesOnDemand));
    const loaded = packagesIn(evaluated);
    expect(packagesOnDemand.filter((name) => loaded.has(name))).toEqual([]);
    checkBudgets(task, [
      {
        what: `server modules that a cold start evaluates before ${page}`,
        measured: evaluated.reduce((sum, name) => sum + weighModule(name), 0),
        budget: budgets.coldStart,
        unit: 'B',
      },
    ]);
  },
);

/** Without a session: a page that needs one is loaded before it redirects. */
async function evaluatedBefore(page: string): Promise<string[]> {
  const built = await startWrappedWorker('evaluated.js', {}, noteEvaluations);
  try {
    const worker = await built.server.getWorker();
    const answer = await worker.fetch(`${origin}${page}`, { redirect: 'manual' });
    expect(answer.status).toBeLessThan(500);
    await answer.text();
    // Our own module; see evaluated.js.
    return (await (await worker.fetch(`${origin}/evaluated`)).json()) as string[];
  } finally {
    await built.close();
  }
}

/** Makes each module of a copy of the build report that it has run. */
function noteEvaluations(folder: string): void {
  for (const name of serverModules()) {
    const content = readFileSync(path.join(serverFolder, name), 'utf8');
    const note = `(globalThis.evaluatedModules ??= []).push(${JSON.stringify(name)});`;
    writeFileSync(path.join(folder, name), `${content}\n;${note}`);
  }
}
