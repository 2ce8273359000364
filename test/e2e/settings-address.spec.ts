import type { Page } from '@playwright/test';
import { openSettings, section, toAccount } from './settings.ts';
import { expect, linkMailedTo, logInAs, mailsTo, test, uniqueEmail } from './support.ts';

test('a new email address is pending until its link is opened, a canceled one is dead; then it changes here, the old one is told, and other browsers are logged out', async ({
  page,
  openBrowser,
}) => {
  const email = await openSettings(page);
  const other = await openBrowser();
  await logInAs(other, email, 2);
  await other.goto('/');
  const address = section(page, 'Email address');
  const field = address.getByLabel('New email address');
  await requestAddress(page, 'ada at example');
  await expect(field).toHaveAccessibleDescription('Please enter a valid email address');
  await expect(field).toHaveValue('ada at example');
  await requestAddress(page, email.toUpperCase());
  await expect(page.getByText('Your email address hasn’t changed.')).toBeVisible();

  const [first, second] = [uniqueEmail(), uniqueEmail()];
  await requestAddress(page, first);
  await expect(address.getByText(`We’ve emailed a link to ${first}.`)).toBeVisible();
  await expect(address.getByText(email, { exact: true })).toBeVisible();
  await expect(field).toHaveValue('');
  await address.getByRole('button', { name: 'Cancel this change' }).click();
  await expect(address.getByText(first)).toHaveCount(0);
  const tab = await page.context().newPage();
  await tab.goto(await linkMailedTo(first, 1));
  await expect(tab.getByRole('heading')).toHaveText('Authentication failed. Please try again');
  expect((await toAccount(page)).email).toBe(email);

  await requestAddress(page, second);
  await expect(address.getByText(`We’ve emailed a link to ${second}.`)).toBeVisible();
  await page.goto(await linkMailedTo(second, 1));
  expect((await mailsTo(second))[0]?.subject).toBe('Confirm your new email address for Lectern');
  await expect(page.getByRole('heading', { name: 'Confirm your new email address' })).toBeVisible();
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(page).toHaveURL('/');
  await expect(section(page, 'Your profile')).toContainText(second);
  await expect
    .poll(async () => (await mailsTo(email)).at(-1)?.subject)
    .toBe('Your Lectern email address has changed');
  const sidebar = other.getByRole('navigation', { name: 'Main navigation' });
  await sidebar.getByRole('link', { name: 'Cohorts', exact: true }).click();
  await expect(other).toHaveURL('/login?next=/cohorts&reason=expired');
});

async function requestAddress(page: Page, address: string): Promise<void> {
  await page.getByLabel('New email address').fill(address);
  await page.getByRole('button', { name: 'Send confirmation link' }).click();
}
