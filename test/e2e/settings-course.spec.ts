import type { Locator, Page } from '@playwright/test';
import { algebra, biology, openSettings, section, watercolors } from './settings.ts';
import { askApi, expect, signInWith, test } from './support.ts';

test.describe('the course', () => {
  test('gets a new name everywhere immediately', async ({ page }) => {
    await openSettings(page, [watercolors, biology]);
    const settings = section(page, 'Name and type');
    await settings.getByLabel('Course name').fill('Biology 102');
    await settings.getByRole('button', { name: 'Save' }).click();

    await expect(page.getByText('Course saved.')).toBeVisible();
    await expect(headOf(page)).toHaveText(/Biology 102$/);
    await expect(courseTrigger(page)).toHaveAccessibleName(/Biology 102/);
    await expect(settings.getByLabel('Course name')).toHaveValue('Biology 102');
    await expect(settings.getByRole('radio', { name: /^Cohort/ })).toBeChecked();
  });

  test('gets a new type, which the other pages show', async ({ page }) => {
    await openSettings(page, [biology]);
    await page.getByRole('link', { name: 'Cohorts' }).click();
    await expect(page.getByRole('heading', { name: 'No cohorts yet.' })).toBeVisible();
    await page.getByRole('link', { name: 'Settings' }).click();
    const settings = section(page, 'Name and type');
    await settings.getByRole('radio', { name: /^Evergreen/ }).check();
    await settings.getByRole('button', { name: 'Save' }).click();
    await expect(courseTrigger(page)).toContainText('Evergreen');
    await page.getByRole('link', { name: 'Cohorts' }).click();

    await expect(page.getByText('This is an evergreen course, so')).toBeVisible();
  });

  test('has a name of 3 to 254 characters, with errors at its field', async ({ page }) => {
    await openSettings(page);
    const name = section(page, 'Name and type').getByLabel('Course name');
    for (const [typed, message] of [
      ['', 'Course name is required'],
      ['ab', 'Course name must be at least 3 characters'],
      ['a'.repeat(255), 'Course name must be less than 255 characters'],
    ] as const) {
      await name.fill(typed);
      await name.press('Enter');
      await expect(name).toHaveAccessibleDescription(message);
      await expect(name).toHaveValue(typed);
    }
    await name.fill('a'.repeat(254));
    await name.press('Enter');
    await expect(page.getByText('Course saved.')).toBeVisible();
  });

  test('shows the selected course in its settings after a switch', async ({ page }) => {
    await openSettings(page, [watercolors, biology]);
    const name = section(page, 'Name and type').getByLabel('Course name');
    await expect(name).toHaveValue('Biology 101');
    await courseTrigger(page).click();
    await page.getByRole('option', { name: 'Watercolors' }).click();

    await expect(headOf(page)).toHaveText(/Watercolors$/);
    await expect(name).toHaveValue('Watercolors');
    await expect(page.getByRole('radio', { name: /^Evergreen/ }).first()).toBeChecked();
  });

  test('is deleted after typing its name, and the oldest remaining one is selected', async ({
    page,
  }) => {
    await openSettings(page, [watercolors, algebra, biology]);
    const dialog = await openDeleteCourse(page);
    await expect(dialog.locator('.thing')).toContainText(/^Biology 101Cohort, created .+ 20\d\d$/);
    const typed = dialog.getByLabel('Type Biology 101 to confirm');
    const submit = dialog.getByRole('button', { name: 'Delete this course' });
    await expect(typed).toBeFocused();
    await expect(submit).toBeDisabled();
    await typed.fill('Watercolors');
    await expect(submit).toBeDisabled();
    await typed.press('Enter');
    await expect(typed).toHaveAccessibleDescription(/This doesn’t match$/);
    await expect(typed).toHaveValue('Watercolors');
    await expect(courseTrigger(page)).toHaveAccessibleName(/Biology 101/);
    await typed.fill('Biology 101');
    await submit.click();

    await expect(page.getByText('Course deleted.')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(courseTrigger(page)).toHaveAccessibleName(/Watercolors/);
    await expect(headOf(page)).toHaveText(/Watercolors$/);
    const nextDialog = await openDeleteCourse(page);
    await expect(nextDialog.getByLabel('Type Watercolors to confirm')).toHaveValue('');
    expect(await askApi(page, 'GET', '/api/courses/')).toMatchObject([watercolors, algebra]);
  });

  test('with tags and odd spaces in its name shows that name, and is deleted after typing it', async ({
    page,
  }) => {
    const name = 'the <b>bold</b>\u00a0tag and <0>zero</0> $& {0} &amp; \\u0041';
    await openSettings(page, [{ ...biology, name }]);
    await expect(headOf(page)).toContainText(name);
    const dialog = await openDeleteCourse(page);
    await expect(dialog.locator('.thing')).toContainText(name);
    await expect(dialog.locator('label')).toHaveText(`Type ${name} to confirm`);
    const typed = dialog.getByRole('textbox');
    await typed.fill(name.replaceAll(/<\/?\w>/g, ''));
    await typed.press('Enter');
    await expect(typed).toHaveAccessibleDescription(/This doesn’t match$/);
    // Keyboards have one kind of space.
    await typed.fill(name.replace('\u00a0', ' '));
    await typed.press('Enter');

    await expect(page).toHaveURL('/onboarding/course');
  });

  test('if it was the last one, leads to a first one', async ({ page }) => {
    await openSettings(page, [biology]);
    const dialog = await openDeleteCourse(page);
    await dialog.getByLabel('Type Biology 101 to confirm').fill('Biology 101');
    await dialog.getByLabel('Type Biology 101 to confirm').press('Enter');

    await expect(page).toHaveURL('/onboarding/course');
    await expect(page.getByRole('heading', { name: 'Create your first course' })).toBeVisible();
    await page.goto('/settings');
    await expect(page).toHaveURL('/onboarding/course');
  });
});

test('billing says what is coming, with nothing to press', async ({ page }) => {
  await signInWith(page, [biology]);
  await page.goto('/settings/billing');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'Billing', level: 1 })).toBeVisible();
  await expect(main.getByText('Coming soon')).toBeVisible();
  await expect(main.getByText('Lectern is free today')).toBeVisible();
  const controls = main.locator('a, button, input, select, textarea, [tabindex]');
  await expect(controls).toHaveCount(0);
  await expect(page).toHaveTitle('Billing · Lectern');
});

test('terms and privacy are one link from the login page, and lead back', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'terms of use' }).click();
  await expect(page).toHaveURL('/terms');
  await expect(page.getByRole('heading', { name: 'Terms of use', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'How we handle your data' }).click();
  await expect(page).toHaveURL('/privacy');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/terms');
  await page.goBack();
  await expect(page).toHaveURL('/login');
  await page.getByRole('link', { name: 'privacy page' }).click();
  await expect(page).toHaveURL('/privacy');
  await page.getByRole('link', { name: 'Go to home' }).click();

  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
});

/** The title of the course's settings, and its name. */
function headOf(page: Page): Locator {
  return section(page, 'Course settings').locator('.settings-head');
}

function courseTrigger(page: Page): Locator {
  return page.getByRole('button', { name: /^Course\b/ });
}

async function openDeleteCourse(page: Page): Promise<Locator> {
  await section(page, 'Delete this course').getByRole('button').click();
  return page.getByRole('dialog', { name: 'Delete this course?' });
}
