import type { Page } from '@playwright/test';
import { connectionUnsupportedPlayer, toastOn } from './forms.ts';
import { openSettings, section, toAccount } from './settings.ts';
import { expect, logInAs, mailsTo, openReady, signInWith, test } from './support.ts';

test.use({ expectedErrors: [/status of (401|404|503)|^Unauthorized access/] });

test('before the app, a change of language keeps typed text, messages and the focus, is on every page, and is stored in the browser', async ({
  page,
  context,
}) => {
  await openReady(page, '/signup');
  await expectTopRight(page);
  await page.getByLabel('First name').fill('Zoë');
  await page.getByLabel('Email address').fill('not an address');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  const french = page.getByRole('button', { name: 'Français' });
  await french.focus();
  await page.keyboard.press('Enter');
  const html = page.locator('html');
  await expect(html).toHaveAttribute('lang', 'fr');
  await expect(page).toHaveTitle('Créer un compte · Lectern');
  await expect(page.getByLabel('Prénom')).toHaveValue('Zoë');
  await expect(page.getByLabel('Adresse e‑mail')).toHaveValue('not an address');
  await expect(page.getByText('Veuillez saisir une adresse e‑mail valide')).toBeVisible();
  await expect(page.getByText('Le nom est obligatoire')).toBeVisible();
  await expect(french).toBeFocused();

  const title = page.getByRole('heading', { level: 1 });
  for (const [path, frenchTitle, english] of [
    [`/confirm?token=${'0badcafe'.repeat(8)}`, 'L’authentification a échoué. Réessayez'],
    ['/login', 'Bon retour parmi nous', 'Welcome back'],
    ['/nowhere', 'Page introuvable', 'Page not found'],
    ['/onboarding/course', 'Créez votre premier cours', 'Create your first course'],
  ] as const) {
    if (path === '/onboarding/course') {
      await signInWith(page, []);
    }
    await page.goto(path);
    await expect(title).toHaveText(frenchTitle);
    await expectTopRight(page);
    if (english !== undefined) {
      await page.getByRole('button', { name: 'English' }).click();
      await expect(title).toHaveText(english);
      await french.click();
      await expect(title).toHaveText(frenchTitle);
    }
  }
  expect(await page.evaluate(() => window.localStorage.getItem('language'))).toBe('fr');
  // The stored choice survives a lost cookie.
  await context.clearCookies();
  await page.reload();
  await expect(html).toHaveAttribute('lang', 'fr');
});

test('in the settings, it keeps typed text, applies to emails from then on, and leaves all as it is if the page cannot be fetched', async ({
  page,
  openBrowser,
}) => {
  const email = await openSettings(page);
  const html = page.locator('html');
  const french = page.getByRole('button', { name: 'Français' });
  await page.getByLabel('First name').fill('Augusta');
  // The worker's answer when its database fails: see built/page-failures.test.ts.
  await page.route('**/RSC/**', (route) => route.fulfill({ status: 503 }), { times: 1 });
  await french.click();
  await expect(toastOn(page)).toHaveText(connectionUnsupportedPlayer);
  await expect(toastOn(page)).toHaveAttribute('data-kind', 'failed');
  await expect(toastOn(page).locator('.icon-cross-circle')).toBeVisible();
  await expect(html).toHaveAttribute('lang', 'en');
  await expect(page.getByLabel('First name')).toHaveValue('Augusta');
  expect(await toAccount(page)).toMatchObject({ language: 'en' });

  await french.click();
  await expect(page.getByRole('heading', { name: 'Paramètres', level: 1 })).toBeVisible();
  await expect(html).toHaveAttribute('lang', 'fr');
  await expect(french).toBeFocused();
  const firstName = page.getByLabel('Prénom');
  await expect(firstName).toHaveValue('Augusta');
  await firstName.fill('A');
  await firstName.press('Enter');
  await expect(firstName).toHaveAccessibleDescription('Saisissez au moins 2 caractères');
  await expect.poll(async () => (await toAccount(page)).language).toBe('fr');
  const other = await openBrowser();
  await logInAs(other, email, 2);
  expect((await mailsTo(email))[1]?.subject).toBe('Votre lien de connexion Lectern');

  // The language of the account is the one shown, also where the browser shows another.
  await openReady(other, '/settings');
  await expect(other.locator('html')).toHaveAttribute('lang', 'en');
  const choice = (name: string) => section(other, 'Language').getByRole('button', { name });
  await expect(choice('Français')).toHaveAttribute('aria-pressed', 'true');
  await choice('English').click();
  await expect(choice('English')).toHaveAttribute('aria-pressed', 'true');
  await expect(choice('Français')).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(async () => (await toAccount(other)).language).toBe('en');
  await other.context().clearCookies({ name: 'session' });
  await choice('Français').click();
  await expect(other).toHaveURL('/login?next=/settings');
  await expect(other.locator('html')).toHaveAttribute('lang', 'fr');
});

async function expectTopRight(page: Page): Promise<void> {
  const box = await page.getByRole('group', { name: /^Lang/ }).boundingBox();
  expect(box?.y).toBeLessThan(80);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1_240);
}
