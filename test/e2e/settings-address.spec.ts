import { openSettings, requestAddress, section, toAccount, watercolors } from './settings.ts';
import {
  expect,
  linkMailedTo,
  logInAs,
  mailsTo,
  signInWith,
  test,
  uniqueEmail,
} from './support.ts';

test.describe('email address', () => {
  test('a new one is pending until its link is opened, and can be canceled, after which the link is dead', async ({
    page,
  }) => {
    const email = await openSettings(page);
    const wanted = uniqueEmail();
    const address = section(page, 'Email address');
    await requestAddress(page, wanted);

    await expect(address.getByText(`We’ve emailed a link to ${wanted}.`)).toBeVisible();
    await expect(address.getByText(email, { exact: true })).toBeVisible();
    await expect(address.getByLabel('New email address')).toHaveValue('');
    const link = await linkMailedTo(wanted, 1);
    expect((await mailsTo(wanted))[0]?.subject).toBe('Confirm your new email address for Lectern');
    await page.reload();
    await expect(address.getByText(`We’ve emailed a link to ${wanted}.`)).toBeVisible();
    await address.getByRole('button', { name: 'Cancel this change' }).click();

    await expect(page.getByText('Your email address hasn’t changed.')).toBeVisible();
    await expect(address.getByText(wanted)).toHaveCount(0);
    await page.goto(link);
    await expect(page.getByRole('heading')).toHaveText('Authentication failed. Please try again');
    expect((await toAccount(page)).email).toBe(email);
  });

  test('a pending one disappears from the page once all other browsers are logged out', async ({
    page,
    openBrowser,
  }) => {
    const email = await openSettings(page);
    await logInAs(await openBrowser(), email, 2);
    await page.reload();
    const wanted = uniqueEmail();
    await requestAddress(page, wanted);
    await expect(page.getByText(`We’ve emailed a link to ${wanted}.`)).toBeVisible();
    await page.getByRole('button', { name: 'Log out of the other browser' }).click();

    await expect(page.getByText('All other browsers logged out.')).toBeVisible();
    await expect(page.getByText(wanted)).toHaveCount(0);
    await page.goto(await linkMailedTo(wanted, 1));
    await expect(page.getByRole('heading')).toHaveText('Authentication failed. Please try again');
  });

  test('a newer request replaces an older one', async ({ page }) => {
    await openSettings(page);
    const [first, second] = [uniqueEmail(), uniqueEmail()];
    await requestAddress(page, first);
    await expect(page.getByText(`We’ve emailed a link to ${first}.`)).toBeVisible();
    await requestAddress(page, second);

    await expect(page.getByText(`We’ve emailed a link to ${second}.`)).toBeVisible();
    await expect(page.getByText(first)).toHaveCount(0);
    await page.goto(await linkMailedTo(first, 1));
    await expect(page.getByRole('heading')).toHaveText('Authentication failed. Please try again');
  });

  test('confirming its link changes it here, notifies the old address and logs out elsewhere', async ({
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
    await expect(
      page.getByRole('heading', { name: 'Confirm your new email address' }),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Confirm this address' }).click();

    await expect(page).toHaveURL('/');
    await expect(page.getByRole('region', { name: 'Your profile' })).toContainText(wanted);
    await page.goto('/settings');
    await expect(section(page, 'Email address').getByText(wanted, { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Cancel this change' })).toHaveCount(0);
    await expect
      .poll(async () => (await mailsTo(email)).at(-1)?.subject)
      .toBe('Your Lectern email address has changed');
    await other.getByRole('link', { name: 'Cohorts', exact: true }).click();
    await expect(other).toHaveURL('/login?next=/cohorts&reason=expired');
  });

  test('its link opened in another browser logs that one in, and the first one out', async ({
    page,
    openBrowser,
  }) => {
    await openSettings(page);
    const wanted = uniqueEmail();
    await requestAddress(page, wanted);
    const other = await openBrowser();
    await other.goto(await linkMailedTo(wanted, 1));
    await other.getByRole('button', { name: 'Confirm this address' }).click();

    await expect(other).toHaveURL('/');
    await expect(other.getByRole('region', { name: 'Your profile' })).toContainText(wanted);
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(page).toHaveURL('/login?reason=expired');
  });

  test('an address with an account is told so only by email', async ({ page, openBrowser }) => {
    const owner = await openBrowser();
    await signInWith(owner, [watercolors]);
    const { email: ownersEmail } = await toAccount(owner);
    await openSettings(page);
    await requestAddress(page, ownersEmail);

    await expect(page.getByText(`We’ve emailed a link to ${ownersEmail}.`)).toBeVisible();
    await expect
      .poll(async () => (await mailsTo(ownersEmail)).map(({ subject }) => subject))
      .toContain('This address already has a Lectern account');
    expect((await mailsTo(ownersEmail)).at(-1)?.text).not.toContain('token=');
  });

  test('one’s own is not a new one, and no email is announced', async ({ page }) => {
    const email = await openSettings(page);
    await requestAddress(page, email.toUpperCase());

    await expect(page.getByText('Your email address hasn’t changed.')).toBeVisible();
    await expect(page.getByText('Check your new inbox')).toHaveCount(0);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('an invalid one is refused at its field, and the typed text stays', async ({ page }) => {
    await openSettings(page);
    const field = page.getByLabel('New email address');
    await field.press('Enter');
    await expect(field).toHaveAccessibleDescription('Email address is required');
    await requestAddress(page, 'ada at example');

    await expect(field).toHaveAccessibleDescription('Please enter a valid email address');
    await expect(field).toHaveValue('ada at example');
  });
});
