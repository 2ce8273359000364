import type { Page } from '@playwright/test';
import { biology, keepSidebar, sidebarOf, toggleOf } from './shell.ts';
import { expect, openReady, signInWith, test } from './support.ts';

test.describe('tooltips', () => {
  /** A page whose clock is paused until advanced. */
  async function openStill(page: Page, isSidebarOpen: boolean): Promise<void> {
    await signInWith(page, [biology]);
    await keepSidebar(page, isSidebarOpen);
    await page.clock.install();
    await openReady(page);
    await leave(page);
    await page.clock.pauseAt(Date.now() + 60_000);
  }

  /** A spot without a tooltip. */
  async function leave(page: Page): Promise<void> {
    await page.mouse.move(640, 600);
  }

  test('wait 700 ms, but appear immediately within 300 ms of the last one', async ({ page }) => {
    await openStill(page, true);
    const tip = page.getByRole('tooltip');
    // The pointer only passes.
    await toggleOf(page).hover();
    await page.clock.runFor(699);
    await leave(page);
    await page.clock.runFor(5000);
    await expect(tip).toHaveCount(0);

    await toggleOf(page).hover();
    await page.clock.runFor(699);
    await expect(tip).toHaveCount(0);
    await page.clock.runFor(1);
    await expect(tip).toHaveText('Open or close the sidebar (Ctrl or ⌘ + B)');
    await leave(page);
    await page.clock.runFor(298);
    await toggleOf(page).hover();
    await page.clock.runFor(1);
    await expect(tip).toBeVisible();

    // In the open sidebar, they would repeat what is visible.
    await sidebarOf(page).getByRole('link', { name: 'Cohorts' }).hover();
    await page.clock.runFor(1000);
    await expect(tip).toHaveCount(0);
  });

  test('appear immediately in the collapsed sidebar, for the keyboard too, and close with a press or Escape', async ({
    page,
  }) => {
    await openStill(page, false);
    const tip = page.getByRole('tooltip');
    for (const name of ['Home', 'Settings']) {
      await sidebarOf(page).getByRole('link', { name, exact: true }).hover();
      await page.clock.runFor(1);
      await expect(tip).toHaveText(name);
    }
    await tip.hover();
    await page.clock.runFor(1000);
    await expect(tip).toHaveText('Settings');
    await toggleOf(page).hover();
    await page.mouse.down();
    await page.clock.runFor(1000);
    await expect(tip).toHaveCount(0);
    await leave(page);
    await page.mouse.up();

    await page.getByRole('button', { name: /^Course:? Biology 101/ }).focus();
    for (const name of ['Home', 'Lessons', 'Cohorts']) {
      await page.keyboard.press('Tab');
      await expect(sidebarOf(page).getByRole('link', { name, exact: true })).toBeFocused();
      await page.clock.runFor(1);
      await expect(tip).toHaveText(name);
    }
    await page.keyboard.press('Escape');
    await expect(tip).toHaveCount(0);

    await page.getByRole('button', { name: /^Your account:? Ada Lovelace/ }).hover();
    await page.clock.runFor(1);
    await expect(tip).toBeVisible();
    // The sidebar is gone, and the pointer is outside the window, so that no event reports it.
    await page.setViewportSize({ width: 360, height: 480 });
    await expect(tip).toHaveCount(0);
  });
});
