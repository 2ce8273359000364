import { toastOn } from './forms.ts';
import { openSettings, section } from './settings.ts';
import { expect, test } from './support.ts';

test('toasts are announced, three at most, the newest at the bottom, each with its button; they stay while the pointer or the focus is on one, and then go', {
  tag: '@night',
}, async ({ page }) => {
  await page.clock.install();
  await openSettings(page);
  const toasts = toastOn(page);
  for (const [title, label] of [
    ['Profile', 'First name'],
    ['Name and type', 'Course name'],
    ['Name and type', 'Course name'],
    ['Name and type', 'Course name'],
  ] as const) {
    const field = section(page, title).getByLabel(label);
    const shown = (await toasts.allTextContents()).slice(-2);
    // Only a changed form is saved.
    await field.fill(`${await field.inputValue()}a`);
    await field.press('Enter');
    const done = label === 'First name' ? 'Profile saved.' : 'Course saved.';
    await expect(toasts).toHaveText([...shown, done]);
    await expect(toasts.last()).toHaveAttribute('data-kind', 'done');
    await expect(toasts.last().locator('.icon-check-circle')).toBeVisible();
    await page.locator('.toasts').hover();
  }
  await expect(page.getByRole('status').filter({ has: page.locator('.toasts') })).toContainText(
    'Course saved.',
  );
  await toasts.first().getByRole('button', { name: 'Close' }).click();
  await expect(toasts).toHaveCount(2);

  await toasts.last().hover();
  await page.clock.runFor(20_000);
  await expect(toasts).toHaveCount(2);
  await toasts.last().getByRole('button', { name: 'Close' }).focus();
  await page.mouse.move(0, 0);
  await page.clock.runFor(20_000);
  await expect(toasts).toHaveCount(2);
  await page.getByLabel('First name').focus();
  await page.clock.runFor(7_000);
  await expect(toasts).toHaveCount(0);
});
