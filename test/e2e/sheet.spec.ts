import type { Page } from '@playwright/test';
import { coverOf, dialogOf, listOf, openNewCourse, optionOf, triggerOf } from './courses.ts';
import { sidebarBox, sidebarCookieOf, sidebarOf } from './shell.ts';
import { expect, openReady, signInWith, test } from './support.ts';

test.use({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 700 } });

test('on a phone no keyboard covers the page, and the sidebar is a sheet that holds the focus and leaves nothing inert, however it closes', async ({
  page,
}) => {
  await openReady(page, '/signup');
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('body');

  const names = Array.from({ length: 8 }, (_, index) => `No. ${index}.`);
  await signInWith(
    page,
    names.map((name) => ({ name, course_type: 'cohort' })),
  );
  await openReady(page);
  const menu = page.getByRole('button', { name: 'Menu' });
  await expect(sidebarOf(page)).toHaveCount(0);
  await openSheet(page);
  await expect(sidebarOf(page).getByText('Cohorts')).toBeVisible();
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
  await expect(menu).toBeFocused();

  // The logout button is below the pointer.
  const behind = page.getByRole('main').getByRole('button', { name: 'Log out' });
  const { x = 0, y = 0, width = 0, height = 0 } = (await behind.boundingBox()) ?? {};
  await openSheet(page);
  await page.mouse.click(x + width - 4, y + height / 2);
  await expectClosed(page);
  await expect(page).toHaveURL('/');
  await expect(menu).toBeFocused();
  await page.keyboard.press('Control+b');
  await expect.poll(() => sidebarBox(page)).toEqual({ x: 0, width: 288 });
  await page.keyboard.press('Control+b');
  await expectClosed(page);
  expect(await sidebarCookieOf(page)).toBeUndefined();

  await openSheet(page);
  await sidebarOf(page).getByRole('link', { name: 'Cohorts' }).click();
  await expect(page.getByRole('heading', { name: 'Cohorts', exact: true })).toBeVisible();
  await expectClosed(page);
  await openSheet(page);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible();
  await expectClosed(page);

  await page.keyboard.press('Control+k');
  await expect(page.getByRole('searchbox', { name: 'Find a course' })).toBeVisible();
  await expect(optionOf(page, 'No. 7')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(listOf(page)).toBeHidden();
  await expect(triggerOf(page, 'No. 7')).toBeFocused();
  await openNewCourse(page);
  await page.keyboard.press('Escape');
  await expect(dialogOf(page)).toBeHidden();
  await expectClosed(page);
  await expect(menu).toBeFocused();
  await menu.tap();
  await triggerOf(page).tap();
  await optionOf(page, 'No. 6').tap();
  await expect(coverOf(page, 'No. 6.')).toBeVisible();
  await expectClosed(page);
  await expect(page.getByRole('banner')).toContainText('No. 6.');
  await expect(menu).toBeFocused();

  await page.getByRole('banner').getByRole('link', { name: 'Your account' }).tap();
  await expect(page).toHaveURL('/settings');
  await openSheet(page);
  await page.setViewportSize({ width: 768, height: 700 });
  await expect.poll(() => sidebarBox(page)).toEqual({ x: 0, width: 256 });
  await expect(page.locator('[inert]')).toHaveCount(0);
});

async function openSheet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect.poll(() => sidebarBox(page)).toEqual({ x: 0, width: 288 });
  // The link that skips to the page, and the page.
  await expect(page.locator('[inert]')).toHaveCount(2);
}

async function expectClosed(page: Page): Promise<void> {
  await expect(sidebarOf(page)).toHaveCount(0);
  await expect(page.locator('[inert]')).toHaveCount(0);
}
