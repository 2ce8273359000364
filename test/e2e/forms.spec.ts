import type { Locator, Page } from '@playwright/test';
import { expect, linkMailedTo, mailsTo, signInWith, signUp, test, uniqueEmail } from './support.ts';

const connectionLost = 'We could not reach Lectern. Please check your connection and try again.';
const biology = { name: 'Biology 101', course_type: 'cohort' } as const;

test('an empty sign-up says what is missing, at the fields and of the whole, and goes to the first', async ({
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

test('what is said of a field goes when the field changes', async ({ page }) => {
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

test('what was typed and what was said survive a change of language', async ({ page }) => {
  await page.goto('/signup');
  await page.getByLabel('First name').fill('Zoë');
  await page.getByLabel('Email address').fill('not an address');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await page.getByRole('button', { name: 'Français' }).click();

  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page).toHaveTitle('Créer un compte · Lectern');
  await expect(page.getByLabel('Prénom')).toHaveValue('Zoë');
  await expect(page.getByLabel('Adresse e-mail')).toHaveValue('not an address');
  await expect(page.getByText('Veuillez saisir une adresse e-mail valide')).toBeVisible();
  await expect(page.getByText('Le nom est obligatoire')).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
});

test('the stored choice of language outlives a lost cookie', async ({ page, context }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Français' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await context.clearCookies();
  await page.reload();

  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
});

test.describe('at the door', () => {
  // What the browser says of the refusals.
  test.use({ expectedErrors: [/status of 40[034]/] });

  test('an address without an account is told so, an unverified one gets a fresh mail', async ({
    page,
  }) => {
    const email = uniqueEmail();
    await page.goto('/login');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send me a login link' }).click();
    await expect(page.getByRole('alert')).toHaveText('No account found with this email address.');
    await expect(page.getByLabel('Email address')).toHaveValue(email);

    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('button', { name: 'Send it again' }).click();
    await expect(page.getByText('The newest email holds the link that works.')).toBeVisible();
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual(
      Array(2).fill('Confirm your email address for Lectern'),
    );

    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
    await expect(page.getByLabel('Email address')).toHaveValue('');
    await page.goto('/login');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send me a login link' }).click();
    await expect(page.getByRole('alert')).toContainText('Please verify your email address first');
    await expect(page.getByRole('alert')).toContainText(
      'We have just sent you a fresh verification email.',
    );
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
      'An account with this email address already exists. Please log in instead.',
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
    test(`is said of the whole form on ${path}`, async ({ page }) => {
      // The worker answers so only where a body is no JSON.
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

test.describe('offline', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

  test('without a connection nothing is lost, and the same click works later', async ({
    page,
    context,
  }) => {
    await page.goto('/signup');
    const email = uniqueEmail();
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByLabel('Email address').fill(email);
    await context.setOffline(true);
    const submit = page.getByRole('button', { name: 'Create account' });
    await submit.click();
    await expect(page.getByRole('alert')).toHaveText(connectionLost);
    await expect(page.getByLabel('Email address')).toHaveValue(email);
    await expect(submit).toBeFocused();
    await context.setOffline(false);
    await submit.press('Enter');

    await expect(page.getByRole('heading', { name: 'Account created' })).toBeVisible();
  });
});

test.describe('offline, at the small things', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

  test('a language that cannot be had leaves the form as it is, and is not kept', async ({
    page,
    context,
  }) => {
    await page.goto('/signup', { waitUntil: 'networkidle' });
    await page.getByLabel('First name').fill('Zoë');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Français' }).click();

    await expect(toastOn(page)).toHaveText(connectionLost);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByLabel('First name')).toHaveValue('Zoë');
    await context.setOffline(false);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
  });

  test('a toast is closed by its button', async ({ page, context }) => {
    await page.goto('/login', { waitUntil: 'networkidle' });
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Français' }).click();
    await expect(toastOn(page)).toBeVisible();
    await toastOn(page).getByRole('button', { name: 'Close' }).click();

    await expect(toastOn(page)).toBeHidden();
  });

  test('a failed log-out says so, and can be repeated', async ({ page, context }) => {
    await signInWith(page, [biology]);
    await page.goto('/', { waitUntil: 'networkidle' });
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Log out' }).click();
    const dialog = page.getByRole('dialog', { name: 'Network Error' });
    await expect(dialog).toContainText(connectionLost);
    await expect(page).toHaveURL('/');
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Retry' }).click();

    await expect(page).toHaveURL('/login');
  });
});

test('a change of language keeps the focus', async ({ page }) => {
  await page.goto('/signup', { waitUntil: 'networkidle' });
  const french = page.getByRole('button', { name: 'Français' });
  await french.focus();
  await page.keyboard.press('Enter');

  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(french).toBeFocused();
});

test('the language of somebody who is signed in is kept on the account', async ({
  page,
  openBrowser,
}) => {
  const email = uniqueEmail();
  await signUp(page, email);
  await createFirstCourse(page, 'Biology 101');
  await page.goto('/settings', { waitUntil: 'networkidle' });
  const profile = page.locator('#profile');
  await profile.getByLabel('First name').fill('Zoë');
  await page.getByRole('button', { name: 'Français' }).click();

  await expect(page.getByRole('heading', { name: 'Paramètres', exact: true })).toBeVisible();
  await expect(page).toHaveTitle('Paramètres · Lectern');
  await expect(profile.getByLabel('Prénom')).toHaveValue('Zoë');
  await expect.poll(() => toAccount(page)).toMatchObject({ language: 'fr', first_name: 'Ada' });
  // From another browser too, whose own language is English, mails come in French.
  const other = await openBrowser();
  await other.goto('/login');
  await other.getByLabel('Email address').fill(email);
  await other.getByRole('button', { name: 'Send me a login link' }).click();
  await expect
    .poll(async () => (await mailsTo(email)).at(-1)?.subject)
    .toBe('Votre lien de connexion à Lectern');
});

test('before the first course, the language is kept on the account too', async ({ page }) => {
  await signUp(page, uniqueEmail());
  await page.getByLabel('Course name').fill('Biology 101');
  await page.getByRole('button', { name: 'Français' }).click();

  await expect(page.getByLabel('Nom du cours')).toHaveValue('Biology 101');
  await expect.poll(() => toAccount(page)).toMatchObject({ language: 'fr' });
});

test.describe('a page that cannot be had anew', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|status of 503/] });

  test('leaves the settings, what was typed there and the language alone', async ({
    page,
    context,
  }) => {
    await signInWith(page, [biology]);
    await page.goto('/settings', { waitUntil: 'networkidle' });
    const firstName = page.locator('#profile').getByLabel('First name');
    await firstName.fill('Zoë');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Français' }).click();
    await expect(toastOn(page)).toHaveText(connectionLost);
    await context.setOffline(false);

    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(firstName).toHaveValue('Zoë');
    expect(await toAccount(page)).toMatchObject({ language: 'en' });
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  });

  test('because the worker cannot read it does no harm either', async ({ page }) => {
    await page.goto('/signup', { waitUntil: 'networkidle' });
    await page.getByLabel('First name').fill('Zoë');
    // As the worker answers when its database does not: see built/pages.test.ts.
    await page.route('**/RSC/**', (route) => route.fulfill({ status: 503 }), { times: 1 });
    await page.getByRole('button', { name: 'Français' }).click();

    await expect(toastOn(page)).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByLabel('First name')).toHaveValue('Zoë');
    await page.getByRole('button', { name: 'Français' }).click();
    await expect(page.getByLabel('Prénom')).toHaveValue('Zoë');
  });
});

test.describe('a lost token', () => {
  // The refusal that brings the new token.
  test.use({ expectedErrors: [/status of 403/] });

  test('cookies that vanish while a form is open do not stop it', async ({ page, context }) => {
    const email = uniqueEmail();
    await page.goto('/signup');
    await context.clearCookies();
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Create account' }).click();

    await expect(page.getByRole('heading', { name: 'Account created' })).toBeVisible();
    expect(await mailsTo(email)).toHaveLength(1);
  });
});

test('while a form is on its way it can be neither changed nor sent again', async ({
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

test('two submissions in one breath are one', async ({ page }) => {
  const email = uniqueEmail();
  await page.goto('/signup', { waitUntil: 'networkidle' });
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

test('what was submitted before the scripts came is not lost', async ({ page, context }) => {
  const session = await context.newCDPSession(page);
  const setThroughput = (bytesPerSecond: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: -1,
    });
  // So slow that the scripts cannot be there, however busy the machine is, before both things are done.
  await setThroughput(15_000);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Français' }).click();
  await page.getByLabel('Email address').fill('not an address');
  expect(await page.evaluate(() => document.readyState)).not.toBe('complete');
  await setThroughput(-1);

  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page.getByLabel('Adresse e-mail')).toHaveValue('not an address');
});

test('a course needs a name and a type, and a double click makes one', async ({ page }) => {
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

test.describe('an answer that is lost on its way', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('is asked for again, and the course is made once', async ({ page }) => {
    await signUp(page, uniqueEmail());
    await page.route(
      '**/api/courses/',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByLabel('Course name').fill('Biology 101');
    await page.getByRole('radio', { name: /^Cohort/ }).check();
    await page.getByRole('button', { name: 'Create Course' }).click();
    const dialog = page.getByRole('dialog', { name: 'Network Error' });
    await expect(dialog).toContainText(connectionLost);
    await expect(page.getByLabel('Course name')).toHaveValue('Biology 101');
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(page).toHaveURL('/');

    expect(await coursesOf(page)).toHaveLength(1);
  });

  test('is asked for again by the form itself, when the dialog was closed', async ({ page }) => {
    await signUp(page, uniqueEmail());
    await page.route(
      '**/api/courses/',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByLabel('Course name').fill('Biology 101');
    await page.getByRole('radio', { name: /^Cohort/ }).check();
    await page.getByRole('button', { name: 'Create Course' }).click();
    await page
      .getByRole('dialog', { name: 'Network Error' })
      .getByRole('button', { name: 'Close' })
      .click();
    await page.getByRole('button', { name: 'Create Course' }).click();
    await expect(page).toHaveURL('/');

    expect(await coursesOf(page)).toHaveLength(1);
  });
});

test.describe('a session that ended meanwhile', () => {
  test.use({ expectedErrors: [/status of 40[13]|^Unauthorized access/] });

  test('is told with a way to log in, and what was typed stays', async ({ page, context }) => {
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    await signUp(page, uniqueEmail());
    await page.getByLabel('Course name').fill('Biology 101');
    await page.getByRole('radio', { name: /^Cohort/ }).check();
    await context.clearCookies({ name: 'session' });
    await page.getByRole('button', { name: 'Create Course' }).click();

    const dialog = page.getByRole('dialog', { name: 'Authentication Required' });
    await expect(dialog).toContainText('Your session has expired. Please log in to go on.');
    await expect(dialog.getByRole('button', { name: 'Retry' })).toHaveCount(0);
    expect(logged.filter((text) => text.startsWith('Unauthorized access'))).toHaveLength(1);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByLabel('Course name')).toHaveValue('Biology 101');
    await expect(page.getByRole('radio', { name: /^Cohort/ })).toBeChecked();
    await page.getByRole('button', { name: 'Create Course' }).click();
    await dialog.getByRole('link', { name: 'Go to Login' }).click();
    await expect(page).toHaveURL('/login');
  });
});

test.describe('a session that ended while a page is shown', () => {
  test.use({ expectedErrors: [/status of 40[13]|^Unauthorized access/] });

  test('leads to the door with the next link, and with another language', async ({
    page,
    context,
  }) => {
    await signInWith(page, [biology]);
    await page.goto('/', { waitUntil: 'networkidle' });
    const [session] = (await context.cookies()).filter(({ name }) => name === 'session');
    await context.clearCookies({ name: 'session' });
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();

    await context.addCookies(session ? [session] : []);
    await page.goto('/settings', { waitUntil: 'networkidle' });
    await context.clearCookies({ name: 'session' });
    await page.getByRole('button', { name: 'Français' }).click();
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('heading', { name: 'Bon retour parmi nous' })).toBeVisible();
  });
});

test('after logging out, the back button shows nothing', async ({ page }) => {
  const email = uniqueEmail();
  await signUp(page, email);
  await createFirstCourse(page, 'Biology 101');
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/login');
  // To the home page, and on to the settings, which were shown without a document of their own.
  for (let steps = 0; steps < 2; steps += 1) {
    await page.goBack();
    await expect(page).toHaveURL('/login');
    await expect(page.getByText(email)).toHaveCount(0);
  }
});

test('the whole way in works by keyboard alone', async ({ page }) => {
  const email = uniqueEmail();
  await page.goto('/signup');
  await page.getByLabel('First name').focus();
  await page.keyboard.type('Ada');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Lovelace');
  await page.keyboard.press('Tab');
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Account created' })).toBeFocused();
  await page.goto(await linkMailedTo(email, 1));
  await page.keyboard.press('Tab');
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

/** What is said in passing. */
function toastOn(page: Page): Locator {
  return page.getByRole('status').locator('.toast');
}

/** On /onboarding/course. Ends at home. */
async function createFirstCourse(page: Page, name: string): Promise<void> {
  await page.getByLabel('Course name').fill(name);
  await page.getByRole('radio', { name: /^Cohort/ }).check();
  await page.getByRole('button', { name: 'Create Course' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible();
}

/** The courses of whoever is signed in, as the API says. */
function coursesOf(page: Page): Promise<unknown[]> {
  return page.evaluate(async () => (await fetch('/api/courses/')).json());
}

/** Who is signed in, as the API says. */
function toAccount(page: Page): Promise<unknown> {
  return page.evaluate(async () => (await fetch('/api/accounts/auth/user/')).json());
}
