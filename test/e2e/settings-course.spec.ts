import type { Locator, Page } from '@playwright/test';
import { biology, openSettings, section, watercolors } from './settings.ts';
import { askApi, expect, test } from './support.ts';

test.describe('the course', () => {
  test('has a name of 3 to 254 characters, with errors at its field; it gets a new name and type everywhere immediately', async ({
    page,
  }) => {
    await openSettings(page, [watercolors, biology]);
    const settings = section(page, 'Name and type');
    const name = settings.getByLabel('Course name');
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
    await expect(settings.getByText('Groups learn together, with fixed start')).toBeVisible();
    await expect(settings.getByText('start at any time and go at their own pace')).toBeVisible();
    await name.fill('Biology 102');
    await settings.getByRole('radio', { name: /^Evergreen/ }).check();
    await settings.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Course saved.')).toBeVisible();
    await expect(headOf(page)).toHaveText(/Biology 102$/);
    await expect(courseTrigger(page)).toHaveAccessibleName(/Biology 102/);
    await expect(courseTrigger(page)).toContainText('Evergreen');
    await page.getByRole('link', { name: 'Cohorts' }).click();
    await expect(page.getByText('Not open yet')).toBeVisible();

    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(name).toHaveValue('Biology 102');
    await courseTrigger(page).click();
    await page.getByRole('option', { name: 'Watercolors' }).click();
    await expect(headOf(page)).toHaveText(/Watercolors$/);
    await expect(name).toHaveValue('Watercolors');
  });

  test('is deleted after typing its name, tags and odd spaces included; the last one leads to a first one', async ({
    page,
  }) => {
    const name = 'the <b>Été</b>\u00a0tag and <0>zero</0> $& {0} &amp; \\u0041';
    await openSettings(page, [
      { ...biology, name: 'W'.repeat(254) },
      { ...biology, name },
    ]);
    const dialog = await openDeleteCourse(page);
    await expect(headOf(page)).toContainText(name);
    await expect(dialog.locator('.thing')).toContainText(name);
    await expect(dialog.locator('label')).toHaveText(`Type ${name} to confirm`);
    const typed = dialog.getByRole('textbox');
    const submit = dialog.getByRole('button', { name: 'Delete this course' });
    await expect(typed).toBeFocused();
    await typed.fill(name.replaceAll(/<\/?\w>/g, ''));
    await expect(submit).toBeDisabled();
    await typed.press('Enter');
    await expect(typed).toHaveAccessibleDescription(/This doesn’t match$/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(section(page, 'Delete this course').getByRole('button')).toBeFocused();
    await openDeleteCourse(page);
    // Looks the same: keyboards have one kind of space.
    await typed.fill(name.replace('\u00a0', '  ').replaceAll('é', 'e\u0301'));
    await expect(submit).toBeEnabled();
    await typed.press('Enter');
    await expect(page.getByText('Course deleted.')).toBeVisible();
    await expect(dialog).toBeHidden();

    await expect(courseTrigger(page)).toHaveAccessibleName(/WWW/);
    expect(await askApi(page, 'GET', '/api/courses/')).toHaveLength(1);
    await page.setViewportSize({ width: 320, height: 640 });
    await openDeleteCourse(page);
    await typed.fill('W'.repeat(254));
    await expect(submit).toBeInViewport({ ratio: 1 });
    await submit.click();
    await expect(page).toHaveURL('/onboarding/course');
  });
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
