import { connectionLost, toastOn } from './forms.ts';
import { biology, toAccount } from './settings.ts';
import { expect, openReady, signInWith, test } from './support.ts';

test('a change of language keeps typed text, messages and the focus, and is stored in the browser', async ({
  page,
  context,
}) => {
  await openReady(page, '/signup');
  await page.getByLabel('First name').fill('Zoë');
  await page.getByLabel('Email address').fill('not an address');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  const french = page.getByRole('button', { name: 'Français' });
  await french.focus();
  await page.keyboard.press('Enter');

  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page).toHaveTitle('Créer un compte · Lectern');
  await expect(page.getByLabel('Prénom')).toHaveValue('Zoë');
  await expect(page.getByLabel('Adresse e‑mail')).toHaveValue('not an address');
  await expect(page.getByText('Veuillez saisir une adresse e‑mail valide')).toBeVisible();
  await expect(page.getByText('Le nom est obligatoire')).toBeVisible();
  await expect(french).toBeFocused();
  expect(await page.evaluate(() => window.localStorage.getItem('language'))).toBe('fr');
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bon retour parmi nous');
  // The stored choice survives a lost cookie.
  await context.clearCookies();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
});

test.describe('a page that cannot be fetched again', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|status of 503/] });

  test('leaves the typed text and the language as they are, and a toast with the icon of a failure says so', async ({
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
    await expect(toastOn(page)).toHaveAttribute('data-kind', 'failed');
    await expect(toastOn(page).locator('.icon-cross-circle')).toBeVisible();
    await context.setOffline(false);
    await toastOn(page).getByRole('button', { name: 'Close' }).click();

    // The worker's answer when its database fails: see built/pages.test.ts.
    await page.route('**/RSC/**', (route) => route.fulfill({ status: 503 }), { times: 1 });
    await page.getByRole('button', { name: 'Français' }).click();
    await expect(toastOn(page)).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(firstName).toHaveValue('Zoë');
    expect(await toAccount(page)).toMatchObject({ language: 'en' });
    await page.getByRole('button', { name: 'Français' }).click();
    await expect(page.locator('#profile').getByLabel('Prénom')).toHaveValue('Zoë');
  });
});
