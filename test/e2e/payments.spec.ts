import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { comingDays } from './cohorts.ts';
import { cohortWith } from './enrollments.ts';
import { clientOf, partAfter } from './people.ts';
import { biology } from './settings.ts';
import { askApi, expect, openReady, signInWith, test, uniqueEmail } from './support.ts';

const people = ['Beatriz Gonçalves', 'Jürgen Groß', 'Šárka Dvořáková', 'Yuki Tanaka'];
const [transfer = '', parts = '', waived = '', gone = ''] = people;
const price = { price_minor: 48_000, currency: 'CAD' };

test('an instructor follows four people to the last cent, and the file says the same', async ({
  page,
}) => {
  const { id, people: enrolled } = await openCohort(page, people, price);
  await openReady(page, '/payments');
  await page.getByRole('link', { name: 'Autumn' }).click();
  await expect(figure(page, 'Still owed')).toContainText('CA$1,920');

  await mark(page, transfer, '480.00');
  await expect(rowOf(page, transfer)).toContainText('Paid CA$480.00Paid');
  await mark(page, parts, '240', /^CA\$240(.00)? recorded, CA\$240(.00)? still to pay\.$/);
  await expect(rowOf(page, parts)).toContainText('Owes CA$240');
  await mark(page, parts, '240');

  await openAccount(page, waived);
  await page.getByRole('button', { name: 'Waive' }).click();
  const waiver = page.getByRole('dialog', { name: 'Waive' });
  await waiver.getByRole('button', { name: 'Waive' }).click();
  await expect(page.getByText('Waived.', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Autumn payments' }).click();

  await mark(page, gone, '480.00');
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

test('a price that is set later is charged after saying whom; no amount is guessed, several people are marked as paid at once, and a mistake is reversed', async ({
  page,
}) => {
  const { id } = await openCohort(page, people.slice(0, 3), {});
  await askApi(page, 'PATCH', `/api/cohorts/${id}/`, price);
  await openReady(page, `/payments?cohort=${id}`);
  await page.getByRole('button', { name: 'Charge the 3 people already enrolled' }).click();
  const charge = page.getByRole('dialog', { name: 'Charge people already enrolled?' });
  await expect(charge).toContainText('will owe CA$480 and see it');
  await charge.getByRole('button', { name: 'Charge the 3 people' }).click();
  await expect(page.getByText('3 people charged.')).toBeVisible();
  await expect(figure(page, 'Still owed')).toContainText('CA$1,440');

  await openReady(page, `/payments?cohort=${id}&show=owing`);
  const dialog = page.getByRole('dialog', { name: 'Mark as paid' });
  const open = (name: string) => rowOf(page, name).getByRole('button', { name: 'Mark as paid' });
  await open(transfer).click();
  await dialog.getByLabel('Amount (CAD)').fill('1.234');
  await dialog.getByRole('button', { name: 'Mark as paid' }).click();
  await expect(dialog.getByText('This amount is ambiguous.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  // Each dialog begins with what its person owes.
  await open(parts).click();
  await expect(dialog.getByLabel('Amount (CAD)')).toHaveValue('480.00');
  await expect(dialog.getByText('This amount is ambiguous.')).toBeHidden();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByLabel(`Select ${transfer}`).check();
  await page.getByLabel(`Select ${parts}`).check();
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Mark 2 as paid' }).click();
  await expect(dialog).toContainText('Each of them has paid in full.');
  await dialog.getByRole('button', { name: 'Mark as paid' }).click();
  await expect(page.getByText('Marked as paid.')).toBeVisible();
  await expect(page.locator('[data-account]')).toHaveText([new RegExp(waived)]);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  // A mistake: paid twice, and reversed.
  await openReady(page, `/payments?cohort=${id}`);
  await openAccount(page, transfer);
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  const again = page.getByRole('dialog', { name: 'Mark as paid' });
  await again.getByLabel('Amount (CAD)').fill('480');
  await again.getByRole('button', { name: 'Mark as paid' }).click();
  await expect(page.getByText('Overpaid by CA$480')).toBeVisible();
  await page.getByRole('button', { name: 'Reverse Payment CA$480.00' }).first().click();
  const reverse = page.getByRole('dialog', { name: 'Reverse this entry?' });
  await expect(reverse).toContainText('Both stay in the account');
  await reverse.getByRole('button', { name: 'Reverse' }).click();
  await expect(page.getByText('Entry reversed.')).toBeVisible();
});

test('an instructor connects Stripe, lets people pay first, pays back what was too much, and disconnects', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  const email = uniqueEmail();
  const dates = { ...comingDays, name: 'Autumn' };
  const cohort = await cohortWith(page, [{ name: transfer, email }], { ...dates, ...price });
  const {
    id,
    people: [enrolled],
  } = cohort;
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
  await expect(async () => {
    await openReady(page, '/payments');
    await expect(page.getByText('1 payment needs a look')).toBeVisible({ timeout: 1_000 });
  }).toPass();
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

async function openCohort(page: Page, names: string[], values: object) {
  await signInWith(page, [biology]);
  return cohortWith(
    page,
    names.map((name) => ({ name, email: uniqueEmail() })),
    { name: 'Autumn', ...comingDays, ...values },
  );
}

function figure(page: Page, name: string) {
  return page.locator('.totals dl > div').filter({ has: page.getByText(name, { exact: true }) });
}

function rowOf(page: Page, name: string) {
  return page.locator('[data-account]').filter({ hasText: name });
}

async function mark(
  page: Page,
  name: string,
  amount: string,
  done: string | RegExp = 'Marked as paid.',
): Promise<void> {
  await rowOf(page, name).getByRole('button', { name: 'Mark as paid' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark as paid' });
  await dialog.getByLabel('Amount (CAD)').fill(amount);
  await dialog.getByRole('button', { name: 'Mark as paid' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(done).last()).toBeVisible();
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
