import type { Locator, Page } from '@playwright/test';
import { comingDays, dayFromToday, makeCohort, pastDays, runningDays } from './cohorts.ts';
import { biology, watercolors } from './settings.ts';
import { askApi, expect, signInWith, test } from './support.ts';

test.describe('the list of cohorts', () => {
  test('groups the cohorts of the selected course by what they are now', async ({ page }) => {
    await signInWith(page, [watercolors, biology]);
    await makeCohort(page, { name: 'Autumn', ...runningDays, capacity: 18 }, 'publish');
    await makeCohort(page, { name: 'Winter', ...comingDays, capacity: 20 }, 'publish');
    const opening = { enrollment_opens_local: `${dayFromToday(20)}T10:00` };
    const later = { starts_on: dayFromToday(60), ends_on: dayFromToday(90) };
    await makeCohort(page, { name: 'Spring', ...later, ...opening }, 'publish');
    await makeCohort(page, { name: 'Summer', ...comingDays });
    await makeCohort(page, { name: 'Last year', ...pastDays }, 'publish');
    await page.goto('/cohorts');

    await expect(group(page, 'Now')).toContainText(/Autumn\s*Running.*Week 3 of 6\s*0 of 18/);
    await expect(rowsOf(page, 'Coming')).toHaveText([
      /Winter.*Vancouver\s*Enrolling\s*0 of 20/,
      /Spring.*Vancouver\s*Opens on .+No limit/,
    ]);
    await expect(rowsOf(page, 'Drafts')).toHaveText([/Summer.*Draft\s*No limit/]);
    await expect(rowsOf(page, 'Past')).toHaveText([/Last year.*Finished/]);
    await rowsOf(page, 'Coming').first().getByRole('link').click();
    await expect(page).toHaveURL(/\/cohorts\/[\w-]{36}$/);
  });

  test('folds what is long past', async ({ page }) => {
    await signInWith(page, [biology]);
    for (let index = 1; index <= 7; index += 1) {
      const days = { starts_on: dayFromToday(-100 - index), ends_on: dayFromToday(-90) };
      await makeCohort(page, { name: `Group ${index}`, ...days }, 'publish');
    }
    await page.goto('/cohorts');
    const last = page.getByRole('link', { name: /^Group 7/ });

    await expect(page.getByRole('link', { name: /^Group 1/ })).toBeVisible();
    await expect(last).toBeHidden();
    await page.getByText('Show 2 earlier cohorts').click();
    await expect(last).toBeVisible();
  });

  test('is an invitation to begin where there is no cohort', async ({ page }) => {
    await signInWith(page, [biology]);
    await page.goto('/cohorts');

    await expect(page.getByRole('heading', { name: 'No cohorts yet.' })).toBeVisible();
    await page.getByRole('link', { name: 'New cohort' }).click();
    await expect(page).toHaveURL('/cohorts/new');
  });

  test('has links to the archive and the trash where these hold something', async ({ page }) => {
    await signInWith(page, [biology]);
    await makeCohort(page, { name: 'Kept', ...comingDays });
    await page.goto('/cohorts');
    await expect(page.getByRole('link', { name: /^(Archive|Trash)/ })).toHaveCount(0);
    await makeCohort(page, { name: 'Old', ...pastDays }, 'publish', 'archive');
    await makeCohort(page, { name: 'Dropped', ...comingDays }, 'trash');
    await page.reload();
    await expect(page.getByRole('link', { name: /^(Old|Dropped)/ })).toHaveCount(0);

    await page.getByRole('link', { name: 'Archive 1' }).click();
    await expect(page.getByRole('link', { name: /^Old/ })).toContainText('Archived');
    await page.getByRole('link', { name: 'All cohorts' }).click();
    await page.getByRole('link', { name: 'Trash 1' }).click();
    await expect(page.getByRole('link', { name: /^Dropped/ })).toContainText('In the trash');
  });

  test('keeps the cohorts of a course that became evergreen, and makes no new ones', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    const { course_id: courseId } = await makeCohort(page, { name: 'Kept', ...comingDays });
    await askApi(page, 'PATCH', `/api/courses/${courseId}/`, { course_type: 'evergreen' });
    await page.goto('/cohorts');

    await expect(page.getByText('Its cohorts continue')).toBeVisible();
    await expect(page.getByRole('link', { name: /^Kept/ })).toBeVisible();
    await expect(page.getByRole('link', { name: 'New cohort' })).toHaveCount(0);
  });
});

function group(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title, exact: true });
}

function rowsOf(page: Page, title: string): Locator {
  return group(page, title).getByRole('listitem');
}
