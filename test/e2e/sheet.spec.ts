import type { Page } from '@playwright/test';
import { biology, boxOf, keepSidebar, sidebarCookieOf, sidebarOf } from './shell.ts';
import { expect, openReady, signInWith, test } from './support.ts';

test.describe('the sheet on a phone', () => {
  test.use({ viewport: { width: 375, height: 700 } });

  test('is on the left, 18rem wide, with full labels, and stays within a narrow window', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await keepSidebar(page, false);
    await openReady(page);
    await expect(sidebarOf(page)).toHaveCount(0);
    await openSheet(page);
    await expect(sidebarOf(page).getByText('Cohorts')).toBeVisible();
    await expect(sidebarOf(page).getByText('Ada Lovelace')).toBeVisible();
    // A strip of the page stays free to click on.
    await page.setViewportSize({ width: 320, height: 568 });
    await page.mouse.click(310, 300);
    await expectClosed(page);
  });

  test('traps the focus in both directions; Escape and a click outside close it, and nothing else happens', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await openSheet(page);
    const isFocusInSheet = () =>
      page.evaluate(() => document.activeElement?.closest('aside') !== null);
    await expect.poll(isFocusInSheet).toBe(true);
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let press = 0; press < 12; press += 1) {
        await page.keyboard.press(key);
        expect(await isFocusInSheet(), `${key} ${press + 1}`).toBe(true);
      }
    }
    await page.keyboard.press('Escape');
    await expectClosed(page);
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
    // The logout button is below the pointer.
    const behind = page.getByRole('main').getByRole('button', { name: 'Log out' });
    const box = (await behind.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await openSheet(page);
    await page.mouse.click(box.x + box.width - 4, box.y + box.height / 2);
    await expectClosed(page);
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();

    await page.keyboard.press('Control+b');
    await expect.poll(() => boxOf(page, 'aside')).toEqual({ x: 0, width: 288 });
    await page.keyboard.press('Control+b');
    await expectClosed(page);
    expect(await sidebarCookieOf(page)).toBeUndefined();
  });

  test('closes when one of its links is followed, the browser goes back or the window grows', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await openSheet(page);
    await sidebarOf(page).getByRole('link', { name: 'Cohorts' }).click();
    await expect(page.getByRole('heading', { name: 'Cohorts', exact: true })).toBeVisible();
    await expectClosed(page);
    await openSheet(page);
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible();
    await expectClosed(page);

    await openSheet(page);
    await page.setViewportSize({ width: 768, height: 700 });
    await expect.poll(() => boxOf(page, 'aside')).toEqual({ x: 0, width: 256 });
    await expect(page.locator('[inert]')).toHaveCount(0);
  });

  test('is opened from a header that names the course and leads to the account', async ({
    page,
  }) => {
    await signInWith(page, [{ ...biology, name: 'Biology for People Who Want to Know It All' }]);
    await openReady(page);
    const header = page.getByRole('banner');
    const name = header.getByText('Biology for People');
    expect(await name.evaluate((text) => text.scrollWidth > text.clientWidth)).toBe(true);
    await expect(header.getByRole('button', { name: 'Menu' })).toBeVisible();
    // It stays above the page, also for the pointer.
    await page.mouse.wheel(0, 400);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300);
    expect(await header.boundingBox()).toMatchObject({ x: 0, y: 0, height: 56 });
    await header.getByRole('link', { name: 'Your account' }).click();
    await expect(page).toHaveURL('/settings');
  });
});

async function openSheet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect.poll(() => boxOf(page, 'aside')).toEqual({ x: 0, width: 288 });
  // The link that skips to the page, and the page.
  await expect(page.locator('[inert]')).toHaveCount(2);
}

async function expectClosed(page: Page): Promise<void> {
  await expect(sidebarOf(page)).toHaveCount(0);
  await expect(page.locator('[inert]')).toHaveCount(0);
}
