import { connectionLost, openAccountMenu } from './forms.ts';
import { type HalfPage, serveHalfPage } from './half-page.ts';
import { test as base, expect, signInWith, uniqueEmail } from './support.ts';

/** The forms of a page work from the moment they are in sight. */
const test = base.extend<{ openHalf: (path: string, inForm: string) => Promise<HalfPage> }>({
  openHalf: async ({ page, baseURL }, use) => {
    let half: HalfPage | undefined;
    await use(async (path, inForm) => {
      half = await serveHalfPage(baseURL ?? '', inForm);
      await page.goto(half.origin + path, { waitUntil: 'commit' });
      return half;
    });
    await half?.close();
  },
});

test('a button that is clicked while its page is still arriving does what it says', async ({
  page,
  openHalf,
}) => {
  await signInWith(page, []);
  const half = await openHalf('/onboarding/course', 'Log out');
  await openAccountMenu(page);
  await page.getByRole('button', { name: 'Log out' }).click();
  expect(await page.evaluate(() => document.readyState)).toBe('loading');
  half.sendRest();

  await expect(page).toHaveURL(`${half.origin}/login`);
});

test('so does a form, with what was typed, once', async ({ page, openHalf }) => {
  const email = uniqueEmail();
  const half = await openHalf('/signup', 'name="email"');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Email address').press('Enter');
  expect(await page.evaluate(() => document.readyState)).toBe('loading');
  half.sendRest();

  await expect(page.getByRole('heading', { name: 'Account created' })).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  expect(sent).toHaveLength(1);
});

test.describe('without a connection', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('a form that was sent so early says so, and gets the focus back', async ({
    page,
    openHalf,
  }) => {
    await page.route('**/api/accounts/auth/login/', (route) => route.abort());
    const half = await openHalf('/login', 'name="email"');
    await page.getByLabel('Email address').fill(uniqueEmail());
    const submit = page.getByRole('button', { name: 'Send me a login link' });
    await submit.click();
    half.sendRest();

    await expect(page.getByRole('alert')).toHaveText(connectionLost);
    await expect(submit).toBeFocused();
  });
});
