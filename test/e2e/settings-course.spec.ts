import type { Locator, Page } from '@playwright/test';
import { triggerOf } from './courses.ts';
import { biology, openSettings, section } from './settings.ts';
import { askApi, expect, test } from './support.ts';

test('a course is duplicated, and deleted after typing its name, tags and odd spaces included; the last one leads to a first one', async ({
  page,
}) => {
  const name = 'the <b>Été</b>\u00a0tag and <0>zero</0> $& {0} &amp; \\u0041';
  await openSettings(page, [{ ...biology, name }]);
  await page.getByRole('button', { name: 'Duplicate…' }).click();
  const copy = page.getByRole('dialog', { name: 'Duplicate this course' });
  await expect(copy.getByLabel('Course name')).toHaveValue(`${name} (copy)`);
  await copy.getByLabel('Course name').fill('W'.repeat(254));
  await copy.getByRole('button', { name: 'Duplicate course' }).click();
  await expect(page.getByText('Course duplicated and selected.')).toBeVisible();
  await expect(copy).toBeHidden();
  await expect(triggerOf(page, 'WWW')).toBeVisible();
  await triggerOf(page).click();
  await page.getByRole('option', { name: /^the/ }).click();
  await expect(section(page, 'Course settings').locator('.settings-head')).toContainText(name);

  const dialog = await openDeleteCourse(page);
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

  await expect(triggerOf(page, 'WWW')).toBeVisible();
  expect(await askApi(page, 'GET', '/api/courses/')).toHaveLength(1);
  await page.setViewportSize({ width: 320, height: 640 });
  await openDeleteCourse(page);
  await typed.fill('W'.repeat(254));
  await expect(submit).toBeInViewport({ ratio: 1 });
  // It scrolls inside its rounded corners.
  await expect(dialog).toHaveCSS('overflow', 'hidden');
  await submit.click();
  await expect(page).toHaveURL('/onboarding/course');
});

async function openDeleteCourse(page: Page): Promise<Locator> {
  await section(page, 'Delete this course').getByRole('button').click();
  return page.getByRole('dialog', { name: 'Delete this course?' });
}
