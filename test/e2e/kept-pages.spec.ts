import type { Page } from '@playwright/test';
import { holdPage, placeOf, title } from './navigation.ts';
import { biology, toAccount } from './settings.ts';
import { askApi, expect, openReady, signInWith, test } from './support.ts';

test('a step back shows the page at once as it was left and scrolled, and then its current state, unless another page was opened by then, and fetches it first after a change here or in another tab, once its document was left, or once the session is over; each new page has the focus on its title', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 1280, height: 400 });
  await signInWith(page, [biology]);
  await openReady(page, '/');
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  await page.evaluate(() => window.scrollTo(0, 120));
  await goTo(page, 'Cohorts');
  await expect(title(page)).toBeFocused();
  await expect(page).toHaveTitle('Cohorts · Lectern');
  // The focus says it; no live region repeats it.
  await expect(page.locator('[role="status"], [aria-live]')).not.toContainText(['Cohorts']);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  const entries = await page.evaluate(() => window.history.length);
  const fetched = page.waitForResponse('**/RSC/R/cohorts.txt*');
  await goTo(page, 'Cohorts');
  await fetched;
  await expect(title(page)).toBeFocused();
  expect(await page.evaluate(() => window.history.length)).toBe(entries);
  // Not by the page itself, which would then drop what it has kept.
  const account = `/api/accounts/${(await toAccount(page)).id}/`;
  await askApi(page, 'PATCH', account, { first_name: 'Augusta', last_name: 'Lovelace' });
  const release = await holdPage(page, '_root');
  await page.goBack();
  await expect(title(page)).toHaveText('Welcome, Ada');
  await expect(title(page)).toBeFocused();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(120);
  release();
  await expect(title(page)).toHaveText('Welcome, Augusta');
  expect(await page.evaluate(() => window.scrollY)).toBe(120);

  const checked = page.waitForResponse('**/RSC/R/cohorts.txt*');
  await page.goForward();
  await checked;
  await page.unrouteAll();
  const releaseHome = await holdPage(page, '_root');
  const answered = page.waitForEvent('requestfailed');
  await page.goBack();
  await expect(title(page)).toHaveText('Welcome, Augusta');
  await goTo(page, 'Payments');
  // What checked the page before was given up.
  await answered;
  releaseHome();
  await page.waitForFunction(() => window.navigation?.transition === null);
  await expect(page).toHaveURL('/payments');
  await expect(title(page)).toHaveText('Payments');

  await openReady(page, '/');
  await goTo(page, 'Settings');
  await saveFirstName(page, 'Grace');
  await expectFetchedFirst(page, 'Settings', 'Welcome, Grace');

  await goTo(page, 'Cohorts');
  const other = await context.newPage();
  await openReady(other, '/settings');
  await saveFirstName(other, 'Byron');
  await page.bringToFront();
  await expectFetchedFirst(page, 'Cohorts', 'Welcome, Byron');

  await goTo(page, 'Cohorts');
  // Browsers that are driven by a test keep no documents, so only the event comes.
  await page.evaluate(() => {
    window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  });
  await expectFetchedFirst(page, 'Cohorts', 'Welcome, Byron');

  // Once it was checked: without the session, that would lead to the login by itself.
  const checkedAgain = page.waitForResponse('**/RSC/R/cohorts.txt*');
  await page.goForward();
  await expect(title(page)).toHaveText('Cohorts');
  await checkedAgain;
  await context.clearCookies();
  await stepBackHeld(page, 'Cohorts');
  await expect(page).toHaveURL(/\/login/);
});

/** Goes back while the other page is held, until which this one stays. */
async function stepBackHeld(page: Page, before: string): Promise<void> {
  const release = await holdPage(page, '_root');
  const asked = page.waitForRequest('**/RSC/R/_root.txt*');
  await page.goBack();
  await asked;
  await expect(title(page)).toHaveText(before);
  release();
  await page.unrouteAll({ behavior: 'wait' });
}

async function expectFetchedFirst(page: Page, before: string, after: string): Promise<void> {
  await stepBackHeld(page, before);
  await expect(title(page)).toHaveText(after);
}

async function saveFirstName(page: Page, name: string): Promise<void> {
  await page.getByLabel('First name').fill(name);
  await page.getByLabel('First name').press('Enter');
  await expect(page.getByText('Profile saved.')).toBeVisible();
}

async function goTo(page: Page, name: string): Promise<void> {
  await placeOf(page, name).press('Enter');
  await expect(title(page)).toHaveText(name);
}
