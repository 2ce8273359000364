import type { Locator, Page } from '@playwright/test';
import { googlePeople } from '../../scripts/local/google-people.ts';
import { logOut } from './forms.ts';
import { choose, goToGoogle, signUpByMail } from './google.ts';
import { expect, openReady, test } from './support.ts';

const failed = 'Google authentication failed, consider using email login to continue.';

test('a new user signs in with Google and creates a first course', async ({ page }) => {
  await page.goto('/signup');
  await goToGoogle(page);
  await choose(page, googlePeople.newcomer.email);
  await expect(page).toHaveURL('/onboarding/course');
  await page.getByLabel('Course name').fill('Analytical Engines');
  await page.getByLabel(/^Cohort/).check();
  await page.getByRole('button', { name: 'Create Course' }).click();

  await expect(page.getByRole('heading', { name: 'Welcome, Nina' })).toBeVisible();
  await expect(page.getByRole('main').getByText(googlePeople.newcomer.email)).toBeVisible();
});

test('an account created by email is the same account with Google', async ({ page }) => {
  const { email } = googlePeople.member;
  await signUpByMail(page, 'Marcus', email);
  const before = await toAccount(page);
  await logOut(page);
  await page.goto('/login');
  await goToGoogle(page);
  await choose(page, email);
  await expect(page).toHaveURL('/onboarding/course');

  // Marcus, the name in this account, not Marco, the name at Google.
  expect(await toAccount(page)).toEqual(before);
  expect(before).toMatchObject({ first_name: 'Marcus' });
});

test('canceling at Google returns to the login page with a message', async ({ page }) => {
  await page.goto('/login');
  await goToGoogle(page);
  // Google's redirect after “Cancel”; the stand-in has no such button.
  const { searchParams } = new URL(page.url());
  const callback = new URL(searchParams.get('redirect_uri') ?? '');
  callback.searchParams.set('error', 'access_denied');
  callback.searchParams.set('state', searchParams.get('state') ?? '');
  await page.goto(callback.href);

  await expect(page).toHaveURL('/login?error=auth_failed');
  await expect(alertOn(page)).toHaveText(failed);
  await expect(page.getByLabel('Email address')).toBeEditable();
  await goToGoogle(page);
  await choose(page, googlePeople.hesitant.email);
  await expect(page).toHaveURL('/onboarding/course');
});

test('the callback from Google works once', async ({ page }) => {
  const callbacks: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/google/callback/')) {
      callbacks.push(request.url());
    }
  });
  await page.goto('/login');
  await goToGoogle(page);
  await choose(page, googlePeople.replayed.email);
  await expect(page).toHaveURL('/onboarding/course');
  await logOut(page);
  await page.goto(callbacks[0] ?? '');

  await expect(page).toHaveURL('/login?error=invalid_state');
  await expect(alertOn(page)).toHaveText(failed);
  await page.goto('/');
  await expect(page).toHaveURL('/login');
});

test('a sign-in that one browser started cannot be finished in another', async ({
  page,
  openBrowser,
}) => {
  await page.goto('/login');
  await goToGoogle(page);
  const other = await openBrowser();
  await other.goto(page.url());
  await choose(other, googlePeople.wanderer.email);
  await expect(other).toHaveURL('/login?error=invalid_state');
  await other.goto('/');
  await expect(other).toHaveURL('/login');

  await choose(page, googlePeople.wanderer.email);
  await expect(page).toHaveURL('/onboarding/course');
});

test('two tabs do not interfere with each other', async ({ page, context }) => {
  const second = await context.newPage();
  await page.goto('/login');
  await second.goto('/login');
  await goToGoogle(page);
  await goToGoogle(second);
  await choose(page, googlePeople.twoTabs.email);
  await expect(page).toHaveURL('/onboarding/course');
  await choose(second, googlePeople.twoTabs.email);
  await expect(second).toHaveURL('/onboarding/course');
});

test('where Google does not run the mailbox, it cannot open an existing account', async ({
  page,
}) => {
  const { email } = googlePeople.outsider;
  await signUpByMail(page, 'Olaf', email);
  await logOut(page);
  await page.goto('/login');
  await goToGoogle(page);
  await choose(page, email);

  await expect(page).toHaveURL('/login?error=email_not_verified');
  await expect(alertOn(page)).toHaveText(
    'Your Gmail account has not been verified, consider using email login to continue.',
  );
});

test('an address that Google has not verified signs no one in', async ({ page }) => {
  await page.goto('/login');
  await goToGoogle(page);
  await choose(page, googlePeople.unverified.email);

  await expect(page).toHaveURL('/login?error=email_not_verified');
});

test('the error message is ours, whatever the URL says', async ({ page }) => {
  await page.goto('/login?error=Your account is locked, call 555-0100 <b>now</b>');

  await expect(alertOn(page)).toHaveText('Something went wrong. Please try again.');
  await expect(page.getByText('555-0100')).toHaveCount(0);
});

test('the browser is sent to Google and nowhere else', async ({ page }) => {
  await page.route('**/google/login/', (route) =>
    route.fulfill({ json: { redirect_url: 'https://evil.test/o/oauth2/v2/auth' } }),
  );
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Google' }).click();

  await expect(toastOn(page)).toHaveText(failed);
  await expect(page).toHaveURL('/login');
});

test.describe('a start that fails', () => {
  test.use({ expectedErrors: [/status of (429|503)|ERR_INTERNET_DISCONNECTED/] });

  const answers = {
    'is refused': { status: 429, json: { code: 'rate_limited', message: 'No.', request_id: 'x' } },
    'gets an answer that is not ours': { status: 503, body: '<h1>Bad gateway</h1>' },
    'gets an answer without an address': { status: 200, json: { redirect_url: 'nowhere' } },
  };
  for (const [what, answer] of Object.entries(answers)) {
    test(`because it ${what} shows a toast, and the same click works later`, async ({ page }) => {
      await page.route('**/google/login/', (route) => route.fulfill(answer), { times: 1 });
      await page.goto('/signup');
      await page.getByRole('button', { name: 'Continue with Google' }).click();

      await expect(toastOn(page)).toHaveText(failed);
      await expect(alertOn(page)).toHaveCount(0);
      await goToGoogle(page);
    });
  }

  test('because there is no connection shows the same toast, and the typed text stays', async ({
    page,
    context,
  }) => {
    await openReady(page, '/login');
    await page.getByLabel('Email address').fill('ada@example.com');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Continue with Google' }).click();

    await expect(toastOn(page)).toHaveText(failed);
    await expect(page.getByLabel('Email address')).toHaveValue('ada@example.com');
    await context.setOffline(false);
    await goToGoogle(page);
  });
});

/** The alert with a message; a form has an empty one of its own. */
function alertOn(page: Page): Locator {
  return page.getByRole('alert').filter({ hasText: /\S/ });
}

/** The text of the toast. */
function toastOn(page: Page): Locator {
  return page.getByRole('status').locator('.toast');
}

/** The signed-in user, from the API. */
function toAccount(page: Page): Promise<unknown> {
  return page.evaluate(async () => (await fetch('/api/accounts/auth/user/')).json());
}
