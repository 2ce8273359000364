import { coursesOf, createFirstCourse } from './forms.ts';
import {
  codeField,
  codeMailedTo,
  expect,
  holdScripts,
  linkMailedTo,
  mailsTo,
  openReady,
  signUp,
  test,
  uniqueEmail,
} from './support.ts';

test('an empty sign-up shows errors at the fields and for the form, and focuses the first field', async ({
  page,
}) => {
  await page.goto('/signup');
  await page.getByRole('button', { name: 'Create account' }).click();

  await expect(page.getByRole('alert')).toHaveText('Please fill in all required fields.');
  const firstName = page.getByLabel('First name');
  await expect(firstName).toBeFocused();
  await expect(firstName).toHaveAccessibleDescription('First name is required');
  await expect(page.getByLabel('Last name')).toHaveAccessibleDescription('Last name is required');
  await expect(page.getByLabel('Email address')).toHaveAccessibleDescription(
    'Email address is required',
  );
});

test('a field’s error disappears when the field changes', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Send me a login link' }).click();
  const email = page.getByLabel('Email address');
  await expect(email).toHaveAccessibleDescription('Please enter your email address.');
  await email.fill('a');
  await expect(email).toHaveAccessibleDescription('');
  await email.press('Enter');
  await expect(email).toHaveAccessibleDescription('Please enter a valid email address');
  await expect(email).toHaveValue('a');
});

test.describe('on the login pages', () => {
  // The browser's own messages about the refusals.
  test.use({ expectedErrors: [/status of 40[034]/] });

  test('an address without an account is told so, an unverified one gets a new email', async ({
    page,
  }) => {
    const email = uniqueEmail();
    await page.goto('/login');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send me a login link' }).click();
    const field = page.getByLabel('Email address');
    await expect(field).toHaveAccessibleDescription('No account found with this email address.');
    await expect(field).toHaveValue(email);

    await page.getByRole('link', { name: 'Create an account' }).last().click();
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await expect(field).toHaveValue(email);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('button', { name: 'resend the email' }).click();
    await expect(page.getByText('Sent again.')).toBeVisible();
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual(
      Array(2).fill('Confirm your email address for Lectern'),
    );

    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
    await expect(page.getByLabel('Email address')).toHaveValue(email);
    await expect(page.getByLabel('First name')).toHaveValue('Ada');
    await page.goto('/login');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send me a login link' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    const alert = page.getByRole('alert').filter({ hasText: /\S/ });
    await expect(alert).toContainText('Please verify your email address first');
    await expect(alert).toContainText('We’ve just sent you a new verification email.');
    await codeField(page).fill(await codeMailedTo(email, 3));
    await expect(page).toHaveURL('/onboarding/course');
  });

  test('an address that is taken is refused at its field', async ({ page, openBrowser }) => {
    const email = uniqueEmail();
    await signUp(page, email);
    const other = await openBrowser();
    await other.goto('/signup');
    await other.getByLabel('First name').fill('Eve');
    await other.getByLabel('Last name').fill('Evil');
    await other.getByLabel('Email address').fill(email.toUpperCase());
    await other.getByRole('button', { name: 'Create account' }).click();

    await expect(other.getByLabel('Email address')).toHaveAccessibleDescription(
      'This address already has an account. Please log in.',
    );
    await expect(other.getByLabel('First name')).toHaveValue('Eve');
  });
});

test.describe('a refusal that names no field', () => {
  test.use({ expectedErrors: [/status of 400/] });

  for (const [path, submit, words] of [
    ['/login', 'Send me a login link', 'Invalid email address.'],
    ['/signup', 'Create account', 'Invalid input. Please check your information.'],
  ] as const) {
    test(`is shown for the whole form on ${path}`, async ({ page }) => {
      // The worker only answers this way if the body is not JSON.
      const body = {
        code: 'malformed_body',
        message: 'Invalid input. Please check your information.',
        request_id: 'x',
      };
      await page.route('**/api/accounts/auth/**', (route) =>
        route.fulfill({ status: 400, json: body }),
      );
      await page.goto(path);
      for (const name of await page.getByLabel(/ name$/).all()) {
        await name.fill('Ada');
      }
      await page.getByLabel('Email address').fill('ada@example.com');
      await page.getByRole('button', { name: submit }).click();

      await expect(page.getByRole('alert')).toHaveText(words);
      await expect(page.getByLabel('Email address')).toHaveValue('ada@example.com');
    });
  }
});

test.describe('too many requests', () => {
  test.use({ expectedErrors: [/status of 429/] });

  for (const [path, submit] of [
    ['/login', 'Send me a login link'],
    ['/signup', 'Create account'],
  ] as const) {
    test(`say when to try again on ${path}`, async ({ page }) => {
      const json = { code: 'rate_limited', message: 'Too many requests.', request_id: 'x' };
      await page.route('**/api/accounts/auth/**', (route) =>
        route.fulfill({ status: 429, headers: { 'Retry-After': '120' }, json }),
      );
      await page.goto(path);
      for (const name of await page.getByLabel(/ name$/).all()) {
        await name.fill('Ada');
      }
      await page.getByLabel('Email address').fill('ada@example.com');
      await page.getByRole('button', { name: submit }).click();

      await expect(page.getByRole('alert')).toHaveText(
        'You’ve made too many requests. You can try again in 2\u00a0minutes.',
      );
    });
  }
});

test('a form that is being sent can be neither changed nor sent again', async ({
  page,
  context,
}) => {
  const session = await context.newCDPSession(page);
  await page.goto('/signup');
  const email = uniqueEmail();
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('Email address').fill(email);
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 1_000,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await page.getByRole('button', { name: 'Create account' }).dblclick();

  await expect(page.getByRole('button', { name: 'Creating your account…' })).toBeDisabled();
  await expect(page.getByLabel('Email address')).toBeDisabled();
  await expect(page.getByRole('heading', { name: 'Account created' })).toBeVisible();
  expect(await mailsTo(email)).toHaveLength(1);
});

test('two quick submissions are sent once', async ({ page }) => {
  const email = uniqueEmail();
  await openReady(page, '/signup');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('Email address').fill(email);
  await page
    .locator('form', { has: page.getByLabel('Email address') })
    .evaluate((form: HTMLFormElement) => {
      form.requestSubmit();
      form.requestSubmit();
    });

  await expect(page.getByRole('heading', { name: 'Account created' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(await mailsTo(email)).toHaveLength(1);
});

test('a form submitted before the scripts loaded is not lost', async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Français' }).click();
  await page.getByLabel('Email address').fill('not an address');
  release();

  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page.getByLabel('Adresse e‑mail')).toHaveValue('not an address');
});

test('a course needs a name and a type, and a double click creates one', async ({ page }) => {
  await signUp(page, uniqueEmail());
  const create = page.getByRole('button', { name: 'Create Course' });
  await create.click();
  await expect(page.getByLabel('Course name')).toBeFocused();
  await expect(page.getByLabel('Course name')).toHaveAccessibleDescription(
    'Course name is required',
  );
  await expect(page.getByRole('group', { name: 'Course type' })).toHaveAccessibleDescription(
    'Please select a course type',
  );

  await page.getByLabel('Course name').fill('Biology 101');
  await page.getByRole('radio', { name: /^Evergreen/ }).press('Space');
  await create.dblclick();
  await expect(page).toHaveURL('/');
  const courses = await coursesOf(page);
  expect(courses).toHaveLength(1);
  expect(courses[0]).toMatchObject({
    name: 'Biology 101',
    course_type: 'evergreen',
    is_selected: true,
  });
});

test('after logging out, the back button shows nothing', async ({ page }) => {
  const email = uniqueEmail();
  await signUp(page, email);
  await createFirstCourse(page, 'Biology 101');
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/login');
  // To the home page, then to the settings, which were shown without loading a document.
  for (const login of ['/login', '/login?next=/settings']) {
    await page.goBack();
    await expect(page).toHaveURL(login);
    await expect(page.getByText(email)).toHaveCount(0);
  }
});

test('signing up and logging in work with the keyboard alone', async ({ page }) => {
  const email = uniqueEmail();
  await page.goto('/signup');
  await page.getByLabel('First name').focus();
  await page.keyboard.type('Ada');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Lovelace');
  await page.keyboard.press('Tab');
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await expect(codeField(page)).toBeFocused();
  await page.goto(await linkMailedTo(email, 1));
  // Past the two languages.
  for (let presses = 0; presses < 3; presses += 1) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.waitForURL('/onboarding/course');
  await page.getByLabel('Course name').focus();
  await page.keyboard.type('Biology 101');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL('/');
});
