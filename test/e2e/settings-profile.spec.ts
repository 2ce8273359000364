import type { Page } from '@playwright/test';
import { openSettings, section, toAccount } from './settings.ts';
import { expect, logInAs, mailsTo, test, untilReady } from './support.ts';

test.describe('profile', () => {
  test('a new name is saved, and shown immediately in the sidebar, as initials and on the card', async ({
    page,
  }) => {
    await openSettings(page);
    const profile = section(page, 'Profile');
    const avatar = section(page, 'Your account').locator('.avatar');
    await expect(avatar).toHaveText('AL');
    await profile.getByLabel('First name').fill('Zoë');
    await profile.getByLabel('Last name').fill('Łukasz-O’Neil');
    await profile.getByRole('button', { name: 'Save' }).click();

    await expect(page.getByText('Name saved.')).toBeVisible();
    await expect(profile.getByLabel('First name')).toHaveValue('Zoë');
    await expect(avatar).toHaveText('ZŁ');
    const user = page.getByRole('button', { name: /^Your account\b.*Zoë Łukasz-O’Neil/ });
    await expect(user.locator('.avatar')).toHaveText('ZŁ');
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome, Zoë' })).toBeVisible();
    const card = page.getByRole('region', { name: 'Your profile' });
    await expect(card.getByText('Zoë Łukasz-O’Neil')).toBeVisible();
    await expect(card.locator('.avatar')).toHaveText('ZŁ');
  });

  test('a name is required, has 2 to 49 characters, and shows errors at its field', async ({
    page,
  }) => {
    await openSettings(page);
    const profile = section(page, 'Profile');
    const firstName = profile.getByLabel('First name');
    const lastName = profile.getByLabel('Last name');
    await lastName.fill('Byron');
    for (const [typed, message] of [
      ['', 'First name is required'],
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
    await expect(lastName).toHaveValue('Byron');
    expect(await toAccount(page)).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace' });

    await firstName.fill('A'.repeat(49));
    await lastName.fill('B');
    await lastName.press('Enter');
    await expect(lastName).toHaveAccessibleDescription('Name must be at least 2 characters');
    await expect(firstName).toHaveAccessibleDescription('');
    await lastName.fill('By');
    await lastName.press('Enter');
    await expect(page.getByText('Name saved.')).toBeVisible();
    expect(await toAccount(page)).toMatchObject({ first_name: 'A'.repeat(49), last_name: 'By' });
  });

  test.describe('in French', () => {
    test.use({ locale: 'fr-FR' });

    test('the rules for names are shown in French', async ({ page }) => {
      await openSettings(page);
      const firstName = page.getByLabel('Prénom');
      for (const [typed, message] of [
        ['', 'Le prénom est obligatoire'],
        ['A', 'Saisissez au moins 2 caractères'],
      ] as const) {
        await firstName.fill(typed);
        await firstName.press('Enter');
        await expect(firstName).toHaveAccessibleDescription(message);
      }
      const lastName = page.getByLabel('Nom', { exact: true });
      await lastName.fill('');
      await lastName.press('Enter');
      await expect(lastName).toHaveAccessibleDescription('Le nom est obligatoire');
    });
  });
});

test.describe('language', () => {
  test('changes the page immediately, keeps the typed text, and applies to emails from then on', async ({
    page,
    context,
    openBrowser,
  }) => {
    const email = await openSettings(page);
    await page.getByLabel('First name').fill('Augusta');
    await page.getByRole('button', { name: 'Français' }).click();

    await expect(page.getByRole('heading', { name: 'Paramètres', level: 1 })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    await expect(page.getByLabel('Prénom')).toHaveValue('Augusta');
    await expect(page.getByRole('button', { name: 'Français' })).toBeFocused();
    expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('fr');
    expect(await context.cookies()).toContainEqual(
      expect.objectContaining({ name: 'language', value: 'fr' }),
    );
    await expect.poll(async () => (await toAccount(page)).language).toBe('fr');
    await logInAs(await openBrowser(), email, 2);
    expect((await mailsTo(email))[1]?.subject).toBe('Votre lien de connexion Lectern');
  });
});

test.describe('appearance', () => {
  const paper = { light: 'rgb(250, 247, 241)', dark: 'rgb(23, 22, 20)' };

  for (const [system, label, theme] of [
    ['light', 'Dark', 'dark'],
    ['dark', 'Light', 'light'],
  ] as const) {
    test(`${theme} colors apply immediately where the system is ${system}, and on every next page from its first frame`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme: system });
      await watchColors(page);
      await openSettings(page);
      const html = page.locator('html');
      await expect(html).not.toHaveAttribute('data-theme');
      await expect(page.locator('body')).toHaveCSS('background-color', paper[system]);
      const choice = section(page, 'Appearance').getByRole('button', { name: label });
      await choice.click();

      await expect(choice).toHaveAttribute('aria-pressed', 'true');
      await expect(html).toHaveAttribute('data-theme', theme);
      await expect(html).toHaveCSS('color-scheme', theme);
      await expect(page.locator('body')).toHaveCSS('background-color', paper[theme]);
      // Rendered by the server, before any script.
      for (const path of ['/settings', '/cohorts', '/terms']) {
        expect(await (await page.request.get(path)).text()).toContain(`data-theme="${theme}"`);
        await page.goto(path);
        await untilReady(page);
        expect(await coloursSeen(page)).toEqual([`${theme} ${paper[theme]}`]);
      }
    });
  }

  test('set back to the system, both follow it', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await openSettings(page);
    const appearance = section(page, 'Appearance');
    await appearance.getByRole('button', { name: 'Dark' }).click();
    await page.reload();
    await expect(appearance.getByRole('button', { name: 'Dark' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await appearance.getByRole('button', { name: 'System' }).click();

    for (const reload of [false, true]) {
      if (reload) {
        await page.reload();
      }
      await expect(page.locator('html')).not.toHaveAttribute('data-theme');
      for (const system of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: system });
        await expect(page.locator('body')).toHaveCSS('background-color', paper[system]);
      }
    }
    await expect(appearance.getByRole('button', { name: 'System' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
  });

  test('a theme survives links, and a theme changed on one page applies on the next', async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await openSettings(page);
    const html = page.locator('html');
    for (const [label, theme] of [
      ['Dark', 'dark'],
      ['Light', 'light'],
      ['Dark', 'dark'],
    ] as const) {
      await section(page, 'Appearance').getByRole('button', { name: label }).click();
      await page.getByRole('link', { name: 'Cohorts' }).click();
      await expect(page.getByRole('heading', { name: 'Cohorts', level: 1 })).toBeVisible();
      await expect(html).toHaveAttribute('data-theme', theme);
      await page.getByRole('link', { name: 'Settings' }).click();
      await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
      await expect(html).toHaveAttribute('data-theme', theme);
    }
    await section(page, 'Appearance').getByRole('button', { name: 'System' }).click();
    await page.getByRole('link', { name: 'Cohorts' }).click();
    await expect(page.getByRole('heading', { name: 'Cohorts', level: 1 })).toBeVisible();
    await expect(html).not.toHaveAttribute('data-theme');
  });

  /** Records the colors of every frame, also before the page's own scripts. */
  async function watchColors(page: Page): Promise<void> {
    await page.addInitScript(() => {
      const seen = new Set<string>();
      Object.assign(window, { coloursSeen: seen });
      const look = () => {
        if (document.body !== null) {
          const { colorScheme } = getComputedStyle(document.documentElement);
          seen.add(`${colorScheme} ${getComputedStyle(document.body).backgroundColor}`);
        }
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  }

  function coloursSeen(page: Page): Promise<string[]> {
    return page.evaluate(() => [
      ...(window as unknown as { coloursSeen: Set<string> }).coloursSeen,
    ]);
  }
});
