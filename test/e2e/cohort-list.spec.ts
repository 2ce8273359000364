import type { Locator, Page } from '@playwright/test';
import {
  comingDays,
  dayFromToday,
  makeCohort,
  openMoreActions,
  pastDays,
  runningDays,
} from './cohorts.ts';
import { biology, section, watercolors } from './settings.ts';
import { askApi, expect, openReady, signInWith, test } from './support.ts';

test.describe('the list of cohorts', () => {
  test('offers to create the first cohort, groups the cohorts by what they are now, and leads to the archive and the trash', async ({
    page,
  }) => {
    await signInWith(page, [watercolors, biology]);
    await page.goto('/cohorts');
    await expect(page.getByRole('heading', { name: 'No cohorts yet.' })).toBeVisible();
    await page.getByRole('link', { name: 'New cohort' }).click();
    await expect(page).toHaveURL('/cohorts/new');

    await makeCohort(page, { name: 'Autumn', ...runningDays, capacity: 18 }, 'publish');
    await makeCohort(page, { name: 'Winter', ...comingDays, capacity: 20 }, 'publish');
    const opening = { enrollment_opens_local: `${dayFromToday(20)}T10:00` };
    const later = { starts_on: dayFromToday(60), ends_on: dayFromToday(90) };
    await makeCohort(page, { name: 'Spring', ...later, ...opening }, 'publish');
    await makeCohort(page, { name: 'Summer', ...comingDays });
    await makeCohort(page, { name: 'Last year', ...pastDays }, 'publish');
    await page.goto('/cohorts');
    await expect(section(page, 'Now')).toContainText(/Autumn\s*Running.*Week 3 of 6\s*0 of 18/);
    await expect(rowsOf(page, 'Upcoming')).toHaveText([
      /Winter.*Vancouver\s*Enrolling\s*0 of 20/,
      /Spring.*Vancouver\s*Opens on .+No limit/,
    ]);
    await expect(rowsOf(page, 'Drafts')).toHaveText([/Summer.*Draft\s*No limit/]);
    await expect(rowsOf(page, 'Past')).toHaveText([/Last year.*Finished/]);

    await makeCohort(page, { name: 'Old', ...pastDays }, 'publish', 'archive');
    await makeCohort(page, { name: 'Dropped', ...comingDays }, 'trash');
    await page.goto('/cohorts');
    await expect(page.getByRole('link', { name: /^(Old|Dropped)/ })).toHaveCount(0);
    await page.getByRole('link', { name: 'Archive 1' }).click();
    await expect(page.getByRole('link', { name: /^Old/ })).toContainText('Archived');
    await page.getByRole('link', { name: 'All cohorts' }).click();
    await page.getByRole('link', { name: 'Trash 1' }).click();
    await expect(page.getByRole('link', { name: /^Dropped/ })).toContainText('In the trash');
  });

  test('collapses cohorts that ended long ago; an evergreen course keeps its cohorts, and gets no new ones', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    for (let index = 1; index <= 7; index += 1) {
      const days = { starts_on: dayFromToday(-100 - index), ends_on: dayFromToday(-90) };
      await makeCohort(page, { name: `Group ${index}`, ...days }, 'publish');
    }
    const kept = await makeCohort(page, { name: 'Kept', ...comingDays });
    await askApi(page, 'PATCH', `/api/courses/${kept.course_id}/`, { course_type: 'evergreen' });
    await page.goto('/cohorts');
    const last = page.getByRole('link', { name: /^Group 7/ });
    await expect(page.getByRole('link', { name: /^Group 1/ })).toBeVisible();
    await expect(last).toBeHidden();
    await page.getByText('Show 2 earlier cohorts').click();
    await expect(last).toBeVisible();

    await expect(page.getByText('Its cohorts continue')).toBeVisible();
    await expect(page.getByRole('link', { name: /^Kept/ })).toBeVisible();
    await expect(page.getByRole('link', { name: 'New cohort' })).toHaveCount(0);
    await openReady(page, `/cohorts/${kept.id}`);
    await openMoreActions(page);
    await expect(page.getByRole('link', { name: 'Move all dates' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Duplicate' })).toBeHidden();
  });
});

function rowsOf(page: Page, title: string): Locator {
  return section(page, title).getByRole('listitem');
}
