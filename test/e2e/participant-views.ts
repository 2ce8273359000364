import { expect, type Page } from '@playwright/test';
import { type Cohort, comingDays, makeCohort } from './cohorts.ts';
import { stampOfForm } from './enrollments.ts';
import { clientOf, courseNames, newEmail, person } from './people.ts';
import { askApi } from './support.ts';
import type { View } from './views.ts';

/** The pages of people without an account, in their states. */
export const participantViews: View[] = [
  { name: 'enroll', open: openEnroll },
  { name: 'enroll-waitlist', open: openFull },
  { name: 'enroll-mistakes', open: openMistakes },
  { name: 'enroll-sent', open: openSent },
  { name: 'confirm-request', open: openConfirm },
  { name: 'confirm-request-done', open: openConfirmed },
  {
    name: 'confirm-request-dead',
    open: async (page) => {
      await page.goto('/p/confirm');
    },
  },
  { name: 'unsubscribe', open: openUnsubscribe },
  { name: 'unsubscribe-failed', open: openFailed },
  { name: 'unsubscribe-done', open: openUnsubscribed },
  {
    name: 'unsubscribe-dead',
    open: async (page) => {
      await page.goto('/p/unsubscribe');
    },
  },
  { name: 'person-enrolled', open: (page) => openPerson(page, 'enrolled') },
  { name: 'person-invited', open: (page) => openPerson(page, 'invited') },
  { name: 'person-offer', open: openOffer },
  { name: 'person-leave', isOverlay: true, open: openLeave },
  { name: 'person-details', open: openDetails },
  { name: 'person-calendar', open: openCalendar },
  { name: 'own-data', open: openData },
  { name: 'own-data-erase', isOverlay: true, open: openErase },
  { name: 'own-address', open: openAddress },
  {
    name: 'own-address-dead',
    open: async (page) => {
      await page.goto('/p/address');
    },
  },
  { name: 'remove-me', open: openRemoveMe },
  {
    name: 'remove-me-dead',
    open: async (page) => {
      await page.goto('/p/remove');
    },
  },
  {
    name: 'own-data-dead',
    open: async (page) => {
      await page.goto('/p/data');
    },
  },
  {
    name: 'person-dead',
    open: async (page) => {
      await page.goto('/p/dead');
    },
  },
];

const name = `${person.first_name} ${person.last_name}`;

/** A published cohort of a new instructor, who is signed in. */
async function publish(page: Page, values: object): Promise<Cohort> {
  await (await clientOf(page)).signUp(newEmail());
  await askApi(page, 'POST', '/api/courses/', { name: courseNames[1], course_type: 'cohort' });
  const cohort = {
    name: courseNames[2] ?? '',
    ...comingDays,
    description: `${courseNames[0]}\n\n${courseNames[1]}`,
    place: courseNames[3],
    welcome_note: courseNames[0],
    capacity: 20,
    price_minor: 48_000,
    currency: 'CAD',
    terms_url: 'https://example.org/terms',
    ...values,
  };
  return makeCohort(page, cohort, 'publish');
}

async function languageOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.find(({ name: cookie }) => cookie === 'language')?.value ?? 'en';
}

async function openEnroll(page: Page): Promise<void> {
  await openPublic(page, await publish(page, {}));
}

/** Waits until the box shows how things are now. */
async function openPublic(page: Page, { public_url: url }: Cohort): Promise<void> {
  const looked = page.waitForResponse(/\/api\/public\/cohorts\//);
  await page.goto(url);
  await looked;
  await expect(page.locator('.public-box small, .public-box p').first()).not.toBeEmpty();
}

async function openFull(page: Page): Promise<void> {
  const cohort = await publish(page, { capacity: 1 });
  await add(page, cohort, 'enrolled');
  await openPublic(page, cohort);
}

async function openMistakes(page: Page): Promise<void> {
  await openEnroll(page);
  await page.locator('.public-box button[type="submit"]').click();
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(3);
}

async function openSent(page: Page): Promise<void> {
  await openEnroll(page);
  await page.locator('[name="name"]').fill(name);
  await page.locator('[name="email"]').fill(newEmail());
  await page.locator('[name="consent"]').check();
  await page.locator('.public-box button[type="submit"]').click();
  await expect(page.locator('.public-sent')).toBeVisible();
}

/** Someone whom the owner adds: their link. */
async function add(page: Page, { id }: Cohort, as: 'enrolled' | 'invited'): Promise<string> {
  const email = newEmail();
  const language = await languageOf(page);
  const input = { as, name, email, language };
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/`, input);
  return linkIn(page, email, 1);
}

async function linkIn(page: Page, email: string, count: number): Promise<string> {
  const { text } = await (await clientOf(page)).mailTo(email, '/p/', count);
  return /http\S+\/p\/\S+/.exec(text)?.[0] ?? '';
}

/** A request to enroll, sent without a page; resolves to the link that confirms it. */
async function request(page: Page, { public_url: url }: Cohort) {
  const path = `/api/public/cohorts/${new URL(url).pathname.slice('/c/'.length)}/`;
  const stamp = await stampOfForm(page, path);
  const email = newEmail();
  const language = await languageOf(page);
  const input = { name, email, consent: true, language, stamp };
  await askApi(page, 'POST', `${path}requests/`, input);
  return { email, link: await linkIn(page, email, 1) };
}

async function openConfirm(page: Page): Promise<void> {
  const { link } = await request(page, await publish(page, {}));
  await page.goto(link);
}

async function openConfirmed(page: Page): Promise<void> {
  await openConfirm(page);
  await page.locator('main button[type="submit"]').click();
  await expect(page.locator('main a.button')).toBeVisible();
}

async function openPerson(page: Page, as: 'enrolled' | 'invited'): Promise<void> {
  await page.goto(await add(page, await publish(page, {}), as));
}

async function openOffer(page: Page): Promise<void> {
  const cohort = await publish(page, { capacity: 1 });
  await add(page, cohort, 'enrolled');
  const { email, link } = await request(page, cohort);
  const token = new URL(link).searchParams.get('token');
  await askApi(page, 'POST', '/api/public/requests/confirm/', { token });
  const list = (await askApi(page, 'GET', `/api/cohorts/${cohort.id}/waitlist/`)) as {
    items: { id: string }[];
  };
  const path = `/api/cohorts/${cohort.id}/enrollments/${list.items[0]?.id}/offer/`;
  await askApi(page, 'POST', path, { over_capacity: true });
  await page.goto(await linkIn(page, email, 3));
}

async function openLeave(page: Page): Promise<void> {
  await openPerson(page, 'enrolled');
  await page.locator('[command="show-modal"]').click();
  await expect(page.locator('dialog')).toBeVisible();
}

async function openDetails(page: Page): Promise<void> {
  await openPerson(page, 'enrolled');
  await page.locator('summary').nth(1).click();
}

async function openCalendar(page: Page): Promise<void> {
  await openPerson(page, 'enrolled');
  await page.locator('summary').first().click();
}

/** What is kept about someone, by a link that was just emailed. */
async function openData(page: Page): Promise<void> {
  const cohort = await publish(page, {});
  const email = newEmail();
  const { text } = await addedMail(page, cohort, email);
  const link = /\/p\/([0-9a-f-]{36}\.[0-9a-f]{64})/.exec(text)?.[1];
  await askApi(page, 'POST', '/api/participation/data-link/', { link });
  await page.goto(await linkIn(page, email, 2));
}

async function openErase(page: Page): Promise<void> {
  await openData(page);
  await page.locator('[command="show-modal"]').click();
  await expect(page.locator('dialog#erase-data')).toBeVisible();
}

/** Another address that someone gave as theirs, by the link that was just emailed to it. */
async function openAddress(page: Page): Promise<void> {
  await openData(page);
  const email = newEmail();
  await page.locator('[name="email"]').fill(email);
  await page.locator('form:has([name="email"]) [type="submit"]').click();
  const { text } = await (await clientOf(page)).mailTo(email, '/p/address');
  await page.goto(/http\S+\/p\/address\S+/.exec(text)?.[0] ?? '');
}

async function openRemoveMe(page: Page): Promise<void> {
  const { text } = await addedMail(page, await publish(page, {}), newEmail());
  await page.goto(/http\S+\/p\/remove\S+/.exec(text)?.[0] ?? '');
}

async function addedMail(page: Page, { id }: Cohort, email: string): Promise<{ text: string }> {
  const input = { as: 'enrolled', name, email, language: await languageOf(page) };
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/`, input);
  return (await clientOf(page)).mailTo(email, '/p/', 1);
}

async function openUnsubscribe(page: Page): Promise<void> {
  const { id } = await publish(page, {});
  const email = newEmail();
  const input = { as: 'invited', name, email, language: await languageOf(page) };
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/`, input);
  const { text } = await (await clientOf(page)).mailTo(email, '/p/unsubscribe');
  await page.goto(/http\S+\/p\/unsubscribe\S+/.exec(text)?.[0] ?? '');
}

/** As after a form that failed without scripts. */
async function openFailed(page: Page): Promise<void> {
  await openUnsubscribe(page);
  const { pathname, search } = new URL(page.url());
  await page.goto(`${pathname}${search}&failed=1`);
}

async function openUnsubscribed(page: Page): Promise<void> {
  await openUnsubscribe(page);
  await page.locator('main .button-primary').click();
  await expect(page.locator('main .button-primary')).toHaveCount(0);
}
