import type { Page } from '@playwright/test';
import { openCentralEuropean } from './home-views.ts';
import {
  codeField,
  expect,
  linkMailedTo,
  signInWith,
  test,
  uniqueEmail,
  untilReady,
} from './support.ts';

test('home greets by name and has the profile card, two quick actions to come and a logout button', async ({
  page,
}) => {
  await signInWith(page, [{ name: 'Biology 101', course_type: 'cohort' }]);
  await page.goto('/');

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Ada');
  const card = page.getByRole('region', { name: 'Your profile' });
  await expect(card).toContainText('Ada Lovelace');
  await expect(card).toContainText('@example.com');
  await expect(card.locator('.avatar')).toHaveText('AL');
  await expect(page.getByRole('complementary')).toContainText('Biology 101');
  for (const name of [/^Cohorts.*Coming soon$/, /^Workshops.*Coming soon$/]) {
    await expect(page.getByRole('main').getByRole('button', { name })).toBeDisabled();
  }
  await expect.poll(() => loadedRanges(page)).toHaveLength(1);
  await page.getByRole('main').getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/login');
});

test('names of Central Europe are in the font of the titles', async ({ page }) => {
  await openCentralEuropean(page);

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Šárka');
  await expect.poll(() => loadedRanges(page)).toHaveLength(2);
});

test('the login pages have all ways to log in, and a message for each error code', async ({
  page,
}) => {
  for (const [path, other, words] of [
    ['/login', '/signup', ['Email address']],
    ['/signup', '/login', ['First name', 'Last name', 'Email address']],
  ] as const) {
    await page.goto(path);
    for (const word of words) {
      await expect(page.getByLabel(word)).toBeVisible();
    }
    await expect(page.getByText('or', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
    for (const target of [other, '/terms', '/privacy']) {
      await expect(page.getByRole('main').locator(`a[href="${target}"]`)).toBeVisible();
    }
  }
  const instead = 'consider using email login to continue.';
  for (const [code, words] of [
    ['invalid_state', `Google authentication failed, ${instead}`],
    ['email_not_verified', `Your Gmail account has not been verified, ${instead}`],
    ['auth_failed', `Google authentication failed, ${instead}`],
  ] as const) {
    await page.goto(`/login?error=${code}`);
    await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveText(words);
  }
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
  await tabTo(page, 'Settings');
  await keyboard.press('Enter');
  await page.waitForURL('/settings');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await tabTo(page, 'Your account Ada Lovelace');
  await keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Billing' })).toBeVisible();
  await keyboard.press('End');
  await expect(page.getByRole('button', { name: 'Log out' }).last()).toBeFocused();
  await keyboard.press('Enter');
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

/** The ranges of characters of the titles' font that are there. */
function loadedRanges(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const fonts = [...(await document.fonts.ready)];
    return fonts
      .filter(({ family, status }) => family.includes('Source Serif') && status === 'loaded')
      .map(({ unicodeRange }) => unicodeRange);
  });
}
