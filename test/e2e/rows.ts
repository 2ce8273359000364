import { globSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from '@playwright/test';
import { stateFolder } from './playwright.config.ts';

/** A statement whose last value is the cohort's id, and the values before it. */
type Row = readonly [statement: string, ...values: string[]];

/** The same for one row. */
export function writeRow(cohortId: string, ...row: Row): void {
  writeRows(cohortId, [row]);
}

/**
 * Writes what no request could into the database of the server that has the cohort, one row each.
 * While it writes, that server answers 503 to others, so it does not wait for the disk.
 */
export function writeRows(cohortId: string, rows: readonly Row[]): void {
  const databases = globSync(`${stateFolder}*/v3/d1/*/*.sqlite`)
    .filter((file) => path.basename(file) !== 'metadata.sqlite')
    .map((file) => new DatabaseSync(file, { timeout: 5_000 }));
  const database = databases.find((each) =>
    each.prepare('SELECT 1 FROM cohorts WHERE id = ?').get(cohortId),
  );
  database?.exec('PRAGMA synchronous = OFF; BEGIN IMMEDIATE');
  const written = rows.map(
    ([statement, ...values]) => database?.prepare(statement).run(...values, cohortId).changes,
  );
  database?.exec('COMMIT');
  for (const each of databases) {
    each.close();
  }
  expect(written).toEqual(rows.map(() => 1));
}
