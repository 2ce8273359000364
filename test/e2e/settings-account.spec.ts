import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import type { ErrorBody } from '#api/error-body.ts';
import { biology, openSettings, section, watercolors } from './settings.ts';
import { codeMailedTo, expect, linkMailedTo, logInAs, test, untilReady } from './support.ts';

test.use({ expectedErrors: [/status of 403/] });

test('a login of more than 15 minutes ago is renewed by an emailed code before the data are downloaded, as one file without secrets; other browsers are listed, and ended one by one or all together', async ({
  page,
  openBrowser,
}) => {
  const email = await openSettings(page, [biology, watercolors]);
  const others = [await openBrowser(), await openBrowser()];
  for (const [index, other] of others.entries()) {
    await logInAs(other, email, index + 2);
  }
  await page.reload();
  const sessions = section(page, 'Active sessions');
  const rows = sessions.getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: 'This device' })).toHaveText(
    /^Chrome \(Linux\)Active now · Logged in just nowThis device$/,
  );
  await refuseAsOld(page, '**/auth/sessions/**');
  const proof = proofDialog(page);
  await rows.getByRole('button', { name: 'End session' }).first().click();
  await expect(proof).toBeVisible();
  await page.keyboard.press('Escape');
  await page.unroute('**/auth/sessions/**');
  await rows.getByRole('button', { name: 'End session' }).first().click();
  await expect(page.getByText('Browser logged out.')).toBeVisible();
  await expect(rows).toHaveCount(2);
  await sessions.getByRole('button', { name: 'Log out of the other browser' }).click();
  await expect(page.getByText('All other browsers logged out.')).toBeVisible();
  await expect(sessions.getByText('You’re not logged in anywhere else.')).toBeVisible();
  await expect(rows).toHaveCount(1);
  for (const other of others) {
    const answer = await other.request.get('/api/accounts/auth/user/', { maxRetries: 1 });
    expect(answer.status()).toBe(401);
  }

  await refuseAsOld(page, '**/export/');
  const button = page.getByRole('button', { name: 'Download your data' });
  await button.click();
  await expect(proof).toContainText(`We can email a new link and a code to ${email}.`);
  await proof.getByRole('button', { name: 'Send me a login link' }).click();
  await expect(proof).toContainText(`We’ve emailed a login link and a code to ${email}.`);
  await expect(proof.getByLabel('Six-digit code')).toBeFocused();
  await proof.getByLabel('Six-digit code').fill(await codeMailedTo(email, 4));
  await expect(proof).toBeHidden();
  await expect(page.getByText('Identity confirmed. Please try again.')).toBeVisible();
  await expect(button).toBeFocused();
  await expect(rows).toHaveCount(1);

  await page.unroute('**/export/');
  const downloading = page.waitForEvent('download');
  await button.click();
  const download = await downloading;
  const text = readFileSync(await download.path(), 'utf8');
  const everything = JSON.parse(text);
  const day = everything.exported_at.slice(0, 10);
  expect(download.suggestedFilename()).toBe(`lectern-${day}.json`);
  expect(everything).toMatchObject({
    account: { first_name: 'Ada', last_name: 'Lovelace', email, language: 'en' },
    courses: [biology, watercolors],
    sessions: [{ user_agent: expect.stringContaining('Chrome') }],
    links: [],
  });
  expect(text).not.toContain('token');
  await expect(page.getByText('Your data has been downloaded.')).toBeVisible();
});

test('a login of more than 15 minutes ago is renewed by a link in another tab before the account is deleted, which needs its address and ends everywhere', async ({
  page,
  context,
  openBrowser,
}) => {
  const email = await openSettings(page);
  const other = await openBrowser();
  await logInAs(other, email, 2);
  await other.goto('/');
  await page.getByRole('button', { name: 'Delete your account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  const typed = dialog.getByLabel(`Type ${email} to confirm`);
  const submit = dialog.getByRole('button', { name: 'Delete my account' });
  await expect(dialog.locator('.thing')).toContainText(/Ada LovelaceAccount created .+ 20\d\d$/);
  await expect(typed).toBeFocused();
  await typed.fill('somebody@example.com');
  await expect(submit).toBeDisabled();
  await typed.press('Enter');
  await expect(typed).toHaveAccessibleDescription(/This doesn’t match$/);

  await refuseAsOld(page, '**/api/accounts/*/');
  await typed.fill(email);
  await submit.click();
  await proofDialog(page).getByRole('button', { name: 'Send me a login link' }).click();
  const tab = await context.newPage();
  await tab.goto(await linkMailedTo(email, 3));
  await tab.getByRole('button', { name: 'Log in' }).click();
  await expect(tab).toHaveURL('/');
  // It tells the other tabs that it is signed in, which has to be over before the account is deleted.
  await untilReady(tab);
  await expect(proofDialog(page)).toBeHidden();
  await expect(page.getByText('Identity confirmed. Please try again.')).toBeVisible();
  await expect(typed).toHaveValue(email);

  await page.unroute('**/api/accounts/*/');
  await submit.click();
  await expect(page).toHaveURL('/login');
  await page.goto('/settings');
  await expect(page).toHaveURL('/login?next=/settings');
  await other.getByRole('link', { name: 'Settings' }).click();
  await expect(other).toHaveURL('/login?next=/settings&reason=expired');
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
