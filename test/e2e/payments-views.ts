import { expect, type Page } from '@playwright/test';
import { addPerson, cohortWith, type Enrollment } from './enrollments.ts';
import { centralEuropean, clientOf, courseNames, newEmail, person } from './people.ts';
import { askApi } from './support.ts';
import type { View } from './views.ts';

/** The account of a cohort, and of someone in it. */
export const paymentViews: View[] = [
  { name: 'payments-course', open: openCourse },
  { name: 'payments-accounts', open: openAll },
  { name: 'payments-owing', open: openOwing },
  { name: 'payments-selected', open: openSelected },
  { name: 'payments-left', open: openLeft },
  { name: 'payments-gone', open: openGone },
  {
    name: 'payments-empty',
    open: (page) => openWithout(page, { price_minor: 48_000, currency: 'CAD' }),
  },
  { name: 'payments-no-price', open: (page) => openWithout(page, {}) },
  { name: 'payments-uncharged', open: openUncharged },
  { name: 'mark-as-paid', isOverlay: true, open: openPay },
  { name: 'mark-many', isOverlay: true, open: openPayMany },
  { name: 'mark-mistakes', isOverlay: true, open: openMistakes },
  { name: 'charge-enrolled', isOverlay: true, open: openCharge },
  { name: 'remind-owing', isOverlay: true, open: openRemind },
  { name: 'account', open: openAccountPage },
  { name: 'account-refund', isOverlay: true, open: (page) => openEntry(page, 'refund') },
  { name: 'account-waive', isOverlay: true, open: (page) => openEntry(page, 'waiver') },
  { name: 'account-reverse', isOverlay: true, open: openReverse },
  { name: 'person-payments', open: openPersonPayments },
  { name: 'own-payments', open: openOwnPayments },
];

/** Names that other views already use as data. */
const names = [person, centralEuropean].map(
  ({ first_name, last_name }) => `${first_name} ${last_name}`,
);

const priced = { price_minor: 48_000, currency: 'CAD' };
const received = { method: 'transfer', received_on: '2026-10-20' };

type Made = { id: string; people: Enrollment[] };

async function makeCohort(page: Page, count: number, values: object): Promise<Made> {
  await (await clientOf(page)).signUp(newEmail());
  await askApi(page, 'POST', '/api/courses/', { name: courseNames[1], course_type: 'cohort' });
  const people = Array.from({ length: count }, (_, index) => ({
    name: names[index % names.length] ?? '',
    email: newEmail(),
  }));
  return cohortWith(page, people, { name: courseNames[2] ?? '', ...values });
}

/** Six people: paid, in parts, waived, refunded after leaving, and two who owe everything. */
async function makeAccounts(page: Page): Promise<Made> {
  const made = await makeCohort(page, 6, priced);
  const [paid, part, waived, gone] = made.people.map(({ id }) => id);
  await write(page, made, { kind: 'payment', enrollments: [paid], ...received });
  await write(page, made, {
    kind: 'payment',
    enrollments: [part],
    amount_minor: 24_000,
    ...received,
    note: courseNames[3],
  });
  await write(page, made, { kind: 'waiver', enrollments: [waived] });
  await write(page, made, { kind: 'payment', enrollments: [gone], ...received });
  await askApi(page, 'POST', `/api/cohorts/${made.id}/enrollments/${gone}/remove/`, {});
  await write(page, made, { kind: 'refund', enrollments: [gone], ...received, waive_rest: true });
  return made;
}

async function write(page: Page, { id }: Made, input: object): Promise<void> {
  await askApi(page, 'POST', `/api/cohorts/${id}/ledger/`, input);
}

async function openCourse(page: Page): Promise<void> {
  await makeAccounts(page);
  await cohortWith(page, [], { name: courseNames[0] ?? '' });
  await page.goto('/payments');
}

async function openAccounts(page: Page, query = ''): Promise<Made> {
  const made = await makeAccounts(page);
  await page.goto(`/payments?cohort=${made.id}${query}`);
  return made;
}

async function openAll(page: Page): Promise<void> {
  await openAccounts(page);
}

async function openOwing(page: Page): Promise<void> {
  await openAccounts(page, '&show=owing');
}

async function openSelected(page: Page): Promise<void> {
  await openAccounts(page, '&show=owing');
  await select(page, 2);
}

/** Until the page is hydrated, a checkbox changes nothing else. */
async function select(page: Page, count: number): Promise<void> {
  const boxes = page.locator('[data-account] input');
  await expect(async () => {
    for (let index = 0; index < count; index += 1) {
      await boxes.nth(index).setChecked(false);
      await boxes.nth(index).setChecked(true);
    }
    await expect(page.locator('.account-tools > .button-primary')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.mouse.move(0, 0);
}

/** Someone who has paid leaves, and is not refunded. */
async function leave(page: Page): Promise<Made> {
  const made = await makeAccounts(page);
  const path = `/api/cohorts/${made.id}/enrollments/${made.people[0]?.id}/remove/`;
  await askApi(page, 'POST', path, {});
  return made;
}

async function openLeft(page: Page): Promise<void> {
  const { id } = await leave(page);
  await page.goto(`/payments?cohort=${id}&show=left`);
}

async function openPersonPayments(page: Page): Promise<void> {
  const { id, people } = await leave(page);
  await page.goto(`/cohorts/${id}/roster/${people[0]?.id}`);
}

/** What someone sees who has paid a part, and was refunded some of it. */
async function openOwnPayments(page: Page): Promise<void> {
  const made = await makeCohort(page, 0, {
    ...priced,
    payment_note: `${courseNames[0]}\n${courseNames[1]}`,
    payment_url: 'https://pay.example/group',
  });
  const email = newEmail();
  const { id } = await addPerson(page, made, { name: names[0] ?? '', email });
  const part = { enrollments: [id], ...received };
  await write(page, made, { kind: 'payment', amount_minor: 24_000, ...part });
  await write(page, made, { kind: 'refund', amount_minor: 4_000, ...part });
  const { text } = await (await clientOf(page)).mailTo(email, '/p/');
  await page.goto(/\/p\/[\w.-]+/.exec(text)?.[0] ?? '');
}

/** Someone with an account is erased. */
async function openGone(page: Page): Promise<void> {
  const made = await makeAccounts(page);
  await askApi(page, 'DELETE', `/api/people/${made.people[0]?.person_id}/`);
  await page.goto(`/payments?cohort=${made.id}&show=gone`);
}

async function openWithout(page: Page, values: object): Promise<void> {
  const { id } = await makeCohort(page, 0, values);
  await page.goto(`/payments?cohort=${id}`);
}

/** The price was set when two people were already enrolled. */
async function openUncharged(page: Page): Promise<void> {
  const { id } = await makeCohort(page, 2, {});
  await askApi(page, 'PATCH', `/api/cohorts/${id}/`, priced);
  await page.goto(`/payments?cohort=${id}`);
}

async function openDialog(page: Page, id: string): Promise<void> {
  await page.locator(`[command="show-modal"][commandfor="${id}"]`).first().click();
  await expect(page.locator(`#${id}`)).toBeVisible();
}

async function openPay(page: Page): Promise<void> {
  await openAccounts(page);
  // Until it is hydrated, the dialog is empty.
  await expect(async () => {
    await page.keyboard.press('Escape');
    await page.locator('[data-pay]').first().click();
    await expect(page.locator('#mark-as-paid form')).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

async function openPayMany(page: Page): Promise<void> {
  await openSelected(page);
  await page.locator('.account-tools > .button-primary').click();
  await expect(page.locator('#mark-as-paid form')).toBeVisible();
}

async function openMistakes(page: Page): Promise<void> {
  await openPay(page);
  await page.locator('#mark-as-paid [name="amount_minor"]').fill('1.2.3');
  await page.locator('#mark-as-paid [type="submit"]').click();
  await expect(page.locator('#mark-as-paid [aria-invalid="true"]').first()).toBeVisible();
}

async function openCharge(page: Page): Promise<void> {
  await openUncharged(page);
  await openDialog(page, 'charge-enrolled');
}

async function openRemind(page: Page): Promise<void> {
  await openAccounts(page);
  await openDialog(page, 'remind-owing');
}

async function openAccount(page: Page): Promise<Made> {
  const made = await makeAccounts(page);
  const [, part] = made.people;
  await page.goto(`/payments/${made.id}/${part?.id}`);
  return made;
}

async function openAccountPage(page: Page): Promise<void> {
  await openAccount(page);
}

async function openEntry(page: Page, kind: string): Promise<void> {
  await openAccount(page);
  await openDialog(page, `new-${kind}`);
}

async function openReverse(page: Page): Promise<void> {
  await openAccount(page);
  const button = page.locator('.entries [command="show-modal"]').first();
  const id = await button.getAttribute('commandfor');
  await button.click();
  await expect(page.locator(`[id="${id}"]`)).toBeVisible();
}
