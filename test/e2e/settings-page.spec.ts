import type { Page } from '@playwright/test';
import { biology, openSettings, section, toAccount } from './settings.ts';
import { askApi, expect, openReady, signInWith, test } from './support.ts';

test.describe('the settings page', () => {
  test('has the course first, then the account, and what deletes last of all', async ({ page }) => {
    await openSettings(page);

    await expect(page.getByRole('main').getByRole('heading')).toHaveText([
      'Settings',
      'Course settings',
      'Name and type',
      'Your account',
      'Profile',
      'Email address',
      'Daily news',
      'Language',
      'Appearance',
      'Active sessions',
      'Your data',
      'Delete',
      'Delete this course',
      'Delete your account',
    ]);
    await expect(page.locator('main .button-primary:visible')).toHaveCount(0);
  });

  test('has links to its sections, of which the clicked one is current', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/settings');
    await expect(linksOf(page)).toHaveText([
      'Name and type',
      'Profile',
      'Email address',
      'Daily news',
      'Language',
      'Appearance',
      'Active sessions',
      'Your data',
      'This course',
      'Your account',
    ]);
    await expect(currentOf(page)).toHaveText('Name and type');
    for (const [link, title] of [
      ['Language', 'Language'],
      // These two cannot be at the top of the window.
      ['This course', 'Delete this course'],
      ['Your account', 'Delete your account'],
      ['Profile', 'Profile'],
    ] as const) {
      await linksOf(page).filter({ hasText: link }).click();
      await expect(section(page, title)).toBeInViewport();
      await expect(currentOf(page)).toHaveText(link);
    }
  });

  test('marks the section in view while one scrolls', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/settings');
    await page.mouse.move(900, 400);
    const seen = new Set<string | null>();
    for (let steps = 0; steps < 60; steps += 1) {
      await page.mouse.wheel(0, 50);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
      seen.add(await currentOf(page).textContent());
    }

    expect([...seen]).toEqual(expect.arrayContaining(['Profile', 'Active sessions', 'Your data']));
    await expect(currentOf(page)).toHaveText('Your account');
    await page.mouse.wheel(0, -5000);
    await expect(currentOf(page)).toHaveText('Name and type');
  });

  test('begins at the section that its address names', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/settings#language');

    await expect(currentOf(page)).toHaveText('Language');
    await expect(section(page, 'Language')).toBeInViewport();
  });

  test('has no such links on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openSettings(page);

    await expect(linksOf(page)).toHaveCount(0);
    await page.goto('/settings#course');
    const heading = await page.getByRole('heading', { name: 'Name and type' }).boundingBox();
    const header = await page.getByRole('banner').boundingBox();
    expect(heading?.y).toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0));
  });
});

test.describe('the language of the account', () => {
  test('is the one shown, also where the browser shows another', async ({ page, context }) => {
    await openSettings(page);
    const { id } = await toAccount(page);
    await askApi(page, 'PATCH', `/api/accounts/${id}/`, { language: 'fr' });
    await context.addCookies([{ name: 'language', value: 'en', url: page.url() }]);
    await openReady(page, '/settings');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    const choice = (name: string) => section(page, 'Language').getByRole('button', { name });
    await expect(choice('Français')).toHaveAttribute('aria-pressed', 'true');
    await expect(choice('English')).toHaveAttribute('aria-pressed', 'false');

    // Its own language is chosen for this browser too.
    await choice('Français').click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    const french = section(page, 'Langue').getByRole('button', { name: 'Français' });
    await expect(french).toHaveAttribute('aria-pressed', 'true');
    expect(await toAccount(page)).toMatchObject({ language: 'fr' });

    await section(page, 'Langue').getByRole('button', { name: 'English' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(choice('English')).toHaveAttribute('aria-pressed', 'true');
    expect(await toAccount(page)).toMatchObject({ language: 'en' });
  });
});

test.describe('the dialogs that delete', () => {
  test('have a button that is enabled only while the text is the same', async ({ page }) => {
    await openSettings(page, [{ ...biology, name: 'Été à Łódź' }]);
    await section(page, 'Delete this course').getByRole('button').click();
    const dialog = page.getByRole('dialog', { name: 'Delete this course?' });
    const typed = dialog.getByLabel('Type Été à Łódź to confirm');
    const confirm = dialog.getByRole('button', { name: 'Delete this course' });
    for (const [text, isSame] of [
      ['Été', false],
      ['Été à Łódź', true],
      ['été à Łódź', false],
      // Looks the same.
      [' E\u0301te\u0301  a\u0300 Łódź', true],
      ['', false],
    ] as const) {
      await typed.fill(text);
      await expect(confirm).toBeEnabled({ enabled: isSame });
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await expect(section(page, 'Delete this course').getByRole('button')).toBeFocused();
  });

  test('are closed by a click beside them', async ({ page }) => {
    await openSettings(page);
    await section(page, 'Delete your account').getByRole('button').click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await expect(dialog).toBeVisible();
    await page.mouse.click(5, 5);

    await expect(dialog).toBeHidden();
  });

  test('have room for long names, also those written from right to left', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const name of ['W'.repeat(254), 'مقدمة في الأحياء 101']) {
      await openSettings(page, [{ ...biology, name }]);
      await section(page, 'Delete this course').getByRole('button').click();
      const dialog = page.getByRole('dialog', { name: 'Delete this course?' });
      const confirm = dialog.getByRole('button', { name: 'Delete this course' });
      await expect(confirm).toBeInViewport({ ratio: 1 });
      await page.keyboard.type('Typed');
      await expect(dialog.getByRole('textbox')).toHaveValue('Typed');
      await expect(dialog.getByRole('textbox')).toBeInViewport({ ratio: 1 });
      await dialog.getByRole('textbox').fill(name);
      await expect(confirm).toBeEnabled();
      expect(
        await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      ).toBe(0);
      await page.context().clearCookies();
    }
  });
});

function linksOf(page: Page) {
  return page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
}

function currentOf(page: Page) {
  return page.locator('.section-links [aria-current]');
}
