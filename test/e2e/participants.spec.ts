import { enrollPeople } from './enrollments.ts';
import { addPerson, askForPlace, linkTo, publishCohort } from './participants.ts';
import { askApi, expect, mailsTo, openReady, test, uniqueEmail } from './support.ts';

const french = {
  name: 'Votre nom',
  email: 'Adresse e‑mail',
  button: 'S’inscrire sur la liste d’attente',
  sent: 'Consultez votre messagerie',
};

test('someone enrolls by an email and a click, and gets a page of their own', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page, {
    capacity: 2,
    welcome_note: 'Bring a pencil.',
    price_minor: 24_000,
    currency: 'EUR',
  });
  const visitor = await openBrowser();
  const words = {
    name: 'Your name',
    email: 'Email address',
    button: 'Enroll · €240, paid to Ada Lovelace',
    sent: 'Check your email',
  };
  const email = await askForPlace(visitor, cohort.public_url, words);
  const confirmLink = await linkTo('/p/confirm?token=', email);
  await visitor.goto(confirmLink);
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(
    'Take a place in \u2068Winter\u2069?',
  );
  await expect(visitor.getByText('a•••@example.com')).toBeVisible();
  await expect(visitor).toHaveURL('/p/confirm');
  await visitor.getByRole('button', { name: 'Take a place' }).click();
  await expect(visitor.getByRole('heading', { name: 'You are in.' })).toBeFocused();
  await visitor.getByRole('link', { name: 'See my place' }).click();

  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(
    'Hello, \u2068Grace Hopper\u2069',
  );
  const card = visitor.getByRole('region', { name: 'Winter' });
  await expect(card).toContainText('You are enrolled.');
  await expect(card).toContainText('€240, paid to Ada Lovelace');
  await expect(card).toContainText('Bring a pencil.');
  expect(new URL(visitor.url()).pathname).toBe(new URL(await linkTo('/p/', email, 2)).pathname);
  expect(await visitor.context().cookies()).toEqual([]);
  // A used link also leads on.
  await visitor.goto(confirmLink);
  await visitor.getByRole('button', { name: 'See my place' }).click();
  await expect(visitor.getByRole('heading', { name: 'You are in.' })).toBeVisible();
});

test('a place that someone leaves is offered to the next person, in their language, and accepted', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page, { capacity: 1 });
  const grace = await addPerson(page, cohort);
  const waiting = await openBrowser({ locale: 'fr-FR' });
  const email = await askForPlace(waiting, `${cohort.public_url}?lang=fr`, french);
  await waiting.goto(await linkTo('/p/confirm', email));
  await waiting.getByRole('button', { name: 'S’inscrire sur la liste d’attente' }).click();
  await expect(waiting.getByRole('heading', { level: 1 })).toHaveText(/n°\s1 sur la liste/);

  const leaving = await openBrowser();
  await openReady(leaving, grace.link);
  await leaving.getByRole('button', { name: 'Leave the cohort' }).click();
  const dialog = leaving.getByRole('dialog', { name: 'Leave this cohort?' });
  await expect(dialog).toContainText('Your place goes to the next person on the waitlist.');
  await dialog.getByRole('button', { name: 'Leave the cohort' }).click();
  await expect(leaving.locator('.place-sentence')).toHaveText('You no longer take part.');

  await waiting.goto(await linkTo('/p/', email, 3));
  await expect(waiting.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(waiting.locator('.place-sentence')).toHaveText(
    /réservée pendant encore 47\sheures\./,
  );
  await expect(waiting.locator('.place-card .cover')).toContainText('(Katmandou)');
  await waiting.getByRole('button', { name: 'Accepter la place' }).click();
  await expect(waiting.locator('.place-sentence')).toHaveText('Votre place est confirmée.');
  // Someone who left can come back, at the end of the waitlist.
  await leaving.reload();
  await leaving.getByRole('button', { name: 'Join the waitlist again' }).click();
  await expect(leaving.locator('.place-sentence')).toHaveText('You are number 1 on the waitlist.');
});

test('the time that is left of an offer stays right while its page is open', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page, { capacity: 1 });
  const { enrollmentId } = await addPerson(page, cohort);
  const email = uniqueEmail();
  await enrollPeople(page, cohort, [{ name: 'Ana', email }]);
  await askApi(page, 'POST', `/api/cohorts/${cohort.id}/enrollments/${enrollmentId}/remove/`, {});
  const visitor = await openBrowser();
  await visitor.clock.install();
  await openReady(visitor, await linkTo('/p/', email, 3));
  await page.clock.install();
  await openReady(page, `/cohorts/${cohort.id}/waitlist`);
  const [own, listed] = [visitor.locator('.place-sentence'), page.locator('.time-left p')];
  await expect(own).toHaveText(/for another 47\shours\./);
  await expect(listed).toHaveText(/^47\shours left$/);

  for (const [forward, left] of [
    ['45:30:00', /\b2\shours\b/],
    ['01:00:00', /\b8\d\sminutes\b/],
    ['00:10:00', /\b7\d\sminutes\b/],
    // The page is loaded again. On the server, no time has passed.
    ['01:30:00', /\b47\shours\b/],
  ] as const) {
    await visitor.clock.fastForward(forward);
    await page.clock.fastForward(forward);
    await expect(own).toHaveText(left);
    await expect(listed).toHaveText(left);
  }
});

test('an invitation is declined with the keyboard, and can be taken back', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page);
  const { link } = await addPerson(page, cohort, { as: 'invited' });
  const invited = await openBrowser();
  await openReady(invited, link);
  await expect(invited.locator('.place-sentence')).toHaveText(/^You are invited, for another .+/);
  await invited.getByRole('button', { name: 'Accept the invitation' }).focus();
  await invited.keyboard.press('Tab');
  await expect(invited.getByRole('button', { name: 'Decline' })).toBeFocused();
  await invited.keyboard.press('Enter');
  await expect(invited.locator('.place-sentence')).toHaveText('You have declined.');
  await expect(invited.getByRole('status').getByText('You have declined.')).toBeVisible();
  await invited.getByRole('button', { name: 'Enroll again' }).click();
  await expect(invited.locator('.place-sentence')).toHaveText('You are enrolled.');
});

test('someone changes their name and language and switches reminders off, and the page is in that language', async ({
  page,
  openBrowser,
}) => {
  const { link } = await addPerson(page, await publishCohort(page));
  const visitor = await openBrowser();
  await openReady(visitor, link);
  await visitor.getByText('Name, language and reminders').click();
  await visitor.getByLabel('Your name').fill('');
  await visitor.getByRole('button', { name: 'Save' }).click();
  await expect(visitor.getByText('Name is required')).toBeVisible();
  await visitor.getByLabel('Your name').fill('Amazing Grace');
  await visitor.getByRole('combobox', { name: 'Language' }).selectOption('fr');
  await visitor.getByLabel('Send me reminders and messages to the group').uncheck();
  await visitor.getByRole('button', { name: 'Save' }).click();
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(
    'Bonjour \u2068Amazing Grace\u2069',
  );

  await visitor.goto(link);
  await expect(visitor).toHaveURL(/\?lang=fr$/);
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(
    'Bonjour \u2068Amazing Grace\u2069',
  );
  await visitor.getByText('Nom, langue et rappels').click();
  await expect(
    visitor.getByLabel('Recevoir les rappels et les messages au groupe'),
  ).not.toBeChecked();
});

test('a dead link says so, and emails a new one to no one but its person', async ({
  page,
  openBrowser,
}) => {
  const { link, email } = await addPerson(page, await publishCohort(page));
  const dead = link.slice(0, -1) + (link.endsWith('0') ? '1' : '0');
  const visitor = await openBrowser();
  for (const address of ['someone.else@example.com', email]) {
    await visitor.goto(dead);
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('This link doesn’t work');
    await expect(visitor.getByText('This link is no longer valid.')).toBeVisible();
    await visitor.getByRole('textbox', { name: 'Email address' }).fill(address);
    await visitor.getByRole('button', { name: 'Send a new link' }).click();
    await expect(visitor.getByText('an email with a new one is on its way')).toBeVisible();
  }
  expect(await linkTo('/p/', email, 2)).toBe(link);
  expect(await mailsTo('someone.else@example.com')).toEqual([]);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the pages of participants are readable, and forms say what they need', async ({ page }) => {
    const cohort = await publishCohort(page, { description: 'What it is about.' });
    const { link } = await addPerson(page, cohort);
    await page.goto(cohort.public_url);
    await expect(page.getByText('What it is about.')).toBeVisible();
    await expect(page.locator('noscript p')).toHaveText(/^This form needs JavaScript\./);
    await page.goto(link);
    await expect(page.getByText('You are enrolled.')).toBeVisible();
    await page.goto(link.slice(0, -1));
    await expect(page.locator('noscript p')).toHaveText(/^This form needs JavaScript\./);
  });
});

test.describe('refused', () => {
  test.use({ expectedErrors: [/status of 422/] });

  test('a change that is no longer possible is reported above the remaining buttons', async ({
    page,
    openBrowser,
  }) => {
    const cohort = await publishCohort(page);
    const { link, enrollmentId } = await addPerson(page, cohort);
    const removed = await openBrowser();
    await openReady(removed, link);
    const path = `/api/cohorts/${cohort.id}/enrollments/${enrollmentId}/remove/`;
    await askApi(page, 'POST', path, { notify: false });
    await removed.getByRole('button', { name: 'Leave the cohort' }).click();
    await removed.getByRole('dialog').getByRole('button', { name: 'Leave the cohort' }).click();

    await expect(removed.getByRole('alert')).toHaveText('Please write to Ada Lovelace.');
    await expect(removed.locator('.place-sentence')).toHaveText(
      'You were removed from this cohort.',
    );
    await expect(removed.getByRole('link', { name: 'Write to Ada Lovelace' })).toHaveAttribute(
      'href',
      /^mailto:/,
    );
  });

  test('what is typed stays when enrolling fails, and the box follows the moment', async ({
    page,
    openBrowser,
  }) => {
    const cohort = await publishCohort(page, { capacity: 1, waitlist: false });
    const visitor = await openBrowser();
    await openReady(visitor, cohort.public_url);
    await expect(visitor.getByText('1 place left')).toBeVisible();
    await visitor.getByRole('button', { name: 'Enroll' }).click();
    await expect(visitor.getByText('Name is required')).toBeVisible();
    await expect(
      visitor.getByText(/^Please agree that .+ are passed on to Ada Lovelace$/),
    ).toBeVisible();
    await visitor.getByLabel('Your name').fill('Grace Hopper');
    await visitor.getByRole('textbox', { name: 'Email address' }).fill('grace@example.com');
    await visitor.getByRole('checkbox').check();
    const { enrollmentId } = await addPerson(page, cohort);
    await visitor.getByRole('button', { name: 'Enroll' }).click();
    await expect(visitor.getByText('All places are taken.')).toBeVisible();
    await expect(visitor.getByLabel('Your name')).toBeHidden();
    const path = `/api/cohorts/${cohort.id}/enrollments/${enrollmentId}/remove/`;
    await askApi(page, 'POST', path, { notify: false });
    await expect(visitor.getByText('1 place left')).toBeVisible({ timeout: 15_000 });
    await expect(visitor.getByLabel('Your name')).toHaveValue('Grace Hopper');
  });
});
