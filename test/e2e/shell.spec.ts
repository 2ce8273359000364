import type { Page } from '@playwright/test';
import { expect, signInWith, test } from './support.ts';

const biology = { name: 'Biology 101', course_type: 'cohort' } as const;

function sidebarOf(page: Page) {
  return page.getByRole('complementary');
}

function toggleOf(page: Page) {
  return page.getByRole('button', { name: 'Sidebar' });
}

/** Until scripts have taken over the page: they alone show tooltips and know the keys. */
async function openReady(page: Page, path = '/'): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' });
}

async function keepSidebar(page: Page, isOpen: boolean): Promise<void> {
  const { baseURL } = test.info().project.use;
  const cookie = { name: 'sidebar_state', value: String(isOpen), url: baseURL ?? '' };
  await page.context().addCookies([cookie]);
}

async function sidebarCookieOf(page: Page) {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === 'sidebar_state');
}

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).boundingBox();
  return box && { x: box.x, width: box.width };
}

test.describe('the sidebar on a desk', () => {
  test('is open at first, 16rem wide, and says where one is', async ({ page }) => {
    await signInWith(page, [biology]);
    await page.goto('/cohorts');

    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 256 });
    const places = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await expect(places).toHaveText(['Home', 'Cohorts', 'Payments', 'Settings']);
    await expect(page.locator('[aria-current="page"]')).toHaveText('Cohorts');
    await expect(toggleOf(page)).toHaveAttribute('aria-expanded', 'true');
    expect(await sidebarCookieOf(page)).toBeUndefined();
  });

  test('narrows to icons of 3rem by its button, keeps that for 7 days, and widens again', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const begun = Date.now() / 1000;
    await toggleOf(page).click();

    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 48 });
    expect(await boxOf(page, '.page')).toEqual({ x: 48, width: 1280 - 48 });
    await expect(toggleOf(page)).toHaveAttribute('aria-expanded', 'false');
    // Its words are out of sight, and still the names of its links.
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
    test(`narrows and widens with ${keys}, also while somebody types`, async ({ page }) => {
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

  test('takes every one of many quick presses', async ({ page }) => {
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

  test('keeps its state from page to page, back, and after a reload', async ({ page }) => {
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
    test(`comes in its state from the server, and nothing moves on load (cookie: ${value})`, async ({
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
      // Entries are told once their frame is painted.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))),
      );
    });
  }

  test('is open where its cookie holds nonsense', async ({ page }) => {
    await signInWith(page, [biology]);
    const { baseURL } = test.info().project.use;
    await page
      .context()
      .addCookies([{ name: 'sidebar_state', value: 'perhaps', url: baseURL ?? '' }]);
    await page.goto('/');

    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 256 });
  });

  test('leads from page to page without loading a document', async ({ page }) => {
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

test.describe('the sidebar on a desk, without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('stands there as the cookie has it', async ({ page }) => {
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
  test('leads to account and billing, and says whose it is', async ({ page }) => {
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

  test('works by keyboard alone and gives the focus back', async ({ page }) => {
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

  test('closes when somebody presses beside it', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await page.getByRole('button', { name: /^Your account:? Ada Lovelace/ }).click();
    await expect(page.locator('#user-menu')).toBeVisible();
    await page.getByRole('heading', { name: 'Welcome, Ada' }).click();

    await expect(page.locator('#user-menu')).toBeHidden();
  });
});

test.describe('tooltips', () => {
  /** A page whose time stands still until it is told to go on. */
  async function openStill(page: Page, isSidebarOpen: boolean): Promise<void> {
    await signInWith(page, [biology]);
    await keepSidebar(page, isSidebarOpen);
    await page.clock.install();
    await openReady(page);
    await page.mouse.move(640, 600);
    await page.clock.pauseAt(Date.now() + 60_000);
  }

  /** Where nothing has a tooltip. */
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

  test('never come where the pointer only passes', async ({ page }) => {
    await openStill(page, true);
    await toggleOf(page).hover();
    await page.clock.runFor(699);
    await leave(page);
    await page.clock.runFor(5000);

    await expect(page.getByRole('tooltip')).toHaveCount(0);
  });

  test('come at once within 300 ms of the last one', async ({ page }) => {
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

  test('come at once in the sidebar of icons, one after the other', async ({ page }) => {
    await openStill(page, false);
    const tip = page.getByRole('tooltip');
    for (const name of ['Home', 'Cohorts', 'Payments', 'Settings']) {
      await sidebarOf(page).getByRole('link', { name, exact: true }).hover();
      await page.clock.runFor(1);
      await expect(tip).toHaveText(name);
    }
    await page.getByRole('button', { name: /^Course:? Biology 101/ }).hover();
    await page.clock.runFor(1);
    await expect(tip).toHaveText('Biology 101');
    await page.getByRole('button', { name: /^Your account:? Ada Lovelace/ }).hover();
    await page.clock.runFor(1);
    await expect(tip).toHaveText('Ada Lovelace');
    // The tip stands beside what it belongs to.
    const box = await tip.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(40);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(640);
  });

  test('say nothing twice in the open sidebar', async ({ page }) => {
    await openStill(page, true);
    await sidebarOf(page).getByRole('link', { name: 'Cohorts' }).hover();
    await page.clock.runFor(1000);

    await expect(page.getByRole('tooltip')).toHaveCount(0);
  });

  test('come for the keyboard too, and go with Escape', async ({ page }) => {
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

  test('stay while the pointer rests on them, and go with a press', async ({ page }) => {
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
});

test.describe('the edge between phone and desk', () => {
  test('lies between 767 and 768 px', async ({ page }) => {
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

  test('slides in from the left, 18rem wide, with everything in words', async ({ page }) => {
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

  test('holds the focus, in both directions', async ({ page }) => {
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

  test('closes with Escape, and the focus is back on the menu button', async ({ page }) => {
    await signInWith(page, [biology]);
    await openSheet(page);
    await expect.poll(() => isFocusInSheet(page)).toBe(true);
    await page.keyboard.press('Escape');

    await expect(sidebarOf(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
    expect(await inertCount(page)).toBe(0);
  });

  test('closes when somebody presses beside it, and nothing else happens', async ({ page }) => {
    await signInWith(page, [biology]);
    await openSheet(page);
    // The button for logging out stands below the pointer.
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

  test('closes when one of its links is followed', async ({ page }) => {
    await signInWith(page, [biology]);
    await openSheet(page);
    await sidebarOf(page).getByRole('link', { name: 'Cohorts' }).click();

    await expect(page.getByRole('heading', { name: 'Cohorts' })).toBeVisible();
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
    await expect(page.getByRole('heading', { name: 'Cohorts' })).toBeVisible();
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(sidebarOf(page)).toBeVisible();
    await page.goBack();

    await expect(page.getByText('Welcome, Ada')).toBeVisible();
    await expect(sidebarOf(page)).toHaveCount(0);
    expect(await inertCount(page)).toBe(0);
  });

  test('opens and closes with ctrl + b, which changes nothing on a desk', async ({ page }) => {
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

  test('leaves nothing inert when the window grows to a desk', async ({ page }) => {
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

  test('keeps to the window where that is narrow', async ({ page }) => {
    await signInWith(page, [biology]);
    await page.setViewportSize({ width: 320, height: 568 });
    await openReady(page);
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect.poll(async () => (await boxOf(page, 'aside'))?.x).toBe(0);

    // A strip of the page stays to press beside it.
    expect((await boxOf(page, 'aside'))?.width).toBeLessThanOrEqual(288);
    await page.mouse.click(310, 300);
    await expect(sidebarOf(page)).toHaveCount(0);
  });

  test('slides nowhere for those who want no motion', async ({ page }) => {
    await signInWith(page, [biology]);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openReady(page);
    await page.getByRole('button', { name: 'Menu' }).click();

    expect(await boxOf(page, 'aside')).toEqual({ x: 0, width: 288 });
  });
});

test('the first Tab offers the way past the sidebar', async ({ page }) => {
  await signInWith(page, [biology]);
  await openReady(page);
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').getByRole('button', { name: 'Log out' })).toBeFocused();
});
