import type { Locator, Page } from '@playwright/test';
import { googlePeople } from '../../scripts/local/google-people.ts';
import { toastOn } from './forms.ts';
import { googleOrigin } from './playwright.config.ts';
import { expect, openReady, test } from './support.ts';

const failed = 'Google authentication failed, consider using email login to continue.';

test.use({ expectedErrors: [/status of 503|ERR_INTERNET_DISCONNECTED/] });

test('a start that fails says so and keeps what was typed, the same click signs a new user in later, and the callback works once', async ({
  page,
  context,
}) => {
  const callbacks: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/google/callback/')) {
      callbacks.push(request.url());
    }
  });
  const button = page.getByRole('button', { name: 'Continue with Google' });
  await openReady(page, '/login?error=Your account is locked, call 555-0100 <b>now</b>');
  // Our own words, not those of the address.
  await expect(alertOn(page)).toHaveText('Something went wrong. Please try again.');
  await page.getByLabel('Email address').fill('ada@example.com');
  for (const answer of [
    { status: 503, body: '<h1>Bad gateway</h1>' },
    // The browser is sent to Google and nowhere else.
    { status: 200, json: { redirect_url: 'https://evil.test/o/oauth2/v2/auth' } },
    null,
  ]) {
    await context.setOffline(answer === null);
    if (answer !== null) {
      await page.route('**/google/login/', (route) => route.fulfill(answer), { times: 1 });
    }
    await button.click();
    await expect(toastOn(page)).toHaveText(failed);
    await expect(page).toHaveURL(/\/login\?/);
    await expect(page.getByLabel('Email address')).toHaveValue('ada@example.com');
    await toastOn(page).getByRole('button', { name: 'Close' }).click();
  }
  await context.setOffline(false);
  await button.click();
  await page.waitForURL(`${googleOrigin}/**`);
  await page.getByRole('button', { name: googlePeople.newcomer.email }).click();
  await expect(page).toHaveURL('/onboarding/course');
  await page.getByLabel('Course name').fill('Analytical Engines');
  await page.getByLabel(/^Cohort/).check();
  await page.getByRole('button', { name: 'Create Course' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome, Nina' })).toBeVisible();
  await expect(page.getByRole('main').getByText(googlePeople.newcomer.email)).toBeVisible();

  await page.getByRole('main').getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL('/login');
  await page.goto(callbacks[0] ?? '');
  await expect(page).toHaveURL('/login?error=invalid_state');
  await expect(alertOn(page)).toHaveText(failed);
  await page.goto('/');
  await expect(page).toHaveURL('/login');
});

/** The alert with a message; a form has an empty one of its own. */
function alertOn(page: Page): Locator {
  return page.getByRole('alert').filter({ hasText: /\S/ });
}
