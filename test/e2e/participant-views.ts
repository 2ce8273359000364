import type { Page } from '@playwright/test';
import { details, publicPage } from './cohort-views.ts';
import { type Cohort, makeCohort, slugOf } from './cohorts.ts';
import { addPerson, cohortWith, enrollPeople, placeOf, requestPlace } from './enrollments.ts';
import { pauseAccount, payOnline, writePayments } from './online-payments.ts';
import { mailedPart, makeCourse, newEmail, someone } from './people.ts';
import { writeRow } from './rows.ts';
import { askApi } from './support.ts';
import { type Made, send, type View, viewsOf } from './view.ts';

/** Until the end of their early price. */
const price = details.early_price_minor;

const joining = viewsOf('someone who joins a cohort', makeLinks);

/**
 * Payments that are not what they were for, one of each kind, and one that was; someone who has
 * left, whose money Stripe is to send back; and people who are about to pay.
 */
const online = viewsOf('the owner of a cohort that people pay for online', makeOnline);

const paused = viewsOf('the owner whose payments Stripe has paused', async (page) => {
  await makeCourse(page);
  const cohort = await makeCohort(page, details, 'publish');
  await payOnline(page, cohort.id);
  await addPerson(page, cohort, someone(0));
  const { link } = await holdPlace(page, cohort);
  await pauseAccount(cohort.id);
  return { id: cohort.id, link };
});

/** The pages of people without an account, and of payments online for both sides. */
export const participantViews: View[] = [
  joining('enroll', '/c/[slug]', { isExample: true, ...publicPage }),
  joining('enroll-sent', '/c/[slug]', { ...publicPage, act: enroll, until: '.public-sent' }),
  joining('confirm-request', '/p/confirm?[confirm]'),
  joining('unsubscribe', '/p/unsubscribe?[unsubscribe]'),
  joining('person-enrolled', '/p/[link]'),
  joining('person-invited', '/p/[invited]'),
  joining('person-calendar', '/p/[link]', {
    act: (page) => page.locator('summary').first().click(),
  }),
  joining('own-data', '/p/data?[data]'),
  joining('own-address', '/p/address?[address]'),
  joining('remove-me', '/p/remove?[remove]'),
  online('enroll-paid', '/c/[slug]', publicPage),
  online('confirm-paid', '/p/confirm?[confirm]'),
  online('person-paying', '/p/[link]'),
  online('person-confirming', '/p/[confirming]'),
  online('person-paid-late', '/p/[late]'),
  online('paid', '/p/paid?[paid]'),
  online('paid-unreachable', '/p/paid?[paid]', { act: comeBackOffline, until: '.alert' }),
  online('payments-look', '/payments'),
  online('payments-look-accounts', '/payments?cohort=[id]'),
  online('account-online', '/payments/[id]/[paidOnline]'),
  online('account-returning', '/payments/[id]/[returning]'),
  online('person-online', '/cohorts/[id]/roster/[paidOnline]'),
  online('cohort-settings-online', '/cohorts/[id]/settings'),
  online('getting-paid-connected', '/settings/payments'),
  paused('payments-paused', '/payments?cohort=[id]'),
  paused('cohort-paused', '/cohorts/[id]'),
  paused('getting-paid-paused', '/settings/payments'),
  paused('person-unable-to-pay', '/p/[link]'),
];

/** A cohort with someone enrolled, someone invited and someone who asks, and all their links. */
async function makeLinks(page: Page): Promise<Made> {
  await makeCourse(page);
  const cohort = await makeCohort(page, details, 'publish');
  const [enrolled, invited, newAddress] = [someone(0), someone(1), newEmail()];
  await addPerson(page, cohort, enrolled);
  await addPerson(page, cohort, { ...invited, as: 'invited' });
  const mailed = (beginning: string) => mailedPart(page, enrolled.email, beginning);
  const link = await mailed('/p/');
  const remove = await mailed('/p/remove?');
  await askApi(page, 'POST', '/api/participation/data-link/', { link });
  const data = await mailed('/p/data?');
  const token = new URLSearchParams(data).get('token');
  await askApi(page, 'POST', '/api/participation/new-address/', { token, email: newAddress });
  return {
    ...{ slug: slugOf(cohort), link, remove, data },
    invited: await mailedPart(page, invited.email, '/p/'),
    confirm: await requestPlace(page, cohort, someone(0)),
    unsubscribe: await mailedPart(page, invited.email, '/p/unsubscribe?'),
    address: await mailedPart(page, newAddress, '/p/address?'),
  };
}

/**
 * Someone for whom a place is kept, a part of which is paid; someone whose bank still confirms what
 * they owe; someone whose payment came when the place was no longer theirs; and others who paid.
 */
async function makeOnline(page: Page): Promise<Made> {
  await makeCourse(page);
  const { people, ...cohort } = await cohortWith(page, [0, 1, 0, 1, 0, 1, 0].map(someone), details);
  const { id } = cohort;
  await payOnline(page, id);
  const paidOnline = people.map(({ id }) => id);
  const [returning = '', ...others] = paidOnline;
  const payments = [
    { minor: price },
    { minor: price, problem: 'no_place', dueInHours: 23 },
    { minor: 60_000, problem: 'overpaid' },
    { minor: price, problem: 'disputed' },
    { minor: 35_000, problem: 'dispute_lost' },
    { minor: price, problem: 'lost' },
  ];
  await writePayments(id, [
    { enrollment: returning, minor: price },
    ...payments.map((paid, index) => ({ ...paid, enrollment: others[index] ?? '' })),
  ]);
  const refund = { balance_minor: 0, paid_minor: price, money: 'refund', notify: false };
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/${returning}/left/`, refund);
  // Stripe’s stand-in does not know the payment: the clock would find that out within five minutes.
  await writeRow(
    id,
    'UPDATE refunds_wanted SET due_at = ? WHERE checkout_id IN (SELECT o.id FROM checkouts o WHERE o.cohort_id = ?)',
    String(Date.now() + 24 * 60 * 60_000),
  );

  const held = await holdPlace(page, cohort);
  const received = { method: 'cash', received_on: '2026-10-20', amount_minor: 6_000 };
  const payment = { kind: 'payment', enrollments: [held.enrollment], ...received };
  await askApi(page, 'POST', `/api/cohorts/${id}/ledger/`, payment);
  const { checkout, url } = await openCheckout(page, held);
  const [, paid = ''] =
    /href="[^"]*\/p\/paid\?(c=[^"]+)"/.exec(await (await page.request.get(url)).text()) ?? [];

  const slow = someone(0);
  const { id: enrollment } = await addPerson(page, cohort, slow);
  const confirming = { link: await mailedPart(page, slow.email, '/p/'), enrollment };
  await payAt((await openCheckout(page, confirming)).url, page, 'pay_later');
  const late = await holdPlace(page, cohort);
  const opened = await openCheckout(page, late);
  const place = { link: late.link, enrollment_id: late.enrollment };
  await askApi(page, 'POST', '/api/participation/decline/', place);
  await payAt(opened.url, page, 'pay');
  return {
    ...{ id, slug: slugOf(cohort), confirm: await requestPlace(page, cohort, someone(0)) },
    ...{ paid, checkout, link: held.link, enrollment: held.enrollment },
    ...{ confirming: confirming.link, late: late.link, returning, paidOnline: others[0] ?? '' },
  };
}

/** Someone for whom a place is kept until they pay for it. */
async function holdPlace(page: Page, cohort: Cohort) {
  const person = someone(0);
  await enrollPeople(page, cohort, [person]);
  const link = await mailedPart(page, person.email, '/p/', 2);
  return { link, enrollment: await placeOf(page, cohort, person.email) };
}

type Payer = { link: string; enrollment: string };

async function openCheckout(page: Page, { link, enrollment }: Payer) {
  const input = { link, enrollment_id: enrollment };
  const opened = await askApi(page, 'POST', '/api/participation/checkout/', input);
  const { checkout_id: checkout, url } = opened as { checkout_id: string; url: string };
  return { checkout, url };
}

/** Pays at the stand-in for Stripe, which tells the app before it answers. */
async function payAt(url: string, page: Page, how: 'pay' | 'pay_later'): Promise<void> {
  await page.request.post(url, { form: { how }, maxRedirects: 0 });
}

/** Comes back from Stripe in the tab that has gone there, while nothing answers. */
async function comeBackOffline(page: Page, { checkout, link, enrollment }: Made): Promise<void> {
  // Before the page could ask.
  await page.route('**/checkout/check/', (route) => route.fulfill({ status: 503, json: {} }));
  await page.evaluate(
    ([key, payment]) => sessionStorage.setItem(key ?? '', payment ?? ''),
    [`checkout:${checkout}`, JSON.stringify({ link, enrollmentId: enrollment, isPlace: true })],
  );
  await page.reload();
}

async function enroll(page: Page): Promise<void> {
  await page.locator('[name="consent"]').check();
  await send('.public-box', someone(0))(page);
}
