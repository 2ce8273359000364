import { biology, boxOf, sidebarCookieOf, sidebarOf, toggleOf } from './shell.ts';
import { expect, openReady, signInWith, test, untilReady } from './support.ts';

const open = { x: 0, width: 256 };
const icons = { x: 0, width: 48 };

test.describe('the sidebar on a desktop', () => {
  test('is open at first, 16rem wide, collapses to 3rem for 7 days, and is a sheet below 768 px', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    expect(await boxOf(page, 'aside')).toEqual(open);
    await expect(toggleOf(page)).toHaveAttribute('aria-expanded', 'true');
    expect(await sidebarCookieOf(page)).toBeUndefined();
    const begun = Date.now() / 1000;
    await toggleOf(page).click();

    expect(await boxOf(page, 'aside')).toEqual(icons);
    expect(await boxOf(page, '.page')).toEqual({ x: 48, width: 1280 - 48 });
    await expect(toggleOf(page)).toHaveAttribute('aria-expanded', 'false');
    // Its labels are hidden, but still name its links.
    const cohorts = sidebarOf(page).getByRole('link', { name: 'Cohorts' });
    expect((await cohorts.boundingBox())?.width).toBeLessThanOrEqual(48);
    const cookie = await sidebarCookieOf(page);
    expect(cookie).toMatchObject({ value: 'false', path: '/', sameSite: 'Lax' });
    expect((cookie?.expires ?? 0) - begun).toBeGreaterThan(604_800 - 5);
    expect((cookie?.expires ?? 0) - begun).toBeLessThan(604_800 + 60);

    await sidebarOf(page).getByRole('link', { name: 'Payments' }).click();
    await expect(page.getByRole('heading', { name: 'Payments' })).toBeVisible();
    expect(await boxOf(page, 'aside')).toEqual(icons);
    await page.reload();
    expect(await boxOf(page, 'aside')).toEqual(icons);
    await untilReady(page);
    await toggleOf(page).click();
    expect(await boxOf(page, 'aside')).toEqual(open);
    expect(await sidebarCookieOf(page)).toMatchObject({ value: 'true' });

    await page.setViewportSize({ width: 767, height: 800 });
    await expect(sidebarOf(page)).toHaveCount(0);
    await expect(toggleOf(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible();
  });

  test('collapses and expands with ctrl or ⌘ + b, also while typing, and with no other key', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/settings');
    for (const keys of ['Control+b', 'Meta+b']) {
      await page.keyboard.press(keys);
      await expect.poll(() => boxOf(page, 'aside')).toEqual(icons);
      await page.getByLabel('Course name').first().focus();
      await page.keyboard.press(keys);
      await expect.poll(() => boxOf(page, 'aside')).toEqual(open);
    }
    for (const keys of ['b', 'Alt+b', 'Control+Alt+b']) {
      await page.keyboard.press(keys);
    }
    expect(await boxOf(page, 'aside')).toEqual(open);
  });

  test('is skipped by the first Tab, navigates without loading a document, and marks the current page', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Change the course type' })).toBeFocused();

    const documents: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) {
        documents.push(request.url());
      }
    });
    const places = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link');
    await expect(places).toHaveText(['Home', 'Lessons', 'Cohorts', 'Payments', 'Settings']);
    for (const [name, path] of [
      ['Lessons', '/lessons'],
      ['Cohorts', '/cohorts'],
      ['Payments', '/payments'],
      ['Settings', '/settings'],
      ['Home', '/'],
    ] as const) {
      await places.filter({ hasText: name }).click();
      await expect(page).toHaveURL(path);
      await expect(page).toHaveTitle(`${name} · Lectern`);
      await expect(page.locator('[aria-current="page"]')).toHaveText(name);
    }
    expect(documents).toEqual([]);
  });
});

test.describe('the user menu', () => {
  test('links to account and billing, closes with a click outside, and logs out to /login', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const trigger = page.getByRole('button', { name: /^Your account:? Ada Lovelace/ });
    const menu = page.locator('#user-menu');
    await trigger.click();
    await expect(menu).toContainText('@example.com');
    await page.getByRole('link', { name: 'Account' }).click();
    await expect(page).toHaveURL('/settings');
    await expect(menu).toBeHidden();
    await trigger.click();
    await page.getByRole('link', { name: 'Billing' }).click();
    await expect(page).toHaveURL('/settings/billing');

    await trigger.click();
    await expect(menu).toBeVisible();
    await page.getByRole('heading', { level: 1 }).click();
    await expect(menu).toBeHidden();
    await trigger.click();
    await menu.getByRole('button', { name: 'Log out' }).click();
    await expect(page).toHaveURL('/login');
    expect((await page.request.get('/api/accounts/auth/user/')).status()).toBe(401);
  });

  test('works with the keyboard alone, and returns the focus', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const trigger = page.getByRole('button', { name: /^Your account:? Ada Lovelace/ });
    const account = page.getByRole('link', { name: 'Account' });
    const billing = page.getByRole('link', { name: 'Billing' });
    const logOut = page.locator('#user-menu').getByRole('button', { name: 'Log out' });
    await trigger.focus();
    await page.keyboard.press('Enter');
    await expect(account).toBeFocused();
    for (const [key, item] of [
      ['ArrowDown', billing],
      ['End', logOut],
      ['ArrowDown', account],
      ['ArrowUp', logOut],
      ['Home', account],
      ['b', billing],
    ] as const) {
      await page.keyboard.press(key);
      await expect(item).toBeFocused();
    }
    await page.keyboard.press('Escape');
    await expect(page.locator('#user-menu')).toBeHidden();
    await expect(trigger).toBeFocused();
  });
});
