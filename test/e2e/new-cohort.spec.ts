import type { Page } from '@playwright/test';
import { comeBackAfter, selectedCourse } from './cohorts.ts';
import { biology } from './settings.ts';
import { askApi, expect, loseNextAnswer, openReady, signInWith, test } from './support.ts';

// The browser calls its zone by an old name.
test.use({ timezoneId: 'Asia/Calcutta' });

test.describe('a new cohort', () => {
  test('is created as a draft; the form warns of another zone than the browser’s, and nothing moves', async ({
    page,
  }) => {
    await openForm(page);
    const zone = page.getByLabel('Time zone');
    await expect(zone).toHaveValue('Asia/Kolkata');
    await expect(zone.locator('option').filter({ hasText: 'Kolkata' })).toHaveCount(1);
    await expect(page.getByText(/^It’s \d+:\d\d [AP]M there now\./)).toBeVisible();
    await page.getByLabel('First day').fill('2027-01-04');
    await expect(page.getByLabel('Cohort name')).toHaveValue('January 2027');
    await page.getByLabel('Last day').fill('2027-02-12');
    await page.getByLabel('Places', { exact: true }).fill('20');
    const warning = page.getByText('Your own time zone is Kolkata.');
    await expect(warning).toBeHidden();
    const below = page.getByLabel('Places', { exact: true });
    const place = await below.boundingBox();
    await zone.selectOption({ label: 'Vancouver' });
    await expect(warning).toBeVisible();
    expect(await below.boundingBox()).toEqual(place);
    await page.getByRole('checkbox', { name: /^Offer free places/ }).uncheck();
    await page.getByRole('radio', { name: /^By invitation/ }).check();
    const preview = page.locator('.cohort-preview');
    await expect(preview).toContainText('Biology 101January 2027');
    await expect(preview).toContainText('Monday, January 4, 2027');
    await expect(preview).toContainText('20, without a waitlist');
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

  test('says what is wrong at each field, and loses nothing that was typed', async ({ page }) => {
    await openForm(page);
    const create = page.getByRole('button', { name: 'Create draft' });
    const name = page.getByLabel('Cohort name');
    const places = page.getByLabel('Places', { exact: true });
    await create.click();
    await expect(name).toHaveAccessibleDescription('Cohort name is required');
    await expect(name).toBeFocused();
    await expect(page.getByLabel('First day')).toHaveAccessibleDescription('Please choose a date');
    await name.fill('Writing');
    await page.getByLabel('First day').fill('2027-02-12');
    await page.getByLabel('Last day').fill('2027-01-04');
    await page.getByLabel('Time zone').selectOption('Europe/Paris');
    await page.getByRole('checkbox', { name: /^Offer free places/ }).uncheck();
    await create.click();
    await expect(page.getByLabel('Last day')).toHaveAccessibleDescription(
      'The last day cannot be before the first day',
    );
    await expect(page.getByLabel('Last day')).toBeFocused();
    await places.fill('1,5');
    await create.click();
    await expect(places).toHaveAccessibleDescription(
      /Please enter a number from 1 to 1,000, or leave it empty for no limit/,
    );
    await expect(name).toHaveValue('Writing');
    await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Paris');
    await expect(page.getByRole('checkbox', { name: /^Offer free places/ })).not.toBeChecked();
    expect(await cohortsOf(page)).toEqual([]);
  });

  test.describe('that is left, and whose session and first answer are lost', () => {
    test.use({ expectedErrors: [/status of 40[13]|^Unauthorized access|ERR_FAILED|Network/] });

    test('is asked about, comes back after a new login, and is created once, with a warning that it begins in the past', async ({
      page,
    }) => {
      await openForm(page);
      const name = page.getByLabel('Cohort name');
      const waitlist = page.getByRole('checkbox', { name: /^Offer free places/ });
      await name.fill('Writing');
      await page.getByLabel('First day').fill('2026-01-05');
      await page.getByLabel('Last day').fill('2026-02-12');
      await page.getByLabel('Time zone').selectOption('Europe/Paris');
      await waitlist.uncheck();
      await page.getByRole('link', { name: 'Cancel' }).click();
      const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
      await dialog.getByRole('button', { name: 'Stay' }).click();
      await comeBackAfter(page, 'Create draft');
      await openReady(page, '/cohorts/new');
      await expect(name).toHaveValue('Writing');
      await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Paris');
      await expect(waitlist).not.toBeChecked();

      await loseNextAnswer(page, '**/cohorts/');
      await page.getByRole('button', { name: 'Create draft' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
      await page.waitForURL(/\/cohorts\/[\w-]{36}$/);
      await expect(page.getByText('The first day is in the past.')).toBeVisible();
      expect(await cohortsOf(page)).toHaveLength(1);
    });
  });
});

async function openForm(page: Page): Promise<void> {
  await signInWith(page, [biology]);
  await openReady(page, '/cohorts/new');
}

async function cohortsOf(page: Page): Promise<unknown[]> {
  const { id } = await selectedCourse(page);
  return (await askApi(page, 'GET', `/api/courses/${id}/cohorts/`)) as unknown[];
}
