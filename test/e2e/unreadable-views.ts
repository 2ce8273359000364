import { globSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, type Page } from '@playwright/test';
import { comingDays, makeCohort } from './cohorts.ts';
import { clientOf, courseNames, newEmail } from './people.ts';
import { stateFolder } from './playwright.config.ts';
import { askApi } from './support.ts';
import type { View } from './views.ts';

const [name = ''] = courseNames;

/** The worker's own page, in the place of one that could not be rendered. */
export const unreadableViews: View[] = [{ name: 'failure-page', open: openUnreadable }];

async function openUnreadable(page: Page): Promise<void> {
  await (await clientOf(page)).signUp(newEmail());
  await askApi(page, 'POST', '/api/courses/', { name, course_type: 'cohort' });
  const { id } = await makeCohort(page, { name, ...comingDays });
  setDays(id, 'x', 'y');
  await page.goto(`/cohorts/${id}`);
  await expect(page.locator('main small')).toBeVisible();
  setDays(id, comingDays.starts_on, comingDays.ends_on);
}

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
