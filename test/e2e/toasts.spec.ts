import type { Locator, Page } from '@playwright/test';
import { toastOn } from './forms.ts';
import { openSettings, section } from './settings.ts';
import { expect, test } from './support.ts';

test('toasts of what was done are announced, three at most, the newest at the bottom, each with its button', async ({
  page,
}) => {
  await openSettings(page);
  await addLetter(section(page, 'Profile').getByLabel('First name'));
  await expect(toastOn(page)).toHaveText('Profile saved.');
  await expect(toastOn(page)).toHaveAttribute('data-kind', 'done');
  await expect(toastOn(page).locator('.icon-check-circle')).toBeVisible();
  await page.locator('.toasts').hover();
  await saveCourse(page);
  await expect(toastOn(page)).toHaveText(['Profile saved.', 'Course saved.']);
  await expect(page.getByRole('status').filter({ has: page.locator('.toasts') })).toContainText(
    'Profile saved.',
  );
  for (const count of [2, 3]) {
    await saveCourse(page);
    await expect(toastOn(page).filter({ hasText: 'Course saved.' })).toHaveCount(count);
  }
  await expect(toastOn(page)).toHaveCount(3);
  await toastOn(page).first().getByRole('button', { name: 'Close' }).click();
  await expect(toastOn(page)).toHaveCount(2);
});

test('a toast stays while the pointer or the focus is on it, and then goes', async ({ page }) => {
  await page.clock.install();
  await openSettings(page);
  await addLetter(section(page, 'Profile').getByLabel('First name'));
  await toastOn(page).hover();
  await page.clock.runFor(20_000);
  await expect(toastOn(page)).toBeVisible();
  await page.mouse.move(0, 0);
  await toastOn(page).getByRole('button', { name: 'Close' }).focus();
  await page.clock.runFor(20_000);
  await expect(toastOn(page)).toBeVisible();
  await page.getByLabel('First name').focus();
  await page.clock.runFor(7_000);

  await expect(toastOn(page)).toHaveCount(0);
});

async function saveCourse(page: Page): Promise<void> {
  await addLetter(section(page, 'Name and type').getByLabel('Course name'));
}

/** Only a changed form is saved. */
async function addLetter(field: Locator): Promise<void> {
  await field.fill(`${await field.inputValue()}a`);
  await field.press('Enter');
}
