import type { Page } from '@playwright/test';
import { openAccountMenu } from './forms.ts';
import {
  askApi,
  expect,
  linkMailedTo,
  openReady,
  requestSignUp,
  signInWith,
  signUp,
  test,
  uniqueEmail,
} from './support.ts';

const noLink = `/confirm?token=${'0badcafe'.repeat(8)}`;

test.describe('an address without an account', () => {
  test.use({ expectedErrors: [/status of 404/] });

  test('is said so under its field, and taken along to sign-up', async ({ page }) => {
    const email = uniqueEmail();
    await openReady(page, '/login');
    const field = page.getByLabel('Email address');
    await field.fill(email);
    await page.getByRole('button', { name: 'Send me a login link' }).click();
    await expect(field).toHaveAccessibleDescription('No account found with this email address.');
    await expect(field).toBeFocused();
    const error = page.locator('.field-error');
    await error.getByRole('link', { name: 'Create an account' }).click();

    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
    expect(page.url()).toMatch(/\/signup$/);
    await expect(field).toHaveValue(email);
    await expect(page.getByLabel('First name')).toBeFocused();
    // Only once: it is not kept.
    await page.reload();
    await expect(field).toHaveValue('');
  });
});

test('an error has its line already, so nothing moves', async ({ page }) => {
  for (const [path, submit, [name, address], words] of [
    ['/login', 'Send me a login link', ['', ''], 'Please enter your email address.'],
    ['/signup', 'Create account', ['Ada', 'a'], 'Please enter a valid email address'],
    ['/signup', 'Create account', ['', ''], 'Please fill in all required fields.'],
    // In half a column, on two lines and on three.
    ['/signup', 'Create account', ['A', 'a'], 'Name must be at least 2 characters'],
    ['/signup', 'Create account', ['R2D2', 'a'], 'Use only letters, spaces, apostrophes'],
  ] as const) {
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await openReady(page, path);
      await fillIn(page, name, address);
      await expectNothingMoves(page, submit, words);
    }
  }
});

test.describe('an address that is taken', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('is refused in the line that is kept for errors', async ({ page, openBrowser }) => {
    const email = uniqueEmail();
    await signUp(await openBrowser(), email);
    await openReady(page, '/signup');
    await fillIn(page, 'Ada', email);

    await expectNothingMoves(page, 'Create account', 'This address already has an account.');
  });
});

test('an address typed at sign-up is taken along to login', async ({ page }) => {
  await openReady(page, '/signup');
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByRole('link', { name: 'Log in' }).click();

  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await expect(page.getByLabel('Email address')).toHaveValue('ada@example.com');
});

test.describe('the first field', () => {
  const fields = { '/login': 'Email address', '/signup': 'First name' };

  test('has the focus on a desk', async ({ page }) => {
    for (const [path, name] of Object.entries(fields)) {
      await page.goto(path);
      await expect(page.getByLabel(name)).toBeFocused();
    }
    await signInWith(page, []);
    await page.goto('/onboarding/course');
    await expect(page.getByLabel('Course name')).toBeFocused();
  });

  test('has no focus on a touch screen, where a keyboard would cover the page', async ({
    openBrowser,
  }) => {
    const phone = await openBrowser({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    for (const path of Object.keys(fields)) {
      await openReady(phone, path);
      expect(await phone.evaluate(() => document.activeElement?.localName)).toBe('body');
    }
  });
});

test('on a desktop the cover is on the left, on a phone it is gone', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/login');
  const cover = page.getByRole('complementary');
  expect(await cover.boundingBox()).toEqual({ x: 0, y: 0, width: 600, height: 900 });
  await expect(cover).toContainText('A calm place to build and run your courses.');
  await page.setViewportSize({ width: 390, height: 844 });

  await expect(cover).toBeHidden();
  await expect(page.getByRole('banner').getByText('Lectern')).toBeVisible();
});

test.describe('the language switch', () => {
  test.use({ expectedErrors: [/status of 404/] });

  test('is at the top right of every page before the app', async ({ page }) => {
    const email = uniqueEmail();
    await requestSignUp(page, email);
    const link = await linkMailedTo(email, 1);
    const pages = ['/login', '/signup', link, noLink, '/undo-address-change', '/nowhere'];
    for (const path of [...pages, '/terms', '/privacy']) {
      await page.goto(path);
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        const box = await page.getByRole('group', { name: 'Language' }).boundingBox();
        expect(box?.y, path).toBeLessThan(80);
        expect((box?.x ?? 0) + (box?.width ?? 0), path).toBeGreaterThan(width - 40);
      }
    }
  });

  for (const [path, title] of [
    ['/nowhere', 'Page introuvable'],
    ['/terms', 'Conditions d’utilisation'],
    ['/privacy', 'Confidentialité'],
  ] as const) {
    test(`changes the language of ${path}`, async ({ page }) => {
      await page.goto(path);
      await page.getByRole('button', { name: 'Français' }).click();

      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    });
  }

  test('leaves an emailed link as it is: it still works, and its token stays hidden', async ({
    page,
  }) => {
    const email = uniqueEmail();
    await requestSignUp(page, email);
    await page.goto(await linkMailedTo(email, 1));
    await page.getByRole('button', { name: 'Français' }).click();
    const confirm = page.getByRole('button', { name: 'Confirmer et me connecter' });
    await expect(confirm).toBeVisible();
    await expect(page).toHaveURL('/confirm');
    await confirm.click();

    await expect(page.getByRole('heading', { name: 'Créez votre premier cours' })).toBeVisible();
  });

  test('is gone once a link is used, because it would have to be used again', async ({ page }) => {
    const [email, wanted] = [uniqueEmail(), uniqueEmail()];
    await signUp(page, email);
    const { id } = (await askApi(page, 'GET', '/api/accounts/auth/user/')) as { id: string };
    await askApi(page, 'PATCH', `/api/accounts/${id}/`, { email: wanted });
    await page.goto(await linkMailedTo(email, 2));
    await expect(page.getByRole('button', { name: 'Français' })).toBeVisible();
    await page.getByRole('button', { name: 'Stop this change' }).click();

    await expect(page.getByRole('heading', { name: 'Change stopped' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Français' })).toHaveCount(0);
  });
});

test.describe('a link that does not work', () => {
  test('leads to a new one', async ({ page }) => {
    await page.goto(noLink);
    await page.getByRole('link', { name: 'Send a new link' }).click();

    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  });

  test('leads home in a signed-in browser', async ({ page }) => {
    await signInWith(page, [{ name: 'Biology 101', course_type: 'cohort' }]);
    await page.goto(noLink);
    await expect(page.getByRole('link', { name: 'Send a new link' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Go to home' }).click();

    await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible();
  });
});

test('a link says when and where it was requested, how long it works, and the way to another address', async ({
  page,
}) => {
  const email = uniqueEmail();
  await requestSignUp(page, email);
  await page.goto(await linkMailedTo(email, 1));

  await expect(page.getByRole('term')).toHaveText(['Requested', 'Browser', 'Expires']);
  await expect(page.getByRole('definition')).toHaveText([
    'just now',
    'Chrome (Linux)',
    'in 24\u00a0hours',
  ]);
  await expect(page.getByText('Nothing happens unless you click.')).toBeVisible();
  await page.getByRole('link', { name: 'Use another address' }).click();
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
});

test.describe('before the first course', () => {
  test('deleting the account is in a menu at the top, not under the form', async ({ page }) => {
    await signInWith(page, []);
    await openReady(page, '/onboarding/course');
    await expect(page.getByRole('main').getByRole('button')).toHaveText([/Create Course/]);
    await openAccountMenu(page);
    await page.getByRole('button', { name: 'Delete your account' }).click();

    await expect(page.getByRole('dialog', { name: 'Delete your account?' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(accountButton(page)).toBeFocused();
  });

  test('so is logging out', async ({ page }) => {
    await signInWith(page, []);
    await openReady(page, '/onboarding/course');
    await openAccountMenu(page);
    await page.getByRole('button', { name: 'Log out' }).click();

    await expect(page).toHaveURL('/login');
  });
});

async function fillIn(page: Page, name: string, address: string): Promise<void> {
  for (const field of await page.getByLabel(/ name$/).all()) {
    await field.fill(name);
  }
  await page.getByLabel('Email address').fill(address);
}

async function expectNothingMoves(page: Page, submit: string, words: string): Promise<void> {
  const button = page.getByRole('button', { name: submit });
  const before = await button.boundingBox();
  await button.click();
  await expect(page.getByText(words).first()).toBeVisible();

  expect(await button.boundingBox()).toEqual(before);
}

function accountButton(page: Page) {
  return page.getByRole('button', { name: /^Your account/ });
}
