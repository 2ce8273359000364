import type { Page } from '@playwright/test';
import { comingDays, makeCohort } from './cohorts.ts';
import { dialogCalled, requestsTo } from './failures.ts';
import { holdPage, openAtRest, placeOf, title } from './navigation.ts';
import { biology, watercolors } from './settings.ts';
import { expect, holdScripts, openReady, signInWith, test } from './support.ts';

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
    await expect(page.locator('[aria-current="page"]')).toHaveText('Settings');
    await expect(page.getByLabel('New email address')).toHaveValue('augusta@example.com');

    await placeOf(page, 'Cohorts').click();
    await expect(dialog).toBeVisible();
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(page).toHaveURL('/cohorts');
    await expect(title(page)).toHaveText('Cohorts');
    await page.goBack();
    await expect(page).toHaveURL('/settings');
  });
});

test.describe('a page that cannot be shown in the same document', () => {
  // React renders the page again if its address has changed before it is hydrated.
  test.use({ expectedErrors: [/React error #418|status of 503/] });

  test('is loaded as a document of its own: without data from the server, or after a step back before the scripts are there', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await page.route('**/RSC/R/payments.txt*', (route) => route.fulfill({ status: 503 }));
    await placeOf(page, 'Payments').click();
    await expect(page).toHaveURL('/payments');
    await expect(title(page)).toHaveText('Payments');

    await openReady(page);
    await placeOf(page, 'Cohorts').click();
    await expect(title(page)).toHaveText('Cohorts');
    const release = await holdScripts(page, '**/assets/visits-*.js');
    await page.reload();
    await page.evaluate(() => window.history.back());
    await expect(page).toHaveURL('/');
    release();
    await expect(title(page)).toHaveText('Welcome, Ada');
  });
});

test.describe('the focus after a navigation', () => {
  test('is on the title, which is read once, also if the page is the same; scrolling is kept for the way back', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1280, height: 500 });
    await signInWith(page, [biology]);
    await openReady(page, '/settings');
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    await page.evaluate(() => window.scrollTo(0, 400));
    await placeOf(page, 'Cohorts').press('Enter');
    await expect(title(page)).toHaveText('Cohorts');
    await expect(title(page)).toBeFocused();
    await expect(page).toHaveTitle('Cohorts · Lectern');
    // The focus says it; no live region repeats it.
    await expect(page.locator('[role="status"], [aria-live]')).not.toContainText(['Cohorts']);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    const { length } = await historyOf(page);
    const fetched = page.waitForResponse('**/RSC/R/cohorts.txt*');
    await placeOf(page, 'Cohorts').press('Enter');
    await fetched;
    await expect(title(page)).toBeFocused();
    expect((await historyOf(page)).length).toBe(length);

    await page.goBack();
    await expect(title(page)).toHaveText('Settings');
    await expect(title(page)).toBeFocused();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(400);
  });

  test('is on the part that the address names, and stays when the page is refreshed after a change', async ({
    page,
  }) => {
    await signInWith(page, [watercolors]);
    await openReady(page);
    await page.getByRole('link', { name: 'Change the course type' }).click();
    await expect(page).toHaveURL('/settings#course');
    await expect(page.getByRole('region', { name: 'Name and type' })).toBeFocused();
    await expect(page.getByRole('region', { name: 'Name and type' })).toBeInViewport();

    await page.getByLabel('First name').fill('Augusta');
    const refreshed = page.waitForResponse('**/RSC/**');
    await page.getByLabel('First name').press('Enter');
    await refreshed;
    await expect(page.getByText('Profile saved.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Profile' }).locator(':focus')).toHaveCount(1);
  });
});

test('while the next page is on its way its link is current at once, with a bar; another link takes its place', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await signInWith(page, [biology]);
  await openReady(page);
  const release = await holdPage(page, 'cohorts');
  await placeOf(page, 'Cohorts').click();
  await expect(page.locator('[aria-current="page"]')).toHaveText('Cohorts');
  await expect(page).toHaveURL('/');
  const bar = page.locator('.moving');
  const timing = await bar.evaluate((element) => element.getAnimations()[0]?.effect?.getTiming());
  expect(timing).toMatchObject({ delay: 150, fill: 'both' });
  await expect(bar).not.toHaveCSS('opacity', '0');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await bar.evaluate(animatedPropertiesOf)).toEqual(['opacity']);

  await placeOf(page, 'Payments').click();
  await expect(page).toHaveURL('/payments');
  release();
  await expect(bar).toHaveCount(0);
  await expect(title(page)).toHaveText('Payments');
  await page.goBack();
  await expect(page).toHaveURL('/');
});

test('the section of a cohort that was clicked is current at once', async ({ page }) => {
  await signInWith(page, [{ name: 'Watercolors', course_type: 'cohort' }]);
  const { id } = await makeCohort(page, { name: 'Winter', ...comingDays });
  await openReady(page, `/cohorts/${id}`);
  const release = await holdPage(page, `cohorts/${id}/schedule`);
  const sections = page.getByRole('navigation', { name: 'Sections of this cohort' });
  await sections.getByRole('link', { name: 'Schedule' }).click();
  await expect(sections.locator('[aria-current="page"]')).toHaveText('Schedule');
  await expect(page).toHaveURL(`/cohorts/${id}`);
  release();
  await expect(page).toHaveURL(`/cohorts/${id}/schedule`);
});

test.describe('a link', () => {
  test('has its page fetched once, ahead of the click: when the pointer rests on it or presses it', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openAtRest(page, '/');
    for (const [name, approach] of [
      ['Cohorts', () => placeOf(page, 'Cohorts').hover()],
      [
        'Payments',
        () =>
          placeOf(page, 'Payments').dispatchEvent('pointerdown', {
            isPrimary: true,
            pointerType: 'touch',
          }),
      ],
    ] as const) {
      const path = `/RSC/R/${name.toLowerCase()}.txt`;
      const requests = requestsTo(page, path);
      const fetched = page.waitForResponse(`**${path}*`);
      const { pathname } = new URL(page.url());
      await approach();
      await fetched;
      await expect(page).toHaveURL(pathname);
      await placeOf(page, name).click();
      await expect(title(page)).toHaveText(name);
      expect(requests).toHaveLength(1);
    }
  });

  test('has no page fetched ahead for people who save data', async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window.navigator, 'connection', { value: { saveData: true } });
    });
    await signInWith(page, [biology]);
    await openAtRest(page, '/');
    const requests = requestsTo(page, '/RSC/R/cohorts.txt');
    await placeOf(page, 'Cohorts').hover();
    // By then, it would have been fetched.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 150)));

    expect(requests).toHaveLength(0);
  });

  test('shows nothing that was fetched before a change', async ({ page }) => {
    await signInWith(page, [biology]);
    await openAtRest(page, '/settings');
    const fetched = page.waitForResponse('**/RSC/R/_root.txt*');
    await placeOf(page, 'Home').hover();
    await fetched;
    await page.getByLabel('First name').fill('Augusta');
    await page.getByLabel('First name').press('Enter');
    await expect(page.getByText('Profile saved.')).toBeVisible();
    await placeOf(page, 'Home').press('Enter');

    await expect(title(page)).toHaveText('Welcome, Augusta');
  });
});

function historyOf(page: Page) {
  return page.evaluate(() => ({
    length: window.history.length,
    keys: window.navigation?.entries().map(({ key }) => key),
    current: window.navigation?.currentEntry?.key,
  }));
}

/** The properties that the animations of an element change. */
function animatedPropertiesOf(element: Element): string[] {
  const keyframes = element
    .getAnimations()
    .flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes());
  const isTiming = (name: string) =>
    ['offset', 'computedOffset', 'easing', 'composite'].includes(name);
  return [...new Set(keyframes.flatMap(Object.keys))].filter((name) => !isTiming(name));
}
