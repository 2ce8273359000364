import type { Locator, Page } from '@playwright/test';
import { addPerson, publishCohort } from './participants.ts';
import { biology, watercolors } from './settings.ts';
import { askApi, expect, linkMailedTo, signInWith, test, uniqueEmail } from './support.ts';

// Signing in needs scripts; here the cookies come from plain requests, and then no script runs.
test.use({ javaScriptEnabled: false, expectedErrors: [/status of 404/] });

test('logged out, pages show their content and their links work, and a button looks pressed while it is', async ({
  page,
  context,
  baseURL,
}) => {
  await page.goto('/');
  await expect(page).toHaveURL('/login');
  await expectTitle(page, 'Welcome back');
  await follow(page, 'Create an account', 'Create your account');
  await expect(page.getByLabel('First name')).toBeVisible();
  await follow(page, 'terms of use', 'Terms of use');
  await expect(page.getByRole('heading', { name: 'No guarantee' })).toBeVisible();
  await follow(page, 'Go to home', 'Welcome back');
  await page.goto('/nowhere');
  await expectTitle(page, 'Page not found');

  const chosen = [
    { name: 'theme', value: 'dark' },
    { name: 'language', value: 'fr' },
  ];
  await context.addCookies(chosen.map((cookie) => ({ ...cookie, url: baseURL ?? '' })));
  await page.goto('/login');
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');
  await expectTitle(page, 'Bon retour parmi nous');
  const button = page.getByRole('button', { name: 'Continuer avec Google' });
  await button.hover();
  await expect(button).toHaveCSS('translate', 'none');
  await page.mouse.down();
  await expect(button).toHaveCSS('translate', '0px 1px');
});

test('pages with a form say that it needs scripts, and that of an emailed link what it will do', async ({
  page,
}) => {
  const needs = page.locator('noscript p');
  const email = uniqueEmail();
  await askApi(page, 'GET', '/api/health/');
  const person = { first_name: 'Ada', last_name: 'Lovelace', email };
  await askApi(page, 'POST', '/api/accounts/auth/signup/', person);
  for (const path of ['/login', '/signup', await linkMailedTo(email, 1)]) {
    await page.goto(path);
    await expect(needs).toHaveText(/^This page needs JavaScript\./);
  }
  await expectTitle(page, 'Confirm your email address');
  await expect(page.getByText('a•••@example.com')).toBeVisible();
  await page.goto('/terms');
  await expect(page.locator('noscript')).toHaveCount(0);
  await signInWith(page, []);
  await page.goto('/');
  await expect(page).toHaveURL('/onboarding/course');
  await expect(needs).toHaveText(/^This page needs JavaScript\./);
  await expect(page.getByRole('radio')).toHaveCount(2);
});

test('the pages of participants are readable, and forms say what they need', async ({ page }) => {
  const cohort = await publishCohort(page, { description: 'What it is about.' });
  const { link } = await addPerson(page, cohort);
  const needs = page.locator('noscript p');
  await page.goto(cohort.public_url);
  await expect(page.getByText('What it is about.')).toBeVisible();
  await expect(needs).toHaveText(/^This form needs JavaScript\./);
  await page.goto(link);
  await expect(page.getByText('You are enrolled.')).toBeVisible();
  await page.goto(link.slice(0, -1));
  await expect(needs).toHaveText(/^This form needs JavaScript\./);
});

test('every page in the sidebar shows its content and leads to the next; menus and dialogs open and close', async ({
  page,
}) => {
  await signInWith(page, [watercolors, biology]);
  await page.goto('/');
  await expectTitle(page, 'Welcome, Ada');
  await expect(page.getByRole('region', { name: 'Your profile' })).toContainText('Ada Lovelace');
  await courseTrigger(page).click();
  const courses = page.getByRole('dialog', { name: 'Course' }).getByRole('option');
  await expect(courses).toHaveText([/^Watercolors/, /^Biology 101/]);
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^Biology 101/);
  await page.getByRole('button', { name: 'create new course' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a new course' });
  await expectModal(dialog);
  await expect(dialog.getByLabel('Course name')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();

  await follow(page, 'Cohorts', 'Cohorts');
  await expect(page.getByText('No cohorts yet.')).toBeVisible();
  await follow(page, 'Payments', 'Payments');
  await expect(page.getByText('everyone who enrolls is charged')).toBeVisible();
  const account = page.getByRole('button', { name: /^Your account\b.*Ada Lovelace/ });
  const billing = page.getByRole('link', { name: 'Billing' });
  await account.click();
  await expect(billing).toBeVisible();
  await billing.click();
  await expectTitle(page, 'Billing');
  await expect(page.getByText('Lectern is free today')).toBeVisible();

  await follow(page, 'Settings', 'Settings');
  await expect(page.getByLabel('First name')).toHaveValue('Ada');
  await expect(page.getByRole('region', { name: 'Course settings' })).toContainText('Biology 101');
  await page.getByRole('main').getByRole('button', { name: 'Delete your account' }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete your account?' });
  await expectModal(deleting);
  await expect(deleting.getByText('This form needs JavaScript.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(deleting).toBeHidden();
});

function expectTitle(page: Page, title: string): Promise<void> {
  return expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
}

/** A link and its target page. The sidebar comes before the content. */
async function follow(page: Page, link: string, title: string): Promise<void> {
  await page.getByRole('link', { name: link, exact: true }).first().click();
  await expectTitle(page, title);
}

function courseTrigger(page: Page): Locator {
  return page.getByRole('button', { name: /^Course\b/ });
}

async function expectModal(dialog: Locator): Promise<void> {
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((element) => element.matches(':modal'))).toBe(true);
}
