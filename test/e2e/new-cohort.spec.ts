import type { Page } from '@playwright/test';
import { comeBackAfter, makeCohort, selectedCourse } from './cohorts.ts';
import { biology } from './settings.ts';
import { askApi, expect, loseNextAnswer, openReady, signInWith, test } from './support.ts';

test.use({ timezoneId: 'Asia/Calcutta' });

test.describe('a new cohort', () => {
  test('is created as a draft, in another zone than the browser’s', async ({ page }) => {
    await openForm(page);
    await expect(page.getByLabel('Time zone')).toHaveValue('Asia/Kolkata');
    await expect(page.getByLabel('Time zone').locator('option:checked')).toHaveText('Kolkata');
    await expect(page.getByText(/^It’s \d+:\d\d [AP]M there now\./)).toBeVisible();
    await page.getByLabel('First day').fill('2027-01-04');
    await expect(page.getByLabel('Cohort name')).toHaveValue('January 2027');
    await page.getByLabel('Last day').fill('2027-02-12');
    await page.getByLabel('Time zone').selectOption({ label: 'Vancouver' });
    await page.getByLabel('Places', { exact: true }).fill('20');
    await page.getByRole('checkbox', { name: /^Offer free places/ }).uncheck();
    await page.getByRole('radio', { name: /^By invitation/ }).check();
    const preview = page.locator('.cohort-preview');
    await expect(preview).toContainText('Biology 101January 2027');
    await expect(preview).toContainText('Monday, January 4, 2027');
    await expect(preview).toContainText('20, without a waitlist');
    await expect(page.getByText('Next: add live sessions, then publish.')).toBeVisible();
    await page.getByRole('button', { name: 'Create draft' }).click();

    await page.waitForURL(/\/cohorts\/[\w-]{36}$/);
    await expect(page.getByText('Draft created.')).toBeVisible();
    expect(await cohortsOf(page)).toMatchObject([
      {
        name: 'January 2027',
        starts_on: '2027-01-04',
        ends_on: '2027-02-12',
        time_zone: 'America/Vancouver',
        join_mode: 'invitation',
        capacity: 20,
        waitlist: false,
        status: 'draft',
      },
    ]);
  });

  test('that begins in the past is created, with a warning', async ({ page }) => {
    await openForm(page);
    await page.getByLabel('Cohort name').fill('Writing');
    await page.getByLabel('First day').fill('2026-01-05');
    await page.getByLabel('Last day').fill('2026-02-12');
    await page.getByRole('button', { name: 'Create draft' }).click();

    await page.waitForURL(/\/cohorts\/[\w-]{36}$/);
    await expect(page.getByText('The first day is in the past.')).toBeVisible();
  });

  for (const [path, after] of [
    ['/cohorts/new', 'Places'],
    ['move', 'Show all dates'],
    ['settings', 'Enrollment'],
  ] as const) {
    test(`warns on ${path} of another zone than the browser’s, and nothing moves`, async ({
      page,
    }) => {
      await openForm(page);
      if (!path.startsWith('/')) {
        // The browser calls it Asia/Calcutta.
        const days = { starts_on: '2027-01-04', ends_on: '2027-02-12', time_zone: 'Asia/Kolkata' };
        const { id } = await makeCohort(page, { name: 'Writing', ...days });
        await openReady(page, `/cohorts/${id}/${path}`);
      }
      const warning = page.getByText('Your own time zone is Kolkata.');
      // Not in the preview beside the form, which may come later.
      const inForm = page.locator(':not(.cohort-preview *)');
      const below = page.getByText(after, { exact: true }).and(inForm).last();
      await expect(page.getByText(/ there now\./)).toBeVisible();
      await expect(warning).toBeHidden();
      const place = await below.boundingBox();
      await page.getByLabel('Time zone').selectOption('America/Vancouver');
      await expect(warning).toBeVisible();
      expect(await below.boundingBox()).toEqual(place);
      await page.getByLabel('Time zone').selectOption('Asia/Kolkata');

      await expect(warning).toBeHidden();
    });
  }

  test('says what is wrong at each field, and loses nothing that was typed', async ({ page }) => {
    await openForm(page);
    await page.getByRole('button', { name: 'Create draft' }).click();
    await expect(page.getByLabel('Cohort name')).toHaveAccessibleDescription(
      'Cohort name is required',
    );
    await expect(page.getByLabel('Cohort name')).toBeFocused();
    await expect(page.getByLabel('First day')).toHaveAccessibleDescription('Please choose a date');
    await page.getByLabel('Cohort name').fill('Writing');
    await page.getByLabel('First day').fill('2027-02-12');
    await page.getByLabel('Last day').fill('2027-01-04');
    await page.getByLabel('Time zone').selectOption('Europe/Paris');
    await page.getByRole('checkbox', { name: /^Offer free places/ }).uncheck();
    await page.getByRole('button', { name: 'Create draft' }).click();
    await expect(page.getByLabel('Last day')).toHaveAccessibleDescription(
      'The last day cannot be before the first day',
    );
    await expect(page.getByLabel('Last day')).toBeFocused();
    await expect(page.locator('.cohort-preview')).toContainText('Check the date');
    await page.getByLabel('Places', { exact: true }).fill('1,5');
    await page.getByRole('button', { name: 'Create draft' }).click();

    await expect(page.getByLabel('Places', { exact: true })).toHaveAccessibleDescription(
      /Please enter a number from 1 to 1,000, or leave it empty for no limit/,
    );
    await expect(page.getByLabel('Cohort name')).toHaveValue('Writing');
    await expect(page.getByLabel('First day')).toHaveValue('2027-02-12');
    await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Paris');
    await expect(page.getByLabel('Places', { exact: true })).toHaveValue('1,5');
    await expect(page.getByRole('checkbox', { name: /^Offer free places/ })).not.toBeChecked();
    expect(await cohortsOf(page)).toEqual([]);
  });

  test('is asked about before it is lost', async ({ page }) => {
    await openForm(page);
    await page.getByLabel('Cohort name').fill('Writing');
    await page.getByRole('link', { name: 'Cancel' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await expect(page.getByLabel('Cohort name')).toHaveValue('Writing');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Leave without saving' }).click();

    await expect(page).toHaveURL('/cohorts');
    await openReady(page, '/cohorts/new');
    await page.getByLabel('Time zone').selectOption('Europe/Paris');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await page.getByLabel('Time zone').selectOption('Asia/Kolkata');
    await page.getByRole('checkbox', { name: /^Offer free places/ }).uncheck();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(dialog).toBeVisible();
  });

  test.describe('whose answer is lost', () => {
    test.use({ expectedErrors: [/ERR_FAILED|Network/] });

    test('is created once', async ({ page }) => {
      await openForm(page);
      await fillIn(page);
      await loseNextAnswer(page, '**/cohorts/');
      await page.getByRole('button', { name: 'Create draft' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();

      await page.waitForURL(/\/cohorts\/[\w-]{36}$/);
      expect(await cohortsOf(page)).toHaveLength(1);
    });
  });

  test.describe('while the session ends', () => {
    test.use({ expectedErrors: [/status of 40[13]|^Unauthorized access/] });

    test('comes back after a new login', async ({ page }) => {
      await openForm(page);
      await fillIn(page);
      await page.getByRole('checkbox', { name: /^Offer free places/ }).uncheck();
      await page.getByLabel('Time zone').selectOption('Europe/Paris');
      await comeBackAfter(page, 'Create draft');

      await openReady(page, '/cohorts/new');
      await expect(page.getByLabel('Cohort name')).toHaveValue('Writing');
      await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Paris');
      await expect(page.getByRole('checkbox', { name: /^Offer free places/ })).not.toBeChecked();
    });
  });
});

async function openForm(page: Page): Promise<void> {
  await signInWith(page, [biology]);
  await openReady(page, '/cohorts/new');
}

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Cohort name').fill('Writing');
  await page.getByLabel('First day').fill('2027-01-04');
  await page.getByLabel('Last day').fill('2027-02-12');
}

async function cohortsOf(page: Page): Promise<unknown[]> {
  const { id } = await selectedCourse(page);
  return (await askApi(page, 'GET', `/api/courses/${id}/cohorts/`)) as unknown[];
}
