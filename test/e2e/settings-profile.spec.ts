import { openSettings, section, toAccount } from './settings.ts';
import { expect, logInAs, mailsTo, openReady, test } from './support.ts';

test.describe('profile', () => {
  test('a name has 2 to 49 characters, with errors at its field; a new one is shown immediately in the sidebar, as initials and on the card', async ({
    page,
  }) => {
    await openSettings(page);
    const profile = section(page, 'Profile');
    const firstName = profile.getByLabel('First name');
    const lastName = profile.getByLabel('Last name');
    const avatar = section(page, 'Your account').locator('.settings-head .avatar');
    await expect(avatar).toHaveText('AL');
    await lastName.fill('Łukasz-O’Neil');
    for (const [typed, message] of [
      ['   ', 'First name is required'],
      ['A', 'Name must be at least 2 characters'],
      ['A'.repeat(50), 'Name must be less than 50 characters'],
    ] as const) {
      await firstName.fill(typed);
      await firstName.press('Enter');
      await expect(firstName).toHaveAccessibleDescription(message);
      await expect(firstName).toHaveValue(typed);
      await expect(firstName).toBeFocused();
    }
    await expect(lastName).toHaveValue('Łukasz-O’Neil');
    expect(await toAccount(page)).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace' });
    await firstName.fill('Zoë');
    await profile.getByRole('button', { name: 'Save' }).click();

    await expect(page.getByText('Profile saved.')).toBeVisible();
    await expect(firstName).toHaveAccessibleDescription('');
    await expect(avatar).toHaveText('ZŁ');
    const user = page.getByRole('button', { name: /^Your account\b.*Zoë Łukasz-O’Neil/ });
    await expect(user.locator('.avatar')).toHaveText('ZŁ');
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome, Zoë' })).toBeVisible();
    const card = section(page, 'Your profile');
    await expect(card.getByText('Zoë Łukasz-O’Neil')).toBeVisible();
    await expect(card.locator('.avatar')).toHaveText('ZŁ');
  });
});

test('another language keeps the typed text and applies to emails from then on; the rules for names are shown in French', async ({
  page,
  openBrowser,
}) => {
  const email = await openSettings(page);
  await page.getByLabel('First name').fill('Augusta');
  await page.getByRole('button', { name: 'Français' }).click();
  await expect(page.getByRole('heading', { name: 'Paramètres', level: 1 })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  const firstName = page.getByLabel('Prénom');
  await expect(firstName).toHaveValue('Augusta');
  await expect(page.getByRole('button', { name: 'Français' })).toBeFocused();
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
  await expect(choice('English')).toHaveAttribute('aria-pressed', 'false');
  await choice('English').click();
  await expect(choice('English')).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(async () => (await toAccount(other)).language).toBe('en');
});

test.describe('appearance', () => {
  const paper = { light: 'rgb(250, 247, 241)', dark: 'rgb(23, 22, 20)' };

  test('dark colors apply immediately, and on every next page from the server on; set back to the system, they follow it', async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await openSettings(page);
    const html = page.locator('html');
    const body = page.locator('body');
    const choice = (label: string) =>
      section(page, 'Appearance').getByRole('button', { name: label });
    await expect(html).not.toHaveAttribute('data-theme');
    await expect(body).toHaveCSS('background-color', paper.light);
    await choice('Dark').click();
    await expect(choice('Dark')).toHaveAttribute('aria-pressed', 'true');
    await expect(html).toHaveCSS('color-scheme', 'dark');
    await expect(body).toHaveCSS('background-color', paper.dark);
    await page.getByRole('link', { name: 'Cohorts' }).click();
    await expect(page.getByRole('heading', { name: 'Cohorts', level: 1 })).toBeVisible();
    await expect(html).toHaveAttribute('data-theme', 'dark');
    // Rendered by the server, before any script.
    for (const path of ['/terms', '/settings']) {
      expect(await (await page.request.get(path)).text()).toContain('data-theme="dark"');
      await page.goto(path);
      await expect(body).toHaveCSS('background-color', paper.dark);
    }
    await choice('System').click();
    await expect(choice('System')).toHaveAttribute('aria-pressed', 'true');
    await page.reload();
    await expect(html).not.toHaveAttribute('data-theme');
    for (const system of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: system });
      await expect(body).toHaveCSS('background-color', paper[system]);
    }
  });
});
