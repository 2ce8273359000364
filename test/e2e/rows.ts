import { expect } from '@playwright/test';
import { rowsPorts } from './playwright.config.ts';

/** A statement, and its values, of which the last is the cohort's id. */
export type Row = readonly [statement: string, ...values: string[]];

/** The same for one row. */
export function writeRow(cohortId: string, ...row: Row): Promise<void> {
  return writeRows(cohortId, [row]);
}

/**
 * Writes what no request could into the database that has the cohort, one row each. All servers are
 * asked, in which serve.ts does it: another process would lock the database for everyone.
 */
export async function writeRows(cohortId: string, rows: readonly Row[]): Promise<void> {
  const body = JSON.stringify(rows.map((row) => [...row, cohortId]));
  const answers = await Promise.allSettled(
    rowsPorts.map(async (port): Promise<number[]> => {
      const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body });
      return response.ok ? response.json() : Promise.reject(await response.text());
    }),
  );
  expect(answers).toContainEqual({ status: 'fulfilled', value: rows.map(() => 1) });
}
