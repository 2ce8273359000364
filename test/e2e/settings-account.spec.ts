import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import type { ErrorBody } from '#api/error-body.ts';
import { openAccountMenu } from './forms.ts';
import { algebra, biology, openSettings, requestAddress, section, toAccount } from './settings.ts';
import {
  askApi,
  codeMailedTo,
  expect,
  linkMailedTo,
  logInAs,
  mailsTo,
  signInWith,
  test,
  uniqueEmail,
} from './support.ts';

test.describe('active sessions', () => {
  test('a single browser is this device, with nothing to end', async ({ page }) => {
    await openSettings(page);
    const sessions = section(page, 'Active sessions');

    await expect(sessions.getByRole('listitem')).toHaveText(
      /^Chrome \(Linux\)Active now · Logged in just nowThis device$/,
    );
    await expect(sessions.getByText('You’re not logged in anywhere else.')).toBeVisible();
    await expect(sessions.getByRole('button')).toHaveCount(0);
  });

  test('other browsers are counted in words, and ended one by one or all together', async ({
    page,
    context,
    openBrowser,
  }) => {
    await signInWith(page, [biology]);
    const { email } = await toAccount(page);
    const others = [await openBrowser(), await openBrowser()];
    for (const [index, other] of others.entries()) {
      await logInAs(other, email, index + 2);
      await other.goto('/');
    }
    await page.goto('/settings');
    const sessions = section(page, 'Active sessions');
    await expect(sessions.getByRole('listitem')).toHaveCount(3);
    await expect(sessions.getByText('This device')).toHaveCount(1);
    await expect(
      sessions.getByRole('button', { name: 'Log out of all 2 other browsers' }),
    ).toBeVisible();
    await context.addCookies([{ name: 'language', value: 'fr', url: page.url() }]);
    await page.reload();
    await expect(
      page.getByRole('button', { name: 'Déconnecter les 2 autres navigateurs' }),
    ).toBeVisible();
    await expect(page.getByText('Cet appareil')).toHaveCount(1);
    await page.getByRole('listitem').getByRole('button', { name: 'Déconnecter' }).first().click();
    await expect(
      page.getByRole('button', { name: 'Déconnecter l’autre navigateur' }),
    ).toBeVisible();
    await context.addCookies([{ name: 'language', value: 'en', url: page.url() }]);
    await page.reload();
    await sessions.getByRole('button', { name: 'Log out of the other browser' }).click();

    await expect(page.getByText('All other browsers logged out.')).toBeVisible();
    await expect(sessions.getByText('You’re not logged in anywhere else.')).toBeVisible();
    await expect(sessions.getByRole('listitem')).toHaveCount(1);
    for (const other of others) {
      await other.getByRole('link', { name: 'Settings' }).click();
      await expect(other).toHaveURL('/login?next=/settings&reason=expired');
    }
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible();
  });

  test('an ended session is sent to /login on its next page, and all others stay', async ({
    page,
    openBrowser,
  }) => {
    await signInWith(page, [biology]);
    const { email } = await toAccount(page);
    const other = await openBrowser();
    await logInAs(other, email, 2);
    await other.goto('/settings');
    const sessions = section(other, 'Active sessions');
    await sessions.getByRole('listitem').getByRole('button', { name: 'End session' }).click();
    await expect(other.getByText('Browser logged out.')).toBeVisible();
    await expect(sessions.getByRole('listitem')).toHaveCount(1);

    await page.goto('/');
    await expect(page).toHaveURL('/login?reason=expired');
    await other.goto('/');
    await expect(other).toHaveURL('/');
  });
});

test.describe('the data export', () => {
  test('is one file named after the day, with all data and no secrets', async ({ page }) => {
    const email = await openSettings(page, [biology, algebra]);
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download your data' }).click();
    const download = await downloaded;

    const text = readFileSync(await download.path(), 'utf8');
    const everything = JSON.parse(text);
    expect(download.suggestedFilename()).toBe(
      `lectern-${everything.exported_at.slice(0, 10)}.json`,
    );
    expect(everything).toMatchObject({
      account: { first_name: 'Ada', last_name: 'Lovelace', email, language: 'en' },
      courses: [biology, algebra],
      sessions: [{ user_agent: expect.stringContaining('Chrome') }],
      links: [],
    });
    expect(text).not.toContain('token');
    await expect(page.getByText('Your data has been downloaded.')).toBeVisible();
  });
});

test.describe('deleting the account', () => {
  test('needs the address, letter by letter', async ({ page }) => {
    await openSettings(page);
    const dialog = await openDeleteAccount(page);
    await expect(dialog.locator('.thing')).toContainText(/Ada LovelaceAccount created .+ 20\d\d$/);
    const typed = fieldOf(dialog);
    await expect(typed).toBeFocused();
    await typed.fill('somebody@example.com');
    await expect(dialog.getByRole('button', { name: 'Delete my account' })).toBeDisabled();
    await typed.press('Enter');

    await expect(typed).toHaveAccessibleDescription(/This doesn’t match$/);
    await expect(typed).toHaveValue('somebody@example.com');
    await expect(typed).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Delete your account' })).toBeFocused();
    expect((await toAccount(page)).email).toMatch(/^ada\./);
  });

  test('ends everywhere at /login, and the same address can sign up again', async ({
    page,
    openBrowser,
  }) => {
    const email = await openSettings(page);
    const other = await openBrowser();
    await logInAs(other, email, 2);
    await other.goto('/');
    const dialog = await openDeleteAccount(page);
    await fieldOf(dialog).fill(` ${email} `);
    await dialog.getByRole('button', { name: 'Delete my account' }).click();

    await expect(page).toHaveURL('/login');
    await page.goto('/settings');
    await expect(page).toHaveURL('/login?next=/settings');
    await other.getByRole('link', { name: 'Settings' }).click();
    await expect(other).toHaveURL('/login?next=/settings&reason=expired');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.goto(await linkMailedTo(email, 3));
    await page.getByRole('button', { name: 'Confirm and log in' }).click();
    await expect(page).toHaveURL('/onboarding/course');
  });
});

test('a user without a course can delete their account too', async ({ page }) => {
  await signInWith(page, []);
  const { email } = await toAccount(page);
  await page.goto('/onboarding/course');
  await openAccountMenu(page);
  const dialog = await openDeleteAccount(page);
  await fieldOf(dialog).fill(email);
  await dialog.getByRole('button', { name: 'Delete my account' }).click();

  await expect(page).toHaveURL('/login');
  await page.goto('/onboarding/course');
  await expect(page).toHaveURL('/login?next=/onboarding/course');
  // The address can be used again.
  const person = { first_name: 'Ada', last_name: 'Lovelace', email };
  await askApi(page, 'POST', '/api/accounts/auth/signup/', person);
});

test.describe('a login of more than 15 minutes ago', () => {
  test.use({ expectedErrors: [/status of 403/] });

  test('gets a new link before the data, and the link works', async ({ page }) => {
    const email = await openSettings(page);
    await refuseAsOld(page, '**/export/');
    await page.getByRole('button', { name: 'Download your data' }).click();
    const proof = proofDialog(page);
    await expect(proof).toContainText(`We can email a new link and a code to ${email}.`);
    await proof.getByRole('button', { name: 'Send me a login link' }).click();
    await expect(proof).toContainText(`We’ve emailed a login link and a code to ${email}.`);
    await page.goto(await linkMailedTo(email, 2));
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL('/');

    await page.unroute('**/export/');
    await page.getByRole('link', { name: 'Settings' }).click();
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download your data' }).click();
    expect((await downloaded).suggestedFilename()).toMatch(/^lectern-/);
  });

  test('takes the code of the new email in its place, and the same click then works', async ({
    page,
  }) => {
    const email = await openSettings(page);
    await refuseAsOld(page, '**/export/');
    const button = page.getByRole('button', { name: 'Download your data' });
    await button.click();
    const proof = proofDialog(page);
    await proof.getByRole('button', { name: 'Send me a login link' }).click();
    await expect(proof.getByLabel('Six-digit code')).toBeFocused();
    await proof.getByLabel('Six-digit code').fill(await codeMailedTo(email, 2));
    await expect(proof).toBeHidden();
    await expect(page.getByText('Identity confirmed. Please try again.')).toBeVisible();
    await expect(button).toBeFocused();
    await expect(section(page, 'Active sessions').getByRole('listitem')).toHaveCount(1);

    await page.unroute('**/export/');
    const downloaded = page.waitForEvent('download');
    await button.click();
    expect((await downloaded).suggestedFilename()).toMatch(/^lectern-/);
  });

  test('ends its question when the link is used in another tab', async ({ page, context }) => {
    const email = await openSettings(page);
    await refuseAsOld(page, '**/export/');
    await page.getByRole('button', { name: 'Download your data' }).click();
    const proof = proofDialog(page);
    await proof.getByRole('button', { name: 'Send me a login link' }).click();
    const other = await context.newPage();
    await other.goto(await linkMailedTo(email, 2));
    await other.getByRole('button', { name: 'Log in' }).click();

    await expect(proof).toBeHidden();
    await expect(page.getByText('Identity confirmed. Please try again.')).toBeVisible();
    await expect(page).toHaveURL('/settings');
  });

  test('gets a new link before the account is deleted, and the typed text stays', async ({
    page,
  }) => {
    const email = await openSettings(page);
    await refuseAsOld(page, '**/api/accounts/*/');
    const dialog = await openDeleteAccount(page);
    const typed = fieldOf(dialog);
    await typed.fill(email);
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(proofDialog(page)).toBeVisible();
    await proofDialog(page).getByRole('button', { name: 'Send me a login link' }).click();
    await linkMailedTo(email, 2);

    await page.keyboard.press('Escape');
    await expect(proofDialog(page)).toBeHidden();
    await expect(dialog).toBeVisible();
    await expect(typed).toHaveValue(email);
    await expect(page.getByRole('dialog', { name: 'Access Denied' })).toHaveCount(0);
  });

  test('gets a new link before a new address, and the typed text stays', async ({ page }) => {
    await openSettings(page);
    const wanted = uniqueEmail();
    await refuseAsOld(page, '**/api/accounts/*/');
    await requestAddress(page, wanted);
    await expect(proofDialog(page)).toBeVisible();
    await page.keyboard.press('Escape');

    await expect(proofDialog(page)).toBeHidden();
    await expect(page.getByLabel('New email address')).toHaveValue(wanted);
    expect(await mailsTo(wanted)).toEqual([]);
  });

  function proofDialog(page: Page): Locator {
    return page.getByRole('dialog', { name: 'Confirm it’s you' });
  }

  /** The worker's answer in an older session; browsers cannot make a session old. */
  async function refuseAsOld(page: Page, path: string): Promise<void> {
    const json: ErrorBody = {
      code: 'proof_required',
      message: 'Please confirm it’s you by logging in again with a new link.',
      request_id: crypto.randomUUID(),
    };
    await page.route(path, (route) => route.fulfill({ status: 403, json }));
  }
});

async function openDeleteAccount(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Delete your account' }).click();
  return page.getByRole('dialog', { name: 'Delete your account?' });
}

/** Named after what must be typed. */
function fieldOf(dialog: Locator): Locator {
  return dialog.getByLabel(/^Type .+@example\.com to confirm$/);
}
