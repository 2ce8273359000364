import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { comingDays } from './cohorts.ts';
import { cohortWith, stampOfForm } from './enrollments.ts';
import { centralEuropean, clientOf, courseNames, newEmail, person } from './people.ts';
import { askApi } from './support.ts';
import type { View } from './views.ts';

/** A cohort that people join by approval, with its question, for both sides. */
export const approvalViews: View[] = [
  { name: 'enroll-approval', open: openForm },
  { name: 'enroll-approval-mistakes', open: openMistakes },
  { name: 'confirm-application', open: openConfirm },
  { name: 'confirm-application-done', open: openConfirmed },
  { name: 'person-applied', open: (page) => openOwnPage(page, 2) },
  { name: 'person-applied-withdraw', isOverlay: true, open: openWithdraw },
  { name: 'person-refused', open: openRefused },
  { name: 'roster-asked', open: (page) => openRoster(page, '') },
  { name: 'roster-applied', open: (page) => openRoster(page, '?status=applied') },
  { name: 'roster-applied-ticked', open: openTicked },
  { name: 'roster-applied-full', open: openFull },
  { name: 'roster-applied-menu', isOverlay: true, open: openRowMenu },
  { name: 'approve-all', isOverlay: true, open: (page) => openDialog(page, 'approve-all') },
  { name: 'refuse-all', isOverlay: true, open: (page) => openDialog(page, 'refuse-all') },
  { name: 'refuse-person', isOverlay: true, open: openRefuse },
  { name: 'person-asking', open: openAsking },
  { name: 'cohort-applied', open: (page) => openCohort(page, '') },
  { name: 'cohort-question', open: (page) => openCohort(page, '/settings#cohort-question') },
  { name: 'home-applied', open: openHome },
];

const names = [person, centralEuropean].map(
  ({ first_name, last_name }) => `${first_name} ${last_name}`,
);

/** Made of data of other views, so that the tests of texts recognize it. */
const question = courseNames[0] ?? '';
/** Longer than lists show, so that they cut it between words. */
const answer = [
  courseNames[1],
  '',
  Array.from({ length: 30 }, () => courseNames[2]).join(' '),
].join('\n');

/** A published cohort of a new instructor, who is signed in. */
async function publish(page: Page, values: object = {}) {
  await (await clientOf(page)).signUp(newEmail());
  await askApi(page, 'POST', '/api/courses/', { name: courseNames[1], course_type: 'cohort' });
  const name = courseNames[2] ?? '';
  const cohort = { name, ...comingDays, join_mode: 'approval', question, capacity: 20, ...values };
  return cohortWith(page, [], cohort as Parameters<typeof cohortWith>[2]);
}

type Cohort = Awaited<ReturnType<typeof publish>>;

/** Requests of this many people, and the tokens that confirm them. */
async function request(page: Page, { public_url: url }: Cohort, count: number) {
  const path = `/api/public/cohorts/${url.split('/').at(-1)}/`;
  const stamp = await stampOfForm(page, path);
  const cookies = await page.context().cookies();
  const language = cookies.find(({ name }) => name === 'language')?.value ?? 'en';
  const client = await clientOf(page);
  const asked = [];
  for (let index = 0; index < count; index += 1) {
    const email = newEmail().replace(/^a/, `a${randomUUID().slice(0, 2)}`);
    const given = { question, answer: index % 3 === 2 ? '' : answer };
    const form = { name: names[index % 2], email, consent: true, language, stamp, ...given };
    await askApi(page, 'POST', `${path}requests/`, form);
    const { text } = await client.mailTo(email, '/p/confirm');
    const link = /http\S+\/p\/confirm\?\S+/.exec(text)?.[0] ?? '';
    asked.push({ email, link, token: new URL(link).searchParams.get('token') });
  }
  return asked;
}

/** A cohort in which this many people ask for a place. */
async function withAsking(page: Page, count: number, values: object = {}) {
  const cohort = await publish(page, values);
  const asked = await request(page, cohort, count);
  for (const { token } of asked) {
    await askApi(page, 'POST', '/api/public/requests/confirm/', { token });
  }
  return { ...cohort, asked };
}

async function openForm(page: Page): Promise<void> {
  const { public_url: url } = await publish(page);
  const looked = page.waitForResponse(/\/api\/public\/cohorts\//);
  await page.goto(url);
  await looked;
  await expect(page.locator('.public-box small')).not.toBeEmpty();
}

async function openMistakes(page: Page): Promise<void> {
  await openForm(page);
  await page.locator('[name="answer"]').fill('1'.repeat(501));
  await page.locator('.public-box button[type="submit"]').click();
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(4);
}

async function openConfirm(page: Page): Promise<void> {
  const [asked] = await request(page, await publish(page), 1);
  await page.goto(asked?.link ?? '');
}

async function openConfirmed(page: Page): Promise<void> {
  await openConfirm(page);
  await page.locator('main button[type="submit"]').click();
  await expect(page.locator('main a.button')).toBeVisible();
}

async function openOwnPage(page: Page, mails: number, email?: string): Promise<void> {
  const to = email ?? (await withAsking(page, 1)).asked[0]?.email ?? '';
  const { text } = await (await clientOf(page)).mailTo(to, '/p/', mails);
  await page.goto(/http\S+\/p\/[0-9a-f]\S+/.exec(text)?.[0] ?? '');
}

async function openWithdraw(page: Page): Promise<void> {
  await openOwnPage(page, 2);
  await page.locator('[command="show-modal"]').click();
  await expect(page.locator('dialog')).toBeVisible();
}

async function enrollmentsOf(page: Page, id: string): Promise<string[]> {
  const path = `/api/cohorts/${id}/enrollments/?status=applied`;
  const { items } = (await askApi(page, 'GET', path)) as { items: { id: string }[] };
  return items.map((item) => item.id);
}

async function openRefused(page: Page): Promise<void> {
  const { id, asked } = await withAsking(page, 1);
  const [enrollment] = await enrollmentsOf(page, id);
  const path = `/api/cohorts/${id}/enrollments/${enrollment}/refuse/`;
  await askApi(page, 'POST', path, { notify: false });
  await openOwnPage(page, 2, asked[0]?.email);
}

async function openRoster(page: Page, query: string): Promise<void> {
  const { id } = await withAsking(page, 3);
  await page.goto(`/cohorts/${id}/roster${query}`);
}

async function openFull(page: Page): Promise<void> {
  const { id } = await withAsking(page, 2, { capacity: 1 });
  const input = { as: 'enrolled', name: names[0], email: newEmail() };
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/`, input);
  await page.goto(`/cohorts/${id}/roster?status=applied`);
}

async function openTicked(page: Page): Promise<void> {
  await openRoster(page, '?status=applied');
  await page.locator('.tick input').first().check();
  // Its button says how many only once it is hydrated.
  await expect(page.locator('.burst .button').first()).toContainText('1');
}

async function openMenu(page: Page): Promise<void> {
  await openRoster(page, '?status=applied');
  await page.locator('[data-person]').first().click();
  await expect(page.locator('#person-menu a')).toBeVisible();
}

async function openRowMenu(page: Page): Promise<void> {
  await openMenu(page);
  await page.mouse.move(0, 0);
}

async function openRefuse(page: Page): Promise<void> {
  await openMenu(page);
  await page.locator('[command="show-modal"][commandfor="remove-person"]').click();
  await expect(page.locator('#remove-person [type=submit]')).toBeVisible();
}

async function openDialog(page: Page, dialog: string): Promise<void> {
  await openRoster(page, '?status=applied');
  await page.locator(`[command="show-modal"][commandfor="${dialog}"]`).click();
  await expect(page.locator(`#${dialog} [type=submit]`)).toBeVisible();
}

async function openAsking(page: Page): Promise<void> {
  const { id } = await withAsking(page, 1);
  const [enrollment] = await enrollmentsOf(page, id);
  await page.goto(`/cohorts/${id}/roster/${enrollment}`);
}

async function openCohort(page: Page, path: string): Promise<void> {
  const { id } = await withAsking(page, 2);
  await page.goto(`/cohorts/${id}${path}`);
}

async function openHome(page: Page): Promise<void> {
  await withAsking(page, 2);
  await page.goto('/');
}
