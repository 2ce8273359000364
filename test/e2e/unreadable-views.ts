import { globSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from '@playwright/test';
import { comingDays, makeCohort } from './cohorts.ts';
import { courseNames, makeCourse } from './people.ts';
import { stateFolder } from './playwright.config.ts';
import { type View, viewsOf } from './view.ts';

/** The worker's own page, in the place of one that could not be rendered. */
export const unreadableViews: View[] = [
  viewsOf('the owner of a cohort with unreadable days', async (page) => {
    await makeCourse(page);
    const { id } = await makeCohort(page, { name: courseNames[0] ?? '', ...comingDays });
    return { id };
  })('failure-page', '/cohorts/[id]', {
    isFailure: true,
    before: async (_page, { id = '' }) => setDays(id, 'x', 'y'),
    act: async (page, { id = '' }) => {
      await expect(page.locator('main small')).toBeVisible();
      setDays(id, comingDays.starts_on, comingDays.ends_on);
    },
  }),
];

/**
 * Writes days that no request could set into the database of the server that has the cohort. While
 * it writes, that server answers 503 to others, so it does not wait for the disk.
 */
function setDays(cohortId: string, startsOn: string, endsOn: string): void {
  const databases = globSync(`${stateFolder}*/v3/d1/*/*.sqlite`)
    .filter((file) => path.basename(file) !== 'metadata.sqlite')
    .map((file) => new DatabaseSync(file, { timeout: 5_000 }));
  const database = databases.find((each) =>
    each.prepare('SELECT 1 FROM cohorts WHERE id = ?').get(cohortId),
  );
  database?.exec('PRAGMA synchronous = OFF');
  const written = database
    ?.prepare('UPDATE cohorts SET starts_on = ?, ends_on = ? WHERE id = ?')
    .run(startsOn, endsOn, cohortId);
  for (const each of databases) {
    each.close();
  }
  expect(written?.changes).toBe(1);
}
