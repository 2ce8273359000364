import { expect, type Page } from '@playwright/test';
import { addPerson, cohortWith } from './enrollments.ts';
import { pauseAccount, payOnline, writePayments } from './online-payments.ts';
import { partAfter } from './participant-views.ts';
import { clientOf, courseNames, makeCourse, someone } from './people.ts';
import { askApi, untilReady } from './support.ts';
import { opener, type View, viewsOf } from './view.ts';

const priced = { price_minor: 48_000, currency: 'CAD' };

const paying = viewsOf('the owner of a cohort that people pay for', makeAccounts);

/** The price was set when two people were already enrolled. */
const uncharged = viewsOf('the owner of a cohort that was free', async (page) => {
  const { id } = await makeCohort(page, 2, {});
  await askApi(page, 'PATCH', `/api/cohorts/${id}/`, priced);
  return { id };
});

/** Payments that are not what they were for, one of each kind, and one that was. */
const online = viewsOf('the owner of a cohort that people pay for online', makeOnline);

/** Someone who has left, whose money Stripe is to send back. */
const returning = viewsOf('the owner of a cohort from which someone has left', async (page) => {
  const made = await makeOnline(page);
  const seen = { balance_minor: 0, paid_minor: 48_000, money: 'refund', notify: false };
  const path = `/api/cohorts/${made.id}/enrollments/${made.enrollment}/left/`;
  await askApi(page, 'POST', path, seen);
  return made;
});

const paused = viewsOf('the owner whose payments Stripe has paused', async (page) => {
  const { id } = await makeCohort(page, 1, priced);
  await payOnline(page, id);
  pauseAccount(id);
  return { id };
});

const accounts = '/payments?cohort=[id]';
const account = '/payments/[id]/[enrollment]';

/** The account of a cohort, and of someone in it. */
export const paymentViews: View[] = [
  paying('payments-accounts', accounts, { isExample: true }),
  paying('payments-selected', `${accounts}&show=owing`, { act: selectTwo }),
  paying('payments-gone', `${accounts}&show=gone`),
  paying('mark-as-paid', accounts, { isOverlay: true, act: openPay }),
  paying('remind-owing', accounts, { isOverlay: true, presses: [opener('remind-owing')] }),
  paying('account', account),
  paying('account-refund', account, { isOverlay: true, presses: [opener('new-refund')] }),
  paying('account-reverse', account, {
    isOverlay: true,
    presses: ['.entries [command="show-modal"]'],
  }),
  paying('person-payments', '/cohorts/[id]/roster/[left]'),
  paying('own-payments', '/p/[link]'),
  online('payments-look', '/payments'),
  online('payments-look-pay-back', accounts, {
    isOverlay: true,
    presses: ['.payments-look [commandfor^="pay-back-"]'],
  }),
  online('account-online', account, { isOverlay: true, presses: ['[popovertarget^="online-"]'] }),
  online('account-pay-back', account, {
    isOverlay: true,
    presses: ['[popovertarget^="online-"]', '.menu [commandfor^="pay-back-"]'],
  }),
  online('mark-left-online', '/cohorts/[id]/roster/[enrollment]', {
    isOverlay: true,
    presses: ['[popovertarget="person-actions"]', opener('mark-left')],
  }),
  online('cohort-settings-online', '/cohorts/[id]/settings'),
  returning('account-returning', account),
  paused('payments-paused', accounts),
  paused('cohort-paused', '/cohorts/[id]'),
  paused('getting-paid-paused', '/settings/payments'),
  uncharged('charge-enrolled', accounts, {
    isOverlay: true,
    presses: [opener('charge-enrolled')],
  }),
];

async function makeCohort(page: Page, count: number, values: object) {
  await makeCourse(page);
  const people = Array.from({ length: count }, (_, index) => someone(index));
  return cohortWith(page, people, { name: courseNames[2] ?? '', ...values });
}

/**
 * People who have paid all or a part, were refunded some of it, need not pay, owe everything, have
 * left with and without a refund, and one who was erased.
 */
async function makeAccounts(page: Page) {
  const { id, people } = await makeCohort(page, 8, {
    ...priced,
    payment_note: `${courseNames[0]}\n${courseNames[1]}`,
    payment_url: 'https://pay.example/group',
  });
  const received = { method: 'transfer', received_on: '2026-10-20' };
  const enter = (kind: string, of: { id: string } | undefined, values: object = received) =>
    askApi(page, 'POST', `/api/cohorts/${id}/ledger/`, { kind, enrollments: [of?.id], ...values });
  const leave = (of: { id: string } | undefined) =>
    askApi(page, 'POST', `/api/cohorts/${id}/enrollments/${of?.id}/remove/`, {});

  const [paid, part, waived, refunded, left, erased] = people;
  const half = { ...received, amount_minor: 24_000, note: courseNames[3] };
  await enter('payment', paid);
  await enter('payment', part, half);
  await enter('waiver', waived, {});
  for (const one of [refunded, left, erased]) {
    await enter('payment', one);
  }
  await leave(refunded);
  await enter('refund', refunded, { ...received, waive_rest: true });
  await leave(left);
  await askApi(page, 'DELETE', `/api/people/${erased?.person_id}/`);

  const reader = someone(0);
  const own = await addPerson(page, { id }, reader);
  await enter('payment', own, half);
  await enter('refund', own, { ...received, amount_minor: 4_000 });
  const { text } = await (await clientOf(page)).mailTo(reader.email, '/p/');
  await cohortWith(page, [], { name: courseNames[0] ?? '' });
  return {
    id,
    enrollment: part?.id ?? '',
    left: left?.id ?? '',
    link: partAfter('/p/', text),
  };
}

async function makeOnline(page: Page) {
  const { id, people } = await makeCohort(page, 6, priced);
  await payOnline(page, id);
  const all = [
    { minor: 48_000 },
    { minor: 48_000, problem: 'no_place', dueInHours: 23 },
    { minor: 60_000, problem: 'overpaid' },
    { minor: 48_000, problem: 'disputed' },
    { minor: 35_000, problem: 'other_currency', currency: 'EUR' },
    { minor: 48_000, problem: 'lost' },
  ];
  writePayments(
    id,
    all.map((paid, index) => ({ ...paid, enrollment: people[index]?.id ?? '' })),
  );
  return { id, enrollment: people[0]?.id ?? '' };
}

/** Until the page is hydrated, a checkbox changes nothing else. */
async function selectTwo(page: Page): Promise<void> {
  await untilReady(page);
  const boxes = page.locator('[data-account] input');
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await expect(page.locator('.account-tools > .button-primary')).toBeVisible();
}

/** Until the page is hydrated, the dialog is empty. */
async function openPay(page: Page): Promise<void> {
  await untilReady(page);
  await page.locator('[data-pay]').first().click();
  await expect(page.locator('#mark-as-paid form')).toBeVisible();
}
