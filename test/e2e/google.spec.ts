import type { Locator, Page } from '@playwright/test';
import { googlePeople } from '../../scripts/local/google-people.ts';
import { toastOn } from './forms.ts';
import { choose, goToGoogle } from './google.ts';
import { expect, openReady, test } from './support.ts';

const failed = 'Google authentication failed, consider using email login to continue.';

test('a new user signs in with Google and creates a first course; the callback works once', async ({
  page,
}) => {
  const callbacks: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/google/callback/')) {
      callbacks.push(request.url());
    }
  });
  await page.goto('/signup');
  await goToGoogle(page);
  await choose(page, googlePeople.newcomer.email);
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

test.describe('a start that fails', () => {
  test.use({ expectedErrors: [/status of (429|503)|ERR_INTERNET_DISCONNECTED/] });

  test('shows a toast, keeps the typed text, and the same click works later; the error message is ours, not one from the URL', async ({
    page,
    context,
  }) => {
    const button = page.getByRole('button', { name: 'Continue with Google' });
    for (const answer of [
      { status: 429, json: { code: 'rate_limited', message: 'No.', request_id: 'x' } },
      { status: 503, body: '<h1>Bad gateway</h1>' },
      // The browser is sent to Google and nowhere else.
      { status: 200, json: { redirect_url: 'https://evil.test/o/oauth2/v2/auth' } },
    ]) {
      await page.route('**/google/login/', (route) => route.fulfill(answer), { times: 1 });
      await page.goto('/login?error=Your account is locked, call 555-0100 <b>now</b>');
      await expect(alertOn(page)).toHaveText('Something went wrong. Please try again.');
      await button.click();
      await expect(toastOn(page)).toHaveText(failed);
      await expect(page.getByText('555-0100')).toHaveCount(0);
      await expect(page).toHaveURL(/\/login\?/);
    }
    await openReady(page, '/login');
    await page.getByLabel('Email address').fill('ada@example.com');
    await context.setOffline(true);
    await button.click();
    await expect(toastOn(page)).toHaveText(failed);
    await expect(alertOn(page)).toHaveCount(0);
    await expect(page.getByLabel('Email address')).toHaveValue('ada@example.com');
    await context.setOffline(false);
    await goToGoogle(page);
  });
});

/** The alert with a message; a form has an empty one of its own. */
function alertOn(page: Page): Locator {
  return page.getByRole('alert').filter({ hasText: /\S/ });
}
