import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from '@playwright/test';
import { inboxOrigin, logFile, secretsFile, stateFolder } from './playwright.config.ts';

test('no secret and no address of the whole run stands in the log of the worker', async () => {
  const log = readFileSync(logFile, 'utf8');
  const secrets = secretsSeen();
  const addresses = await addressesSeen();

  expect(log).toContain('"event":"');
  expect(secrets.length).toBeGreaterThan(0);
  expect([...secrets, ...addresses].filter((text) => log.includes(text))).toEqual([]);
  expect(log).not.toMatch(/token=|code=|state=|__Host-/);
});

test('no secret of the whole run stands in the database, not even in what was deleted', async () => {
  const secrets = secretsSeen();
  const files = globSync(path.join(stateFolder, 'v3/d1/**/*.sqlite*'));
  const bytes = Buffer.concat(files.map((file) => readFileSync(file)));

  // The files are what they should be: addresses stand there in the clear, because mails go to them.
  expect((await addressesSeen()).some((address) => bytes.includes(address))).toBe(true);
  expect(bytes.includes('CREATE TABLE')).toBe(true);
  expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([]);
});

/** Everything that the whole run has seen and nobody else may. */
function secretsSeen(): string[] {
  const seen = readFileSync(secretsFile, 'utf8').trim().split('\n');
  const ours = Object.values(parseEnv(readFileSync('.dev.vars', 'utf8')));
  return [...new Set([...seen, ...ours])].filter((secret) => secret !== undefined);
}

/** Whom a mail went to. */
async function addressesSeen(): Promise<string[]> {
  const response = await fetch(`${inboxOrigin}/emails`);
  const { data } = (await response.json()) as { data: { to: string[] }[] };
  return [...new Set(data.flatMap(({ to }) => to))];
}
