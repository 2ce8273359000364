import { globSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from '@playwright/test';
import { stateFolder } from './playwright.config.ts';

/**
 * Writes what no request could into the database of the server that has the cohort, in one row.
 * While it writes, that server answers 503 to others, so it does not wait for the disk.
 *
 * @param statement its last value is the cohort's id
 */
export function writeRow(cohortId: string, statement: string, ...values: string[]): void {
  const databases = globSync(`${stateFolder}*/v3/d1/*/*.sqlite`)
    .filter((file) => path.basename(file) !== 'metadata.sqlite')
    .map((file) => new DatabaseSync(file, { timeout: 5_000 }));
  const database = databases.find((each) =>
    each.prepare('SELECT 1 FROM cohorts WHERE id = ?').get(cohortId),
  );
  database?.exec('PRAGMA synchronous = OFF');
  const written = database?.prepare(statement).run(...values, cohortId);
  for (const each of databases) {
    each.close();
  }
  expect(written?.changes).toBe(1);
}
