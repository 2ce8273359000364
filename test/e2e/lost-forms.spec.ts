import { connectionLost } from './forms.ts';
import { biology } from './settings.ts';
import { expect, mailsTo, openReady, signInWith, test, uniqueEmail } from './support.ts';

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
});

test.describe('a script that a deploy has removed', () => {
  // The server refuses what the browser could not check.
  test.use({ expectedErrors: [/status of 40[04]|Failed to fetch dynamically imported/] });

  test('does not reload a page on which something is typed', async ({ page }) => {
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

  test('makes the browser load a page that needs it as a document', async ({ page }) => {
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
