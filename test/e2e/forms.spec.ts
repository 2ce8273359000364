import { internal } from './failures.ts';
import {
  codeField,
  codeMailedTo,
  expect,
  mailsTo,
  openReady,
  test,
  uniqueEmail,
} from './support.ts';

test.use({ expectedErrors: [/status of (40[034]|429|500)/] });

test('login and sign-up say at each field what is wrong, or above the button, in no dialog, and nothing moves; an address without an account is taken along to sign-up, an unverified one gets a new email', async ({
  page,
}) => {
  await openReady(page, '/signup');
  await expect(page.getByLabel('First name')).toBeFocused();
  const create = page.getByRole('button', { name: 'Create account' });
  const before = await create.boundingBox();
  await create.click();
  await expect(page.getByRole('alert')).toHaveText('Please fill in all required fields.');
  await expect(page.getByLabel('First name')).toBeFocused();
  for (const label of ['First name', 'Last name', 'Email address']) {
    const words = `${label} is required`;
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(words);
  }
  expect(await create.boundingBox()).toEqual(before);

  await page.goto('/login');
  const field = page.getByLabel('Email address');
  const send = page.getByRole('button', { name: 'Send me a login link' });
  await send.click();
  await expect(field).toHaveAccessibleDescription('Please enter your email address.');
  await field.fill('a');
  await field.press('Enter');
  await expect(field).toHaveAccessibleDescription('Please enter a valid email address');
  await expect(field).toHaveValue('a');
  await field.fill('ada@example.com');
  await expect(field).toHaveAccessibleDescription('');
  const body = { message: 'Invalid email address.', request_id: 'x' };
  for (const [answer, words] of [
    // The worker only answers this way if the body is not JSON.
    [{ status: 400, json: { ...body, code: 'malformed_body' } }, body.message],
    [
      { status: 429, json: { ...body, code: 'rate_limited' }, headers: { 'Retry-After': '120' } },
      'You’ve made too many requests. You can try again in 2\u00a0minutes.',
    ],
    [{ status: 500, contentType: 'text/html', body: '<h1>Oh</h1>' }, internal],
  ] as const) {
    await page.route('**/api/accounts/auth/login/', (route) => route.fulfill(answer), { times: 1 });
    await field.press('Enter');
    await expect(page.locator('form').getByRole('alert')).toHaveText(words);
    await expect(field).toHaveValue('ada@example.com');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }

  const email = uniqueEmail();
  await field.fill(email);
  await send.click();
  await expect(field).toHaveAccessibleDescription('No account found with this email address.');
  await expect(field).toBeFocused();
  await page.locator('.field-error').getByRole('link', { name: 'Create an account' }).click();
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
  await expect(page).toHaveURL('/signup');
  await expect(field).toHaveValue(email);
  await expect(page.getByLabel('First name')).toBeFocused();
  expect(await page.evaluate(() => window.sessionStorage.getItem('address'))).toBeNull();

  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'resend the email' }).click();
  await expect(page.getByText('Sent again.')).toBeVisible();
  expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual(
    Array(2).fill('Confirm your email address for Lectern'),
  );
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(field).toHaveValue(email);
  await expect(page.getByLabel('First name')).toHaveValue('Ada');

  await page.goto('/login');
  await field.fill(email);
  await send.click();
  const alert = page.getByRole('alert').filter({ hasText: /\S/ });
  await expect(alert).toContainText('Please verify your email address first');
  await expect(alert).toContainText('We’ve just sent you a new verification email.');
  await expect(page.getByRole('main')).toContainText(email);
  await expect(page.getByText('Check your spam folder or resend the email.')).toBeVisible();
  await expect(codeField(page)).toBeFocused();
  await codeField(page).fill(await codeMailedTo(email, 3));
  await expect(page).toHaveURL('/onboarding/course');
});
