import type { Locator, Page } from '@playwright/test';
import { askApi, expect, linkMailedTo, signInWith, test, uniqueEmail } from './support.ts';

// Signing in needs scripts; here the cookies come from plain requests, and then no script runs.
test.use({ javaScriptEnabled: false });

const biology = { name: 'Biology 101', course_type: 'cohort' } as const;
const watercolors = { name: 'Watercolors', course_type: 'evergreen' } as const;

test('logged out, pages show their content and their links work', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveURL('/login');
  await expectTitle(page, 'Welcome back');
  await expect(page.getByLabel('Email address')).toBeVisible();
  await follow(page, 'Create an account', 'Create your account');
  await expect(page.getByLabel('First name')).toBeVisible();
  await follow(page, 'terms of use', 'Terms of use');
  await expect(page.getByRole('heading', { name: 'No guarantee' })).toBeVisible();
  await page.getByRole('link', { name: 'How we handle your data' }).click();
  await expect(page).toHaveURL('/privacy');
  await expect(page.getByRole('heading', { name: 'Cookies' })).toBeVisible();
  await follow(page, 'Go to home', 'Welcome back');
});

test('pages with a form say that it needs scripts', async ({ page }) => {
  const email = uniqueEmail();
  await askApi(page, 'GET', '/api/health/');
  const person = { first_name: 'Ada', last_name: 'Lovelace', email };
  await askApi(page, 'POST', '/api/accounts/auth/signup/', person);
  for (const path of ['/login', '/signup', await linkMailedTo(email, 1)]) {
    await page.goto(path);
    await expect(page.locator('noscript p')).toBeVisible();
    await expect(page.locator('noscript p')).toHaveText(/^This page needs JavaScript\./);
  }
  for (const path of ['/terms', '/privacy', '/confirm']) {
    await page.goto(path);
    await expect(page.locator('noscript')).toHaveCount(0);
  }
  await signInWith(page, []);
  await page.goto('/onboarding/course');
  await expect(page.locator('noscript p')).toHaveText(/^This page needs JavaScript\./);
});

test('a button looks pressed while it is', async ({ page }) => {
  await page.goto('/login');
  const button = page.getByRole('button', { name: 'Continue with Google' });
  const border = await button.evaluate((element) => getComputedStyle(element).borderTopColor);
  await button.hover();
  await expect(button).toHaveCSS('translate', 'none');
  await page.mouse.down();

  await expect(button).toHaveCSS('translate', '0px 1px');
  await expect(button).not.toHaveCSS('border-top-color', border);
});

test('the page of an emailed link says what it will do', async ({ page }) => {
  const email = uniqueEmail();
  await askApi(page, 'GET', '/api/health/');
  const person = { first_name: 'Ada', last_name: 'Lovelace', email };
  await askApi(page, 'POST', '/api/accounts/auth/signup/', person);
  await page.goto(await linkMailedTo(email, 1));

  await expectTitle(page, 'Confirm your email address');
  await expect(page.getByText('a•••@example.com')).toBeVisible();
});

test('the page for a first course works', async ({ page }) => {
  await signInWith(page, []);
  await page.goto('/');

  await expect(page).toHaveURL('/onboarding/course');
  await expectTitle(page, 'Create your first course');
  await expect(page.getByLabel('Course name')).toBeVisible();
  await expect(page.getByRole('radio')).toHaveCount(2);
});

test('every page in the sidebar shows its content and leads to the next', async ({ page }) => {
  await signInWith(page, [watercolors, biology]);
  await page.goto('/');
  await expectTitle(page, 'Welcome, Ada');
  await expect(page.getByRole('region', { name: 'Your profile' })).toContainText('Ada Lovelace');
  await expect(page.getByRole('button', { name: /^Workshops/ })).toBeDisabled();
  await follow(page, 'Cohorts', 'Cohorts');
  await expect(page.getByText('No cohorts yet.')).toBeVisible();
  await follow(page, 'Payments', 'Payments');
  await expect(page.getByText('everyone who enrolls is charged')).toBeVisible();
  await follow(page, 'Settings', 'Settings');
  await expect(page.getByLabel('First name')).toHaveValue('Ada');
  await expect(page.getByRole('region', { name: 'Course settings' })).toContainText('Biology 101');
  await expect(page.getByText('This device')).toBeVisible();
  await follow(page, 'Home', 'Welcome, Ada');
});

test.describe('an unknown address', () => {
  test.use({ expectedErrors: [/status of 404/] });

  test('has a page with a link home', async ({ page }) => {
    await page.goto('/nowhere');
    await expectTitle(page, 'Page not found');
    await follow(page, 'Go to home', 'Welcome back');
  });
});

test('a chosen theme and language apply to the page', async ({ page, context, baseURL }) => {
  await context.addCookies(
    [
      { name: 'theme', value: 'dark' },
      { name: 'language', value: 'fr' },
    ].map((cookie) => ({ ...cookie, url: baseURL ?? '' })),
  );
  await page.goto('/login');

  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');
  await expectTitle(page, 'Bon retour parmi nous');
});

test('the user menu opens, its links work, and it closes with Escape', async ({ page }) => {
  await signInWith(page, [biology]);
  await page.goto('/');
  const trigger = page.getByRole('button', { name: /^Your account\b.*Ada Lovelace/ });
  const billing = page.getByRole('link', { name: 'Billing' });
  await expect(billing).toBeHidden();
  await trigger.click();
  await expect(billing).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(billing).toBeHidden();
  await trigger.click();
  await billing.click();

  await expect(page).toHaveURL('/settings/billing');
  await expectTitle(page, 'Billing');
  await trigger.click();
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(page).toHaveURL('/settings');
});

test('the course selector opens and shows all courses, with a check at the selected one', async ({
  page,
}) => {
  await signInWith(page, [watercolors, biology]);
  await page.goto('/');
  await courseTrigger(page).click();

  const courses = page.getByRole('dialog', { name: 'Course' }).getByRole('option');
  await expect(courses).toHaveText([/^Watercolors/, /^Biology 101/]);
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^Biology 101/);
  await page.keyboard.press('Escape');
  await expect(courses).toHaveCount(0);
});

test('the dialog for a new course opens as a modal, and closes', async ({ page }) => {
  await signInWith(page, [biology]);
  await page.goto('/');
  await courseTrigger(page).click();
  await page.getByRole('button', { name: 'create new course' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a new course' });
  await expectModal(dialog);
  await expect(dialog.getByLabel('Course name')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'create course and continue' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await expect(dialog).toBeHidden();
});

test('the dialogs that delete open as modals, say what they need, and Escape closes them', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  await page.goto('/settings');
  for (const [button, title] of [
    ['Delete your account', 'Delete your account?'],
    ['Delete this course', 'Delete this course?'],
  ] as const) {
    await page.getByRole('main').getByRole('button', { name: button }).first().click();
    const dialog = page.getByRole('dialog', { name: title });
    await expectModal(dialog);
    await expect(dialog.getByText('This form needs JavaScript.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('the sidebar is a sheet that opens, shows all its content, and its links work', async ({
    page,
  }) => {
    await signInWith(page, [watercolors, biology]);
    await page.goto('/');
    const settings = page.getByRole('link', { name: 'Settings' });
    await expect(settings).toBeHidden();
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(settings).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(settings).toBeHidden();
    await page.getByRole('button', { name: 'Menu' }).click();
    await courseTrigger(page).click();
    await expect(page.getByRole('option')).toHaveCount(2);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Your account\b.*Ada Lovelace/ }).click();
    await expect(page.getByRole('link', { name: 'Billing' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(settings).toBeVisible();
    await settings.click();

    await expect(page).toHaveURL('/settings');
    await expectTitle(page, 'Settings');
    await expect(settings).toBeHidden();
  });

  test('the dialog for a new course opens from the sheet', async ({ page }) => {
    await signInWith(page, [biology]);
    await page.goto('/');
    await page.getByRole('button', { name: 'Menu' }).click();
    await courseTrigger(page).click();
    await page.getByRole('button', { name: 'create new course' }).click();

    await expectModal(page.getByRole('dialog', { name: 'Create a new course' }));
  });
});

function expectTitle(page: Page, title: string): Promise<void> {
  return expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
}

/** A link and its target page. */
async function follow(page: Page, link: string, title: string): Promise<void> {
  await page.getByRole('link', { name: link, exact: true }).click();
  await expectTitle(page, title);
}

function courseTrigger(page: Page): Locator {
  return page.getByRole('button', { name: /^Course\b/ });
}

async function expectModal(dialog: Locator): Promise<void> {
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((element) => element.matches(':modal'))).toBe(true);
}
