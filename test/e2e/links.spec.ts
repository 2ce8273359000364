import type { Page } from '@playwright/test';
import { toAccount } from './settings.ts';
import {
  askApi,
  expect,
  linkMailedTo,
  logInAs,
  requestSignUp,
  signInWith,
  test,
  uniqueEmail,
} from './support.ts';

test.describe('an emailed link', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('works once, after others have opened it, only where it is clicked; its token leaves the address bar', async ({
    page,
    openBrowser,
  }) => {
    const email = uniqueEmail();
    await requestSignUp(page, email);
    const link = await linkMailedTo(email, 1);
    const { origin, searchParams } = new URL(link);
    const token = searchParams.get('token') ?? '';
    const scanner = await openBrowser();
    const requests: { url: string; referer: string | undefined }[] = [];
    scanner.on('request', (request) =>
      requests.push({ url: request.url(), referer: request.headers()['referer'] }),
    );
    await scanner.goto(link, { waitUntil: 'networkidle' });
    await expect(scanner.getByRole('button', { name: 'Confirm and log in' })).toBeVisible();
    await expect(scanner).toHaveURL('/confirm');
    expect(requests.filter(({ url }) => new URL(url).origin !== origin)).toEqual([]);
    expect(requests.filter(({ url }) => url.includes(token))).toHaveLength(1);
    expect(requests.filter(({ referer }) => referer?.includes(token))).toEqual([]);

    const other = await openBrowser();
    const secondTab = await other.context().newPage();
    await secondTab.goto(link);
    await other.goto(link);
    await other.getByRole('button', { name: 'Confirm and log in' }).click();
    await expect(other).toHaveURL('/onboarding/course');
    await secondTab.getByRole('button', { name: 'Confirm and log in' }).click();
    await expect(secondTab.getByRole('alert')).toHaveText(
      'Authentication failed. Please try again',
    );
    await secondTab.getByRole('link', { name: 'Go to home' }).click();
    await expect(secondTab).toHaveURL('/onboarding/course');
    await page.goto('/');
    await expect(page).toHaveURL('/login');
  });
});

test('the link in the email to the current address stops a change with a click, and not before', async ({
  page,
  openBrowser,
}) => {
  const { email, wanted } = await requestAddressChange(page);
  const owner = await openBrowser();
  await owner.goto(await linkMailedTo(email, 2), { waitUntil: 'networkidle' });
  await expect(owner).toHaveURL('/undo-address-change');
  await owner.getByRole('button', { name: 'Français' }).click();
  await owner.getByRole('button', { name: 'English' }).click();
  expect(await toAccount(page)).toMatchObject({ pending_email: wanted });
  await owner.getByRole('button', { name: 'Stop this change' }).click();

  await expect(owner.getByRole('heading', { name: 'Change stopped' })).toBeFocused();
  await expect(owner).toHaveTitle('Change stopped · Lectern');
  // To change the language, the page would have to use the link again.
  await expect(owner.getByRole('button')).toHaveCount(0);
  expect(await toAccount(page)).not.toHaveProperty('pending_email');
  await page.goto(await linkMailedTo(wanted, 1));
  await expect(page.getByRole('heading')).toHaveText('Authentication failed. Please try again');
  await owner.getByRole('link', { name: 'Go to your settings' }).click();
  await expect(owner).toHaveURL('/login?next=/settings');
});

test.describe('the link in the email to the former address', () => {
  test.use({ expectedErrors: [/status of 4\d\d/] });

  test('restores the account with a click, once, and the former address logs in again', async ({
    page,
    openBrowser,
  }) => {
    const { email, wanted } = await requestAddressChange(page);
    const thief = await openBrowser();
    await thief.goto(await linkMailedTo(wanted, 1));
    await thief.getByRole('button', { name: 'Confirm this address' }).click();
    await thief.waitForURL('/onboarding/course');
    const link = await linkMailedTo(email, 3);
    const late = await openBrowser();
    await late.goto(link);
    await page.goto(link);
    await expect(page).toHaveURL('/undo-address-change');
    await page.getByRole('button', { name: 'Undo the change' }).click();

    await expect(page.getByRole('heading', { name: 'Account restored' })).toBeFocused();
    await thief.goto('/');
    await expect(thief).toHaveURL('/login?reason=expired');
    await late.getByRole('button', { name: 'Undo the change' }).click();
    await expect(late.getByRole('alert')).toHaveText('Authentication failed. Please try again');
    await expect(late.getByText('contains a link to undo it')).toBeVisible();
    await page.getByRole('link', { name: 'Log in' }).click();
    await expect(page).toHaveURL('/login');
    await logInAs(page, email, 4);
    expect(await toAccount(page)).toMatchObject({ email });
  });
});

/** A new user who requests an address change. */
async function requestAddressChange(page: Page): Promise<{ email: string; wanted: string }> {
  await signInWith(page, []);
  const { id, email } = await toAccount(page);
  const wanted = uniqueEmail();
  await askApi(page, 'PATCH', `/api/accounts/${id}/`, { email: wanted });
  return { email, wanted };
}
