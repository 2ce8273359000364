import { openSettings, requestAddress, section, toAccount } from './settings.ts';
import { expect, linkMailedTo, logInAs, mailsTo, test, uniqueEmail } from './support.ts';

test('a new email address is pending until its link is opened; a newer one replaces it, and a canceled one is dead', async ({
  page,
}) => {
  const email = await openSettings(page);
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
  await requestAddress(page, second);
  await expect(address.getByText(`We’ve emailed a link to ${second}.`)).toBeVisible();
  await expect(page.getByText(first)).toHaveCount(0);
  const link = await linkMailedTo(second, 1);
  expect((await mailsTo(second))[0]?.subject).toBe('Confirm your new email address for Lectern');
  await page.reload();
  await expect(address.getByText(`We’ve emailed a link to ${second}.`)).toBeVisible();
  await address.getByRole('button', { name: 'Cancel this change' }).click();
  await expect(address.getByText(second)).toHaveCount(0);
  await page.goto(link);
  await expect(page.getByRole('heading')).toHaveText('Authentication failed. Please try again');
  expect((await toAccount(page)).email).toBe(email);
});

test('confirming the link of a new address changes it here, notifies the old one and logs out elsewhere', async ({
  page,
  openBrowser,
}) => {
  const email = await openSettings(page);
  const other = await openBrowser();
  await logInAs(other, email, 2);
  await other.goto('/');
  const wanted = uniqueEmail();
  await requestAddress(page, wanted);
  await page.goto(await linkMailedTo(wanted, 1));
  await expect(page.getByRole('heading', { name: 'Confirm your new email address' })).toBeVisible();
  await page.getByRole('button', { name: 'Confirm this address' }).click();

  await expect(page).toHaveURL('/');
  await expect(section(page, 'Your profile')).toContainText(wanted);
  await page.goto('/settings');
  await expect(section(page, 'Email address').getByText(wanted, { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel this change' })).toHaveCount(0);
  await expect
    .poll(async () => (await mailsTo(email)).at(-1)?.subject)
    .toBe('Your Lectern email address has changed');
  const sidebar = other.getByRole('navigation', { name: 'Main navigation' });
  await sidebar.getByRole('link', { name: 'Cohorts', exact: true }).click();
  await expect(other).toHaveURL('/login?next=/cohorts&reason=expired');
});
