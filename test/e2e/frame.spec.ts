import { emailOf } from './failures.ts';
import { openAccountMenu } from './forms.ts';
import {
  expect,
  linkMailedTo,
  openReady,
  requestSignUp,
  signInWith,
  test,
  uniqueEmail,
} from './support.ts';

const noLink = `/confirm?token=${'0badcafe'.repeat(8)}`;

test.describe('on the login pages', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('an error appears in reserved space, so nothing moves, also if an address is taken', async ({
    page,
    openBrowser,
  }) => {
    const other = await openBrowser();
    await signInWith(other, []);
    const taken = (await emailOf(other)).toUpperCase();
    for (const [path, submit, [name, address], words] of [
      ['/login', 'Send me a login link', ['', ''], 'Please enter your email address.'],
      ['/signup', 'Create account', ['Ada', 'a'], 'Please enter a valid email address'],
      ['/signup', 'Create account', ['', ''], 'Please fill in all required fields.'],
      // In half a column, on three lines.
      ['/signup', 'Create account', ['R2D2', 'a'], 'Use only letters, spaces, apostrophes'],
      ['/signup', 'Create account', ['Ada', taken], 'This address already has an account.'],
    ] as const) {
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await openReady(page, path);
        for (const field of await page.getByLabel(/ name$/).all()) {
          await field.fill(name);
        }
        await page.getByLabel('Email address').fill(address);
        const button = page.getByRole('button', { name: submit });
        const before = await button.boundingBox();
        await button.click();
        await expect(page.getByText(words).first()).toBeVisible();
        expect(await button.boundingBox()).toEqual(before);
      }
    }
    await expect(page.getByLabel('Email address')).toHaveAccessibleDescription(
      'This address already has an account. Please log in.',
    );
    await expect(page.getByLabel('Email address')).toHaveValue(taken);
  });
});

test('the first field has the focus on a desktop, and not where a keyboard would cover the page', async ({
  page,
  openBrowser,
}) => {
  const phone = await openBrowser({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  for (const [path, name] of [
    ['/login', 'Email address'],
    ['/signup', 'First name'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByLabel(name)).toBeFocused();
    await openReady(phone, path);
    expect(await phone.evaluate(() => document.activeElement?.localName)).toBe('body');
  }
});

test.describe('the language switch', () => {
  test.use({ expectedErrors: [/status of 404/] });

  test('is at the top right of every page before the app, and changes its language', async ({
    page,
  }) => {
    const pages = ['/login', '/signup', noLink, '/undo-address-change', '/nowhere'];
    for (const path of [...pages, '/terms', '/privacy', '/onboarding/course']) {
      if (path === '/onboarding/course') {
        await signInWith(page, []);
      }
      await page.goto(path);
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        const box = await page.getByRole('group', { name: 'Language' }).boundingBox();
        expect(box?.y, path).toBeLessThan(80);
        expect((box?.x ?? 0) + (box?.width ?? 0), path).toBeGreaterThan(width - 40);
      }
      const title = page.getByRole('heading', { level: 1 });
      const english = (await title.textContent()) ?? '';
      await page.getByRole('button', { name: 'Français' }).click();
      await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
      await expect(title, path).not.toHaveText(english);
      await page.getByRole('button', { name: 'English' }).click();
      await expect(title, path).toHaveText(english);
    }
  });
});

test('the page of an emailed link says what was requested, and works in another language, too', async ({
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
  await page.getByRole('button', { name: 'Français' }).click();
  await expect(page).toHaveURL('/confirm');
  await page.getByRole('button', { name: 'Confirmer et me connecter' }).click();

  await expect(page.getByRole('heading', { name: 'Créez votre premier cours' })).toBeVisible();
});

test('a link that does not work leads to a new one, and home in a signed-in browser', async ({
  page,
}) => {
  await page.goto(noLink);
  await page.getByRole('link', { name: 'Send a new link' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();

  await signInWith(page, [{ name: 'Biology 101', course_type: 'cohort' }]);
  await page.goto(noLink);
  await expect(page.getByRole('link', { name: 'Send a new link' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Go to home' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible();
});

test('before the first course, deleting the account and logging out are in a menu at the top', async ({
  page,
}) => {
  await signInWith(page, []);
  await openReady(page, '/onboarding/course');
  await expect(page.getByRole('main').getByRole('button')).toHaveText([/Create Course/]);
  await openAccountMenu(page);
  await page.getByRole('button', { name: 'Delete your account' }).click();
  await expect(page.getByRole('dialog', { name: 'Delete your account?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await openAccountMenu(page);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/login');
});
