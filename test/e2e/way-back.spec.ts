import type { Page } from '@playwright/test';
import { googlePeople } from '../../scripts/local/google-people.ts';
import { biology, dialogOf, openNewCourse, triggerOf } from './courses.ts';
import { dialogCalled, emailOf } from './failures.ts';
import { choose, goToGoogle } from './google.ts';
import { clientOf } from './people.ts';
import {
  askApi,
  expect,
  linkMailedTo,
  openReady,
  signInWith,
  test,
  untilReady,
} from './support.ts';

const expired = 'Your session has expired. Please log in to continue.';

test.describe('a session that ends while someone is typing', () => {
  test.use({ expectedErrors: [/status of 40[13]|^Unauthorized access/] });

  test('is explained by the login page, which leads back to what was typed, far down the page, and to the mistake in it', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    const email = await loseSessionWhileTyping(page);
    await expect(page).toHaveURL('/login?next=/settings&reason=expired');
    await expect(page.getByText(expired)).toBeVisible();
    await logInByLink(page, email);

    await expect(page).toHaveURL('/settings');
    const field = page.getByLabel('First name');
    await expect(field).toHaveValue('Augusta');
    await expect(field).toBeFocused();
    await expect(field).toBeInViewport();
    const save = page
      .getByRole('region', { name: 'Profile' })
      .getByRole('button', { name: 'Save' });
    await field.fill('A');
    await save.click();
    await expect(page.getByText('Name must be at least 2 characters')).toBeInViewport();
    await expect(field).toBeFocused();
    await field.fill('Augusta');
    await save.click();
    await expect(page.getByText('Profile saved.')).toBeVisible();
    await page.reload();
    await expect(field).toHaveValue('Augusta');
  });

  test('opens the dialog again that one was typing in', async ({ page }) => {
    await signInWith(page, [biology]);
    const email = await emailOf(page);
    await openReady(page, '/cohorts');
    await openNewCourse(page);
    await dialogOf(page).getByLabel('Course name').fill('Chemistry');
    await dialogOf(page)
      .getByRole('radio', { name: /^Evergreen/ })
      .check();
    await page.context().clearCookies({ name: 'session' });
    const create = dialogOf(page).getByRole('button', { name: 'Create Course', exact: true });
    await create.click();
    await goToLogin(page);
    await logInByLink(page, email);

    await expect(page).toHaveURL('/cohorts');
    await expect(dialogOf(page).getByLabel('Course name')).toHaveValue('Chemistry');
    await expect(dialogOf(page).getByRole('radio', { name: /^Evergreen/ })).toBeChecked();
    await create.click();
    await expect(triggerOf(page, 'Chemistry')).toBeVisible();
  });

  test('keeps nothing for another user', async ({ page }) => {
    await loseSessionWhileTyping(page);
    await signInWith(page, [biology]);
    await openReady(page, '/settings');

    await expect.poll(() => page.evaluate(() => window.sessionStorage.getItem('draft'))).toBeNull();
    await expect(page.getByLabel('First name')).toHaveValue('Ada');
  });
});

test('a bookmarked page is reached after logging in, with Google too, and no session is said to have expired', async ({
  page,
}) => {
  const { email } = googlePeople.returner;
  await (await clientOf(page)).signUp(email);
  await askApi(page, 'POST', '/api/courses/', biology);
  await askApi(page, 'POST', '/api/accounts/auth/logout/');
  await page.goto('/settings/billing');
  await expect(page).toHaveURL('/login?next=/settings/billing');
  await expect(page.getByText(expired)).toHaveCount(0);
  // Scripts keep the way back.
  await untilReady(page);
  // By way of the other page that signs in.
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(page).toHaveURL('/signup');
  await goToGoogle(page);
  await choose(page, email);

  await expect(page).toHaveURL('/settings/billing');
  // The way back is for one sign-in.
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('return_to');
  await page.goto('/login?next=/settings%23sessions');
  await expect(page).toHaveURL('/settings#sessions');
  await page.goto('/login?next=//evil.test/');
  await expect(page).toHaveURL('/');
});

/** Settings with an unsaved name, then /login. Returns the user's address. */
async function loseSessionWhileTyping(page: Page): Promise<string> {
  await signInWith(page, [biology]);
  const email = await emailOf(page);
  await openReady(page, '/settings');
  await page.getByLabel('First name').fill('Augusta');
  await page.context().clearCookies({ name: 'session' });
  await page.getByLabel('First name').press('Enter');
  await goToLogin(page);
  return email;
}

async function goToLogin(page: Page): Promise<void> {
  const dialog = dialogCalled(page, 'Authentication Required');
  await expect(dialog).toContainText('What you typed is still here.');
  await dialog.getByRole('link', { name: 'Go to Login' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
}

async function requestLink(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send me a login link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
}

async function logInByLink(page: Page, email: string): Promise<void> {
  await requestLink(page, email);
  await page.goto(await linkMailedTo(email, 2));
  await page.getByRole('button', { name: 'Log in' }).click();
}
