import type { Page } from '@playwright/test';
import { slowDown } from './courses.ts';
import { emailOf, internal } from './failures.ts';
import {
  codeField,
  codeMailedTo,
  expect,
  holdScripts,
  mailsTo,
  openReady,
  signInWith,
  test,
  uniqueEmail,
} from './support.ts';

test('an empty sign-up or login says so at each field and focuses the first; typing clears what was said', async ({
  page,
}) => {
  await page.goto('/signup');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('alert')).toHaveText('Please fill in all required fields.');
  await expect(page.getByLabel('First name')).toBeFocused();
  for (const [field, error] of [
    ['First name', 'First name is required'],
    ['Last name', 'Last name is required'],
    ['Email address', 'Email address is required'],
  ] as const) {
    await expect(page.getByLabel(field)).toHaveAccessibleDescription(error);
  }

  await page.goto('/login');
  await page.getByRole('button', { name: 'Send me a login link' }).click();
  const email = page.getByLabel('Email address');
  await expect(email).toHaveAccessibleDescription('Please enter your email address.');
  await email.fill('a');
  await expect(email).toHaveAccessibleDescription('');
  await email.press('Enter');
  await expect(email).toHaveAccessibleDescription('Please enter a valid email address');
  await expect(email).toHaveValue('a');
});

test.describe('on the login pages', () => {
  // The browser's own messages about the refusals.
  test.use({ expectedErrors: [/status of 40[34]/] });

  test('an address without an account is taken along to sign-up, an unverified one gets a new email', async ({
    page,
  }) => {
    const email = uniqueEmail();
    await page.goto('/login');
    const field = page.getByLabel('Email address');
    await requestLink(page, email);
    await expect(field).toHaveAccessibleDescription('No account found with this email address.');
    await expect(field).toBeFocused();
    await page.locator('.field-error').getByRole('link', { name: 'Create an account' }).click();
    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
    expect(page.url()).toMatch(/\/signup$/);
    await expect(field).toHaveValue(email);
    await expect(page.getByLabel('First name')).toBeFocused();
    expect(await page.evaluate(() => window.sessionStorage.getItem('address'))).toBeNull();

    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('button', { name: 'resend the email' }).click();
    await expect(page.getByText('Sent again.')).toBeVisible();
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual(
      Array(2).fill('Confirm your email address for Lectern'),
    );
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
    await expect(field).toHaveValue(email);
    await expect(page.getByLabel('First name')).toHaveValue('Ada');

    await page.goto('/');
    await expect(page).toHaveURL('/login');
    await requestLink(page, email);
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    const alert = page.getByRole('alert').filter({ hasText: /\S/ });
    await expect(alert).toContainText('Please verify your email address first');
    await expect(alert).toContainText('We’ve just sent you a new verification email.');
    await expect(codeField(page)).toBeFocused();
    await expect(page.getByRole('main')).toContainText(email);
    await expect(page.getByText('Check your spam folder or resend the email.')).toBeVisible();
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    await expect(field).toHaveValue(email);
    await expect(field).toBeFocused();
    await page.goForward();
    await codeField(page).fill(await codeMailedTo(email, 3));
    await expect(page).toHaveURL('/onboarding/course');
  });
});

test.describe('a refusal that names no field', () => {
  test.use({ expectedErrors: [/status of (400|429|500)/] });

  test('is said above the login forms, in no dialog, with the time to wait', async ({ page }) => {
    const malformed = { code: 'malformed_body', message: 'Invalid input.', request_id: 'x' };
    const limited = { code: 'rate_limited', message: 'Too many requests.', request_id: 'x' };
    const wait = 'You’ve made too many requests. You can try again in 2\u00a0minutes.';
    for (const [path, invalid] of [
      ['/login', 'Invalid email address.'],
      ['/signup', 'Invalid input. Please check your information.'],
    ] as const) {
      await page.goto(path);
      for (const name of await page.getByLabel(/ name$/).all()) {
        await name.fill('Ada');
      }
      const email = page.getByLabel('Email address');
      await email.fill('ada@example.com');
      for (const [answer, words] of [
        // The worker only answers this way if the body is not JSON.
        [{ status: 400, json: { ...malformed, message: invalid } }, invalid],
        [{ status: 429, json: limited, headers: { 'Retry-After': '120' } }, wait],
        [{ status: 500, contentType: 'text/html', body: '<h1>Oh</h1>' }, internal],
      ] as const) {
        await page.route('**/api/accounts/auth/**', (route) => route.fulfill(answer), { times: 1 });
        await email.press('Enter');
        await expect(page.locator('form').getByRole('alert')).toHaveText(words);
        await expect(email).toHaveValue('ada@example.com');
        await expect(page.getByRole('dialog')).toHaveCount(0);
      }
    }
  });
});

test('a form that is being sent can be neither changed nor sent again', async ({ page }) => {
  const email = uniqueEmail();
  await openReady(page, '/signup');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('Email address').fill(email);
  await slowDown(page, 1_000);
  await page.getByRole('button', { name: 'Create account' }).dblclick();

  await expect(page.getByRole('button', { name: 'Creating your account…' })).toBeDisabled();
  await expect(page.getByLabel('Email address')).toBeDisabled();
  await expect(page.getByRole('heading', { name: 'Account created' })).toBeVisible();
  expect(await mailsTo(email)).toHaveLength(1);
});

test('what is clicked and typed before the scripts are there is not lost', async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Français' }).click();
  await page.getByLabel('Email address').fill('not an address');
  release();

  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page.getByLabel('Adresse e‑mail')).toHaveValue('not an address');
});

test('after logging out, the back button shows nothing, and nothing is left in the tab', async ({
  page,
}) => {
  await signInWith(page, [{ name: 'Biology 101', course_type: 'cohort' }]);
  const email = await emailOf(page);
  await openReady(page);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  await page.evaluate(() => {
    window.sessionStorage.setItem('draft', '{}');
    // biome-ignore lint/suspicious/noDocumentCookie: as the login page writes it.
    document.cookie = 'return_to=%2Fsettings; Path=/';
  });
  await page.getByRole('main').getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/login');
  expect(await page.evaluate(() => window.sessionStorage.getItem('draft'))).toBeNull();
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('return_to');
  // To the home page, then to the settings, which were shown without loading a document.
  for (const login of ['/login', '/login?next=/settings']) {
    await page.goBack();
    await expect(page).toHaveURL(login);
    await expect(page.getByText(email)).toHaveCount(0);
  }
});

async function requestLink(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send me a login link' }).click();
}
