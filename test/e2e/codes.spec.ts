import type { BrowserContext, Page } from '@playwright/test';
import {
  codeField,
  codeMailedTo,
  expect,
  linkMailedTo,
  openReady,
  signInWith,
  test,
  uniqueEmail,
  untilReady,
} from './support.ts';

const digitsOf = (code: string) => code.replace(' ', '');

test('with the keyboard alone a new user signs up by the code, which its sixth digit sends once, creates a course and logs out', async ({
  page,
}) => {
  const { keyboard } = page;
  const email = uniqueEmail();
  await openReady(page, '/signup');
  for (const [name, typed] of [
    ['First name', 'Ada'],
    ['Last name', 'Lovelace'],
    ['Email address', email],
  ] as const) {
    await expect(page.getByLabel(name)).toBeFocused();
    await keyboard.type(typed);
    await keyboard.press(name === 'Email address' ? 'Enter' : 'Tab');
  }
  const field = codeField(page);
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription(
    'Or click the link in the email. The code expires in 10 minutes, the link in 24 hours.',
  );
  await expect(field).toHaveAttribute('inputmode', 'numeric');
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
  const released = Promise.withResolvers<void>();
  let requests = 0;
  await page.route('**/auth/confirm/', async (route) => {
    requests += 1;
    await released.promise;
    await route.continue();
  });
  await keyboard.type(digitsOf(await codeMailedTo(email, 1)));
  await expect(page.getByRole('button', { name: 'One moment…' })).toBeVisible();
  await keyboard.press('Enter');
  // The digits stay in their cells.
  expect(await field.evaluate(({ scrollLeft }) => scrollLeft)).toBe(0);
  released.resolve();
  await expect(page).toHaveURL('/onboarding/course');
  expect(requests).toBe(1);

  await untilReady(page);
  const account = page.getByRole('button', { name: 'Your account Ada Lovelace' });
  const menu = page.locator('#user-menu');
  const logOut = menu.getByRole('button', { name: 'Log out' });
  await account.press('Enter');
  await expect(logOut).toBeFocused();
  await keyboard.press('End');
  await expect(menu.getByRole('button', { name: 'Delete your account' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Delete your account?' })).toBeVisible();
  await keyboard.press('Escape');
  await expect(account).toBeFocused();
  await page.getByLabel('Course name').focus();
  await keyboard.type('Biology 101');
  await keyboard.press('Tab');
  await keyboard.press('Space');
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Ada');
  await expect(page.getByText('Course created and selected.')).toBeVisible();
  await untilReady(page);
  const isThere = () => account.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 20 && !(await isThere()); presses += 1) {
    await keyboard.press('Tab');
  }
  await expect(account).toBeFocused();
  await keyboard.press('Enter');
  await expect(menu.getByRole('link', { name: 'Account' })).toBeFocused();
  for (const [key, item] of [
    ['ArrowDown', menu.getByRole('link', { name: 'Billing' })],
    ['ArrowUp', menu.getByRole('link', { name: 'Account' })],
    ['End', logOut],
  ] as const) {
    await keyboard.press(key);
    await expect(item).toBeFocused();
  }
  await keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
});

test.describe('a wrong code', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('stays in the field, selected, also after a reload, Back and Forward; the fifth time says how to get a new one', async ({
    page,
    context,
  }) => {
    await page.goto('/terms');
    const email = await requestLogin(page);
    const code = digitsOf(await codeMailedTo(email, 2));
    const wrong = code === '000000' ? '000001' : '000000';
    const address = page.getByLabel('Email address');
    await page.reload();
    await expect(page.getByRole('main')).toContainText(email);
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    await expect(address).toHaveValue(email);
    await expect(address).toBeFocused();
    await page.goForward();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();

    const field = codeField(page);
    const failed = page.getByText('Authentication failed. Please try again');
    // As Japanese keyboards type them, also while they compose.
    const session = await page.context().newCDPSession(page);
    for (const text of ['１', '１２', '１２a', '１２a３']) {
      await session.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    }
    await page.keyboard.insertText('１２a３');
    await field.press('Enter');
    await expect(page.getByText('Please enter all six digits.')).toBeVisible();
    await expect(field).toHaveValue('123');
    for (let round = 1; round < 5; round += 1) {
      await field.fill(wrong);
      await expect(field).toHaveAccessibleDescription('Authentication failed. Please try again');
      await expect(field).toBeFocused();
      // It replaces what is selected.
      await page.keyboard.type('0');
      await expect(field).toHaveValue('0');
      await expect(failed).toHaveCount(0);
    }
    await field.fill(wrong);
    const usedUp = page.getByText('This code no longer works. Resend the email to get a new one.');
    await expect(usedUp).toBeVisible();
    await page.getByRole('button', { name: 'resend the email' }).click();
    await expect(page.getByText('Sent again.')).toBeVisible();
    await expect(usedUp).toHaveCount(0);
    await expect(field).toHaveValue('');
    await expect(field).toBeFocused();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(
      (text) => navigator.clipboard.writeText(` ${text} `),
      await codeMailedTo(email, 3),
    );
    await field.press('Control+v');
    await expect(page).toHaveURL('/onboarding/course');
    // The step is no longer in the browser's history.
    await page.goBack();
    await expect(page).toHaveURL('/onboarding/course');
  });
});

test('waiting tabs continue when the link is used in another one, at once or when they are looked at, and not when it is used in another browser', async ({
  page: deaf,
  context,
  openBrowser,
}) => {
  await deaf.addInitScript(() => Reflect.deleteProperty(window, 'BroadcastChannel'));
  const email = await requestLogin(deaf);
  await useLink((await openBrowser()).context(), await linkMailedTo(email, 2));
  const lookedAgain = deaf.waitForResponse('**/RSC/R/login.txt*');
  await lookAgainAt(deaf);
  await lookedAgain;
  await expect(codeField(deaf)).toBeVisible();
  await expect(deaf).toHaveURL('/login');

  const waiting = await context.newPage();
  await askForLink(waiting, email);
  await useLink(context, await linkMailedTo(email, 3));
  await expect(waiting).toHaveURL('/onboarding/course');
  await expect(codeField(deaf)).toBeVisible();
  await lookAgainAt(deaf);
  await expect(deaf).toHaveURL('/onboarding/course');
});

/** An account whose owner has asked for a login email; the email before it was the sign-up's. */
async function requestLogin(page: Page): Promise<string> {
  const email = await signInWith(page, []);
  await page.context().clearCookies({ name: /^(session|csrftoken)$/ });
  await askForLink(page, email);
  return email;
}

async function askForLink(page: Page, email: string): Promise<void> {
  await openReady(page, '/login');
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send me a login link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
}

async function useLink(context: BrowserContext, link: string): Promise<void> {
  const tab = await context.newPage();
  await tab.goto(link);
  await tab.getByRole('button', { name: 'Log in' }).click();
  await expect(tab).toHaveURL('/onboarding/course');
}

/** As if another tab had been in front of it. */
async function lookAgainAt(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}
