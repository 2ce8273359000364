import type { Page } from '@playwright/test';
import { dialogCalled } from './failures.ts';
import { holdPage, openAtRest, placeOf, title } from './navigation.ts';
import { biology, toAccount } from './settings.ts';
import { askApi, expect, signInWith, test } from './support.ts';

test.describe('a step back', () => {
  test('shows the page at once as it was left and scrolled, and then its current state', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1280, height: 400 });
    await signInWith(page, [biology]);
    await openAtRest(page, '/');
    await page.evaluate(() => window.scrollTo(0, 120));
    await placeOf(page, 'Cohorts').press('Enter');
    await expect(title(page)).toHaveText('Cohorts');
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
    await holdPage(page, 'cohorts');
    await page.goForward();
    await expect(title(page)).toHaveText('Cohorts');
    await expect(page.locator('[aria-current="page"]')).toHaveText('Cohorts');
  });

  test('is not overtaken by what the page before it was still fetching', async ({ page }) => {
    await signInWith(page, [biology]);
    await openAtRest(page, '/');
    await goTo(page, 'Cohorts');
    const release = await holdPage(page, '_root');
    await page.goBack();
    await expect(title(page)).toHaveText('Welcome, Ada');
    await goTo(page, 'Payments');
    release();
    await page.waitForLoadState('networkidle');

    await expect(page).toHaveURL('/payments');
    await expect(title(page)).toHaveText('Payments');
  });

  test.describe('without a connection', () => {
    test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

    test('shows the page as it was left, and says that it could not be checked', async ({
      page,
      context,
    }) => {
      await signInWith(page, [biology]);
      await openAtRest(page, '/');
      await goTo(page, 'Cohorts');
      await context.setOffline(true);
      await page.goBack();

      const dialog = dialogCalled(page, 'Network Error');
      await expect(title(page)).toHaveText('Welcome, Ada');
      await expect(dialog).toBeVisible();
      await context.setOffline(false);
      const fetched = page.waitForResponse('**/RSC/R/_root.txt*');
      await dialog.getByRole('button', { name: 'Retry' }).click();
      await fetched;
      await expect(dialog).toBeHidden();
    });
  });

  test('fetches the page first after a change here or in another tab, in another language, once its document was left, or once the session is over', async ({
    page,
    context,
  }) => {
    await signInWith(page, [biology]);
    await openAtRest(page, '/');
    await goTo(page, 'Settings');
    await saveFirstName(page, 'Augusta');
    await expectFetchedFirst(page, 'Settings', 'Welcome, Augusta');

    await goTo(page, 'Cohorts');
    const other = await context.newPage();
    await openAtRest(other, '/settings');
    await saveFirstName(other, 'Byron');
    await page.bringToFront();
    await expectFetchedFirst(page, 'Cohorts', 'Welcome, Byron');

    await goTo(page, 'Settings');
    await page.getByRole('button', { name: 'Français' }).click();
    await expect(title(page)).toHaveText('Paramètres');
    await page.waitForLoadState('networkidle');
    await expectFetchedFirst(page, 'Paramètres', 'Bienvenue, Byron');

    await page.getByRole('complementary').getByRole('link', { name: 'Cohortes' }).click();
    await expect(title(page)).toHaveText('Cohortes');
    // Browsers that are driven by a test keep no documents, so only the event comes.
    await page.evaluate(() => {
      window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    });
    await expectFetchedFirst(page, 'Cohortes', 'Bienvenue, Byron');

    // Once it was checked: without the session, that would lead to the login by itself.
    const checked = page.waitForResponse('**/RSC/R/cohorts.txt*');
    await page.goForward();
    await expect(title(page)).toHaveText('Cohortes');
    await checked;
    await context.clearCookies();
    const release = await stepBackHeld(page, 'Cohortes');
    await release();
    await expect(page).toHaveURL(/\/login/);
  });
});

/** Goes back while the other page is held, so that this one stays. Returns what releases it. */
async function stepBackHeld(page: Page, before: string): Promise<() => Promise<void>> {
  const release = await holdPage(page, '_root');
  const asked = page.waitForRequest('**/RSC/R/_root.txt*');
  await page.goBack();
  await asked;
  await expect(title(page)).toHaveText(before);
  return async () => {
    release();
    await page.unrouteAll({ behavior: 'wait' });
  };
}

async function expectFetchedFirst(page: Page, before: string, after: string): Promise<void> {
  const release = await stepBackHeld(page, before);
  await release();
  await expect(title(page)).toHaveText(after);
}

async function saveFirstName(page: Page, name: string): Promise<void> {
  await page.getByLabel('First name').fill(name);
  await page.getByLabel('First name').press('Enter');
  await expect(page.getByText('Profile saved.')).toBeVisible();
}

async function goTo(page: Page, name: string): Promise<void> {
  await placeOf(page, name).click();
  await expect(title(page)).toHaveText(name);
}
