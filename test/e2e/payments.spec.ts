import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { comingDays } from './cohorts.ts';
import { cohortWith } from './enrollments.ts';
import { clientOf, partAfter } from './people.ts';
import { biology } from './settings.ts';
import { askApi, expect, mailsTo, openReady, signInWith, test, uniqueEmail } from './support.ts';

const people = ['Beatriz Gonçalves', 'Jürgen Groß', 'Šárka Dvořáková', 'Yuki Tanaka'];
const [transfer = '', parts = '', waived = '', gone = ''] = people;
const autumn = { name: 'Autumn', ...comingDays };
const price = { price_minor: 48_000, currency: 'CAD' };

test('an instructor follows four people to the last cent: a price that is set later is charged after saying whom, no amount is guessed, several people are marked as paid at once, a mistake is reversed, and the file says the same', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  const { id, people: enrolled } = await cohortWith(
    page,
    people.map((name) => ({ name, email: uniqueEmail() })),
    autumn,
  );
  await askApi(page, 'PATCH', `/api/cohorts/${id}/`, price);
  await openReady(page, '/payments');
  await page.getByRole('link', { name: 'Autumn' }).click();
  await page.getByRole('button', { name: 'Charge the 4 people already enrolled' }).click();
  const charge = page.getByRole('dialog', { name: 'Charge people already enrolled?' });
  await expect(charge).toContainText('will owe CA$480 and see it');
  await charge.getByRole('button', { name: 'Charge the 4 people' }).click();
  await expect(page.getByText('4 people charged.')).toBeVisible();
  await expect(figure(page, 'Still owed')).toContainText('CA$1,920');

  await openReady(page, `/payments?cohort=${id}&show=owing`);
  const dialog = page.getByRole('dialog', { name: 'Mark as paid' });
  const amount = dialog.getByLabel('Amount (CAD)');
  const submit = dialog.getByRole('button', { name: 'Mark as paid' });
  const open = (name: string) =>
    rowOf(page, name).getByRole('button', { name: 'Mark as paid' }).click();
  await open(transfer);
  await amount.fill('1.234');
  await submit.click();
  await expect(dialog.getByText('This amount is ambiguous.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  // Each dialog begins with what its person owes.
  await open(parts);
  await expect(amount).toHaveValue('480.00');
  await expect(dialog.getByText('This amount is ambiguous.')).toBeHidden();
  await amount.fill('240');
  await submit.click();
  await expect(page.getByText('CA$240 recorded, CA$240 still to pay.')).toBeVisible();
  await expect(rowOf(page, parts)).toContainText('Owes CA$240');
  await open(parts);
  await submit.click();
  await expect(rowOf(page, parts)).toBeHidden();
  await page.getByLabel(`Select ${transfer}`).check();
  await page.getByLabel(`Select ${gone}`).check();
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Mark 2 as paid' }).click();
  await expect(dialog).toContainText('Each of them has paid in full.');
  await submit.click();
  await expect(page.locator('[data-account]')).toHaveText([new RegExp(waived)]);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await openAccount(page, waived);
  await page.getByRole('button', { name: 'Waive' }).click();
  await page.getByRole('dialog', { name: 'Waive' }).getByRole('button', { name: 'Waive' }).click();
  await expect(page.getByText('Waived.', { exact: true })).toBeVisible();

  // A mistake: paid twice, and reversed.
  await openReady(page, `/payments?cohort=${id}`);
  await openAccount(page, transfer);
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  await amount.fill('480');
  await submit.click();
  await expect(page.getByText('Overpaid by CA$480')).toBeVisible();
  await page.getByRole('button', { name: 'Reverse Payment CA$480.00' }).first().click();
  const reverse = page.getByRole('dialog', { name: 'Reverse this entry?' });
  await expect(reverse).toContainText('Both stay in the account');
  await reverse.getByRole('button', { name: 'Reverse' }).click();
  await expect(page.getByText('Entry reversed.')).toBeVisible();

  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/${enrolled[3]?.id}/remove/`, {});
  await openReady(page, `/payments?cohort=${id}`);
  await page.getByRole('link', { name: 'Left 1' }).click();
  await expect(page.locator('[data-account]')).toHaveText([/Left · /]);
  await openAccount(page, gone);
  await expect(page.getByText('This person no longer takes part')).toBeVisible();
  await page.getByRole('button', { name: 'Refund' }).click();
  const refund = page.getByRole('dialog', { name: 'Refund' });
  await expect(refund.getByLabel('They owe nothing more')).toBeChecked();
  await refund.getByRole('button', { name: 'Record the refund' }).click();
  await expect(page.getByText('Refund recorded.')).toBeVisible();
  await page.getByRole('link', { name: 'Autumn payments' }).click();

  await expect(figure(page, 'Still owed')).toContainText('CA$0');
  await expect(figure(page, 'Paid')).toContainText('CA$1,440');
  await expect(figure(page, 'Refunded')).toContainText('CA$480');
  await expect(page.getByText('Charged CA$1,920 · Waived CA$960')).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  expect(sumsOf(await (await downloading).path())).toEqual({
    charged: 1920,
    waived: 960,
    paid: 1440,
    refunded: 480,
    balance: 0,
  });
});

test('an instructor connects Stripe, lets people pay first, pays back what was too much, and disconnects', async ({
  page,
}) => {
  const owner = await signInWith(page, [biology]);
  const email = uniqueEmail();
  const {
    id,
    people: [enrolled],
  } = await cohortWith(page, [{ name: transfer, email }], { ...autumn, ...price });
  await openReady(page, '/settings/payments');
  await page.getByRole('button', { name: 'Connect Stripe' }).click();
  await expect(page.getByText('Please choose a country')).toBeVisible();
  await page.getByLabel('Country').selectOption('CA');
  await page.getByRole('button', { name: 'Connect Stripe' }).click();
  await page.getByRole('button', { name: 'Finish, with one thing still missing' }).click();
  await expect(page).toHaveURL('/settings/payments');
  await expect(page.getByText('Proof of identity')).toBeVisible();
  await page.getByRole('button', { name: 'Finish at Stripe' }).click();
  await page.getByRole('button', { name: 'Finish', exact: true }).click();
  await expect(page.getByText(/^…\w{4}, Canada$/)).toBeVisible();

  await openReady(page, `/cohorts/${id}/settings`);
  await page.getByRole('radio', { name: /^Online, first/ }).check();
  await expect(page.getByLabel('Where to pay online')).toBeHidden();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Cohort saved.')).toBeVisible();
  await expect(page.getByRole('radio', { name: /^Online, first/ })).toBeChecked();

  // They pay on a page that was opened before their instructor wrote a transfer.
  const { text } = await (await clientOf(page)).mailTo(email, '/p/');
  const payer = { link: partAfter('/p/', text), enrollment_id: enrolled?.id };
  const { url } = (await askApi(page, 'POST', '/api/participation/checkout/', payer)) as {
    url: string;
  };
  const transferred = { kind: 'payment', method: 'transfer', received_on: '2026-10-20' };
  const entry = { ...transferred, enrollments: [enrolled?.id] };
  await askApi(page, 'POST', `/api/cohorts/${id}/ledger/`, entry);
  await page.request.post(url, { form: { how: 'pay' }, maxRedirects: 0 });
  await expect
    .poll(async () => (await mailsTo(owner)).at(-1)?.subject)
    .toMatch(/^A payment needs a look/);
  await openReady(page, '/payments');
  await expect(page.getByText('1 payment needs a look')).toBeVisible();
  await page.getByRole('button', { name: 'Pay back CA$480' }).click();
  await expect(page.getByText('Stripe sends the money back.')).toBeVisible();
  await expect(page.getByText('needs a look')).toBeHidden();
  await expect(figure(page, 'Refunded')).toContainText('CA$480');

  await openReady(page, '/settings/payments');
  await page.getByRole('button', { name: 'Disconnect…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect Stripe' }).click();
  await expect(page.getByText('Stripe disconnected.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Connect Stripe' })).toBeVisible();
});

function figure(page: Page, name: string) {
  return page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
}

function rowOf(page: Page, name: string) {
  return page.locator('[data-account]').filter({ hasText: name });
}

async function openAccount(page: Page, name: string): Promise<void> {
  await rowOf(page, name).getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
  await expect(trail.getByRole('listitem')).toHaveText(['Payments', 'Autumn', name]);
}

/** The columns of amounts of a file, added up. */
function sumsOf(file: string): Record<string, number> {
  const [header = '', ...lines] = readFileSync(file, 'utf8')
    .replace(/[\ufeff"]/g, '')
    .trim()
    .split(/\r?\n/);
  const names = header.split(',');
  const sumOf = (name: string) =>
    lines.reduce((sum, line) => sum + Number(line.split(',')[names.indexOf(name)]), 0);
  return Object.fromEntries(
    ['charged', 'waived', 'paid', 'refunded', 'balance'].map((name) => [name, sumOf(name)]),
  );
}
