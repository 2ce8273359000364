import type { Page } from '@playwright/test';
import { googlePeople } from '../../scripts/local/google-people.ts';
import { dialogCalled, emailOf } from './failures.ts';
import { choose, goToGoogle, signUpByMail } from './google.ts';
import {
  askApi,
  expect,
  linkMailedTo,
  openReady,
  signInWith,
  signUp,
  test,
  uniqueEmail,
} from './support.ts';

const biology = { name: 'Biology 101', course_type: 'cohort' } as const;

const expired = 'Your session has expired. Please log in to continue.';

test.describe('a session that ends while someone is typing', () => {
  test.use({ expectedErrors: [/status of 40[13]|^Unauthorized access/] });

  test('is told by the login page, which leads back to the page and to what was typed', async ({
    page,
  }) => {
    const email = await loseSessionWhileTyping(page);
    await expect(page).toHaveURL('/login?next=/settings&reason=expired');
    await expect(page.getByText(expired)).toBeVisible();
    await requestLink(page, email);
    await page.goto(await linkMailedTo(email, 2));
    await page.getByRole('button', { name: 'Log in' }).click();

    await expect(page).toHaveURL('/settings');
    await expect(page.getByLabel('First name')).toHaveValue('Augusta');
    await saveName(page);
    await expect(page.getByText('Name saved.')).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('First name')).toHaveValue('Augusta');
  });

  test('leads to what was typed, far down the page, and to the mistake in it', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    const email = await loseSessionWhileTyping(page);
    await requestLink(page, email);
    await page.goto(await linkMailedTo(email, 2));
    await page.getByRole('button', { name: 'Log in' }).click();

    const field = page.getByLabel('First name');
    await expect(field).toHaveValue('Augusta');
    await expect(field).toBeFocused();
    await expect(field).toBeInViewport();
    await field.fill('A');
    await saveName(page);
    await expect(page.getByText('Name must be at least 2 characters')).toBeInViewport();
    await expect(field).toBeFocused();
    await expect(field).toBeInViewport();
  });

  test('is over in this tab too once the link was opened in another one', async ({
    page,
    context,
  }) => {
    const email = await loseSessionWhileTyping(page);
    await requestLink(page, email);
    const other = await context.newPage();
    await other.goto(await linkMailedTo(email, 2));
    await other.getByRole('button', { name: 'Log in' }).click();

    await expect(other).toHaveURL('/settings');
    await expect(other.getByLabel('First name')).toHaveValue('Ada');
    await expect(page).toHaveURL('/settings');
    await expect(page.getByLabel('First name')).toHaveValue('Augusta');
  });

  test('opens the dialog again that one was typing in', async ({ page }) => {
    await signInWith(page, [biology]);
    const email = await emailOf(page);
    await openReady(page, '/cohorts');
    await page.getByRole('button', { name: /^Course\b/ }).click();
    await page.getByRole('button', { name: 'create new course' }).click();
    const newCourse = dialogCalled(page, 'Create a new course');
    await newCourse.getByLabel('Course name').fill('Chemistry');
    await newCourse.getByRole('radio', { name: /^Evergreen/ }).check();
    await page.context().clearCookies({ name: 'session' });
    await newCourse.getByRole('button', { name: 'Create Course', exact: true }).click();
    await goToLogin(page);
    await requestLink(page, email);
    await page.goto(await linkMailedTo(email, 2));
    await page.getByRole('button', { name: 'Log in' }).click();

    await expect(page).toHaveURL('/cohorts');
    await expect(newCourse.getByLabel('Course name')).toHaveValue('Chemistry');
    await expect(newCourse.getByRole('radio', { name: /^Evergreen/ })).toBeChecked();
    await newCourse.getByRole('button', { name: 'Create Course', exact: true }).click();
    await expect(page.getByRole('button', { name: /^Course\b.*Chemistry/ })).toBeVisible();
  });

  test('keeps nothing for another user', async ({ page }) => {
    await loseSessionWhileTyping(page);
    const other = uniqueEmail();
    await signUp(page, other);
    await askApi(page, 'POST', '/api/courses/', biology);
    await openReady(page, '/settings');

    await expect.poll(() => draftOf(page)).toBeNull();
    await expect(page.getByLabel('First name')).toHaveValue('Ada');
  });
});

test('logging out leaves nothing in the tab: neither what was typed nor a way back', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  await openReady(page, '/settings');
  await page.evaluate(() => {
    window.sessionStorage.setItem('draft', '{}');
    // biome-ignore lint/suspicious/noDocumentCookie: as the login page writes it.
    document.cookie = 'return_to=%2Fsettings; Path=/';
  });
  await page.getByRole('button', { name: /^Your account\b/ }).click();
  await page.getByRole('button', { name: 'Log out' }).click();

  await expect(page).toHaveURL('/login');
  expect(await draftOf(page)).toBeNull();
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('return_to');
});

test('a bookmarked page is reached after logging in, with Google too, and no session is said to have expired', async ({
  page,
}) => {
  const { email } = googlePeople.returner;
  await signUpByMail(page, 'Rita', email);
  await askApi(page, 'POST', '/api/courses/', biology);
  await askApi(page, 'POST', '/api/accounts/auth/logout/');
  await page.goto('/settings/billing');
  await expect(page).toHaveURL('/login?next=/settings/billing');
  await expect(page.getByText(expired)).toHaveCount(0);
  // By way of the other page that signs in.
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(page).toHaveURL('/signup');
  await goToGoogle(page);
  await choose(page, email);

  await expect(page).toHaveURL('/settings/billing');
  // The way back is for one sign-in.
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('return_to');
});

test('a signed-in user goes to the page at once, and never to another site', async ({ page }) => {
  await signInWith(page, [biology]);
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

async function saveName(page: Page): Promise<void> {
  const profile = page.getByRole('region', { name: 'Profile' });
  await profile.getByRole('button', { name: 'Save' }).click();
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

function draftOf(page: Page): Promise<string | null> {
  return page.evaluate(() => window.sessionStorage.getItem('draft'));
}
