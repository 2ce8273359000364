import type { Page } from '@playwright/test';
import { payOnline } from './online-payments.ts';
import { addPerson, askForPlace, linkTo, publishOwnCohort } from './participants.ts';
import { stripeOrigin } from './playwright.config.ts';
import { section } from './settings.ts';
import { expect, openReady, test } from './support.ts';

/** A cohort that costs €240, which its instructor is paid for at Stripe. */
async function publishPaid(page: Page, mode: 'online' | 'online_first') {
  const cohort = await publishOwnCohort(page, { price_minor: 24_000, currency: 'EUR' });
  await payOnline(page, cohort.id, mode);
  return cohort;
}

test('a place is kept from the click in an email until it is paid at Stripe', async ({
  page,
  openBrowser,
}) => {
  const cohort = await publishPaid(page, 'online_first');
  const visitor = await openBrowser({ timezoneId: 'America/New_York' });
  const email = await askForPlace(visitor, cohort.public_url, {
    name: 'Your name',
    email: 'Email address',
    button: 'Enroll for €240',
    sent: 'Check your email',
  });
  await visitor.goto(await linkTo('/p/confirm?token=', email));
  await expect(visitor.getByText('Your place is then kept for an hour.')).toBeVisible();
  await visitor.getByRole('button', { name: 'Confirm my place' }).click();

  const card = section(visitor, 'Winter');
  await expect(card.locator('.place-sentence')).toHaveText(/^Your place is kept until .+[AP]M\.$/);
  await expect(card.locator('.cover')).toContainText(/(70|69)\sminutes left · .+ in Kathmandu/);
  await expect(card).toContainText('You pay Ada Lovelace€240');
  await card.getByRole('button', { name: 'Pay €240' }).click();
  await expect(visitor).toHaveURL(new RegExp(`^${stripeOrigin}/pay/`));
  await expect(visitor.getByText(email)).toBeVisible();

  // Without having paid, everything is as it was.
  await visitor.getByRole('link', { name: 'Back without paying' }).click();
  await card.getByRole('button', { name: 'Pay €240' }).click();
  await visitor.getByRole('button', { name: 'Pay €240' }).click();
  await expect(card.locator('.place-sentence')).toHaveText('You are enrolled.');
  await expect(visitor.getByText('Your payment has arrived. You’re in!')).toBeVisible();
  await expect(card).toContainText('Nothing more to pay.');
  // Neither the way back nor another look leads anywhere else.
  await visitor.reload();
  await expect(visitor.getByText('Your payment has arrived. You’re in!')).toBeHidden();
  await expect(card.locator('.place-sentence')).toHaveText('You are enrolled.');
});

test.describe('while requests fail', () => {
  test.use({ expectedErrors: [/ERR_FAILED|status of 503/] });

  test('what is owed is paid online, another browser learns nothing of who has paid, and the instructor pays a part back', async ({
    page,
    openBrowser,
  }) => {
    const cohort = await publishPaid(page, 'online');
    const { link, enrollmentId } = await addPerson(page, cohort);
    const reader = await openBrowser();
    await openReady(reader, link);
    const card = section(reader, 'Winter');
    await expect(card).toContainText('Still to pay: €240');
    await reader.route('**/api/participation/checkout/', (route) => route.abort(), { times: 1 });
    await card.getByRole('button', { name: 'Pay online' }).click();
    await expect(card.getByRole('alert').last()).toContainText('check your connection');
    await card.getByRole('button', { name: 'Try again' }).click();
    await expect(reader).toHaveURL(new RegExp(`^${stripeOrigin}/pay/`));

    // Stripe is gone when they come back.
    await reader.route(
      '**/api/participation/checkout/check/',
      (route) => route.fulfill({ status: 503, json: { code: 'payment_unavailable', message: '' } }),
      { times: 1 },
    );
    await reader.getByRole('button', { name: 'Pay €240' }).click();
    await expect(reader.locator('main').getByRole('alert')).toContainText('Nothing is lost');
    const back = reader.url();
    await reader.getByRole('button', { name: 'Try again' }).click();
    await expect(reader.getByText('Your payment has arrived. Nothing more to pay.')).toBeVisible();
    await expect(card.getByRole('button', { name: 'Pay online' })).toBeHidden();

    const other = await openBrowser();
    await openReady(other, back);
    await expect(other.getByRole('main')).toContainText('Your payment has arrived.');
    await expect(other.getByRole('main')).toContainText('use the link in your email');
    await expect(other.getByRole('main')).not.toContainText('Grace');

    await openReady(page, `/payments/${cohort.id}/${enrollmentId}`);
    await page.locator('[popovertarget^="online-"]').click();
    await page.locator('.menu:popover-open [commandfor^="pay-back-"]').click();
    const dialog = page.getByRole('dialog', { name: 'Pay back by Stripe' });
    await dialog.getByLabel('Amount (EUR)').fill('1.234');
    await dialog.getByRole('button', { name: 'Pay back' }).click();
    await expect(dialog.getByText('This amount is ambiguous.')).toBeVisible();
    await dialog.getByLabel('Amount (EUR)').fill('40');
    await dialog.getByRole('button', { name: 'Pay back' }).click();
    await expect(page.getByText('Stripe sends the money back.')).toBeVisible();
    await expect(page.getByText('Owes €40')).toBeVisible();
  });
});
