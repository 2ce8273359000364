import { enrollPeople } from './enrollments.ts';
import { addPerson, askForPlace, linkTo, publishCohort } from './participants.ts';
import { section } from './settings.ts';
import { askApi, expect, mailsTo, openReady, test, uniqueEmail } from './support.ts';

test('someone enrolls by an email and a click, and gets a page of their own', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page, {
    capacity: 2,
    welcome_note: 'Bring a pencil.',
    join_url: 'https://meet.example.com/room',
    join_passcode: '4711',
    price_minor: 24_000,
    currency: 'EUR',
  });
  const visitor = await openBrowser();
  const email = await askForPlace(visitor, cohort.public_url, {
    name: 'Your name',
    email: 'Email address',
    button: 'Enroll for €240',
    sent: 'Check your email',
  });
  await visitor.goto(await linkTo('/p/confirm?token=', email));
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(
    /^Confirm your place in .*Winter/,
  );
  await expect(visitor.getByText('a•••@example.com')).toBeVisible();
  await expect(visitor.getByText('€240', { exact: true })).toBeVisible();
  await expect(visitor).toHaveURL('/p/confirm');
  await visitor.getByRole('button', { name: 'Confirm my place' }).click();

  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(
    'Hello, \u2068Grace Hopper\u2069',
  );
  await expect(visitor.getByText('You’re in!')).toBeVisible();
  const card = section(visitor, 'Winter');
  await expect(card).toContainText('You are enrolled.');
  await expect(card).toContainText('€240, payable to Ada Lovelace');
  await expect(card).toContainText('Bring a pencil.');
  await expect(card).toContainText('Passcode: 4711');
  expect(new URL(visitor.url()).pathname).toBe(new URL(await linkTo('/p/', email, 2)).pathname);
  expect(await visitor.context().cookies()).toEqual([]);
});

test('a place that someone leaves is offered to the next person, in their language, and accepted', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page, { capacity: 1 });
  const grace = await addPerson(page, cohort);
  const waiting = await openBrowser({ locale: 'fr-FR' });
  const email = await askForPlace(waiting, `${cohort.public_url}?lang=fr`, {
    name: 'Votre nom',
    email: 'Adresse e‑mail',
    button: 'S’inscrire sur la liste d’attente',
    sent: 'Consultez votre messagerie',
  });
  await waiting.goto(await linkTo('/p/confirm', email));
  await waiting.getByRole('button', { name: 'S’inscrire sur la liste d’attente' }).click();
  await expect(waiting.getByRole('heading', { level: 1 })).toHaveText(/n°\s1 sur la liste/);

  const leaving = await openBrowser();
  await openReady(leaving, grace.link);
  await leaving.getByRole('button', { name: 'Leave this cohort' }).click();
  const dialog = leaving.getByRole('dialog', { name: 'Leave this cohort?' });
  await expect(dialog).toContainText('Your place goes to the next person on the waitlist.');
  await dialog.getByRole('button', { name: 'Leave this cohort' }).click();
  await expect(leaving.locator('.place-sentence')).toHaveText('You’ve left this cohort.');

  await waiting.goto(await linkTo('/p/', email, 3));
  await expect(waiting.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(waiting.locator('.place-sentence')).toHaveText(
    /réservée pendant encore 47\sheures\./,
  );
  await expect(waiting.locator('.place-card .cover')).toContainText('(Katmandou)');
  await waiting.getByRole('button', { name: 'Accepter la place' }).click();
  await expect(waiting.locator('.place-sentence')).toHaveText('Votre place est confirmée.');
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
    // The page is loaded again. On the server, no time has passed.
    ['01:40:00', /\b47\shours\b/],
  ] as const) {
    await visitor.clock.fastForward(forward);
    await page.clock.fastForward(forward);
    await expect(own).toHaveText(left);
    await expect(listed).toHaveText(left);
  }
});

test('an invitation is declined with the keyboard and taken back; name, language and reminders are changed', async ({
  page,
  openBrowser,
}) => {
  const { link } = await addPerson(page, await publishCohort(page), { as: 'invited' });
  const visitor = await openBrowser();
  const sentence = visitor.locator('.place-sentence');
  await openReady(visitor, link);
  await expect(sentence).toHaveText(/^You are invited, for another .+/);
  await visitor.getByRole('button', { name: 'Accept the invitation' }).focus();
  await visitor.keyboard.press('Tab');
  await expect(visitor.getByRole('button', { name: 'Decline' })).toBeFocused();
  await visitor.keyboard.press('Enter');
  await expect(sentence).toHaveText('You have declined.');
  await expect(visitor.getByRole('status').getByText('You have declined.')).toBeVisible();
  await visitor.getByRole('button', { name: 'Enroll again' }).click();
  await expect(sentence).toHaveText('You are enrolled.');

  await visitor.getByText('Name, language and reminders').click();
  await visitor.getByLabel('Your name').fill('');
  await visitor.getByRole('button', { name: 'Save' }).click();
  await expect(visitor.getByText('Name is required')).toBeVisible();
  await visitor.getByLabel('Your name').fill('Amazing Grace');
  await visitor.getByRole('combobox', { name: 'Language' }).selectOption('fr');
  await visitor.getByLabel('Send me reminders and messages to the group').uncheck();
  await visitor.getByRole('button', { name: 'Save' }).click();
  const title = visitor.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Bonjour \u2068Amazing Grace\u2069');
  await visitor.goto(link);
  await expect(visitor).toHaveURL(/\?lang=fr$/);
  await expect(title).toHaveText('Bonjour \u2068Amazing Grace\u2069');
  await visitor.getByText('Nom, langue et rappels').click();
  await expect(visitor.getByLabel('Recevoir les rappels et')).not.toBeChecked();
});

test.describe('refused', () => {
  test.use({ expectedErrors: [/status of 422/] });

  test('someone who was removed reads it where they wanted to leave; a dead link emails a new one to no one but its person', async ({
    page,
    openBrowser,
  }) => {
    const cohort = await publishCohort(page);
    const { link, email, enrollmentId } = await addPerson(page, cohort);
    const visitor = await openBrowser();
    const dead = link.slice(0, -1) + (link.endsWith('0') ? '1' : '0');
    for (const address of ['someone.else@example.com', email]) {
      await visitor.goto(dead);
      await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('This link doesn’t work');
      await visitor.getByRole('textbox', { name: 'Email address' }).fill(address);
      await visitor.getByRole('button', { name: 'Send a new link' }).click();
      await expect(visitor.getByText('an email with a new one is on its way')).toBeVisible();
    }
    expect(await linkTo('/p/', email, 2)).toBe(link);
    expect(await mailsTo('someone.else@example.com')).toEqual([]);

    await openReady(visitor, link);
    const path = `/api/cohorts/${cohort.id}/enrollments/${enrollmentId}/remove/`;
    await askApi(page, 'POST', path, { notify: false });
    await visitor.getByRole('button', { name: 'Leave this cohort' }).click();
    await visitor.getByRole('dialog').getByRole('button', { name: 'Leave this cohort' }).click();
    const refusal = visitor.getByRole('alert').filter({ hasText: 'Please write to Ada Lovelace.' });
    await expect(refusal).toBeInViewport();
    await expect(visitor.locator('.place-sentence')).toHaveText(
      'You’re no longer enrolled in this cohort.',
    );
    const write = visitor.getByRole('link', { name: 'Write to Ada Lovelace' });
    await expect(write).toHaveAttribute('href', /^mailto:/);
  });

  test('what is typed stays when enrolling fails, and the box follows the moment', async ({
    page,
    openBrowser,
  }) => {
    const cohort = await publishCohort(page, { capacity: 1, waitlist: false });
    const visitor = await openBrowser();
    await openReady(visitor, cohort.public_url);
    await expect(visitor.getByText('1 of 1 places left')).toBeVisible();
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
    await expect(visitor.getByText('1 of 1 places left')).toBeVisible();
    await expect(visitor.getByLabel('Your name')).toHaveValue('Grace Hopper');
  });
});
