import { toAccount } from './settings.ts';
import {
  askApi,
  expect,
  linkMailedTo,
  logInAs,
  mailsTo,
  requestSignUp,
  signInWith,
  test,
  uniqueEmail,
} from './support.ts';

test.use({ expectedErrors: [/status of 400/] });

const usedUp = 'Authentication failed. Please try again';

test('an emailed link works once, after others have opened it, only where it is clicked, and in another language; its token leaves the address bar', async ({
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
  await scanner.goto(link);
  await expect(scanner.getByRole('button', { name: 'Confirm and log in' })).toBeVisible();
  await expect(scanner).toHaveURL('/confirm');
  expect(requests.filter(({ url }) => new URL(url).origin !== origin)).toEqual([]);
  expect(requests.filter(({ url }) => url.includes(token))).toHaveLength(1);
  expect(requests.filter(({ referer }) => referer?.includes(token))).toEqual([]);
  await scanner.getByRole('button', { name: 'Français' }).click();
  await expect(scanner.getByRole('button', { name: 'Confirmer et me connecter' })).toBeVisible();

  const other = await openBrowser();
  const secondTab = await other.context().newPage();
  await secondTab.goto(link);
  await other.goto(link);
  await expect(other.getByRole('term')).toHaveText(['Requested', 'Browser', 'Expires']);
  await expect(other.getByText('Nothing happens unless you click.')).toBeVisible();
  await other.getByRole('button', { name: 'Confirm and log in' }).click();
  await expect(other).toHaveURL('/onboarding/course');
  await secondTab.getByRole('button', { name: 'Confirm and log in' }).click();
  await expect(secondTab.getByRole('alert')).toHaveText(usedUp);
  await secondTab.getByRole('link', { name: 'Go to home' }).click();
  await expect(secondTab).toHaveURL('/onboarding/course');
  await page.goto('/');
  await expect(page).toHaveURL('/login');
});

test('emailed links stop a change of the address with a click and not before, and restore the account after one, once', async ({
  page,
  openBrowser,
}) => {
  const email = await signInWith(page, []);
  const { id } = await toAccount(page);
  const [mistyped, stolen] = [uniqueEmail(), uniqueEmail()];
  const changeTo = (address: string) =>
    askApi(page, 'PATCH', `/api/accounts/${id}/`, { email: address });
  await changeTo(mistyped);
  const owner = await openBrowser();
  await owner.goto(await linkMailedTo(email, 2));
  await expect(owner).toHaveURL('/undo-address-change');
  await owner.getByRole('button', { name: 'Français' }).click();
  await owner.getByRole('button', { name: 'English' }).click();
  await expect(owner.locator('html')).toHaveAttribute('lang', 'en');
  expect(await toAccount(page)).toMatchObject({ pending_email: mistyped });
  await owner.getByRole('button', { name: 'Stop this change' }).click();
  await expect(owner.getByRole('heading', { name: 'Change stopped' })).toBeFocused();
  await expect(owner).toHaveTitle('Change stopped · Lectern');
  // To change the language, the page would have to use the link again.
  await expect(owner.getByRole('button')).toHaveCount(0);
  expect(await toAccount(page)).not.toHaveProperty('pending_email');
  await page.goto(await linkMailedTo(mistyped, 1));
  await expect(page.getByRole('heading')).toHaveText(usedUp);

  const mails = await mailsTo(email);
  await changeTo(stolen);
  const thief = await openBrowser();
  await thief.goto(await linkMailedTo(stolen, 1));
  await thief.getByRole('button', { name: 'Confirm this address' }).click();
  await thief.waitForURL('/onboarding/course');
  const link = await linkMailedTo(email, mails.length + 2);
  await page.goto(link);
  await owner.goto(link);
  await owner.getByRole('button', { name: 'Undo the change' }).click();
  await expect(owner.getByRole('heading', { name: 'Account restored' })).toBeFocused();
  await thief.goto('/');
  await expect(thief).toHaveURL('/login?reason=expired');
  await page.getByRole('button', { name: 'Undo the change' }).click();
  await expect(page.getByRole('alert')).toHaveText(usedUp);
  await expect(page.getByText('contains a link to undo it')).toBeVisible();
  await owner.getByRole('link', { name: 'Log in' }).click();
  await expect(owner).toHaveURL('/login');
  await logInAs(owner, email, mails.length + 3);
  expect(await toAccount(owner)).toMatchObject({ email });
});
