import type { Page } from '@playwright/test';
import {
  codeField,
  codeMailedTo,
  expect,
  linkMailedTo,
  logInAs,
  mailsTo,
  openReady,
  requestSignUp,
  signUp,
  test,
  uniqueEmail,
} from './support.ts';

const digitsOf = (code: string) => code.replace(' ', '');

test('a new user signs up with the code, typed digit by digit, and the sixth sends it', async ({
  page,
}) => {
  const email = uniqueEmail();
  await requestSignUp(page, email);
  await expect(page.getByRole('main')).toContainText(
    `We’ve sent a confirmation link and a code to ${email}`,
  );
  await expect(codeField(page)).toHaveAccessibleDescription(
    'Or click the link in the email. The code expires in 10 minutes, the link in 24 hours.',
  );
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type(digitsOf(await codeMailedTo(email, 1)));

  await expect(page).toHaveURL('/onboarding/course');
});

test('a pasted “123 456” logs in by itself, and the link in the email is used up', async ({
  page,
  context,
}) => {
  const email = await requestLogin(page);
  const link = await linkMailedTo(email, 2);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(
    (code) => navigator.clipboard.writeText(` ${code} `),
    await codeMailedTo(email, 2),
  );
  await codeField(page).press('Control+v');
  await expect(page).toHaveURL('/onboarding/course');

  await page.goto(link);
  await expect(page.getByRole('heading')).toHaveText('Authentication failed. Please try again');
});

test('a phone gets its number keys and can fill in the code from its messages', async ({
  page,
}) => {
  await requestLogin(page);

  await expect(codeField(page)).toHaveAttribute('inputmode', 'numeric');
  await expect(codeField(page)).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(codeField(page)).toHaveAccessibleDescription(
    'Or click the link in the email. Both work once and expire in 10 minutes.',
  );
});

test('on a touch screen, the field does not bring up the keyboard by itself', async ({
  openBrowser,
}) => {
  const phone = await openBrowser({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 844 },
  });
  await requestLogin(phone);

  await expect(codeField(phone)).toBeVisible();
  await expect(phone.getByRole('heading', { name: 'Check your email' })).toBeFocused();
  await phone.getByRole('button', { name: 'Back' }).tap();
  await expect(phone.getByLabel('Email address')).toHaveValue(/@/);
  await expect(phone.getByLabel('Email address')).not.toBeFocused();
});

test('the digits stand in their cells, also after the last', async ({ page }) => {
  await requestLogin(page);
  await page.route('**/auth/confirm/', () => {});
  await codeField(page).pressSequentially('123456');

  await expect(page.getByRole('button', { name: 'One moment…' })).toBeVisible();
  expect(await codeField(page).evaluate(({ scrollLeft }) => scrollLeft)).toBe(0);
  const frame = await page.locator('.code-input').boundingBox();
  const field = await codeField(page).boundingBox();
  expect(frame?.height).toBe(64);
  expect((field?.x ?? 0) - (frame?.x ?? 0)).toBeCloseTo(0, 0);
});

test.describe('a wrong code', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('stays in the field, selected, and the right one in its place logs in', async ({ page }) => {
    const email = await requestLogin(page);
    const code = digitsOf(await codeMailedTo(email, 2));
    const wrong = code === '000000' ? '000001' : '000000';
    await codeField(page).fill(wrong);
    await expect(page.getByText('Authentication failed. Please try again')).toBeVisible();
    await expect(codeField(page)).toHaveValue(wrong);
    await expect(codeField(page)).toHaveAttribute('aria-invalid', 'true');
    await expect(codeField(page)).toHaveAccessibleDescription(
      'Authentication failed. Please try again',
    );
    await expect(codeField(page)).toBeFocused();
    await page.keyboard.type(code.slice(0, 1));
    await expect(codeField(page)).toHaveValue(code.slice(0, 1));
    await expect(page.getByText('Authentication failed. Please try again')).toHaveCount(0);
    await page.keyboard.type(code.slice(1));

    await expect(page).toHaveURL('/onboarding/course');
  });

  test('the fifth time says how to get a new one, whose code works', async ({ page }) => {
    const email = await requestLogin(page);
    const code = digitsOf(await codeMailedTo(email, 2));
    const wrong = code === '000000' ? '000001' : '000000';
    for (let round = 0; round < 4; round += 1) {
      await codeField(page).fill('');
      await codeField(page).fill(wrong);
      await expect(page.getByText('Authentication failed. Please try again')).toBeVisible();
    }
    await page.getByRole('button', { name: 'Log in' }).click();
    const usedUp = page.getByText('This code no longer works. Resend the email to get a new one.');
    await expect(usedUp).toBeVisible();
    await codeField(page).fill(code);
    await expect(usedUp).toBeVisible();
    await page.getByRole('button', { name: 'resend the email' }).click();
    await expect(page.getByText('Sent again.')).toBeVisible();
    await expect(usedUp).toHaveCount(0);
    await expect(codeField(page)).toHaveValue('');
    await expect(codeField(page)).toBeFocused();
    await codeField(page).fill(await codeMailedTo(email, 3));

    await expect(page).toHaveURL('/onboarding/course');
  });

  test('in another browser, even the right one does nothing', async ({ page, openBrowser }) => {
    const email = await requestLogin(page);
    const code = await codeMailedTo(email, 2);
    const other = await openBrowser();
    await requestLogin(other);
    await codeField(other).fill(code);
    await expect(other.getByText('Authentication failed. Please try again')).toBeVisible();
    await codeField(page).fill(code);

    await expect(page).toHaveURL('/onboarding/course');
  });
});

test('missing digits are asked for, without a request', async ({ page }) => {
  await requestLogin(page);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await codeField(page).fill('12a3');
  await expect(codeField(page)).toHaveValue('123');
  await codeField(page).press('Enter');

  await expect(page.getByText('Please enter all six digits.')).toBeVisible();
  expect(requests.filter((url) => url.endsWith('/confirm/'))).toEqual([]);
});

test('typing the last digit and pressing Enter sends the code once', async ({ page }) => {
  const email = await requestLogin(page);
  const code = digitsOf(await codeMailedTo(email, 2));
  let requests = 0;
  await page.route('**/auth/confirm/', async (route) => {
    requests += 1;
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await codeField(page).pressSequentially(code);
  await codeField(page).press('Enter');
  await codeField(page).press('Enter');

  await expect(page).toHaveURL('/onboarding/course');
  expect(requests).toBe(1);
});

test('when the link is used in another tab, the waiting tab continues by itself', async ({
  page,
  context,
}) => {
  const email = await requestLogin(page);
  const other = await context.newPage();
  await other.goto(await linkMailedTo(email, 2));
  await other.getByRole('button', { name: 'Log in' }).click();
  await expect(other).toHaveURL('/onboarding/course');

  await expect(page).toHaveURL('/onboarding/course');
});

test('a waiting tab that missed it continues when it is looked at again', async ({
  page,
  context,
}) => {
  await page.addInitScript(() => {
    Object.assign(window, { BroadcastChannel: undefined });
    Reflect.deleteProperty(window, 'BroadcastChannel');
  });
  const email = await requestLogin(page);
  const other = await context.newPage();
  await logInAs(other, email, 3);
  await expect(page).toHaveURL('/login');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

  await expect(page).toHaveURL('/onboarding/course');
});

test('a link used in another browser leaves the waiting tab where it is', async ({
  page,
  openBrowser,
}) => {
  const email = await requestLogin(page);
  const other = await openBrowser();
  await other.goto(await linkMailedTo(email, 2));
  await other.getByRole('button', { name: 'Log in' }).click();
  await expect(other).toHaveURL('/onboarding/course');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.waitForLoadState('networkidle');

  await expect(page).toHaveURL('/login');
  await expect(codeField(page)).toBeVisible();
});

test('the browser’s Back leads to the form with its address, and Forward to the code', async ({
  page,
}) => {
  await page.goto('/terms');
  const email = await requestLogin(page);
  const code = await codeMailedTo(email, 2);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await expect(page.getByLabel('Email address')).toHaveValue(email);
  await expect(page.getByLabel('Email address')).toBeFocused();
  await expect(page).toHaveURL('/login');
  await page.goForward();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await codeField(page).fill(code);
  await expect(page).toHaveURL('/onboarding/course');
  // The step is no longer in the browser's history.
  await page.goBack();

  await expect(page).toHaveURL('/onboarding/course');
});

test('a reload keeps the step, its code and the way back', async ({ page }) => {
  const email = uniqueEmail();
  await requestSignUp(page, email);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Account created' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(email);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Email address')).toHaveValue(email);
  await page.goForward();
  await codeField(page).fill(await codeMailedTo(email, 1));

  await expect(page).toHaveURL('/onboarding/course');
});

test('the language can change while one waits', async ({ page }) => {
  const email = await requestLogin(page);
  await page.getByRole('button', { name: 'Français' }).click();
  await expect(page.getByRole('heading', { name: 'Consultez votre messagerie' })).toBeVisible();
  await page.getByLabel('Code à six chiffres').fill(await codeMailedTo(email, 2));

  await expect(page).toHaveURL('/onboarding/course');
});

test.describe('offline', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

  test('the code stays, and the button sends it later', async ({ page, context }) => {
    const email = await requestLogin(page);
    const code = await codeMailedTo(email, 2);
    await context.setOffline(true);
    await codeField(page).fill(code);
    await expect(page.getByText('We couldn’t reach Lectern.')).toBeVisible();
    await page.getByRole('button', { name: 'resend the email' }).click();
    await expect(page.getByText('We couldn’t reach Lectern.')).toHaveCount(2);
    await expect(codeField(page)).toHaveValue(digitsOf(code));
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Log in' }).click();

    await expect(page).toHaveURL('/onboarding/course');
  });
});

/** An account whose owner has asked for a login email; the email before it was the sign-up's. */
async function requestLogin(page: Page): Promise<string> {
  const email = uniqueEmail();
  await signUp(page, email);
  await page.context().clearCookies({ name: /^(session|csrftoken)$/ });
  await openReady(page, '/login');
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send me a login link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  expect(await mailsTo(email)).toHaveLength(2);
  return email;
}
