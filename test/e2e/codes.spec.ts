import type { BrowserContext, Page } from '@playwright/test';
import { toAccount } from './settings.ts';
import {
  codeField,
  codeMailedTo,
  expect,
  linkMailedTo,
  logInAs,
  openReady,
  requestSignUp,
  signInWith,
  test,
  uniqueEmail,
} from './support.ts';

const digitsOf = (code: string) => code.replace(' ', '');

test('a new user signs up with the code, which its sixth digit sends once', async ({ page }) => {
  const email = uniqueEmail();
  await requestSignUp(page, email);
  await expect(page.getByRole('main')).toContainText(
    `We’ve sent a confirmation link and a code to ${email}`,
  );
  const field = codeField(page);
  await expect(field).toHaveAccessibleDescription(
    'Or click the link in the email. The code expires in 10 minutes, the link in 24 hours.',
  );
  await expect(field).toHaveAttribute('inputmode', 'numeric');
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(field).toBeFocused();
  const released = Promise.withResolvers<void>();
  let requests = 0;
  await page.route('**/auth/confirm/', async (route) => {
    requests += 1;
    await released.promise;
    await route.continue();
  });
  await page.keyboard.type(digitsOf(await codeMailedTo(email, 1)));
  await expect(page.getByRole('button', { name: 'One moment…' })).toBeVisible();
  await page.keyboard.press('Enter');
  // The digits stay in their cells.
  expect(await field.evaluate(({ scrollLeft }) => scrollLeft)).toBe(0);
  released.resolve();

  await expect(page).toHaveURL('/onboarding/course');
  expect(requests).toBe(1);
});

test('Back leads to the form with its address, Forward and a reload to the code, which is pasted', async ({
  page,
  context,
}) => {
  await page.goto('/terms');
  const email = await requestLogin(page);
  const link = await linkMailedTo(email, 2);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await expect(page.getByLabel('Email address')).toHaveValue(email);
  await expect(page.getByLabel('Email address')).toBeFocused();
  await expect(page).toHaveURL('/login');
  await page.goForward();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('main')).toContainText(email);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(
    (code) => navigator.clipboard.writeText(` ${code} `),
    await codeMailedTo(email, 2),
  );
  await codeField(page).press('Control+v');
  await expect(page).toHaveURL('/onboarding/course');

  // The step is no longer in the browser's history, and the link is used up.
  await page.goBack();
  await expect(page).toHaveURL('/onboarding/course');
  await page.goto(link);
  await expect(page.getByRole('heading')).toHaveText('Authentication failed. Please try again');
});

test.describe('a wrong code', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('stays in the field, selected; the fifth time says how to get a new one, whose code works', async ({
    page,
  }) => {
    const email = await requestLogin(page);
    const code = digitsOf(await codeMailedTo(email, 2));
    const wrong = code === '000000' ? '000001' : '000000';
    const field = codeField(page);
    const failed = page.getByText('Authentication failed. Please try again');
    await field.fill('12a3');
    await field.press('Enter');
    await expect(page.getByText('Please enter all six digits.')).toBeVisible();
    await expect(field).toHaveValue('123');
    await field.fill(wrong);
    await expect(failed).toBeVisible();
    await expect(field).toHaveValue(wrong);
    await expect(field).toHaveAccessibleDescription('Authentication failed. Please try again');
    await expect(field).toBeFocused();
    await page.keyboard.type(wrong.slice(0, 1));
    await expect(field).toHaveValue(wrong.slice(0, 1));
    await expect(failed).toHaveCount(0);
    for (let round = 0; round < 3; round += 1) {
      await field.fill('');
      await field.fill(wrong);
      await expect(failed).toBeVisible();
    }
    await page.getByRole('button', { name: 'Log in' }).click();
    const usedUp = page.getByText('This code no longer works. Resend the email to get a new one.');
    await expect(usedUp).toBeVisible();
    await page.getByRole('button', { name: 'resend the email' }).click();
    await expect(page.getByText('Sent again.')).toBeVisible();
    await expect(usedUp).toHaveCount(0);
    await expect(field).toHaveValue('');
    await expect(field).toBeFocused();
    await field.fill(await codeMailedTo(email, 3));

    await expect(page).toHaveURL('/onboarding/course');
  });
});

test('when the link is used in another tab, the waiting tab continues by itself', async ({
  page,
  context,
}) => {
  const email = await requestLogin(page);
  await useLink(context, await linkMailedTo(email, 2));

  await expect(page).toHaveURL('/onboarding/course');
});

test('a waiting tab that missed the login continues when it becomes visible, unless the link was used in another browser', async ({
  page,
  context,
  openBrowser,
}) => {
  await page.addInitScript(() => {
    Object.assign(window, { BroadcastChannel: undefined });
    Reflect.deleteProperty(window, 'BroadcastChannel');
  });
  const email = await requestLogin(page);
  await useLink((await openBrowser()).context(), await linkMailedTo(email, 2));
  const lookAgain = () => document.dispatchEvent(new Event('visibilitychange'));
  await page.evaluate(lookAgain);
  await page.waitForLoadState('networkidle');
  await expect(page).toHaveURL('/login');
  await expect(codeField(page)).toBeVisible();
  await logInAs(await context.newPage(), email, 3);
  await page.evaluate(lookAgain);

  await expect(page).toHaveURL('/onboarding/course');
});

/** An account whose owner has asked for a login email; the email before it was the sign-up's. */
async function requestLogin(page: Page): Promise<string> {
  await signInWith(page, []);
  const { email } = await toAccount(page);
  await page.context().clearCookies({ name: /^(session|csrftoken)$/ });
  await openReady(page, '/login');
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send me a login link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  return email;
}

async function useLink(context: BrowserContext, link: string): Promise<void> {
  const tab = await context.newPage();
  await tab.goto(link);
  await tab.getByRole('button', { name: 'Log in' }).click();
  await expect(tab).toHaveURL('/onboarding/course');
}
