import type { Page } from '@playwright/test';
import { dialogOf, openNewCourse, triggerOf } from './courses.ts';
import { dialogCalled } from './failures.ts';
import { biology } from './settings.ts';
import { expect, linkMailedTo, openReady, signInWith, test } from './support.ts';

test.use({ expectedErrors: [/status of 40[13]|^Unauthorized access/] });

test('a session that ends while someone is typing is explained by the login page, which leads back to what was typed, far down the page or in a dialog, and keeps nothing for another user', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await loseSessionWhileTyping(page);
  const email = await loseSessionWhileTyping(page);
  await expect(page).toHaveURL('/login?next=/settings&reason=expired');
  await expect(
    page.getByText('Your session has expired. Please log in to continue.'),
  ).toBeVisible();
  await logInByLink(page, email, 2);

  await expect(page).toHaveURL('/settings');
  const field = page.getByLabel('First name');
  await expect(field).toHaveValue('Augusta');
  await expect(field).toBeFocused();
  await expect(field).toBeInViewport();
  await field.fill('A');
  await field.press('Enter');
  await expect(page.getByText('Name must be at least 2 characters')).toBeInViewport();
  await expect(field).toBeFocused();
  await field.fill('Augusta');
  await field.press('Enter');
  await expect(page.getByText('Profile saved.')).toBeVisible();
  await page.reload();
  await expect(field).toHaveValue('Augusta');

  // So does the dialog that one was typing in.
  await page.setViewportSize({ width: 1280, height: 720 });
  await openReady(page, '/cohorts');
  await openNewCourse(page);
  const name = dialogOf(page).getByLabel('Course name');
  const evergreen = dialogOf(page).getByRole('radio', { name: /^Evergreen/ });
  const create = dialogOf(page).getByRole('button', { name: 'Create Course', exact: true });
  await name.fill('Chemistry');
  await evergreen.check();
  await page.context().clearCookies({ name: 'session' });
  await create.click();
  await goToLogin(page);
  await logInByLink(page, email, 3);
  await expect(page).toHaveURL('/cohorts');
  await expect(name).toHaveValue('Chemistry');
  await expect(evergreen).toBeChecked();
  await create.click();
  await expect(triggerOf(page, 'Chemistry')).toBeVisible();
});

/** A new user's settings with an unsaved name, then /login. Returns the user's address. */
async function loseSessionWhileTyping(page: Page): Promise<string> {
  const email = await signInWith(page, [biology]);
  await openReady(page, '/settings');
  const field = page.getByLabel('First name');
  await expect(field).toHaveValue('Ada');
  await expect.poll(() => page.evaluate(() => window.sessionStorage.getItem('draft'))).toBeNull();
  await field.fill('Augusta');
  await page.context().clearCookies({ name: 'session' });
  await field.press('Enter');
  await goToLogin(page);
  return email;
}

async function goToLogin(page: Page): Promise<void> {
  const dialog = dialogCalled(page, 'Authentication Required');
  await expect(dialog).toContainText('What you typed is still here.');
  await expect(dialog).not.toContainText('Reference');
  await dialog.getByRole('link', { name: 'Go to Login' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
}

async function logInByLink(page: Page, email: string, mailCount: number): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send me a login link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await page.goto(await linkMailedTo(email, mailCount));
  await page.getByRole('button', { name: 'Log in' }).click();
}
