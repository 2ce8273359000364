import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { comingDays } from './cohorts.ts';
import { addPerson, cohortWith } from './enrollments.ts';
import { biology, watercolors } from './settings.ts';
import { askApi, expect, openReady, signInWith, test, uniqueEmail } from './support.ts';

const people = ['Beatriz Gonçalves', 'Jürgen Groß', 'Šárka Dvořáková', 'Yuki Tanaka'];
const [transfer = '', parts = '', waived = '', gone = ''] = people;
const priced = { ...comingDays, price_minor: 48_000, currency: 'CAD' };

test('an instructor follows four people to the last cent, and the file says the same', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  const { id, people: enrolled } = await cohortWith(
    page,
    people.map((name) => ({ name, email: uniqueEmail() })),
    { name: 'Autumn', ...priced },
  );
  await openReady(page, '/payments');
  await page.getByRole('link', { name: 'Autumn' }).click();
  await expect(figure(page, 'Still owed')).toContainText('CA$1,920');

  await mark(page, transfer, '480.00');
  await expect(rowOf(page, transfer)).toContainText('Paid CA$480.00Paid');
  await mark(page, parts, '240');
  await expect(rowOf(page, parts)).toContainText('Owes CA$240');
  await mark(page, parts, '240');

  await openAccount(page, waived);
  await enter(page, 'Waive');
  await expect(page.getByText('Waived.', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: /Back to the account/ }).click();

  await mark(page, gone, '480.00');
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/${enrolled[3]?.id}/remove/`, {});
  await openReady(page, `/payments?cohort=${id}`);
  await page.getByRole('link', { name: 'Has left 1' }).click();
  await expect(page.locator('[data-account]')).toHaveText([/Has left · /]);
  await page.goto(`/cohorts/${id}/roster/${enrolled[3]?.id}`);
  const payments = page.getByRole('region', { name: 'Payments' });
  await expect(payments).toContainText('refund what they paid');
  await payments.getByRole('link', { name: 'See the account' }).click();
  await expect(page.getByText('This person no longer takes part')).toBeVisible();
  await page.getByRole('button', { name: 'Refund' }).click();
  const refund = page.getByRole('dialog', { name: 'Refund' });
  await expect(refund.getByLabel('They owe nothing more')).toBeChecked();
  await refund.getByRole('button', { name: 'Record the refund' }).click();
  await expect(page.getByText('Refund recorded.')).toBeVisible();
  await page.getByRole('link', { name: /Back to the account/ }).click();

  // A mistake: paid twice, and reversed.
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
  await page.getByRole('link', { name: /Back to the account/ }).click();

  await expect(figure(page, 'Still owed')).toContainText('CA$0');
  await expect(figure(page, 'Paid')).toContainText('CA$1,440');
  await expect(figure(page, 'Refunded')).toContainText('CA$480');
  await expect(page.getByText('Charged CA$1,920 · Waived CA$960')).toBeVisible();

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const file = await (await downloading).path();
  expect(sumsOf(file)).toEqual({
    charged: 1920,
    waived: 960,
    paid: 1440,
    refunded: 480,
    balance: 0,
  });
  const opened = openedBySpreadsheet(file);
  test.info().annotations.push({ type: 'spreadsheet', description: String(opened !== null) });
  expect(opened ?? sumsOf(file)).toEqual(sumsOf(file));
});

test('several people are marked as paid at once, and no amount is guessed', async ({ page }) => {
  await signInWith(page, [biology]);
  const { id } = await cohortWith(
    page,
    people.slice(0, 3).map((name) => ({ name, email: uniqueEmail() })),
    { name: 'Autumn', ...priced },
  );
  await openReady(page, `/payments?cohort=${id}&show=owing`);
  const mark = rowOf(page, transfer).getByRole('button', { name: 'Mark as paid' });
  await expect(mark).toHaveAccessibleDescription(transfer);
  await mark.click();
  const one = page.getByRole('dialog', { name: 'Mark as paid' });
  await one.getByLabel('Amount (CAD)').fill('1.234');
  await one.getByRole('button', { name: 'Mark as paid' }).click();
  await expect(one.getByText('This amount is ambiguous.')).toBeVisible();
  await one.getByLabel('Amount (CAD)').fill('1,000,000');
  await one.getByRole('button', { name: 'Mark as paid' }).click();
  await expect(one.getByText('8 digits at most')).toBeVisible();
  await one.getByRole('button', { name: 'Cancel' }).click();

  await page.getByLabel(`Select ${transfer}`).check();
  await page.getByLabel(`Select ${parts}`).check();
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Mark 2 as paid' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark as paid' });
  await expect(dialog).toContainText('Each of them has paid in full.');
  await dialog.getByRole('button', { name: 'Mark as paid' }).click();
  await expect(page.getByText('Marked as paid.')).toBeVisible();
  await expect(page.locator('[data-account]')).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('a price that is set later is charged after saying whom', async ({ page }) => {
  await signInWith(page, [biology]);
  const cohort = await cohortWith(page, [], { name: 'Autumn', ...comingDays });
  for (const name of people.slice(0, 2)) {
    await addPerson(page, cohort, { name, email: uniqueEmail() });
  }
  await askApi(page, 'PATCH', `/api/cohorts/${cohort.id}/`, {
    price_minor: 48_000,
    currency: 'CAD',
  });
  await openReady(page, `/payments?cohort=${cohort.id}`);
  await page.getByRole('button', { name: 'Charge the 2 people already enrolled' }).click();
  const dialog = page.getByRole('dialog', { name: 'Charge people already enrolled?' });
  await expect(dialog).toContainText('then owes CA$480, and sees it');
  await dialog.getByRole('button', { name: 'Charge the 2 people' }).click();
  await expect(page.getByText('2 people charged.')).toBeVisible();
  await expect(figure(page, 'Still owed')).toContainText('CA$960');
});

test('an evergreen course has no accounts, and says why', async ({ page }) => {
  await signInWith(page, [watercolors]);
  await page.goto('/payments');

  await expect(page.getByRole('heading', { name: 'No payments here.' })).toBeVisible();
  await expect(
    page.getByText('Lectern keeps the account. It doesn’t take payments.'),
  ).toBeVisible();
});

function figure(page: Page, name: string) {
  return page.locator('.totals dl > div').filter({ has: page.getByText(name, { exact: true }) });
}

function rowOf(page: Page, name: string) {
  return page.locator('[data-account]').filter({ hasText: name });
}

async function mark(page: Page, name: string, amount: string): Promise<void> {
  await rowOf(page, name).getByRole('button', { name: 'Mark as paid' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark as paid' });
  await dialog.getByLabel('Amount (CAD)').fill(amount);
  await dialog.getByRole('button', { name: 'Mark as paid' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Marked as paid.').last()).toBeVisible();
}

async function openAccount(page: Page, name: string): Promise<void> {
  await rowOf(page, name).getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

async function enter(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: action }).click();
  const dialog = page.getByRole('dialog', { name: action });
  await dialog.getByRole('button', { name: action }).click();
}

const summed = ['charged', 'waived', 'paid', 'refunded', 'balance'];

/** The columns of amounts of a file, added up. */
function sumsOf(file: string): Record<string, number> {
  const [header = '', ...lines] = readFileSync(file, 'utf8')
    .replace(/[\ufeff"]/g, '')
    .trim()
    .split(/\r?\n/);
  const names = header.split(',');
  return Object.fromEntries(
    summed.map((name) => [
      name,
      lines.reduce((sum, line) => sum + Number(line.split(',')[names.indexOf(name)]), 0),
    ]),
  );
}

/** The same after LibreOffice has opened and written the file; null where it is not installed. */
function openedBySpreadsheet(file: string): Record<string, number> | null {
  if (!existsSync('/usr/bin/soffice')) {
    return null;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'ledger-'));
  const soffice = (format: string, source: string) =>
    execFileSync('/usr/bin/soffice', [
      `-env:UserInstallation=file://${folder}/profile`,
      '--headless',
      '--infilter=CSV:44,34,76,1',
      '--convert-to',
      format,
      '--outdir',
      // Not beside the source, which LibreOffice would not overwrite.
      path.join(folder, 'saved'),
      source,
    ]);
  const copy = path.join(folder, 'opened.csv');
  execFileSync('cp', [file, copy]);
  soffice('csv:Text - txt - csv (StarCalc):44,34,76,1', copy);
  return sumsOf(path.join(folder, 'saved/opened.csv'));
}
