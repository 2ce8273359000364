import type { Locator, Page } from '@playwright/test';
import { connectionLost, toastOn } from './forms.ts';
import { openSettings, section } from './settings.ts';
import { expect, openReady, test } from './support.ts';

test.describe('a toast', () => {
  test('says by its sign and its words whether something was done', async ({ page }) => {
    await openSettings(page);
    await saveName(page);

    await expect(toastOn(page)).toHaveText('Name saved.');
    await expect(toastOn(page)).toHaveAttribute('data-kind', 'done');
    await expect(toastOn(page).locator('.icon-check-circle')).toBeVisible();
  });

  test('joins those that are there, the newest at the bottom, three at most', async ({ page }) => {
    await openSettings(page);
    await saveName(page);
    await expect(toastOn(page)).toHaveCount(1);
    await page.locator('.toasts').hover();
    await saveCourse(page);
    await expect(toastOn(page)).toHaveText(['Name saved.', 'Course saved.']);
    const [first, second] = await Promise.all([0, 1].map((at) => topOf(page, at)));
    expect(second).toBeGreaterThan(first ?? 0);

    for (const count of [2, 3]) {
      await saveCourse(page);
      await expect(toastOn(page).filter({ hasText: 'Course saved.' })).toHaveCount(count);
    }
    await expect(toastOn(page)).toHaveCount(3);
  });

  test('stays while the pointer or the focus is on it, and then goes', async ({ page }) => {
    await page.clock.install();
    await openSettings(page);
    await saveName(page);
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

  test('is announced politely, and its button closes only it', async ({ page }) => {
    await openSettings(page);
    await saveName(page);
    await page.locator('.toasts').hover();
    await saveCourse(page);
    await expect(page.getByRole('status').filter({ has: page.locator('.toasts') })).toContainText(
      'Name saved.',
    );
    // The new one moves the others up.
    await expect(toastOn(page)).toHaveCount(2);
    await toastOn(page).first().getByRole('button', { name: 'Close' }).click();

    await expect(toastOn(page)).toHaveText(['Course saved.']);
  });
});

test.describe('a failure', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

  test('has another sign, and begins with what happened', async ({ page, context }) => {
    await openReady(page, '/login');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Français' }).click();

    await expect(toastOn(page)).toHaveText(connectionLost);
    await expect(toastOn(page)).toHaveAttribute('data-kind', 'failed');
    await expect(toastOn(page).locator('.icon-cross-circle')).toBeVisible();
    await expect(toastOn(page).locator('strong')).toHaveText('We couldn’t reach Lectern.');
  });
});

async function saveName(page: Page): Promise<void> {
  await addLetter(section(page, 'Profile').getByLabel('First name'));
}

async function saveCourse(page: Page): Promise<void> {
  await addLetter(section(page, 'Name and type').getByLabel('Course name'));
}

/** Only a changed form is saved. */
async function addLetter(field: Locator): Promise<void> {
  await field.fill(`${await field.inputValue()}a`);
  await field.press('Enter');
}

async function topOf(page: Page, at: number): Promise<number> {
  return (await toastOn(page).nth(at).boundingBox())?.y ?? 0;
}
