import type { Page } from '@playwright/test';
import { triggerOf } from './courses.ts';
import { lookAsOwner } from './people.ts';
import { sidebarOf, toggleOf } from './shell.ts';
import { expect, openReady, test } from './support.ts';

test('tooltips wait 700 ms or follow the last one within 300 ms; in the collapsed sidebar they appear at once, for the keyboard too', {
  tag: '@night',
}, async ({ page }) => {
  await lookAsOwner(page);
  await page.clock.install();
  await openReady(page);
  await leave(page);
  await page.clock.pauseAt(Date.now() + 60_000);
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

  await toggleOf(page).click();
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

  await triggerOf(page).focus();
  for (const name of ['Home', 'Lessons', 'Cohorts']) {
    await page.keyboard.press('Tab');
    await expect(sidebarOf(page).getByRole('link', { name, exact: true })).toBeFocused();
    await page.clock.runFor(1);
    await expect(tip).toHaveText(name);
  }
  await page.keyboard.press('Escape');
  await expect(tip).toHaveCount(0);

  await page.getByRole('button', { name: /^Your account/ }).hover();
  await page.clock.runFor(1);
  await expect(tip).toBeVisible();
  // The sidebar is gone, and the pointer is outside the window, so that no event reports it.
  await page.setViewportSize({ width: 360, height: 480 });
  await expect(tip).toHaveCount(0);
});

/** Moves the pointer to a spot without a tooltip. */
async function leave(page: Page): Promise<void> {
  await page.mouse.move(640, 600);
}
