import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import type { ErrorBody } from '#api/error-body.ts';
import {
  askApi,
  expect,
  linkMailedTo,
  logInAs,
  mailsTo,
  signInWith,
  test,
  uniqueEmail,
} from './support.ts';

const biology = { name: 'Biology 101', course_type: 'cohort' } as const;
const watercolours = { name: 'Watercolours', course_type: 'evergreen' } as const;
const algebra = { name: 'Éléments d’algèbre', course_type: 'cohort' } as const;

test.describe('profile', () => {
  test('a new name is saved, and shown at once in the sidebar, as initials and on the card', async ({
    page,
  }) => {
    await openSettings(page);
    const profile = section(page, 'Profile');
    await expect(profile.locator('.avatar')).toHaveText('AL');
    await profile.getByLabel('First name').fill('Zoë');
    await profile.getByLabel('Last name').fill('Łukasz-O’Neil');
    await profile.getByRole('button', { name: 'Save' }).click();

    await expect(page.getByText('Your name is saved.')).toBeVisible();
    await expect(profile.getByLabel('First name')).toHaveValue('Zoë');
    await expect(profile.locator('.avatar')).toHaveText('ZŁ');
    const user = page.getByRole('button', { name: /^Your account\b.*Zoë Łukasz-O’Neil/ });
    await expect(user.locator('.avatar')).toHaveText('ZŁ');
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome, Zoë' })).toBeVisible();
    const card = page.getByRole('region', { name: 'Your profile' });
    await expect(card.getByText('Zoë Łukasz-O’Neil')).toBeVisible();
    await expect(card.locator('.avatar')).toHaveText('ZŁ');
  });

  test('a name is there, has 2 to 49 characters, and is told so at its field', async ({ page }) => {
    await openSettings(page);
    const profile = section(page, 'Profile');
    const firstName = profile.getByLabel('First name');
    const lastName = profile.getByLabel('Last name');
    await lastName.fill('Byron');
    for (const [typed, message] of [
      ['', 'Name is required'],
      ['   ', 'Name is required'],
      ['A', 'Name must be at least 2 characters'],
      ['A'.repeat(50), 'Name must be less than 50 characters'],
    ] as const) {
      await firstName.fill(typed);
      await firstName.press('Enter');
      await expect(firstName).toHaveAccessibleDescription(message);
      await expect(firstName).toHaveValue(typed);
      await expect(firstName).toBeFocused();
    }
    await expect(lastName).toHaveValue('Byron');
    expect(await toAccount(page)).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace' });

    await firstName.fill('A'.repeat(49));
    await lastName.fill('B');
    await lastName.press('Enter');
    await expect(lastName).toHaveAccessibleDescription('Name must be at least 2 characters');
    await expect(firstName).toHaveAccessibleDescription('');
    await lastName.fill('By');
    await lastName.press('Enter');
    await expect(page.getByText('Your name is saved.')).toBeVisible();
    expect(await toAccount(page)).toMatchObject({ first_name: 'A'.repeat(49), last_name: 'By' });
  });

  test.describe('in French', () => {
    test.use({ locale: 'fr-FR' });

    test('the rules of a name are told in French', async ({ page }) => {
      await openSettings(page);
      const firstName = page.getByLabel('Prénom');
      await firstName.fill('A');
      await firstName.press('Enter');

      await expect(firstName).toHaveAccessibleDescription('Saisissez au moins 2 caractères');
    });
  });
});

test.describe('language', () => {
  test('changes the page at once, keeps what was typed, and is that of the mails from now on', async ({
    page,
    context,
    openBrowser,
  }) => {
    const email = await openSettings(page);
    await page.getByLabel('First name').fill('Augusta');
    await page.getByRole('button', { name: 'Français' }).click();

    await expect(page.getByRole('heading', { name: 'Paramètres', level: 1 })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    await expect(page.getByLabel('Prénom')).toHaveValue('Augusta');
    await expect(page.getByRole('button', { name: 'Français' })).toBeFocused();
    expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('fr');
    expect(await context.cookies()).toContainEqual(
      expect.objectContaining({ name: 'language', value: 'fr' }),
    );
    await expect.poll(async () => (await toAccount(page)).language).toBe('fr');
    await logInAs(await openBrowser(), email, 2);
    expect((await mailsTo(email))[1]?.subject).toBe('Votre lien de connexion à Lectern');
  });
});

test.describe('appearance', () => {
  const paper = { light: 'rgb(250, 247, 241)', dark: 'rgb(23, 22, 20)' };

  for (const [system, label, theme] of [
    ['light', 'Dark', 'dark'],
    ['dark', 'Light', 'light'],
  ] as const) {
    test(`${theme} colours show at once where the system is ${system}, and with every next page from its first frame`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme: system });
      await watchColours(page);
      await openSettings(page);
      const html = page.locator('html');
      await expect(html).not.toHaveAttribute('data-theme');
      await expect(page.locator('body')).toHaveCSS('background-color', paper[system]);
      const choice = section(page, 'Appearance').getByRole('button', { name: label });
      await choice.click();

      await expect(choice).toHaveAttribute('aria-pressed', 'true');
      await expect(html).toHaveAttribute('data-theme', theme);
      await expect(html).toHaveCSS('color-scheme', theme);
      await expect(page.locator('body')).toHaveCSS('background-color', paper[theme]);
      // What the server has rendered, before any script.
      for (const path of ['/settings', '/cohorts', '/terms']) {
        expect(await (await page.request.get(path)).text()).toContain(`data-theme="${theme}"`);
        await page.goto(path, { waitUntil: 'networkidle' });
        expect(await coloursSeen(page)).toEqual([`${theme} ${paper[theme]}`]);
      }
    });
  }

  test('as the system again, both follow it', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await openSettings(page);
    const appearance = section(page, 'Appearance');
    await appearance.getByRole('button', { name: 'Dark' }).click();
    await page.reload();
    await expect(appearance.getByRole('button', { name: 'Dark' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await appearance.getByRole('button', { name: 'As the system' }).click();

    for (const reload of [false, true]) {
      if (reload) {
        await page.reload();
      }
      await expect(page.locator('html')).not.toHaveAttribute('data-theme');
      for (const system of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: system });
        await expect(page.locator('body')).toHaveCSS('background-color', paper[system]);
      }
    }
    await expect(appearance.getByRole('button', { name: 'As the system' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
  });

  test('a theme stays over links, and when it is changed from page to page', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await openSettings(page);
    const html = page.locator('html');
    for (const [label, theme] of [
      ['Dark', 'dark'],
      ['Light', 'light'],
      ['Dark', 'dark'],
    ] as const) {
      await section(page, 'Appearance').getByRole('button', { name: label }).click();
      await page.getByRole('link', { name: 'Cohorts' }).click();
      await expect(page.getByRole('heading', { name: 'Cohorts', level: 1 })).toBeVisible();
      await expect(html).toHaveAttribute('data-theme', theme);
      await page.getByRole('link', { name: 'Settings' }).click();
      await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
      await expect(html).toHaveAttribute('data-theme', theme);
    }
    await section(page, 'Appearance').getByRole('button', { name: 'As the system' }).click();
    await page.getByRole('link', { name: 'Cohorts' }).click();
    await expect(page.getByRole('heading', { name: 'Cohorts', level: 1 })).toBeVisible();
    await expect(html).not.toHaveAttribute('data-theme');
  });

  /** Notes the colours of every frame, those before the page's own scripts too. */
  async function watchColours(page: Page): Promise<void> {
    await page.addInitScript(() => {
      const seen = new Set<string>();
      Object.assign(window, { coloursSeen: seen });
      const look = () => {
        if (document.body !== null) {
          const { colorScheme } = getComputedStyle(document.documentElement);
          seen.add(`${colorScheme} ${getComputedStyle(document.body).backgroundColor}`);
        }
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  }

  function coloursSeen(page: Page): Promise<string[]> {
    return page.evaluate(() => [
      ...(window as unknown as { coloursSeen: Set<string> }).coloursSeen,
    ]);
  }
});

test.describe('email address', () => {
  test('a new one waits for its mail, and can be called off, after which the link is dead', async ({
    page,
  }) => {
    const email = await openSettings(page);
    const wanted = uniqueEmail();
    const address = section(page, 'Email address');
    await requestAddress(page, wanted);

    await expect(address.getByText(`We’ve emailed a link to ${wanted}.`)).toBeVisible();
    await expect(address.getByText(email, { exact: true })).toBeVisible();
    await expect(address.getByLabel('New email address')).toHaveValue('');
    const link = await linkMailedTo(wanted, 1);
    expect((await mailsTo(wanted))[0]?.subject).toBe('Confirm your new email address for Lectern');
    await page.reload();
    await expect(address.getByText(`We’ve emailed a link to ${wanted}.`)).toBeVisible();
    await address.getByRole('button', { name: 'Call it off' }).click();

    await expect(page.getByText('Your address stays as it is.')).toBeVisible();
    await expect(address.getByText(wanted)).toHaveCount(0);
    await page.goto(link);
    await expect(page.getByRole('heading')).toHaveText('Authentication failed. Please try again');
    expect((await toAccount(page)).email).toBe(email);
  });

  test('one that waits is gone from the page once all other browsers are logged out', async ({
    page,
    openBrowser,
  }) => {
    const email = await openSettings(page);
    await logInAs(await openBrowser(), email, 2);
    await page.reload();
    const wanted = uniqueEmail();
    await requestAddress(page, wanted);
    await expect(page.getByText(`We’ve emailed a link to ${wanted}.`)).toBeVisible();
    await page.getByRole('button', { name: 'Log out the other browser' }).click();

    await expect(page.getByText('All other browsers are logged out.')).toBeVisible();
    await expect(page.getByText(wanted)).toHaveCount(0);
    await page.goto(await linkMailedTo(wanted, 1));
    await expect(page.getByRole('heading')).toHaveText('Authentication failed. Please try again');
  });

  test('a newer wish takes the place of an older one', async ({ page }) => {
    await openSettings(page);
    const [first, second] = [uniqueEmail(), uniqueEmail()];
    await requestAddress(page, first);
    await expect(page.getByText(`We’ve emailed a link to ${first}.`)).toBeVisible();
    await requestAddress(page, second);

    await expect(page.getByText(`We’ve emailed a link to ${second}.`)).toBeVisible();
    await expect(page.getByText(first)).toHaveCount(0);
    await page.goto(await linkMailedTo(first, 1));
    await expect(page.getByRole('heading')).toHaveText('Authentication failed. Please try again');
  });

  test('the click on its link changes it here, tells the old address, and logs out elsewhere', async ({
    page,
    openBrowser,
  }) => {
    const email = await openSettings(page);
    const other = await openBrowser();
    await logInAs(other, email, 2);
    await other.goto('/');
    const wanted = uniqueEmail();
    await requestAddress(page, wanted);
    await page.goto(await linkMailedTo(wanted, 1));
    await expect(page.getByRole('heading', { name: 'Use a new email address' })).toBeVisible();
    await page.getByRole('button', { name: 'Use this address' }).click();

    await expect(page).toHaveURL('/');
    await expect(page.getByRole('region', { name: 'Your profile' })).toContainText(wanted);
    await page.goto('/settings');
    await expect(section(page, 'Email address').getByText(wanted, { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Call it off' })).toHaveCount(0);
    await expect
      .poll(async () => (await mailsTo(email)).at(-1)?.subject)
      .toBe('Your Lectern email address has changed');
    await other.getByRole('link', { name: 'Cohorts' }).click();
    await expect(other).toHaveURL('/login');
  });

  test('its link opened in another browser logs that one in, and the first one out', async ({
    page,
    openBrowser,
  }) => {
    await openSettings(page);
    const wanted = uniqueEmail();
    await requestAddress(page, wanted);
    const other = await openBrowser();
    await other.goto(await linkMailedTo(wanted, 1));
    await other.getByRole('button', { name: 'Use this address' }).click();

    await expect(other).toHaveURL('/');
    await expect(other.getByRole('region', { name: 'Your profile' })).toContainText(wanted);
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(page).toHaveURL('/login');
  });

  test('one that has an account is told so in its mailbox alone', async ({ page, openBrowser }) => {
    const owner = await openBrowser();
    await signInWith(owner, [watercolours]);
    const { email: ownersEmail } = await toAccount(owner);
    await openSettings(page);
    await requestAddress(page, ownersEmail);

    await expect(page.getByText(`We’ve emailed a link to ${ownersEmail}.`)).toBeVisible();
    await expect
      .poll(async () => (await mailsTo(ownersEmail)).map(({ subject }) => subject))
      .toContain('This address already has a Lectern account');
    expect((await mailsTo(ownersEmail)).at(-1)?.text).not.toContain('token=');
  });

  test('one’s own is no new one, and nobody is told to look for a mail', async ({ page }) => {
    const email = await openSettings(page);
    await requestAddress(page, email.toUpperCase());

    await expect(page.getByText('Your address stays as it is.')).toBeVisible();
    await expect(page.getByText('Now open the link')).toHaveCount(0);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('one that is none is refused at its field, and stays there', async ({ page }) => {
    await openSettings(page);
    const field = page.getByLabel('New email address');
    await field.press('Enter');
    await expect(field).toHaveAccessibleDescription('Email address is required');
    await requestAddress(page, 'ada at example');

    await expect(field).toHaveAccessibleDescription('Please enter a valid email address');
    await expect(field).toHaveValue('ada at example');
  });
});

test.describe('where somebody is logged in', () => {
  test('a single browser is this device, with nothing to end', async ({ page }) => {
    await openSettings(page);
    const sessions = section(page, 'Where you are logged in');

    await expect(sessions.getByRole('listitem')).toHaveText(/^Chrome \(Linux\) This device/);
    await expect(sessions.getByText('You are logged in nowhere else.')).toBeVisible();
    await expect(sessions.getByRole('button')).toHaveCount(0);
  });

  test('other browsers are counted in words, and ended one by one or all at once', async ({
    page,
    context,
    openBrowser,
  }) => {
    await signInWith(page, [biology]);
    const { email } = await toAccount(page);
    const others = [await openBrowser(), await openBrowser()];
    for (const [index, other] of others.entries()) {
      await logInAs(other, email, index + 2);
      await other.goto('/');
    }
    await page.goto('/settings');
    const sessions = section(page, 'Where you are logged in');
    await expect(sessions.getByRole('listitem')).toHaveCount(3);
    await expect(sessions.getByText('This device')).toHaveCount(1);
    await expect(
      sessions.getByRole('button', { name: 'Log out all 2 other browsers' }),
    ).toBeVisible();
    await context.addCookies([{ name: 'language', value: 'fr', url: page.url() }]);
    await page.reload();
    await expect(
      page.getByRole('button', { name: 'Déconnecter les 2 autres navigateurs' }),
    ).toBeVisible();
    await expect(page.getByText('Cet appareil')).toHaveCount(1);
    await page
      .getByRole('listitem')
      .getByRole('button', { name: 'Se déconnecter' })
      .first()
      .click();
    await expect(
      page.getByRole('button', { name: 'Déconnecter l’autre navigateur' }),
    ).toBeVisible();
    await context.addCookies([{ name: 'language', value: 'en', url: page.url() }]);
    await page.reload();
    await sessions.getByRole('button', { name: 'Log out the other browser' }).click();

    await expect(page.getByText('All other browsers are logged out.')).toBeVisible();
    await expect(sessions.getByText('You are logged in nowhere else.')).toBeVisible();
    await expect(sessions.getByRole('listitem')).toHaveCount(1);
    for (const other of others) {
      await other.getByRole('link', { name: 'Settings' }).click();
      await expect(other).toHaveURL('/login');
    }
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible();
  });

  test('the one that is ended is sent to /login on its next page, and all others stay', async ({
    page,
    openBrowser,
  }) => {
    await signInWith(page, [biology]);
    const { email } = await toAccount(page);
    const other = await openBrowser();
    await logInAs(other, email, 2);
    await other.goto('/settings');
    const sessions = section(other, 'Where you are logged in');
    await sessions.getByRole('listitem').getByRole('button', { name: 'Log out' }).click();
    await expect(other.getByText('That browser is logged out.')).toBeVisible();
    await expect(sessions.getByRole('listitem')).toHaveCount(1);

    await page.goto('/');
    await expect(page).toHaveURL('/login');
    await other.goto('/');
    await expect(other).toHaveURL('/');
  });
});

test.describe('the data', () => {
  test('comes as one file of the day, with everything and nothing that opens a door', async ({
    page,
  }) => {
    const email = await openSettings(page, [biology, algebra]);
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download your data' }).click();
    const download = await downloaded;

    const text = readFileSync(await download.path(), 'utf8');
    const everything = JSON.parse(text);
    expect(download.suggestedFilename()).toBe(
      `lectern-${everything.exported_at.slice(0, 10)}.json`,
    );
    expect(everything).toMatchObject({
      account: { first_name: 'Ada', last_name: 'Lovelace', email, language: 'en' },
      courses: [biology, algebra],
      sessions: [{ user_agent: expect.stringContaining('Chrome') }],
      links: [],
    });
    expect(text).not.toContain('token');
    await expect(page.getByText('Your data is in your downloads.')).toBeVisible();
  });
});

test.describe('the end of an account', () => {
  test('needs the address, letter by letter', async ({ page }) => {
    await openSettings(page);
    const dialog = await openDeleteAccount(page);
    const typed = dialog.getByLabel('To be sure, type your email address');
    await typed.fill('somebody@example.com');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();

    await expect(typed).toHaveAccessibleDescription(/What you have typed is not the same$/);
    await expect(typed).toHaveValue('somebody@example.com');
    await expect(typed).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Delete your account' })).toBeFocused();
    expect((await toAccount(page)).email).toMatch(/^ada\./);
  });

  test('ends everywhere at /login, and the same address can sign up again', async ({
    page,
    openBrowser,
  }) => {
    const email = await openSettings(page);
    const other = await openBrowser();
    await logInAs(other, email, 2);
    await other.goto('/');
    const dialog = await openDeleteAccount(page);
    await dialog.getByLabel('To be sure, type your email address').fill(` ${email} `);
    await dialog.getByRole('button', { name: 'Delete my account' }).click();

    await expect(page).toHaveURL('/login');
    await page.goto('/settings');
    await expect(page).toHaveURL('/login');
    await other.getByRole('link', { name: 'Settings' }).click();
    await expect(other).toHaveURL('/login');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.goto(await linkMailedTo(email, 3));
    await page.getByRole('button', { name: 'Confirm and log in' }).click();
    await expect(page).toHaveURL('/onboarding/course');
  });
});

test('somebody without a course can delete their account, too', async ({ page }) => {
  await signInWith(page, []);
  const { email } = await toAccount(page);
  await page.goto('/onboarding/course');
  const dialog = await openDeleteAccount(page);
  await dialog.getByLabel('To be sure, type your email address').fill(email);
  await dialog.getByRole('button', { name: 'Delete my account' }).click();

  await expect(page).toHaveURL('/login');
  await page.goto('/onboarding/course');
  await expect(page).toHaveURL('/login');
  // The address is free again.
  const person = { first_name: 'Ada', last_name: 'Lovelace', email };
  await askApi(page, 'POST', '/api/accounts/auth/signup/', person);
});

test.describe('a login of more than 15 minutes ago', () => {
  test.use({ expectedErrors: [/status of 403/] });

  test('gets a fresh link before the data, and the link works', async ({ page }) => {
    const email = await openSettings(page);
    await refuseAsOld(page, '**/export/');
    await page.getByRole('button', { name: 'Download your data' }).click();
    const proof = proofDialog(page);
    await expect(proof).toContainText(`We can mail a fresh link to ${email}.`);
    await proof.getByRole('button', { name: 'Send me a login link' }).click();
    await expect(proof).toContainText(`The link is on its way to ${email}.`);
    await page.goto(await linkMailedTo(email, 2));
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL('/');

    await page.unroute('**/export/');
    await page.getByRole('link', { name: 'Settings' }).click();
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download your data' }).click();
    expect((await downloaded).suggestedFilename()).toMatch(/^lectern-/);
  });

  test('gets a fresh link before the account is deleted, and what was typed stays', async ({
    page,
  }) => {
    const email = await openSettings(page);
    await refuseAsOld(page, '**/api/accounts/*/');
    const dialog = await openDeleteAccount(page);
    const typed = dialog.getByLabel('To be sure, type your email address');
    await typed.fill(email);
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(proofDialog(page)).toBeVisible();
    await proofDialog(page).getByRole('button', { name: 'Send me a login link' }).click();
    await linkMailedTo(email, 2);

    await page.keyboard.press('Escape');
    await expect(proofDialog(page)).toBeHidden();
    await expect(dialog).toBeVisible();
    await expect(typed).toHaveValue(email);
    await expect(page.getByRole('dialog', { name: 'Access Denied' })).toHaveCount(0);
  });

  test('gets a fresh link before a new address, and what was typed stays', async ({ page }) => {
    await openSettings(page);
    const wanted = uniqueEmail();
    await refuseAsOld(page, '**/api/accounts/*/');
    await requestAddress(page, wanted);
    await expect(proofDialog(page)).toBeVisible();
    await page.keyboard.press('Escape');

    await expect(proofDialog(page)).toBeHidden();
    await expect(page.getByLabel('New email address')).toHaveValue(wanted);
    expect(await mailsTo(wanted)).toEqual([]);
  });

  function proofDialog(page: Page): Locator {
    return page.getByRole('dialog', { name: 'First, is it you?' });
  }

  /** As the worker answers a session that is older; no browser can make one old. */
  async function refuseAsOld(page: Page, path: string): Promise<void> {
    const json: ErrorBody = {
      code: 'proof_required',
      message: 'Please confirm first that it is you: log in again with a fresh link.',
      request_id: crypto.randomUUID(),
    };
    await page.route(path, (route) => route.fulfill({ status: 403, json }));
  }
});

test.describe('the course', () => {
  test('gets a new name everywhere at once', async ({ page }) => {
    await openSettings(page, [watercolours, biology]);
    const settings = section(page, 'Name and type');
    await settings.getByLabel('Course name').fill('Biology 102');
    await settings.getByRole('button', { name: 'Save' }).click();

    await expect(page.getByText('Your course is saved.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'The course Biology 102' })).toBeVisible();
    await expect(courseTrigger(page)).toHaveAccessibleName(/Biology 102/);
    await expect(settings.getByLabel('Course name')).toHaveValue('Biology 102');
    await expect(settings.getByRole('radio', { name: /^Cohort/ })).toBeChecked();
  });

  test('gets a new type, which the other pages know', async ({ page }) => {
    await openSettings(page, [biology]);
    await page.getByRole('link', { name: 'Cohorts' }).click();
    await expect(page.getByText('This is a cohort course:')).toBeVisible();
    await page.getByRole('link', { name: 'Settings' }).click();
    const settings = section(page, 'Name and type');
    await settings.getByRole('radio', { name: /^Evergreen/ }).check();
    await settings.getByRole('button', { name: 'Save' }).click();
    await expect(courseTrigger(page)).toContainText('Evergreen');
    await page.getByRole('link', { name: 'Cohorts' }).click();

    await expect(page.getByText('This is an evergreen course:')).toBeVisible();
  });

  test('has a name of 3 to 254 characters, and is told so at its field', async ({ page }) => {
    await openSettings(page);
    const name = section(page, 'Name and type').getByLabel('Course name');
    for (const [typed, message] of [
      ['', 'Course name is required'],
      ['ab', 'Course name must be at least 3 characters'],
      ['a'.repeat(255), 'Course name must be less than 255 characters'],
    ] as const) {
      await name.fill(typed);
      await name.press('Enter');
      await expect(name).toHaveAccessibleDescription(message);
      await expect(name).toHaveValue(typed);
    }
    await name.fill('a'.repeat(254));
    await name.press('Enter');
    await expect(page.getByText('Your course is saved.')).toBeVisible();
  });

  test('shows in its settings what is selected meanwhile', async ({ page }) => {
    await openSettings(page, [watercolours, biology]);
    const name = section(page, 'Name and type').getByLabel('Course name');
    await expect(name).toHaveValue('Biology 101');
    await courseTrigger(page).click();
    await page.getByRole('option', { name: 'Watercolours' }).click();

    await expect(page.getByRole('heading', { name: 'The course Watercolours' })).toBeVisible();
    await expect(name).toHaveValue('Watercolours');
    await expect(page.getByRole('radio', { name: /^Evergreen/ }).first()).toBeChecked();
  });

  test('is deleted behind its name, and the oldest that remains is selected', async ({ page }) => {
    await openSettings(page, [watercolours, algebra, biology]);
    const dialog = await openDeleteCourse(page);
    const typed = dialog.getByLabel('To be sure, type the name of the course');
    await typed.fill('Watercolours');
    await dialog.getByRole('button', { name: 'Delete this course' }).click();
    await expect(typed).toHaveAccessibleDescription(/What you have typed is not the same$/);
    await expect(typed).toHaveValue('Watercolours');
    await expect(courseTrigger(page)).toHaveAccessibleName(/Biology 101/);
    await typed.fill('Biology 101');
    await dialog.getByRole('button', { name: 'Delete this course' }).click();

    await expect(page.getByText('The course is deleted.')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(courseTrigger(page)).toHaveAccessibleName(/Watercolours/);
    await expect(page.getByRole('heading', { name: 'The course Watercolours' })).toBeVisible();
    const nextDialog = await openDeleteCourse(page);
    await expect(nextDialog.getByText('Watercolours').first()).toBeVisible();
    await expect(nextDialog.getByLabel('To be sure, type the name of the course')).toHaveValue('');
    expect(await askApi(page, 'GET', '/api/courses/')).toMatchObject([watercolours, algebra]);
  });

  test('with tags and odd spaces in its name is told by that name, and deleted behind it', async ({
    page,
  }) => {
    const name = 'the <b>bold</b>\u00a0tag and <0>zero</0> $& {0} &amp; \\u0041';
    await openSettings(page, [{ ...biology, name }]);
    await expect(page.getByRole('heading', { name: `The course ${name}` })).toBeVisible();
    const dialog = await openDeleteCourse(page);
    await expect(dialog.getByText(`The course ${name} is deleted`)).toBeVisible();
    const typed = dialog.getByLabel('To be sure, type the name of the course');
    await typed.fill(name.replaceAll(/<\/?\w>/g, ''));
    await typed.press('Enter');
    await expect(typed).toHaveAccessibleDescription(/What you have typed is not the same$/);
    // A keyboard has one kind of space.
    await typed.fill(name.replace('\u00a0', ' '));
    await typed.press('Enter');

    await expect(page).toHaveURL('/onboarding/course');
  });

  test('that was the last one leads to a first one', async ({ page }) => {
    await openSettings(page, [biology]);
    const dialog = await openDeleteCourse(page);
    await dialog.getByLabel('To be sure, type the name of the course').fill('Biology 101');
    await dialog.getByLabel('To be sure, type the name of the course').press('Enter');

    await expect(page).toHaveURL('/onboarding/course');
    await expect(page.getByRole('heading', { name: 'Create your first course' })).toBeVisible();
    await page.goto('/settings');
    await expect(page).toHaveURL('/onboarding/course');
  });
});

test.describe('what is to come', () => {
  for (const [course, kind, payment] of [
    [
      biology,
      'This is a cohort course: its groups learn together, with fixed start and end dates.',
      'This is a cohort course: students will pay for a place in a group, before its first day.',
    ],
    [
      watercolours,
      'This is an evergreen course: students enroll and start at any time, at their own pace and without deadlines.',
      'This is an evergreen course: students will pay when they enroll, on whatever day that is.',
    ],
  ] as const) {
    test(`is said of cohorts, payments and billing for a course of the type ${course.course_type}, with nothing to press`, async ({
      page,
    }) => {
      await signInWith(page, [course]);
      for (const [path, title, text] of [
        ['/cohorts', 'Cohorts', kind],
        ['/payments', 'Payments', payment],
        ['/settings/billing', 'Billing', 'Today it charges nothing'],
      ] as const) {
        await page.goto(path);
        const main = page.getByRole('main');
        await expect(main.getByRole('heading', { name: title, level: 1 })).toBeVisible();
        await expect(main.getByText('Coming soon')).toBeVisible();
        await expect(main.getByText(text)).toBeVisible();
        await expect(main.locator('a, button, input, select, textarea, [tabindex]')).toHaveCount(0);
        await expect(page).toHaveTitle(`${title} · Lectern`);
      }
    });
  }
});

test('terms and privacy are a step from the door, and lead back', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'terms of use' }).click();
  await expect(page).toHaveURL('/terms');
  await expect(page.getByRole('heading', { name: 'Terms of use', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'How we treat your data' }).click();
  await expect(page).toHaveURL('/privacy');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/terms');
  await page.goBack();
  await expect(page).toHaveURL('/login');
  await page.getByRole('link', { name: 'privacy page' }).click();
  await expect(page).toHaveURL('/privacy');
  await page.getByRole('link', { name: 'Go to your home page' }).click();

  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
});

type Account = { id: string; email: string; language: string };

/** Somebody new on their settings. Returns their address. */
async function openSettings(
  page: Page,
  courses: Parameters<typeof signInWith>[1] = [biology],
): Promise<string> {
  await signInWith(page, courses);
  await page.goto('/settings');
  return (await toAccount(page)).email;
}

async function toAccount(page: Page): Promise<Account> {
  return (await askApi(page, 'GET', '/api/accounts/auth/user/')) as Account;
}

function section(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title, exact: true });
}

function courseTrigger(page: Page): Locator {
  return page.getByRole('button', { name: /^Course\b/ });
}

async function requestAddress(page: Page, address: string): Promise<void> {
  await page.getByLabel('New email address').fill(address);
  await page.getByRole('button', { name: 'Mail me a link' }).click();
}

async function openDeleteAccount(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Delete your account' }).click();
  return page.getByRole('dialog', { name: 'Delete your account?' });
}

async function openDeleteCourse(page: Page): Promise<Locator> {
  await section(page, 'Delete this course').getByRole('button').click();
  return page.getByRole('dialog', { name: 'Delete this course?' });
}
