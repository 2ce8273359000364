import type { Page } from '@playwright/test';
import { makeDetailed } from './cohort-views.ts';
import { oldStamp } from './enrollments.ts';
import { payOnline } from './online-payments.ts';
import { clientOf, languageOf, newEmail, someone } from './people.ts';
import { askApi } from './support.ts';
import { opener, type View, viewsOf } from './view.ts';

const joining = viewsOf('someone who joins a cohort', makeLinks);

/** All of its places are taken, and one is offered to someone who waited. */
const waiting = viewsOf('someone who waits for a place', makeOffer);

/** A place is kept for them until they pay, or their payments wait for something. */
const paying = viewsOf('someone who pays online', makePayer);

/** Their instructor takes no payments at the moment. */
const unable = viewsOf('someone who cannot pay online', async (page) => {
  const { link, pause } = await holdPlace(page);
  await pause();
  return { link };
});

const nobody = viewsOf('someone without an account', null);

/** Waits until the box shows the current state of enrollment. */
export const publicPage = {
  asks: /\/api\/public\/cohorts\//,
  until: '.public-box :is(small, p):not(:empty)',
};

/** The pages of people without an account, in their states. */
export const participantViews: View[] = [
  joining('enroll', '/c/[slug]', { isExample: true, ...publicPage }),
  joining('enroll-sent', '/c/[slug]', { ...publicPage, act: enroll, until: '.public-sent' }),
  joining('confirm-request', '/p/confirm?[confirm]'),
  joining('unsubscribe', '/p/unsubscribe?[unsubscribe]'),
  joining('person-enrolled', '/p/[link]'),
  joining('person-invited', '/p/[invited]'),
  joining('person-leave', '/p/[link]', { isOverlay: true, presses: ['[command="show-modal"]'] }),
  joining('person-calendar', '/p/[link]', {
    act: (page) => page.locator('summary').first().click(),
  }),
  joining('own-data', '/p/data?[data]'),
  joining('own-data-erase', '/p/data?[data]', { isOverlay: true, presses: [opener('erase-data')] }),
  joining('own-address', '/p/address?[address]'),
  joining('remove-me', '/p/remove?[remove]'),
  paying('enroll-paid', '/c/[slug]', { ...publicPage }),
  paying('confirm-paid', '/p/confirm?[confirm]'),
  paying('person-paying', '/p/[link]'),
  paying('person-confirming', '/p/[confirming]'),
  paying('person-paid-late', '/p/[late]'),
  paying('paid', '/p/paid?[paid]'),
  paying('paid-unreachable', '/p/paid?[paid]', { act: comeBackOffline, until: '.alert' }),
  unable('person-unable-to-pay', '/p/[link]'),
  waiting('enroll-waitlist', '/c/[slug]', { ...publicPage }),
  waiting('person-offer', '/p/[link]'),
  nobody('person-dead', '/p/dead'),
];

/** What follows a beginning in the link of an email's text, such as the token after `/p/`. */
export function partAfter(beginning: string, text: string): string {
  return new RegExp(`${RegExp.escape(beginning)}([\\w-]\\S*)`).exec(text)?.[1] ?? '';
}

/** Adds someone as the owner does; resolves to the text of the email that they get. */
async function add(page: Page, id: string, values: { email: string; as?: string }) {
  const input = { as: 'enrolled', ...someone(0), language: await languageOf(page), ...values };
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/`, input);
  return (await (await clientOf(page)).mailTo(values.email, '/p/')).text;
}

/** A request to enroll, sent without a page; resolves to the query that confirms it. */
export async function request(
  page: Page,
  slug: string,
  values: { email: string; [field: string]: string },
) {
  const path = `/api/public/cohorts/${slug}/`;
  const language = await languageOf(page);
  const input = { ...someone(0), ...values, consent: true, language, stamp: oldStamp() };
  await askApi(page, 'POST', `${path}requests/`, input);
  const { text } = await (await clientOf(page)).mailTo(values.email, '/p/confirm');
  return partAfter('/p/confirm?', text);
}

/** Confirms a request, by the query that the link in its email has. */
export async function confirmRequest(page: Page, query: string): Promise<void> {
  const token = new URLSearchParams(query).get('token');
  await askApi(page, 'POST', '/api/public/requests/confirm/', { token });
}

/** A cohort with someone enrolled, someone invited and someone who asks, and all their links. */
async function makeLinks(page: Page) {
  const client = await clientOf(page);
  const { id, slug } = await makeDetailed(page, {}, 'publish');
  const [email, invitedEmail, newAddress] = [newEmail(), newEmail(), newEmail()];
  const text = await add(page, id, { email });
  const invitation = await add(page, id, { email: invitedEmail, as: 'invited' });
  const link = /\/p\/([0-9a-f-]{36}\.[0-9a-f]{64})/.exec(text)?.[1] ?? '';
  await askApi(page, 'POST', '/api/participation/data-link/', { link });
  const data = partAfter('/p/data?', (await client.mailTo(email, '/p/data')).text);
  const token = new URLSearchParams(data).get('token');
  await askApi(page, 'POST', '/api/participation/new-address/', { token, email: newAddress });
  return {
    id,
    slug,
    link,
    invited: partAfter('/p/', invitation),
    confirm: await request(page, slug, { email: newEmail() }),
    unsubscribe: partAfter('/p/unsubscribe?', invitation),
    remove: partAfter('/p/remove?', text),
    data,
    address: partAfter('/p/address?', (await client.mailTo(newAddress, '/p/address')).text),
  };
}

async function makeOffer(page: Page) {
  const { id, slug } = await makeDetailed(page, { capacity: 1, minimum_people: 1 }, 'publish');
  await add(page, id, { email: newEmail() });
  const email = newEmail();
  await confirmRequest(page, await request(page, slug, { email }));
  const { items } = (await askApi(page, 'GET', `/api/cohorts/${id}/waitlist/`)) as {
    items: { id: string }[];
  };
  const path = `/api/cohorts/${id}/enrollments/${items[0]?.id}/offer/`;
  await askApi(page, 'POST', path, { over_capacity: true });
  const { text } = await (await clientOf(page)).mailTo(email, '/p/', 3);
  return { id, slug, link: partAfter('/p/', text) };
}

/**
 * Someone for whom a place is kept, a part of which is paid; someone whose bank still confirms what
 * they owe; and someone whose payment came when the place was no longer theirs.
 */
async function makePayer(page: Page) {
  const { id, slug, ...held } = await holdPlace(page);
  const received = { method: 'cash', received_on: '2026-10-20', amount_minor: 6_000 };
  const payment = { kind: 'payment', enrollments: [held.enrollment], ...received };
  await askApi(page, 'POST', `/api/cohorts/${id}/ledger/`, payment);
  const { checkout, url } = await openCheckout(page, held);
  const [, paid = ''] =
    /href="[^"]*\/p\/paid\?(c=[^"]+)"/.exec(await (await page.request.get(url)).text()) ?? [];

  const email = newEmail();
  const slow = { link: partAfter('/p/', await add(page, id, { email })), email };
  const confirming = { ...slow, enrollment: await placeOf(page, id, email) };
  await payAt((await openCheckout(page, confirming)).url, page, 'pay_later');
  const late = await holdIn(page, { id, slug });
  const opened = await openCheckout(page, late);
  const place = { link: late.link, enrollment_id: late.enrollment };
  await askApi(page, 'POST', '/api/participation/decline/', place);
  await payAt(opened.url, page, 'pay');
  const confirm = await request(page, slug, { email: newEmail() });
  return {
    ...{ id, slug, confirm, paid, checkout, link: held.link, enrollment: held.enrollment },
    ...{ confirming: confirming.link, late: late.link },
  };
}

/** Someone for whom a place is kept until they pay for it. */
async function holdPlace(page: Page) {
  const cohort = await makeDetailed(page, {}, 'publish');
  const { pause } = await payOnline(page, cohort.id);
  return { ...cohort, ...(await holdIn(page, cohort)), pause };
}

async function holdIn(page: Page, { id, slug }: { id: string; slug: string }) {
  const email = newEmail();
  await confirmRequest(page, await request(page, slug, { email }));
  const { text } = await (await clientOf(page)).mailTo(email, '/p/', 2);
  return { link: partAfter('/p/', text), enrollment: await placeOf(page, id, email) };
}

/** The enrollment of the person with an address. */
async function placeOf(page: Page, cohortId: string, email: string): Promise<string> {
  const list = await askApi(page, 'GET', `/api/cohorts/${cohortId}/enrollments/`);
  const { items } = list as { items: { id: string; email: string }[] };
  return items.find((item) => item.email === email)?.id ?? '';
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
async function comeBackOffline(
  page: Page,
  { checkout, link, enrollment }: Record<string, string>,
): Promise<void> {
  // Before the page could ask.
  await page.route('**/checkout/check/', (route) => route.fulfill({ status: 503, json: {} }));
  await page.evaluate(
    ([key, payment]) => sessionStorage.setItem(key ?? '', payment ?? ''),
    [`checkout:${checkout}`, JSON.stringify({ link, enrollmentId: enrollment, isPlace: true })],
  );
  await page.reload();
}

async function enroll(page: Page): Promise<void> {
  const { name, email } = someone(0);
  await page.locator('[name="name"]').fill(name);
  await page.locator('[name="email"]').fill(email);
  await page.locator('[name="consent"]').check();
  await page.locator('.public-box button[type="submit"]').click();
}
