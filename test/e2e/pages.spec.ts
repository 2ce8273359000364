import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, linkMailedTo, requestSignUp, signUp, test, uniqueEmail } from './support.ts';

/** Every page in the states that people meet, and how to get there. */
const views: [string, (page: Page) => Promise<void>][] = [
  ['/login', (page) => open(page, '/login')],
  ['/login with a mistake', (page) => openAndSubmit(page, '/login')],
  ['/signup', (page) => open(page, '/signup')],
  ['/signup with mistakes', (page) => openAndSubmit(page, '/signup')],
  ['/signup when done', (page) => requestSignUp(page, uniqueEmail())],
  ['/confirm', openConfirm],
  ['/confirm without a link', (page) => open(page, '/confirm')],
  ['/onboarding/course', (page) => signUp(page, uniqueEmail())],
  ['/onboarding/course with mistakes', openCourseMistakes],
  ['/', openHome],
];

for (const [name, openView] of views) {
  test(`${name} is accessible in both languages and themes, and whole at 320 px`, async ({
    page,
    context,
  }) => {
    await openView(page);
    await check(page);
    // The same view in French: what is in memory only, such as a form with mistakes, is made anew by the switcher.
    const french = page.getByRole('button', { name: 'Français' });
    if (await french.isVisible()) {
      await french.click();
    } else {
      await context.addCookies([{ name: 'language', value: 'fr', url: page.url() }]);
      await page.reload();
    }
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    await check(page);
  });
}

async function check(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [320, 1440]) {
      // Without motion, or a colour is measured on its way.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 800 });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
    }
  }
}

test.describe('an unknown address', () => {
  test.use({ expectedErrors: [/status of 404/] });

  test('has a page of its own', async ({ page }) => {
    const response = await page.goto('/nowhere');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading')).toHaveText('There is no page here');
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations).toEqual([]);
    await page.getByRole('link', { name: 'Go to your home page' }).click();
    await expect(page).toHaveURL('/login');
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('pages show their content and their links lead on', async ({ page }) => {
    await page.goto('/');
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    await page.getByRole('link', { name: 'Create an account' }).click();
    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
  });
});

test('nothing moves while a page loads', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      shifts.push(...list.getEntries().map((entry) => JSON.stringify(entry)));
    }).observe({ type: 'layout-shift', buffered: true } as PerformanceObserverInit);
  });
  for (const path of ['/login', '/signup', '/confirm']) {
    await page.goto(path, { waitUntil: 'networkidle' });
    expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual(
      [],
    );
  }
});

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' });
}

async function openAndSubmit(page: Page, path: string): Promise<void> {
  await open(page, path);
  await page.locator('main button[type="submit"]').first().click();
  await expect(page.locator('[aria-invalid="true"]').first()).toBeFocused();
}

async function openConfirm(page: Page): Promise<void> {
  const email = uniqueEmail();
  await requestSignUp(page, email);
  await open(page, await linkMailedTo(email, 1));
}

async function openCourseMistakes(page: Page): Promise<void> {
  await signUp(page, uniqueEmail());
  await page.getByRole('button', { name: 'Create Course' }).click();
  await expect(page.getByLabel('Course name')).toBeFocused();
}

async function openHome(page: Page): Promise<void> {
  await signUp(page, uniqueEmail());
  await page
    .getByLabel('Course name')
    .fill('An introduction to guidance computers and their software');
  await page.getByRole('radio', { name: /^Cohort/ }).check();
  await page.getByRole('button', { name: 'Create Course' }).click();
  await page.waitForURL('/');
  await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible();
}
