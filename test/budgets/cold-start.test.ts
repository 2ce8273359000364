import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtConfig } from '../../scripts/local/settings.ts';
import { type BuiltWorker, origin } from '../built/worker.ts';
import { holdBudgets } from './budget.ts';
import { packagesOf, weightsOf } from './built-files.ts';
import { bytesRow, namesRow } from './row.ts';
import { startWrappedWorker } from './wrapped-worker.ts';

/** In bytes, compressed: what an isolate evaluates before its first answer. */
const budget = 310_000;

/** Code for single routes, errors and emails, which is loaded only then. */
const packagesOnDemand = ['postal-mime', 'resend', 'temporal-polyfill', 'toucan-js', 'yaml'];

const serverFolder = path.dirname(builtConfig);

let built: BuiltWorker;

beforeAll(async () => {
  built = await startWrappedWorker('evaluated.js', {}, noteEvaluations);
});

afterAll(() => built.close());

test('a cold start evaluates little before its first page, and no code that only single routes need', async ({
  task,
}) => {
  // Waku loads all pages with the first one, so any page will do.
  const page = await built.server.getWorker().fetch(`${origin}/login`);
  expect(page.status).toBe(200);
  await page.text();
  const answer = await built.server.getWorker().fetch(`${origin}/evaluated`);
  // Our own module; see evaluated.js.
  const evaluated = (await answer.json()) as string[];
  const later = builtModules().filter((name) => !evaluated.includes(name));

  expect(evaluated).toEqual(expect.arrayContaining(['index.js', 'ssr/index.js']));
  // Each is deployed, so an unevaluated module is not just missing.
  expect(later.flatMap(packagesIn)).toEqual(expect.arrayContaining(packagesOnDemand));
  const packages = new Set(evaluated.flatMap(packagesIn));
  holdBudgets(task, [
    bytesRow('server modules that a cold start evaluates', budget, weightsOf(evaluated.map(read))),
    namesRow(
      'packages in a cold start, of those that are loaded on demand',
      packagesOnDemand.filter((name) => packages.has(name)),
    ),
  ]);
});

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
