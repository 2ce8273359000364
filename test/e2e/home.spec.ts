import type { Page } from '@playwright/test';
import { logOut } from './forms.ts';
import { openCentralEuropean } from './home-views.ts';
import {
  codeField,
  expect,
  linkMailedTo,
  requestSignUp,
  signInWith,
  signUp,
  test,
  uniqueEmail,
  untilReady,
} from './support.ts';

const biology = { name: 'Biology 101', course_type: 'cohort' } as const;

test.describe('home', () => {
  test('shows the profile card and a logout button', async ({ page }) => {
    await signInWith(page, [biology]);
    await page.goto('/');

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Ada');
    const card = page.getByRole('region', { name: 'Your profile' });
    await expect(card).toContainText('Ada Lovelace');
    await expect(card).toContainText('@example.com');
    await expect(card.locator('.avatar')).toHaveText('AL');
    await expect(page.getByRole('complementary')).toContainText('Biology 101');
    await page.getByRole('main').getByRole('button', { name: 'Log out' }).click();
    await expect(page).toHaveURL('/login');
  });

  test('names of Central Europe are in the font of the titles, and only they load its second file', async ({
    page,
    openBrowser,
  }) => {
    const files = watchFonts(page);
    await openCentralEuropean(page);

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Šárka');
    await expect.poll(() => loadedRanges(page)).toHaveLength(2);
    expect(files).toHaveLength(2);
    expect(files).toContainEqual(expect.stringContaining('latin-ext'));
    const other = await openBrowser();
    const otherFiles = watchFonts(other);
    await signInWith(other, [biology]);
    await other.goto('/');
    await expect.poll(() => loadedRanges(other)).toHaveLength(1);
    expect(otherFiles).not.toContainEqual(expect.stringContaining('latin-ext'));
  });

  test('both quick actions are disabled and marked as coming soon', async ({ page }) => {
    await signInWith(page, [biology]);
    await page.goto('/');

    for (const name of [/^Cohorts.*Coming soon$/, /^Workshops.*Coming soon$/]) {
      await expect(page.getByRole('main').getByRole('button', { name })).toBeDisabled();
    }
  });
});

test.describe('the login pages', () => {
  for (const [path, other, words] of [
    ['/login', '/signup', ['Email address']],
    ['/signup', '/login', ['First name', 'Last name', 'Email address']],
  ] as const) {
    test(`all ways to log in are on the page (${path})`, async ({ page }) => {
      await page.goto(path);

      for (const word of words) {
        await expect(page.getByLabel(word)).toBeVisible();
      }
      await expect(page.getByText('or', { exact: true })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
      for (const target of [other, '/terms', '/privacy']) {
        await expect(page.getByRole('main').locator(`a[href="${target}"]`)).toBeVisible();
      }
    });
  }

  test('after login a link leads back to the form, and a hint says what to do without an email', async ({
    page,
  }) => {
    const email = uniqueEmail();
    await signUp(page, email);
    await logOut(page);
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send me a login link' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await expect(codeField(page)).toBeFocused();
    await expect(page.getByRole('main')).toContainText(email);
    await expect(page.getByText('Check your spam folder or resend the email.')).toBeVisible();

    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    await expect(page.getByLabel('Email address')).toHaveValue(email);
    await expect(page.getByLabel('Email address')).toBeFocused();
  });

  test('the first course is requested with a welcome', async ({ page }) => {
    await signInWith(page, []);
    await page.goto('/');

    await expect(page).toHaveURL('/onboarding/course');
    await expect(page.getByText('Welcome, Ada. Let’s get started.')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create your first course');
    await expect(page.getByText('You can change these settings later.')).toBeVisible();
  });

  test('the language switch is at the top right', async ({ page }) => {
    for (const path of ['/login', '/signup', '/onboarding/course']) {
      if (path === '/onboarding/course') {
        await signInWith(page, []);
      }
      await page.goto(path);
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        const box = await page.getByRole('group', { name: 'Language' }).boundingBox();
        expect(box?.y).toBeLessThan(80);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(width - 40);
      }
    }
  });

  test('the chosen language is stored under its key, and wins over the browser’s language', async ({
    page,
  }) => {
    await page.goto('/login');
    await page.getByRole('button', { name: 'Français' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');

    expect(await page.evaluate(() => window.localStorage.getItem('language'))).toBe('fr');
    await page.goto('/signup');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Créez votre compte');
  });
});

test('the whole journey works with the keyboard alone', async ({ page }) => {
  const { keyboard } = page;
  const email = uniqueEmail();
  await page.goto('/signup');
  await tabTo(page, 'First name');
  await keyboard.type('Ada');
  await keyboard.press('Tab');
  await keyboard.type('Lovelace');
  await keyboard.press('Tab');
  await keyboard.type(email);
  await keyboard.press('Enter');
  await expect(codeField(page)).toBeFocused();
  await page.goto(await linkMailedTo(email, 1));
  await tabTo(page, 'Confirm and log in');
  await keyboard.press('Enter');

  await page.waitForURL('/onboarding/course');
  await tabTo(page, 'Course name');
  await keyboard.type('Biology 101');
  await keyboard.press('Tab');
  await keyboard.press('Space');
  await keyboard.press('Enter');
  await page.waitForURL('/');
  await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible();

  await untilReady(page);
  await keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: /^Biology 101/ })).toBeFocused();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Create a new course' })).toBeVisible();
  await keyboard.type('Chemistry');
  await keyboard.press('Tab');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Create a new course' })).toBeHidden();
  await expect(page.getByRole('button', { name: /^Course\b.*Chemistry/ })).toBeVisible();
  await keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: /^Chemistry/ })).toBeFocused();
  await keyboard.press('Home');
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'Biology 101' })).toBeVisible();

  await tabTo(page, 'Settings');
  await keyboard.press('Enter');
  await page.waitForURL('/settings');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await tabTo(page, 'Course name');
  await keyboard.press('Control+a');
  await keyboard.type('Botany');
  await keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Course settings' })).toContainText('Botany');

  await tabTo(page, 'Your account Ada Lovelace');
  await keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Billing' })).toBeVisible();
  await keyboard.press('End');
  await expect(page.getByRole('button', { name: 'Log out' }).last()).toBeFocused();
  await keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
});

for (const [code, words] of [
  ['invalid_state', 'Google authentication failed, consider using email login to continue.'],
  [
    'email_not_verified',
    'Your Gmail account has not been verified, consider using email login to continue.',
  ],
  ['auth_failed', 'Google authentication failed, consider using email login to continue.'],
] as const) {
  test(`each error code has its message (${code})`, async ({ page }) => {
    await page.goto(`/login?error=${code}`);

    await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveText(words);
  });
}

test('an unverified account gets no further than the login page', async ({ page }) => {
  await requestSignUp(page, uniqueEmail());
  await page.goto('/');

  await expect(page).toHaveURL('/login');
});

/** Presses Tab until the element of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const target = page
    .getByLabel(name, { exact: true })
    .or(page.getByRole('button', { name, exact: true }))
    .or(page.getByRole('link', { name, exact: true }))
    .filter({ visible: true })
    .first();
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`“${name}” cannot be reached by Tab.`);
}

/** The names of the font files that a page requests. */
function watchFonts(page: Page): string[] {
  const files: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') {
      files.push(new URL(request.url()).pathname);
    }
  });
  return files;
}

/** The ranges of characters of the titles' font that are there. */
function loadedRanges(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const fonts = [...(await document.fonts.ready)];
    return fonts
      .filter(({ family, status }) => family.includes('Source Serif') && status === 'loaded')
      .map(({ unicodeRange }) => unicodeRange);
  });
}
