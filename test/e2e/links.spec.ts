import type { Page } from '@playwright/test';
import {
  askApi,
  expect,
  linkMailedTo,
  requestSignUp,
  signUp,
  test,
  uniqueEmail,
} from './support.ts';

test('a link that real browsers open and load, without a click, still works', async ({
  page,
  openBrowser,
}) => {
  const email = uniqueEmail();
  await requestSignUp(page, email);
  const link = await linkMailedTo(email, 1);
  for (let visit = 0; visit < 3; visit += 1) {
    const scanner = await openBrowser();
    await scanner.goto(link, { waitUntil: 'networkidle' });
    await expect(scanner.getByRole('button', { name: 'Confirm and log in' })).toBeVisible();
    await scanner.close();
  }
  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm and log in' }).click();

  await expect(page).toHaveURL('/onboarding/course');
});

test('the token leaves the address bar, and only its own request carries it', async ({ page }) => {
  const email = uniqueEmail();
  await requestSignUp(page, email);
  const link = await linkMailedTo(email, 1);
  const token = new URL(link).searchParams.get('token') ?? '';
  const requests: { url: string; referer: string | undefined }[] = [];
  page.on('request', (request) =>
    requests.push({ url: request.url(), referer: request.headers()['referer'] }),
  );
  await page.goto(link, { waitUntil: 'networkidle' });

  await expect(page).toHaveURL('/confirm');
  const { origin } = new URL(link);
  expect(requests.filter(({ url }) => new URL(url).origin !== origin)).toEqual([]);
  expect(requests.filter(({ url }) => url.includes(token))).toHaveLength(1);
  expect(requests.filter(({ referer }) => referer?.includes(token))).toEqual([]);
});

test('a link works in another browser than the one that requested it, and signs in only that one', async ({
  page,
  openBrowser,
}) => {
  const email = uniqueEmail();
  await requestSignUp(page, email);
  const other = await openBrowser();
  await other.goto(await linkMailedTo(email, 1));
  await other.getByRole('button', { name: 'Confirm and log in' }).click();
  await expect(other).toHaveURL('/onboarding/course');

  await page.goto('/');
  await expect(page).toHaveURL('/login');
});

test.describe('a used link', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('says so, and leads home in a signed-in browser', async ({ page, context }) => {
    const email = uniqueEmail();
    await requestSignUp(page, email);
    const link = await linkMailedTo(email, 1);
    const secondTab = await context.newPage();
    await secondTab.goto(link);
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm and log in' }).click();
    await expect(page).toHaveURL('/onboarding/course');

    await secondTab.getByRole('button', { name: 'Confirm and log in' }).click();
    await expect(secondTab.getByRole('alert')).toHaveText(
      'Authentication failed. Please try again',
    );
    await secondTab.getByRole('link', { name: 'Go to home' }).click();
    await expect(secondTab).toHaveURL('/onboarding/course');

    await page.goto(link);
    await expect(page.getByRole('heading')).toHaveText('Authentication failed. Please try again');
  });
});

test('a link of another account warns, and only the click changes who is signed in', async ({
  page,
  openBrowser,
}) => {
  const mine = uniqueEmail();
  await signUp(page, mine);
  const theirs = uniqueEmail();
  const other = await openBrowser();
  await requestSignUp(other, theirs);
  await page.goto(await linkMailedTo(theirs, 1));
  await expect(page.getByText(`You’re logged in as ${mine} in this browser.`)).toBeVisible();
  const who = () =>
    page.evaluate(async () => {
      const account: { email: string } = await (await fetch('/api/accounts/auth/user/')).json();
      return account.email;
    });
  expect(await who()).toBe(mine);
  await page.getByRole('button', { name: 'Confirm and log in' }).click();
  await page.waitForURL('/onboarding/course');

  expect(await who()).toBe(theirs);
});

test('the link in the email to the current address stops a change with a click, and not before', async ({
  page,
  openBrowser,
}) => {
  const { email, wanted } = await requestAddressChange(page);
  const link = await linkMailedTo(email, 2);
  const scanner = await openBrowser();
  await scanner.goto(link, { waitUntil: 'networkidle' });
  await expect(scanner).toHaveURL('/undo-address-change');
  await expect(scanner.getByRole('button', { name: 'Stop this change' })).toBeVisible();
  expect(await toAccount(page)).toMatchObject({ pending_email: wanted });
  const owner = await openBrowser();
  await owner.goto(link);
  await owner.getByRole('button', { name: 'Stop this change' }).click();

  await expect(owner.getByRole('heading', { name: 'Change stopped' })).toBeFocused();
  await expect(owner).toHaveTitle('Change stopped · Lectern');
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
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send me a login link' }).click();
    await page.goto(await linkMailedTo(email, 4));
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL('/onboarding/course');
    expect(await toAccount(page)).toMatchObject({ email });
  });
});

/** A new user who requests an address change. */
async function requestAddressChange(page: Page): Promise<{ email: string; wanted: string }> {
  const [email, wanted] = [uniqueEmail(), uniqueEmail()];
  await signUp(page, email);
  const { id } = await toAccount(page);
  await askApi(page, 'PATCH', `/api/accounts/${id}/`, { email: wanted });
  return { email, wanted };
}

async function toAccount(page: Page): Promise<{ id: string }> {
  return (await askApi(page, 'GET', '/api/accounts/auth/user/')) as { id: string };
}
