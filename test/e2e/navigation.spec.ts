import type { Page } from '@playwright/test';
import { dialogCalled, requestsTo } from './failures.ts';
import { holdPage, openAtRest, placeOf } from './navigation.ts';
import { expect, holdScripts, openReady, signInWith, test, untilReadyToSend } from './support.ts';

const biology = { name: 'Biology 101', course_type: 'cohort' } as const;
const watercolors = { name: 'Watercolors', course_type: 'evergreen' } as const;

test.describe('without a connection', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

  test('a link leaves page, address and history as they are, and Retry follows it', async ({
    page,
    context,
  }) => {
    await signInWith(page, [biology]);
    await openAtRest(page, '/settings');
    await page.getByLabel('New email address').fill('augusta@example.com');
    const before = await historyOf(page);
    await context.setOffline(true);
    await placeOf(page, 'Cohorts').click();

    const dialog = dialogCalled(page, 'Network Error');
    await expect(dialog).toContainText('Please check your connection.');
    await expect(dialog).toContainText('What you typed is still here.');
    await expect(dialog.getByRole('button')).toHaveText(['Close', 'Retry']);
    await expect(page).toHaveURL('/settings');
    expect(await historyOf(page)).toEqual(before);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(placeOf(page, 'Settings')).toHaveAttribute('aria-current', 'page');
    await expect(placeOf(page, 'Cohorts')).not.toHaveAttribute('aria-current');
    await expect(page.getByLabel('New email address')).toHaveValue('augusta@example.com');

    await placeOf(page, 'Cohorts').click();
    await expect(dialog).toBeVisible();
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(page).toHaveURL('/cohorts');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cohorts');
    await page.goBack();
    await expect(page).toHaveURL('/settings');
  });

  test('so does a step back in history', async ({ page, context }) => {
    await signInWith(page, [biology]);
    await openAtRest(page, '/');
    for (const name of ['Cohorts', 'Payments']) {
      await placeOf(page, name).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    }
    // Nothing of the pages before is kept.
    await page.reload();
    await untilReadyToSend(page);
    await context.setOffline(true);
    await page.evaluate(() => window.history.go(-2));

    const dialog = dialogCalled(page, 'Network Error');
    await expect(dialog).toBeVisible();
    await expect(page).toHaveURL('/payments');
    await expect(page.locator('h1')).toHaveText('Payments');
    await expect(page.locator('[aria-current="page"]')).toHaveText('Payments');
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Ada');
    await page.goForward();
    await expect(page).toHaveURL('/cohorts');
    await page.goForward();
    await expect(page).toHaveURL('/payments');
  });

  test('so does a link on the login page', async ({ page, context }) => {
    await openAtRest(page, '/login');
    await page.getByLabel('Email address').fill('ada@example.com');
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Create an account' }).click();

    await expect(dialogCalled(page, 'Network Error')).toBeVisible();
    await expect(page).toHaveURL('/login');
    await page.keyboard.press('Escape');
    await expect(page.getByLabel('Email address')).toHaveValue('ada@example.com');
  });
});

test('a link to the page itself fetches it again, without another entry in history', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  await openAtRest(page, '/');
  const before = await historyOf(page);
  const documents = requestsTo(page, '/');
  const fetched = page.waitForResponse('**/RSC/R/_root.txt*');
  await placeOf(page, 'Home').click();
  await fetched;

  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect((await historyOf(page)).length).toBe(before.length);
  expect(documents).toHaveLength(0);
});

test.describe('before links are followed', () => {
  // Of hydration: React renders the page again if its address has changed by then.
  test.use({ expectedErrors: [/React error #418/] });

  test('a step back shows the page that it leads to', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await placeOf(page, 'Cohorts').click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cohorts');
    const release = await holdScripts(page, '**/assets/visits-*.js');
    await page.reload();
    await page.evaluate(() => window.history.back());
    await expect(page).toHaveURL('/');
    release();

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Ada');
  });
});

test.describe('a page that the server cannot send as data', () => {
  test.use({ expectedErrors: [/status of 503/] });

  test('is loaded as a document', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await page.route('**/RSC/R/cohorts.txt*', (route) => route.fulfill({ status: 503 }));
    await placeOf(page, 'Cohorts').click();

    await expect(page).toHaveURL('/cohorts');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cohorts');
  });
});

test.describe('the focus after a navigation', () => {
  test('is on the title, which is read once; at first it is nowhere', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    await placeOf(page, 'Cohorts').click();

    const title = page.getByRole('heading', { level: 1 });
    await expect(title).toHaveText('Cohorts');
    await expect(title).toBeFocused();
    await expect(page).toHaveTitle('Cohorts · Lectern');
    // The focus says it; no live region repeats it.
    await expect(page.locator('[role="status"], [aria-live]')).not.toContainText(['Cohorts']);
    await page.goBack();
    await expect(title).toHaveText('Welcome, Ada');
    await expect(title).toBeFocused();
  });

  test('is on the part that the address names', async ({ page }) => {
    await signInWith(page, [watercolors]);
    await openReady(page, '/cohorts');
    await page.getByRole('link', { name: 'change the course type' }).click();

    await expect(page).toHaveURL('/settings#course');
    await expect(page.getByRole('region', { name: 'Name and type' })).toBeFocused();
    await expect(page.getByRole('region', { name: 'Name and type' })).toBeInViewport();
  });

  test('stays where it is when the page is refreshed after a change', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/settings');
    await page.getByLabel('First name').fill('Augusta');
    const refreshed = page.waitForResponse('**/RSC/**');
    await page.getByLabel('First name').press('Enter');
    await refreshed;

    await expect(page.getByText('Name saved.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Profile' }).locator(':focus')).toHaveCount(1);
  });

  test('does not scroll: back and forward return to where one was', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 500 });
    await signInWith(page, [biology]);
    await openReady(page, '/settings');
    await page.evaluate(() => window.scrollTo(0, 400));
    await placeOf(page, 'Cohorts').press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cohorts');
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();

    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(400);
  });
});

test.describe('while the next page is on its way', () => {
  test('its link is current at once, and a bar appears after 150 ms', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await signInWith(page, [biology]);
    await openReady(page);
    const release = await holdPage(page, 'cohorts');
    await placeOf(page, 'Cohorts').click();

    await expect(placeOf(page, 'Cohorts')).toHaveAttribute('aria-current', 'page');
    await expect(placeOf(page, 'Home')).not.toHaveAttribute('aria-current');
    await expect(page).toHaveURL('/');
    const bar = page.locator('.moving');
    expect(await bar.evaluate(timingOf)).toMatchObject({ delay: 150, fill: 'both' });
    await expect(bar).not.toHaveCSS('opacity', '0');
    release();
    await expect(page).toHaveURL('/cohorts');
    await expect(bar).toHaveCount(0);
  });

  test('with reduced motion the bar only changes its opacity', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await holdPage(page, 'cohorts');
    await placeOf(page, 'Cohorts').click();

    const bar = page.locator('.moving');
    const properties = await bar.evaluate((element) =>
      element
        .getAnimations()
        .flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes())
        .flatMap((keyframe) => Object.keys(keyframe)),
    );
    expect(properties).toContain('opacity');
    expect(properties).not.toContain('scale');
    await expect(bar).toHaveCSS('opacity', '1');
  });

  test('another link takes its place', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const release = await holdPage(page, 'cohorts');
    await placeOf(page, 'Cohorts').click();
    await placeOf(page, 'Payments').click();
    await expect(page).toHaveURL('/payments');
    release();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payments');
    await page.goBack();

    await expect(page).toHaveURL('/');
  });

  test('the sheet of a phone is closed', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await signInWith(page, [biology]);
    await openReady(page);
    await page.getByRole('button', { name: 'Menu' }).click();
    await holdPage(page, 'cohorts');
    await placeOf(page, 'Cohorts').click();

    await expect(page.locator('#sidebar')).toBeHidden();
    await expect(page).toHaveURL('/');
  });
});

test.describe('a link under the pointer', () => {
  test('has its page fetched ahead, which a click then shows', async ({ page }) => {
    await signInWith(page, [biology]);
    await openAtRest(page, '/');
    const requests = requestsTo(page, '/RSC/R/cohorts.txt');
    const fetched = page.waitForResponse('**/RSC/R/cohorts.txt*');
    await placeOf(page, 'Cohorts').hover();
    await fetched;
    await expect(page).toHaveURL('/');
    await placeOf(page, 'Cohorts').click();

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cohorts');
    expect(requests).toHaveLength(1);
  });

  test('fetches its page when it is pressed, once', async ({ page }) => {
    await signInWith(page, [biology]);
    await openAtRest(page, '/');
    const requests = requestsTo(page, '/RSC/R/cohorts.txt');
    const fetched = page.waitForResponse('**/RSC/R/cohorts.txt*');
    const link = placeOf(page, 'Cohorts');
    await link.dispatchEvent('pointerdown', { isPrimary: true, pointerType: 'touch' });
    await fetched;
    await expect(page).toHaveURL('/');
    await link.click();

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cohorts');
    expect(requests).toHaveLength(1);
  });

  test('has none fetched while the pointer is on its way over it', async ({ page }) => {
    await signInWith(page, [biology]);
    await openAtRest(page, '/');
    const requests = requestsTo(page, '/RSC/R/cohorts.txt');
    const box = await placeOf(page, 'Cohorts').boundingBox();
    const { x = 0, y = 0, width = 0, height = 0 } = box ?? {};
    // In the page, because each move by the browser would take longer than the pointer rests.
    await page.evaluate(
      async ([left, right, middle]) => {
        for (let at = left; at < right; at += 2) {
          const link = document.elementFromPoint(at, middle);
          const move = { bubbles: true, pointerType: 'mouse', clientX: at, clientY: middle };
          link?.dispatchEvent(new PointerEvent('pointerover', move));
          link?.dispatchEvent(new PointerEvent('pointermove', move));
          await new Promise((resolve) => setTimeout(resolve, 8));
        }
        document.body.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
      },
      [x + 4, x + width - 4, y + height / 2] as const,
    );
    await page.waitForTimeout(300);

    expect(requests).toHaveLength(0);
  });

  test('has it fetched once if it is clicked before that', async ({ page }) => {
    await signInWith(page, [biology]);
    await openAtRest(page, '/');
    const requests = requestsTo(page, '/RSC/R/cohorts.txt');
    const release = await holdPage(page, 'cohorts');
    await placeOf(page, 'Cohorts').click();
    await expect.poll(() => requests).toHaveLength(1);
    await page.waitForTimeout(300);
    expect(requests).toHaveLength(1);
    release();
    await expect(page).toHaveURL('/cohorts');
  });

  for (const [from, to, heading] of [
    ['/', 'Settings', 'Settings'],
    ['/settings', 'Home', 'Welcome, Ada'],
  ] as const) {
    test(`needs no script of ${to}, which is there once the page rests`, async ({ page }) => {
      await signInWith(page, [biology]);
      const scripts: string[] = [];
      page.on('response', (response) => {
        scripts.push(new URL(response.url()).pathname.replace(/-[\w-]{8}\.js$/, ''));
      });
      await openAtRest(page, from);
      await expect.poll(() => scripts).toEqual(expect.arrayContaining(scriptsOfPlaces));
      const release = await holdScripts(page);
      await placeOf(page, to).click();

      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      release();
    });
  }

  for (const [who, connection] of [
    ['people who save data', { saveData: true }],
    ['slow connections', { saveData: false, effectiveType: '2g' }],
  ] as const) {
    test(`has none fetched for ${who}`, async ({ page }) => {
      await page.addInitScript((value) => {
        Object.defineProperty(window.navigator, 'connection', { value });
      }, connection);
      await signInWith(page, [biology]);
      await openAtRest(page, '/');
      const requests = requestsTo(page, '/RSC/R/cohorts.txt');
      await placeOf(page, 'Cohorts').hover();
      await page.waitForTimeout(300);

      expect(requests).toHaveLength(0);
    });
  }

  test('shows nothing outdated after a change', async ({ page }) => {
    await signInWith(page, [biology]);
    await openAtRest(page, '/settings');
    const fetched = page.waitForResponse('**/RSC/R/_root.txt*');
    await placeOf(page, 'Home').hover();
    await fetched;
    await page.getByLabel('First name').fill('Augusta');
    await page.getByLabel('First name').press('Enter');
    await expect(page.getByText('Name saved.')).toBeVisible();
    await placeOf(page, 'Home').press('Enter');

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Augusta');
  });
});

function historyOf(page: Page) {
  return page.evaluate(() => ({
    length: window.history.length,
    keys: window.navigation?.entries().map(({ key }) => key),
    current: window.navigation?.currentEntry?.key,
  }));
}

/** What only some of the pages in the sidebar need: see features/shell/other-pages.ts. */
const scriptsOfPlaces = ['home', 'settings', 'save-form', 'language'].map(
  (name) => `/assets/${name}`,
);

function timingOf(element: Element) {
  return element.getAnimations()[0]?.effect?.getTiming();
}
