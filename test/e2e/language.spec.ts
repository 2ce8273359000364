import type { Page } from '@playwright/test';
import { connectionLost, createFirstCourse, toastOn } from './forms.ts';
import { expect, mailsTo, openReady, signInWith, signUp, test, uniqueEmail } from './support.ts';

const biology = { name: 'Biology 101', course_type: 'cohort' } as const;

test('typed text and messages survive a change of language', async ({ page }) => {
  await page.goto('/signup');
  await page.getByLabel('First name').fill('Zoë');
  await page.getByLabel('Email address').fill('not an address');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await page.getByRole('button', { name: 'Français' }).click();

  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page).toHaveTitle('Créer un compte · Lectern');
  await expect(page.getByLabel('Prénom')).toHaveValue('Zoë');
  await expect(page.getByLabel('Adresse e‑mail')).toHaveValue('not an address');
  await expect(page.getByText('Veuillez saisir une adresse e‑mail valide')).toBeVisible();
  await expect(page.getByText('Le nom est obligatoire')).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
});

test('the stored language survives a lost cookie', async ({ page, context }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Français' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await context.clearCookies();
  await page.reload();

  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
});

test('a change of language keeps the focus', async ({ page }) => {
  await openReady(page, '/signup');
  const french = page.getByRole('button', { name: 'Français' });
  await french.focus();
  await page.keyboard.press('Enter');

  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(french).toBeFocused();
});

test('a signed-in user’s language is stored on the account', async ({ page, openBrowser }) => {
  const email = uniqueEmail();
  await signUp(page, email);
  await createFirstCourse(page, 'Biology 101');
  await openReady(page, '/settings');
  const profile = page.locator('#profile');
  await profile.getByLabel('First name').fill('Zoë');
  await page.getByRole('button', { name: 'Français' }).click();

  await expect(page.getByRole('heading', { name: 'Paramètres', exact: true })).toBeVisible();
  await expect(page).toHaveTitle('Paramètres · Lectern');
  await expect(profile.getByLabel('Prénom')).toHaveValue('Zoë');
  await expect.poll(() => toAccount(page)).toMatchObject({ language: 'fr', first_name: 'Ada' });
  // Emails are also French from another browser, whose own language is English.
  const other = await openBrowser();
  await other.goto('/login');
  await other.getByLabel('Email address').fill(email);
  await other.getByRole('button', { name: 'Send me a login link' }).click();
  await expect
    .poll(async () => (await mailsTo(email)).at(-1)?.subject)
    .toBe('Votre lien de connexion Lectern');
});

test('before the first course, the language is stored on the account too', async ({ page }) => {
  await signUp(page, uniqueEmail());
  await page.getByLabel('Course name').fill('Biology 101');
  await page.getByRole('button', { name: 'Français' }).click();

  await expect(page.getByLabel('Nom du cours')).toHaveValue('Biology 101');
  await expect.poll(() => toAccount(page)).toMatchObject({ language: 'fr' });
});

test.describe('a page that cannot be fetched again', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|status of 503/] });

  test('leaves the settings, the typed text and the language as they are', async ({
    page,
    context,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/settings');
    const firstName = page.locator('#profile').getByLabel('First name');
    await firstName.fill('Zoë');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Français' }).click();
    await expect(toastOn(page)).toHaveText(connectionLost);
    await context.setOffline(false);

    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(firstName).toHaveValue('Zoë');
    expect(await toAccount(page)).toMatchObject({ language: 'en' });
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible();
  });

  test('because the worker cannot read it does no harm either', async ({ page }) => {
    await openReady(page, '/signup');
    await page.getByLabel('First name').fill('Zoë');
    // The worker's answer when its database fails: see built/pages.test.ts.
    await page.route('**/RSC/**', (route) => route.fulfill({ status: 503 }), { times: 1 });
    await page.getByRole('button', { name: 'Français' }).click();

    await expect(toastOn(page)).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByLabel('First name')).toHaveValue('Zoë');
    await page.getByRole('button', { name: 'Français' }).click();
    await expect(page.getByLabel('Prénom')).toHaveValue('Zoë');
  });
});

/** The signed-in user, from the API. */
function toAccount(page: Page): Promise<unknown> {
  return page.evaluate(async () => (await fetch('/api/accounts/auth/user/')).json());
}
