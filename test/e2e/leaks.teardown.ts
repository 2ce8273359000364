import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { inboxOrigin, logFile, stateFolder } from './playwright.config.ts';
import { secretsSeen } from './support.ts';

test('the worker’s log contains no secret and no address of the whole run', async () => {
  const log = readFileSync(logFile, 'utf8');
  const secrets = secretsSeen();
  const addresses = await addressesSeen();

  expect(log).toContain('"event":"');
  expect(secrets.length).toBeGreaterThan(0);
  expect(textsIn(log, [...secrets, ...addresses])).toEqual([]);
  expect(log).not.toMatch(/token=|code=|state=|__Host-/);
});

test('the database contains no secret of the whole run, not even in deleted data', async () => {
  const secrets = secretsSeen();
  const files = globSync(path.join(stateFolder, 'v3/d1/**/*.sqlite*'));
  const data = files.map((file) => readFileSync(file, 'latin1')).join('');

  // The files are the right ones: they contain the recipients' addresses in plain text.
  expect(textsIn(data, await addressesSeen())).not.toEqual([]);
  expect(data).toContain('CREATE TABLE');
  expect(textsIn(data, secrets)).toEqual([]);
});

/** The texts that are in another one, in one pass: one by one, thousands take ten seconds. */
function textsIn(whole: string, texts: string[]): string[] {
  const shortest = Math.min(...texts.map(({ length }) => length));
  const byStart = Map.groupBy(texts, (text) => text.slice(0, shortest));
  const found = new Set<string>();
  for (let at = 0; at + shortest <= whole.length; at += 1) {
    for (const text of byStart.get(whole.slice(at, at + shortest)) ?? []) {
      if (whole.startsWith(text, at)) {
        found.add(text);
      }
    }
  }
  return [...found];
}

/** The recipient of an email. */
async function addressesSeen(): Promise<string[]> {
  const response = await fetch(`${inboxOrigin}/emails`);
  const { data } = (await response.json()) as { data: { to: string[] }[] };
  return [...new Set(data.flatMap(({ to }) => to))];
}
