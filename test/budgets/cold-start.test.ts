import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { builtConfig } from '../../scripts/local/settings.ts';
import { origin } from '../built/worker.ts';
import { holdBudgets } from './budget.ts';
import { packagesOf, weightsOf } from './built-files.ts';
import { bytesRow, namesRow } from './row.ts';
import { startWrappedWorker } from './wrapped-worker.ts';

/** In bytes, compressed: what an isolate evaluates before its first answer. */
const budget = 275_000;

/** Code for single routes, errors and emails, which is loaded only when it is needed. */
const packagesOnDemand = [
  'ical.js',
  'resend',
  'temporal-polyfill',
  'timezones-ical-library',
  'toucan-js',
  'yaml',
];

const serverFolder = path.dirname(builtConfig);

/** A small page, the home page, a page with a large form, and one for everyone. */
const pages = ['/login', '/', '/cohorts/unknown/settings', '/c/unknown'];

test.for(pages)(
  'a cold start evaluates little before %s, and no code that only single routes need',
  async (page, { task }) => {
    const evaluated = await evaluatedBefore(page);
    const later = builtModules().filter((name) => !evaluated.includes(name));

    expect(evaluated).toEqual(expect.arrayContaining(['index.js']));
    // Each is deployed, so an unevaluated module is not just missing.
    expect(later.flatMap(packagesIn)).toEqual(expect.arrayContaining(packagesOnDemand));
    const packages = new Set(evaluated.flatMap(packagesIn));
    holdBudgets(task, [
      bytesRow(
        `server modules that a cold start evaluates before ${page}`,
        budget,
        weightsOf(evaluated.map(read)),
      ),
      namesRow(
        `packages evaluated before ${page}, of those that are loaded on demand`,
        packagesOnDemand.filter((name) => packages.has(name)),
      ),
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
  for (const name of builtModules()) {
    const { content } = read(name);
    const note = `(globalThis.evaluatedModules ??= []).push(${JSON.stringify(name)});`;
    writeFileSync(path.join(folder, name), `${content}\n;${note}`);
  }
}

function builtModules(): string[] {
  return globSync('**/*.js', { cwd: serverFolder });
}

function read(name: string): { name: string; content: string } {
  return { name, content: readFileSync(path.join(serverFolder, name), 'utf8') };
}

function packagesIn(name: string): string[] {
  return packagesOf(`server/${name}`);
}
