import type { Route } from '@playwright/test';
import { addPerson, askForPlace, linkTo, publishCohort } from './participants.ts';
import { section } from './settings.ts';
import { askApi, expect, mailsTo, openReady, test, uniqueEmail } from './support.ts';

test.use({ expectedErrors: [/status of 422/] });

test('someone enrolls by an email and a click, once a place is free, and gets a page of their own', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page, {
    capacity: 1,
    waitlist: false,
    welcome_note: 'Bring a pencil.',
    join_url: 'https://meet.example.com/room',
    price_minor: 24_000,
    currency: 'EUR',
  });
  const visitor = await openBrowser();
  const email = uniqueEmail();
  await openReady(visitor, cohort.public_url);
  await visitor.getByRole('button', { name: 'Enroll for €240' }).click();
  await expect(visitor.getByText('Name is required')).toBeVisible();
  await expect(
    visitor.getByText(/^Please agree that .+ are passed on to Ada Lovelace$/),
  ).toBeVisible();
  await visitor.getByLabel('Your name').fill('Grace Hopper');
  await visitor.getByRole('textbox', { name: 'Email address' }).fill(email);
  await visitor.getByRole('checkbox').check();
  // The only place is taken and given back meanwhile: the box follows, and keeps what was typed.
  let path = '';
  const takePlace = async (route: Route) => {
    const { enrollmentId } = await addPerson(page, cohort);
    path = `/api/cohorts/${cohort.id}/enrollments/${enrollmentId}/remove/`;
    await route.continue();
  };
  await visitor.route('**/requests/', takePlace, { times: 1 });
  await visitor.getByRole('button', { name: 'Enroll for €240' }).click();
  await expect(visitor.getByText('All places are taken.')).toBeVisible();
  await expect(visitor.getByLabel('Your name')).toBeHidden();
  await askApi(page, 'POST', path, { notify: false });
  await expect(visitor.getByText('1 of 1 places left')).toBeVisible();
  await visitor.getByRole('button', { name: 'Enroll for €240' }).click();
  await expect(visitor.getByRole('heading', { name: 'Check your email' })).toBeFocused();

  await visitor.goto(await linkTo('/p/confirm?token=', email));
  await expect(visitor).toHaveURL('/p/confirm');
  await visitor.getByRole('button', { name: 'Confirm my place' }).click();
  await expect(visitor.getByText('You’re in!')).toBeVisible();
  const card = section(visitor, 'Winter');
  await expect(card).toContainText('You are enrolled.');
  await expect(card).toContainText('€240, payable to Ada Lovelace');
  await expect(card).toContainText('Bring a pencil.');
  expect(new URL(visitor.url()).pathname).toBe(new URL(await linkTo('/p/', email, 2)).pathname);
  expect(await visitor.context().cookies()).toEqual([]);
});

test('a place that someone leaves is offered to the next person, in their language; the time that is left stays right, and they accept', async ({
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

  const sentence = waiting.locator('.place-sentence');
  await waiting.clock.install();
  await openReady(waiting, await linkTo('/p/', email, 3));
  await expect(waiting.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(sentence).toHaveText(/réservée pendant encore 47\sheures\./);
  for (const [forward, left] of [
    ['45:30:00', /\b2\sheures\b/],
    ['01:00:00', /\b8\d\sminutes\b/],
    // The page is loaded again. On the server, no time has passed.
    ['01:40:00', /\b47\sheures\b/],
  ] as const) {
    await waiting.clock.fastForward(forward);
    await expect(sentence).toHaveText(left);
  }
  await waiting.getByRole('button', { name: 'Accepter la place' }).click();
  await expect(sentence).toHaveText('Votre place est confirmée.');
});

test('an invitation is declined with the keyboard and taken back; name, language and reminders are changed; who was removed reads it where they wanted to leave; a dead link emails a new one to no one but its person', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishCohort(page);
  const { link, email, enrollmentId } = await addPerson(page, cohort, { as: 'invited' });
  const visitor = await openBrowser();
  const sentence = visitor.locator('.place-sentence');
  const dead = link.slice(0, -1) + (link.endsWith('0') ? '1' : '0');
  for (const address of ['someone.else@example.com', email]) {
    await visitor.goto(dead);
    await visitor.getByRole('textbox', { name: 'Email address' }).fill(address);
    await visitor.getByRole('button', { name: 'Send a new link' }).click();
    await expect(visitor.getByText('an email with a new one is on its way')).toBeVisible();
  }
  expect(await linkTo('/p/', email, 2)).toBe(link);
  expect(await mailsTo('someone.else@example.com')).toEqual([]);

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
  await visitor.getByText('Nom, langue et rappels').click();
  await expect(visitor.getByLabel('Recevoir les rappels et')).not.toBeChecked();

  const path = `/api/cohorts/${cohort.id}/enrollments/${enrollmentId}/remove/`;
  await askApi(page, 'POST', path, { notify: false });
  const leave = { name: 'Me désinscrire' };
  await visitor.getByRole('button', leave).click();
  await visitor.getByRole('dialog').getByRole('button', leave).click();
  const refusal = visitor.getByRole('alert').filter({ hasText: /Ada Lovelace/ });
  await expect(refusal).toBeInViewport();
  await expect(sentence).toHaveText('Votre inscription à cette cohorte a pris fin.');
});
