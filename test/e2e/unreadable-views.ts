import { expect, type Page } from '@playwright/test';
import { comingDays, makeCohort } from './cohorts.ts';
import { writeBeside } from './database.ts';
import { clientOf, courseNames, newEmail } from './people.ts';
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

function setDays(cohortId: string, startsOn: string, endsOn: string): void {
  const sql = 'UPDATE cohorts SET starts_on = ?, ends_on = ? WHERE id = ?';
  writeBeside(cohortId, sql, startsOn, endsOn, cohortId);
}
