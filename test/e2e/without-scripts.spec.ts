import type { Locator, Page } from '@playwright/test';
import { triggerOf } from './courses.ts';
import { biology, watercolors } from './settings.ts';
import { expect, signInWith, test } from './support.ts';

// Signing in needs scripts; here the cookies come from plain requests, and then no script runs.
test.use({ javaScriptEnabled: false, expectedErrors: [/status of 404/] });

test('without scripts pages show their content in the chosen language and colors, lead to each other, open menus and dialogs, and say what needs scripts', async ({
  page,
  context,
  baseURL,
}) => {
  const needs = page.locator('noscript p');
  await page.goto('/');
  await expectTitle(page, 'Welcome back');
  await expect(needs).toHaveText(/^This page needs JavaScript\./);
  await follow(page, 'Create an account', 'Create your account');
  await expect(page.getByLabel('First name')).toBeVisible();
  await follow(page, 'terms of use', 'Terms of use');
  await expect(needs).toHaveCount(0);
  await page.goto('/nowhere');
  await expectTitle(page, 'Page not found');

  await signInWith(page, [watercolors, biology]);
  await page.goto('/');
  await expectTitle(page, 'Welcome, Ada');
  await triggerOf(page).click();
  await expect(page.getByRole('option')).toHaveText([/^Watercolors/, /^Biology 101/]);
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^Biology 101/);
  await page.getByRole('button', { name: 'create new course' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a new course' });
  await expectModal(dialog);
  await expect(dialog.getByLabel('Course name')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await follow(page, 'Cohorts', 'Cohorts');
  await page.getByRole('button', { name: /^Your account\b.*Ada Lovelace/ }).click();
  await follow(page, 'Billing', 'Billing');
  await follow(page, 'Settings', 'Settings');
  await expect(page.getByLabel('First name')).toHaveValue('Ada');
  await page.getByRole('main').getByRole('button', { name: 'Delete your account' }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete your account?' });
  await expectModal(deleting);
  await expect(deleting.getByText('This form needs JavaScript.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(deleting).toBeHidden();

  await context.clearCookies();
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
  await page.mouse.down();
  await expect(button).toHaveCSS('translate', '0px 1px');
});

function expectTitle(page: Page, title: string): Promise<void> {
  return expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
}

/** A link and its target page. The sidebar comes before the content. */
async function follow(page: Page, link: string, title: string): Promise<void> {
  await page.getByRole('link', { name: link, exact: true }).first().click();
  await expectTitle(page, title);
}

async function expectModal(dialog: Locator): Promise<void> {
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((element) => element.matches(':modal'))).toBe(true);
}
