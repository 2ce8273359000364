import { expect } from '@playwright/test';
import { comingDays, makeCohort } from './cohorts.ts';
import { courseNames, makeCourse } from './people.ts';
import { writeRow } from './rows.ts';
import { type View, viewsOf } from './view.ts';

/** The worker's own page, in the place of one that could not be rendered. */
export const unreadableViews: View[] = [
  viewsOf('the owner of a cohort with unreadable days', async (page) => {
    await makeCourse(page);
    const { id } = await makeCohort(page, { name: courseNames[0] ?? '', ...comingDays });
    return { id };
  })('failure-page', '/cohorts/[id]', {
    isExample: true,
    isFailure: true,
    before: async (_page, { id = '' }) => setDays(id, 'x', 'y'),
    act: async (page, { id = '' }) => {
      await expect(page.locator('main small')).toBeVisible();
      setDays(id, comingDays.starts_on, comingDays.ends_on);
    },
  }),
];

function setDays(cohortId: string, startsOn: string, endsOn: string): void {
  const statement = 'UPDATE cohorts SET starts_on = ?, ends_on = ? WHERE id = ?';
  writeRow(cohortId, statement, startsOn, endsOn);
}
