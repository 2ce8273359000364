import { biology, boxOf, keepSidebar, sidebarCookieOf, sidebarOf, toggleOf } from './shell.ts';
import { expect, openReady, rest, signInWith, test } from './support.ts';

test.describe('the sidebar on a desktop', () => {
  test('is open at first, 16rem wide, and marks the current page', async ({ page }) => {
    await signInWith(page, [biology]);
    await page.goto('/cohorts');

    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 256 });
    const places = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link');
    await expect(places).toHaveText(['Home', 'Cohorts', 'Payments', 'Settings']);
    await expect(page.locator('[aria-current="page"]')).toHaveText('Cohorts');
    await expect(toggleOf(page)).toHaveAttribute('aria-expanded', 'true');
    expect(await sidebarCookieOf(page)).toBeUndefined();
  });

  test('collapses to 3rem with its button, stays that way for 7 days, and expands again', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const begun = Date.now() / 1000;
    await toggleOf(page).click();

    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 48 });
    expect(await boxOf(page, '.page')).toEqual({ x: 48, width: 1280 - 48 });
    await expect(toggleOf(page)).toHaveAttribute('aria-expanded', 'false');
    // Its labels are hidden, but still name its links.
    const cohorts = sidebarOf(page).getByRole('link', { name: 'Cohorts' });
    expect((await cohorts.boundingBox())?.width).toBeLessThanOrEqual(48);
    expect(await sidebarOf(page).evaluate((aside) => aside.scrollWidth)).toBeLessThanOrEqual(48);
    const cookie = await sidebarCookieOf(page);
    expect(cookie).toMatchObject({ value: 'false', path: '/', sameSite: 'Lax' });
    expect((cookie?.expires ?? 0) - begun).toBeGreaterThan(604_800 - 5);
    expect((cookie?.expires ?? 0) - begun).toBeLessThan(604_800 + 60);

    await toggleOf(page).click();
    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 256 });
    await expect(toggleOf(page)).toHaveAttribute('aria-expanded', 'true');
    expect(await sidebarCookieOf(page)).toMatchObject({ value: 'true' });
  });

  for (const keys of ['Control+b', 'Meta+b']) {
    test(`collapses and expands with ${keys}, also while typing`, async ({ page }) => {
      await signInWith(page, [biology]);
      await openReady(page, '/settings');
      await page.keyboard.press(keys);
      await expect.poll(() => boxOf(page, 'aside')).toEqual({ x: 0, width: 48 });
      expect(await sidebarCookieOf(page)).toMatchObject({ value: 'false' });

      await page.getByLabel('Course name').first().focus();
      await page.keyboard.press(keys);
      await expect.poll(() => boxOf(page, 'aside')).toEqual({ x: 0, width: 256 });
      expect(await sidebarCookieOf(page)).toMatchObject({ value: 'true' });
    });
  }

  test('leaves the plain letter b, and other keys with it, to the page', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await page.keyboard.press('b');
    await page.keyboard.press('Alt+b');
    await page.keyboard.press('Control+Alt+b');

    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 256 });
    expect(await sidebarCookieOf(page)).toBeUndefined();
  });

  test('responds to every one of many quick presses', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await page.evaluate(() => {
      for (let press = 0; press < 5; press += 1) {
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'b', ctrlKey: true }));
      }
    });

    await expect.poll(() => boxOf(page, 'aside')).toEqual({ x: 0, width: 48 });
    await expect(toggleOf(page)).toHaveAttribute('aria-expanded', 'false');
    expect(await sidebarCookieOf(page)).toMatchObject({ value: 'false' });
  });

  test('keeps its state across pages, back, and after a reload', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await page.keyboard.press('Control+b');
    await sidebarOf(page).getByRole('link', { name: 'Payments' }).click();
    await expect(page.getByRole('heading', { name: 'Payments' })).toBeVisible();
    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 48 });

    await page.keyboard.press('Control+b');
    await expect.poll(() => boxOf(page, 'aside')).toEqual({ x: 0, width: 256 });
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible();
    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 256 });

    await page.keyboard.press('Control+b');
    await expect.poll(() => boxOf(page, 'aside')).toEqual({ x: 0, width: 48 });
    await page.reload();
    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 48 });
  });

  const states = [
    { value: null, look: 'open', width: 256 },
    { value: true, look: 'open', width: 256 },
    { value: false, look: 'icons', width: 48 },
  ] as const;
  for (const { value, look, width } of states) {
    test(`is rendered in its state by the server, without a layout shift (cookie: ${value})`, async ({
      page,
    }) => {
      await signInWith(page, [biology]);
      if (value !== null) {
        await keepSidebar(page, value);
      }
      const html = await (await page.request.get('/')).text();
      expect(html).toContain(`class="shell" data-sidebar="${look}"`);
      expect(html).toContain(`aria-expanded="${look === 'open'}"`);

      await page.addInitScript(() => {
        const observer = new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries() as (PerformanceEntry & {
            value: number;
            sources: { node: Node | null }[];
          })[]) {
            const moved = sources.map(({ node }) => node?.nodeName);
            console.error(`Layout shift of ${value}: ${moved}`);
          }
        });
        observer.observe({ type: 'layout-shift', buffered: true });
      });
      await openReady(page);
      expect(await boxOf(page, 'aside')).toEqual({ x: 0, width });
      // Entries are reported once their frame is painted.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))),
      );
    });
  }

  test('is open if its cookie is invalid', async ({ page }) => {
    await signInWith(page, [biology]);
    const { baseURL } = test.info().project.use;
    await page
      .context()
      .addCookies([{ name: 'sidebar_state', value: 'perhaps', url: baseURL ?? '' }]);
    await page.goto('/');

    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 256 });
  });

  test('navigates between pages without loading a document', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const documents: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) {
        documents.push(request.url());
      }
    });
    for (const [name, path] of [
      ['Cohorts', '/cohorts'],
      ['Payments', '/payments'],
      ['Settings', '/settings'],
      ['Home', '/'],
    ] as const) {
      const place = sidebarOf(page).getByRole('link', { name, exact: true });
      await place.click();
      await expect(page).toHaveURL(path);
      await expect(page).toHaveTitle(`${name} · Lectern`);
      await expect(place).toHaveAttribute('aria-current', 'page');
    }

    expect(documents).toEqual([]);
  });
});

test.describe('the sidebar on a desktop, without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('has the state of the cookie', async ({ page }) => {
    await signInWith(page, [biology]);
    await keepSidebar(page, false);
    await page.goto('/');
    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 48 });

    await keepSidebar(page, true);
    await page.goto('/');
    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 256 });
  });
});

test.describe('the user menu', () => {
  test('links to account and billing, and shows name and email', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const menuButton = page.getByRole('button', { name: /^Your account:? Ada Lovelace/ });
    await menuButton.click();
    await expect(page.locator('#user-menu')).toContainText('@example.com');
    await page.getByRole('link', { name: 'Account' }).click();
    await expect(page).toHaveURL('/settings');
    await expect(page.locator('#user-menu')).toBeHidden();

    await menuButton.click();
    await page.getByRole('link', { name: 'Billing' }).click();
    await expect(page).toHaveURL('/settings/billing');
  });

  test('logs out to /login', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/cohorts');
    await page.getByRole('button', { name: /^Your account:? Ada Lovelace/ }).click();
    await page.getByRole('button', { name: 'Log out' }).click();

    await expect(page).toHaveURL('/login');
    expect((await page.request.get('/api/accounts/auth/user/')).status()).toBe(401);
  });

  test('works with the keyboard alone and returns the focus', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const menuButton = page.getByRole('button', { name: /^Your account:? Ada Lovelace/ });
    await menuButton.focus();
    await page.keyboard.press('Enter');
    const account = page.getByRole('link', { name: 'Account' });
    const billing = page.getByRole('link', { name: 'Billing' });
    const logOut = page.locator('#user-menu').getByRole('button', { name: 'Log out' });
    await expect(account).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(billing).toBeFocused();
    await page.keyboard.press('End');
    await expect(logOut).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(account).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(logOut).toBeFocused();
    await page.keyboard.press('Home');
    await expect(account).toBeFocused();
    await page.keyboard.press('b');
    await expect(billing).toBeFocused();

    await page.keyboard.press('Escape');
    await expect(page.locator('#user-menu')).toBeHidden();
    await expect(menuButton).toBeFocused();
  });

  test('takes keys that arrive before the focus has moved into it', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const menuButton = page.getByRole('button', { name: /^Your account:? Ada Lovelace/ });
    // In one task, before the event that moves the focus.
    await menuButton.evaluate((button: HTMLElement) => {
      button.focus();
      button.click();
      button.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));
    });
    const logOut = page.locator('#user-menu').getByRole('button', { name: 'Log out' });
    await expect(logOut).toBeFocused();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));

    await expect(logOut).toBeFocused();
  });

  test('opens without a layout for each frame of its motion', async ({ page, context }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await page.waitForLoadState('networkidle');
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    const countLayouts = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? Number.NaN;
    };
    // Many frames, also on a busy machine.
    await page.evaluate(() => document.documentElement.style.setProperty('--motion', '1s'));
    const before = await countLayouts();
    await page.evaluate(() => document.getElementById('user-menu')?.showPopover());
    await rest(page);

    expect(await countLayouts()).toBeLessThanOrEqual(before + 6);
  });

  test('closes with a click outside', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await page.getByRole('button', { name: /^Your account:? Ada Lovelace/ }).click();
    await expect(page.locator('#user-menu')).toBeVisible();
    await page.getByRole('heading', { name: 'Welcome, Ada' }).click();

    await expect(page.locator('#user-menu')).toBeHidden();
  });
});

test.describe('the breakpoint between phone and desktop', () => {
  test('is between 767 and 768 px', async ({ page }) => {
    await signInWith(page, [biology]);
    await page.setViewportSize({ width: 767, height: 800 });
    await page.goto('/');
    await expect(sidebarOf(page)).toHaveCount(0);
    await expect(toggleOf(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible();

    await page.setViewportSize({ width: 768, height: 800 });
    await expect(sidebarOf(page)).toBeVisible();
    await expect(toggleOf(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Menu' })).toHaveCount(0);
    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 256 });
  });
});

test('the first Tab offers to skip the sidebar', async ({ page }) => {
  await signInWith(page, [biology]);
  await openReady(page);
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Change the course type' })).toBeFocused();
});
