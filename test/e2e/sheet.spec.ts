import type { Page } from '@playwright/test';
import { biology, boxOf, keepSidebar, sidebarCookieOf, sidebarOf, toggleOf } from './shell.ts';
import { expect, openReady, signInWith, test } from './support.ts';

test.describe('the sheet on a phone', () => {
  test.use({ viewport: { width: 375, height: 700 } });

  async function openSheet(page: Page, path = '/'): Promise<void> {
    await openReady(page, path);
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect.poll(() => boxOf(page, 'aside')).toEqual({ x: 0, width: 288 });
  }

  function isFocusInSheet(page: Page): Promise<boolean> {
    return page.evaluate(() => document.activeElement?.closest('aside') !== null);
  }

  function inertCount(page: Page): Promise<number> {
    return page.evaluate(() => document.querySelectorAll('[inert]').length);
  }

  test('slides in from the left, 18rem wide, with full labels', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await signInWith(page, [biology]);
    await keepSidebar(page, false);
    await openReady(page);
    await expect(sidebarOf(page)).toHaveCount(0);
    await page.evaluate(() => {
      const edges: number[] = [];
      Object.assign(window, { edges });
      const sheet = document.querySelector('aside');
      requestAnimationFrame(function look() {
        edges.push(sheet?.getBoundingClientRect().right ?? 0);
        requestAnimationFrame(look);
      });
    });
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect.poll(() => boxOf(page, 'aside')).toEqual({ x: 0, width: 288 });
    await expect(sidebarOf(page).getByText('Cohorts')).toBeVisible();
    await expect(sidebarOf(page).getByText('Ada Lovelace')).toBeVisible();

    const edges = await page.evaluate(() => (window as unknown as { edges: number[] }).edges);
    expect(edges.filter((right) => right > 0 && right < 288)).not.toEqual([]);
  });

  test('traps the focus in both directions', async ({ page }) => {
    await signInWith(page, [biology]);
    await openSheet(page);
    await expect.poll(() => isFocusInSheet(page)).toBe(true);
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let press = 0; press < 12; press += 1) {
        await page.keyboard.press(key);
        const focused = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 90));
        expect(await isFocusInSheet(page), `${key} ${press + 1}: ${focused}`).toBe(true);
      }
    }
  });

  test('closes with Escape, and the menu button has the focus again', async ({ page }) => {
    await signInWith(page, [biology]);
    await openSheet(page);
    await expect.poll(() => isFocusInSheet(page)).toBe(true);
    await page.keyboard.press('Escape');

    await expect(sidebarOf(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
    expect(await inertCount(page)).toBe(0);
  });

  test('closes with a click outside, and nothing else happens', async ({ page }) => {
    await signInWith(page, [biology]);
    await openSheet(page);
    // The logout button is below the pointer.
    const behind = await page
      .locator('main')
      .getByRole('button', { name: 'Log out' })
      .boundingBox();
    await page.mouse.click(350, behind?.y ?? 0);

    await expect(sidebarOf(page)).toHaveCount(0);
    await expect(page).toHaveURL('/');
    expect(await inertCount(page)).toBe(0);
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
  });

  test('is opened from a header that names the course and leads to the account', async ({
    page,
  }) => {
    await signInWith(page, [{ ...biology, name: 'Biology for People Who Want to Know It All' }]);
    await openReady(page);
    const header = page.getByRole('banner');
    const name = header.getByText('Biology for People');
    expect(await name.evaluate((text) => text.scrollWidth > text.clientWidth)).toBe(true);
    const parts = [
      header.getByRole('button', { name: 'Menu' }),
      header.locator('.tile'),
      name,
      header.getByRole('link', { name: 'Your account' }),
    ];
    const middles = await Promise.all(
      parts.map(async (part) => {
        const box = await part.boundingBox();
        return Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2);
      }),
    );
    expect(new Set(middles)).toEqual(new Set([28]));
    // It stays above the page, also for the pointer.
    await page.mouse.wheel(0, 400);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300);
    expect(await header.boundingBox()).toMatchObject({ x: 0, y: 0, height: 56 });
    await header.getByRole('link', { name: 'Your account' }).click();

    await expect(page).toHaveURL('/settings');
  });

  test('closes when one of its links is followed', async ({ page }) => {
    await signInWith(page, [biology]);
    await openSheet(page);
    await sidebarOf(page).getByRole('link', { name: 'Cohorts' }).click();

    await expect(page.getByRole('heading', { name: 'Cohorts', exact: true })).toBeVisible();
    await expect(sidebarOf(page)).toHaveCount(0);
    expect(await inertCount(page)).toBe(0);
  });

  test('closes when its user menu leads to another page', async ({ page }) => {
    await signInWith(page, [biology]);
    await openSheet(page);
    await page.getByRole('button', { name: /^Your account:? Ada Lovelace/ }).click();
    await page.getByRole('link', { name: 'Billing' }).click();

    await expect(page).toHaveURL('/settings/billing');
    await expect(sidebarOf(page)).toHaveCount(0);
    expect(await inertCount(page)).toBe(0);
  });

  test('closes when the browser goes back', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await page.getByRole('button', { name: 'Menu' }).click();
    await sidebarOf(page).getByRole('link', { name: 'Cohorts' }).click();
    await expect(page.getByRole('heading', { name: 'Cohorts', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(sidebarOf(page)).toBeVisible();
    await page.goBack();

    await expect(page.getByText('Welcome, Ada')).toBeVisible();
    await expect(sidebarOf(page)).toHaveCount(0);
    expect(await inertCount(page)).toBe(0);
  });

  test('opens and closes with ctrl + b, which does not change the desktop sidebar', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await page.keyboard.press('Control+b');
    await expect.poll(() => boxOf(page, 'aside')).toEqual({ x: 0, width: 288 });
    await page.keyboard.press('Control+b');
    await expect(sidebarOf(page)).toHaveCount(0);
    expect(await inertCount(page)).toBe(0);

    expect(await sidebarCookieOf(page)).toBeUndefined();
  });

  test('can be opened again after each way of closing it', async ({ page }) => {
    await signInWith(page, [biology]);
    await openSheet(page);
    await page.keyboard.press('Escape');
    await expect(sidebarOf(page)).toHaveCount(0);
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect.poll(() => boxOf(page, 'aside')).toEqual({ x: 0, width: 288 });
    await page.mouse.click(350, 600);
    await expect(sidebarOf(page)).toHaveCount(0);
    await page.getByRole('button', { name: 'Menu' }).click();

    await expect.poll(() => boxOf(page, 'aside')).toEqual({ x: 0, width: 288 });
    expect(await isFocusInSheet(page)).toBe(true);
  });

  test('leaves nothing inert when the window grows to desktop size', async ({ page }) => {
    await signInWith(page, [biology]);
    await openSheet(page);
    await page.setViewportSize({ width: 768, height: 700 });

    await expect.poll(() => boxOf(page, 'aside')).toEqual({ x: 0, width: 256 });
    await expect.poll(() => inertCount(page)).toBe(0);
    await page.getByRole('button', { name: 'Log out' }).focus();
    await expect(page.getByRole('button', { name: 'Log out' })).toBeFocused();
    await toggleOf(page).click();
    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 48 });
    await page.setViewportSize({ width: 375, height: 700 });
    await expect(sidebarOf(page)).toHaveCount(0);
  });

  test('stays within a narrow window', async ({ page }) => {
    await signInWith(page, [biology]);
    await page.setViewportSize({ width: 320, height: 568 });
    await openReady(page);
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect.poll(async () => (await boxOf(page, 'aside'))?.x).toBe(0);

    // A strip of the page stays free to click on.
    expect((await boxOf(page, 'aside'))?.width).toBeLessThanOrEqual(288);
    await page.mouse.click(310, 300);
    await expect(sidebarOf(page)).toHaveCount(0);
  });

  test('does not slide for users who prefer reduced motion', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await page.getByRole('button', { name: 'Menu' }).click();

    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 288 });
  });
});
