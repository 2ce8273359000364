import { connectionLost, coursesOf, toastOn } from './forms.ts';
import {
  expect,
  loseNextAnswer,
  mailsTo,
  openReady,
  signInWith,
  signUp,
  test,
  uniqueEmail,
} from './support.ts';

const biology = { name: 'Biology 101', course_type: 'cohort' } as const;

test.describe('offline', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

  test('without a connection nothing is lost, and the same click works later', async ({
    page,
    context,
  }) => {
    await openReady(page, '/signup');
    const email = uniqueEmail();
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByLabel('Email address').fill(email);
    await context.setOffline(true);
    const submit = page.getByRole('button', { name: 'Create account' });
    await submit.click();
    await expect(page.getByRole('alert')).toHaveText(connectionLost);
    await expect(page.getByLabel('Email address')).toHaveValue(email);
    await expect(submit).toBeFocused();
    await context.setOffline(false);
    await submit.press('Enter');

    await expect(page.getByRole('heading', { name: 'Account created' })).toBeVisible();
  });

  test('a language that cannot be loaded leaves the form as it is, and is not stored', async ({
    page,
    context,
  }) => {
    await openReady(page, '/signup');
    await page.getByLabel('First name').fill('Zoë');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Français' }).click();

    await expect(toastOn(page)).toHaveText(connectionLost);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByLabel('First name')).toHaveValue('Zoë');
    await toastOn(page).getByRole('button', { name: 'Close' }).click();
    await expect(toastOn(page)).toBeHidden();
    await context.setOffline(false);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
  });

  test('a failed logout says so, and can be retried', async ({ page, context }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Log out' }).click();
    const dialog = page.getByRole('dialog', { name: 'Network Error' });
    await expect(dialog).toContainText(connectionLost);
    await expect(page).toHaveURL('/');
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Retry' }).click();

    await expect(page).toHaveURL('/login');
  });
});

test.describe('a script that a deploy has removed', () => {
  // The server refuses what the browser could not check.
  test.use({ expectedErrors: [/status of 40[04]|Failed to fetch dynamically imported/] });

  test('is no reason to reload a page on which something is typed', async ({ page }) => {
    await page.route('**/assets/schema-*.js', (route) => route.fulfill({ status: 404 }));
    const email = uniqueEmail();
    await openReady(page, '/signup');
    const document = await page.evaluateHandle(() => window.document);
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Create account' }).click();
    // The server checks the form instead.
    await expect(page.getByText('Last name is required')).toBeVisible();
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByRole('button', { name: 'Create account' }).click();

    await expect(page.getByRole('heading', { name: 'Account created' })).toBeVisible();
    expect(await document.evaluate((before) => before === window.document)).toBe(true);
  });

  test('and that a page needs has it loaded as a document', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/cohorts');
    await page.route('**/assets/settings-*.js', (route) => route.fulfill({ status: 404 }), {
      times: 1,
    });
    const loaded = page.waitForEvent('domcontentloaded');
    await page.getByRole('link', { name: 'Settings' }).click();
    await loaded;

    await expect(page).toHaveURL('/settings');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  });
});

test.describe('a lost CSRF token', () => {
  // The refusal that sets the new token.
  test.use({ expectedErrors: [/status of 403/] });

  test('a form works even if its cookies disappear while it is open', async ({ page, context }) => {
    const email = uniqueEmail();
    await page.goto('/signup');
    await context.clearCookies();
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Create account' }).click();

    await expect(page.getByRole('heading', { name: 'Account created' })).toBeVisible();
    expect(await mailsTo(email)).toHaveLength(1);
  });
});

test.describe('an answer that is lost on its way', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('is requested again by the form, and the course is created once', async ({ page }) => {
    await signUp(page, uniqueEmail());
    await loseNextAnswer(page, '**/api/courses/');
    await page.getByLabel('Course name').fill('Biology 101');
    await page.getByRole('radio', { name: /^Cohort/ }).check();
    await page.getByRole('button', { name: 'Create Course' }).click();
    const dialog = page.getByRole('dialog', { name: 'Network Error' });
    await expect(dialog).toContainText(connectionLost);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByLabel('Course name')).toHaveValue('Biology 101');
    await page.getByRole('button', { name: 'Create Course' }).click();
    await expect(page).toHaveURL('/');

    expect(await coursesOf(page)).toHaveLength(1);
  });
});

test.describe('a session that ended in the meantime', () => {
  test.use({ expectedErrors: [/status of 40[13]|^Unauthorized access/] });

  test('shows a link to log in, and the typed text stays', async ({ page, context }) => {
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    await signUp(page, uniqueEmail());
    await page.getByLabel('Course name').fill('Biology 101');
    await page.getByRole('radio', { name: /^Cohort/ }).check();
    await context.clearCookies({ name: 'session' });
    await page.getByRole('button', { name: 'Create Course' }).click();

    const dialog = page.getByRole('dialog', { name: 'Authentication Required' });
    await expect(dialog).toContainText('Your session has expired. Please log in to continue.');
    await expect(dialog.getByRole('button', { name: 'Retry' })).toHaveCount(0);
    expect(logged.filter((text) => text.startsWith('Unauthorized access'))).toHaveLength(1);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByLabel('Course name')).toHaveValue('Biology 101');
    await expect(page.getByRole('radio', { name: /^Cohort/ })).toBeChecked();
    await page.getByRole('button', { name: 'Create Course' }).click();
    await dialog.getByRole('link', { name: 'Go to Login' }).click();
    await expect(page).toHaveURL('/login?next=/onboarding/course&reason=expired');
  });
});

test.describe('a session that ended while a page is shown', () => {
  test.use({ expectedErrors: [/status of 40[13]|^Unauthorized access/] });

  test('leads to the login page with the next link or language change', async ({
    page,
    context,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/');
    const [session] = (await context.cookies()).filter(({ name }) => name === 'session');
    await context.clearCookies({ name: 'session' });
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page).toHaveURL('/login?next=/settings');
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();

    await context.addCookies(session ? [session] : []);
    await openReady(page, '/settings');
    await context.clearCookies({ name: 'session' });
    await page.getByRole('button', { name: 'Français' }).click();
    await expect(page).toHaveURL('/login?next=/settings');
    await expect(page.getByRole('heading', { name: 'Bon retour parmi nous' })).toBeVisible();
  });
});
