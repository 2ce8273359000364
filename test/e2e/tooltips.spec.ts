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
    await page.mouse.move(640, 600);
    await page.clock.pauseAt(Date.now() + 60_000);
  }

  /** A spot without a tooltip. */
  async function leave(page: Page): Promise<void> {
    await page.mouse.move(640, 600);
  }

  const toggleTip = 'Open or close the sidebar (Ctrl or ⌘ + B)';

  test('wait 700 ms', async ({ page }) => {
    await openStill(page, true);
    const tip = page.getByRole('tooltip');
    await toggleOf(page).hover();
    await page.clock.runFor(699);
    await expect(tip).toHaveCount(0);
    await page.clock.runFor(1);

    await expect(tip).toHaveText(toggleTip);
    await leave(page);
    await expect(tip).toHaveCount(0);
  });

  test('never appear where the pointer only passes', async ({ page }) => {
    await openStill(page, true);
    await toggleOf(page).hover();
    await page.clock.runFor(699);
    await leave(page);
    await page.clock.runFor(5000);

    await expect(page.getByRole('tooltip')).toHaveCount(0);
  });

  test('appear without delay within 300 ms of the last one', async ({ page }) => {
    await openStill(page, true);
    const tip = page.getByRole('tooltip');
    await toggleOf(page).hover();
    await page.clock.runFor(700);
    await expect(tip).toHaveText(toggleTip);
    await leave(page);
    await expect(tip).toHaveCount(0);
    await page.clock.runFor(298);
    await toggleOf(page).hover();
    await page.clock.runFor(1);
    await expect(tip).toHaveText(toggleTip);

    await leave(page);
    await expect(tip).toHaveCount(0);
    await page.clock.runFor(300);
    await toggleOf(page).hover();
    await page.clock.runFor(699);
    await expect(tip).toHaveCount(0);
    await page.clock.runFor(1);
    await expect(tip).toHaveText(toggleTip);
  });

  test('appear without delay in the collapsed sidebar, one after the other', async ({ page }) => {
    await openStill(page, false);
    const tip = page.getByRole('tooltip');
    for (const name of ['Home', 'Cohorts', 'Payments', 'Settings']) {
      await sidebarOf(page).getByRole('link', { name, exact: true }).hover();
      await page.clock.runFor(1);
      await expect(tip).toHaveText(name);
    }
    await page.getByRole('button', { name: /^Course:? Biology 101/ }).hover();
    await page.clock.runFor(1);
    await expect(tip).toHaveText('Biology 101 (Ctrl or ⌘ + K)');
    await page.getByRole('button', { name: /^Your account:? Ada Lovelace/ }).hover();
    await page.clock.runFor(1);
    await expect(tip).toHaveText('Ada Lovelace');
    // The tooltip is next to its element.
    const box = await tip.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(40);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(640);
  });

  test('repeat no visible label in the open sidebar', async ({ page }) => {
    await openStill(page, true);
    await sidebarOf(page).getByRole('link', { name: 'Cohorts' }).hover();
    await page.clock.runFor(1000);

    await expect(page.getByRole('tooltip')).toHaveCount(0);
  });

  test('appear for the keyboard too, and close with Escape', async ({ page }) => {
    await openStill(page, false);
    const tip = page.getByRole('tooltip');
    await page.getByRole('button', { name: /^Course:? Biology 101/ }).focus();
    await page.keyboard.press('Tab');
    await expect(sidebarOf(page).getByRole('link', { name: 'Home', exact: true })).toBeFocused();
    await page.clock.runFor(1);
    await expect(tip).toHaveText('Home');
    await page.keyboard.press('Tab');
    await page.clock.runFor(1);
    await expect(tip).toHaveText('Cohorts');

    await page.keyboard.press('Escape');
    await expect(tip).toHaveCount(0);
    await page.clock.runFor(1000);
    await expect(tip).toHaveCount(0);
  });

  test('stay while the pointer rests on them, and close with a press', async ({ page }) => {
    await openStill(page, false);
    const tip = page.getByRole('tooltip');
    await sidebarOf(page).getByRole('link', { name: 'Payments' }).hover();
    await page.clock.runFor(1);
    await tip.hover();
    await page.clock.runFor(1000);
    await expect(tip).toHaveText('Payments');

    await toggleOf(page).hover();
    await page.mouse.down();
    await page.clock.runFor(1000);
    await expect(tip).toHaveCount(0);
    await page.mouse.up();
  });

  test('disappear with what they belong to', async ({ page }) => {
    await openStill(page, false);
    const tip = page.getByRole('tooltip');
    await page.getByRole('button', { name: /^Your account:? Ada Lovelace/ }).hover();
    await page.clock.runFor(1);
    await expect(tip).toHaveText('Ada Lovelace');
    // The sidebar is gone, and the pointer is outside the window, so that no event reports it.
    await page.setViewportSize({ width: 360, height: 480 });

    await expect(tip).toHaveCount(0);
  });
});
