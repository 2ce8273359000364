import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { comingDays, runningDays } from './cohorts.ts';
import { cohortWith, enrollPeople, requestPlaces } from './enrollments.ts';
import { centralEuropean, clientOf, courseNames, newEmail, person } from './people.ts';
import { askApi } from './support.ts';
import type { View } from './views.ts';

/** What the instructor sees of the people of a cohort. */
export const peopleViews: View[] = [
  { name: 'roster', open: openRoster },
  { name: 'roster-empty', open: openEmptyRoster },
  { name: 'roster-archived', open: openArchivedRoster },
  { name: 'roster-menu', isOverlay: true, open: openRowMenu },
  { name: 'roster-lists', isOverlay: true, open: openLists },
  { name: 'roster-burst', isOverlay: true, open: openBurst },
  { name: 'import', open: (page) => openImport(page, []) },
  { name: 'import-checked', open: (page) => openImport(page, checkedList) },
  { name: 'import-asked', open: (page) => openImport(page, askedList) },
  { name: 'add-person', isOverlay: true, open: openAdd },
  { name: 'remove-person', isOverlay: true, open: openRemove },
  { name: 'person', open: openPerson },
  { name: 'erase-person', isOverlay: true, open: openErase },
  { name: 'emails', open: openEmails },
  { name: 'emails-empty', open: openNoEmails },
  { name: 'email-preview', open: openPreview },
  { name: 'waitlist', open: (page) => openFull(page, '/waitlist') },
  { name: 'waitlist-empty', open: openEmptyWaitlist },
  { name: 'withdraw-offer', isOverlay: true, open: openWithdraw },
  { name: 'cohort-full', open: (page) => openFull(page, '') },
  { name: 'cohort-move-told', open: openMove },
  { name: 'trash-cohort', isOverlay: true, open: openTrash },
];

/** Names that other views already use as data. */
const names = [person, centralEuropean].map(
  ({ first_name, last_name }) => `${first_name} ${last_name}`,
);

function someone(index: number) {
  return { name: names[index % names.length] ?? '', email: address() };
}

/** Nothing in it looks like a word. */
function address(): string {
  return newEmail().replace(/^a/, `a${randomUUID().slice(0, 2)}`);
}

/** A new user with a course and a cohort of this many people. */
async function makeCohort(
  page: Page,
  count: number,
  values: Parameters<typeof cohortWith>[2] = {},
) {
  await (await clientOf(page)).signUp(newEmail());
  await askApi(page, 'POST', '/api/courses/', { name: courseNames[1], course_type: 'cohort' });
  const people = Array.from({ length: count }, (_, index) => someone(index));
  return cohortWith(page, people, { name: courseNames[2] ?? '', ...values });
}

async function openRoster(page: Page): Promise<void> {
  const { id, people, ...cohort } = await makeCohort(page, 6, { ...runningDays, capacity: 6 });
  const path = `/api/cohorts/${id}/enrollments/`;
  await askApi(page, 'POST', path, { ...someone(1), as: 'enrolled', over_capacity: true });
  await askApi(page, 'POST', path, { ...someone(0), as: 'invited' });
  await askApi(page, 'POST', `${path}${people[1]?.id}/complete/`);
  await askApi(page, 'POST', `${path}${people[2]?.id}/remove/`, {});
  await askApi(page, 'PATCH', `/api/cohorts/${id}/`, { enrollment_override: 'open', capacity: 20 });
  await requestPlaces(page, cohort, [someone(0), someone(1)]);
  await page.goto(`/cohorts/${id}/roster`);
}

async function openEmptyRoster(page: Page): Promise<void> {
  const { id } = await makeCohort(page, 0);
  await page.goto(`/cohorts/${id}/roster`);
}

async function openArchivedRoster(page: Page): Promise<void> {
  const { id } = await makeCohort(page, 1);
  await askApi(page, 'POST', `/api/cohorts/${id}/archive/`);
  await page.goto(`/cohorts/${id}/roster`);
}

/** Someone new, and lines without a person. */
const checkedList = [
  `${names[0]},anna@example.com`,
  `${names[1]},anna@example.com`,
  `${names[1]},@`,
];

/** A list that does not say what each column holds. */
const askedList = [`1,${names[0]},anna@example.com`, `2,${names[1]},zoe@example.com`];

async function openImport(page: Page, lines: string[]): Promise<void> {
  const { id } = await makeCohort(page, 1);
  await page.goto(`/cohorts/${id}/import`);
  if (lines.length === 0) {
    return;
  }
  await page.locator('textarea').fill(lines.join('\n'));
  await page.locator('#informed').check();
  await page.locator('.import [type=submit]').click();
  await page.locator('.import :is(.import-lines, [name=column-0])').waitFor();
  await page.mouse.move(0, 0);
}

async function openRowMenu(page: Page): Promise<void> {
  const { id } = await makeCohort(page, 2, runningDays);
  await page.goto(`/cohorts/${id}/roster`);
  await openMenu(page);
  await page.mouse.move(0, 0);
}

async function openMenu(page: Page): Promise<void> {
  await page.locator('[data-person]').first().click();
  await expect(page.locator('#person-menu a')).toBeVisible();
}

async function openLists(page: Page): Promise<void> {
  const { id } = await makeCohort(page, 2, runningDays);
  await page.goto(`/cohorts/${id}/roster`);
  await page.locator('[popovertarget="list-menu"]').click();
  await page.mouse.move(0, 0);
}

async function openBurst(page: Page): Promise<void> {
  const { id, ...cohort } = await makeCohort(page, 0);
  const people = Array.from({ length: 8 }, (_, index) => someone(index));
  await enrollPeople(page, cohort, people);
  await page.goto(`/cohorts/${id}/roster`);
  await page.locator('.burst [command="show-modal"]').click();
  await expect(page.locator('.burst dialog')).toBeVisible();
}

async function openRemove(page: Page): Promise<void> {
  const { id } = await makeCohort(page, 2);
  await page.goto(`/cohorts/${id}/roster`);
  await openMenu(page);
  await page.locator('[command="show-modal"][commandfor="remove-person"]').click();
  await expect(page.locator('#remove-person')).toBeVisible();
}

/** All places are taken. */
async function openAdd(page: Page): Promise<void> {
  const { id } = await makeCohort(page, 1, { capacity: 1 });
  await page.goto(`/cohorts/${id}/roster`);
  await page.locator('[command="show-modal"][commandfor="add-person"]').click();
  await expect(page.locator('#add-person')).toBeVisible();
}

async function openPerson(page: Page): Promise<void> {
  const { id, people } = await makeCohort(page, 1, runningDays);
  await page.goto(`/cohorts/${id}/roster/${people[0]?.id}`);
}

async function openErase(page: Page): Promise<void> {
  await openPerson(page);
  await page.locator('[command="show-modal"][commandfor="erase-person"]').click();
  await expect(page.locator('#erase-person')).toBeVisible();
}

/** One person is offered a place, and two wait. */
async function openFull(page: Page, path: string): Promise<void> {
  const { id, people, ...cohort } = await makeCohort(page, 3, { ...comingDays, capacity: 3 });
  await enrollPeople(page, cohort, [someone(0), someone(1), someone(0)]);
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/${people[0]?.id}/remove/`, {});
  await page.goto(`/cohorts/${id}${path}`);
}

async function openWithdraw(page: Page): Promise<void> {
  await openFull(page, '/waitlist');
  await page.locator('.person-offer > [command="show-modal"]').click();
  await expect(page.locator('.person-offer dialog')).toBeVisible();
}

/** Some emails went out, and a reminder of one invitation is due later. */
async function openEmails(page: Page): Promise<void> {
  const { id } = await makeCohort(page, 3);
  const invited = { ...someone(1), as: 'invited' };
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/`, invited);
  await (await clientOf(page)).mailTo(invited.email, '/p/');
  // Sent emails are recorded after the answer.
  await expect(async () => {
    await page.goto(`/cohorts/${id}/emails`);
    await expect(page.locator('.emails .events').nth(1).locator('li')).toHaveCount(2, {
      timeout: 500,
    });
  }).toPass();
}

async function openNoEmails(page: Page): Promise<void> {
  const { id } = await makeCohort(page, 0);
  await page.goto(`/cohorts/${id}/emails`);
}

async function openPreview(page: Page): Promise<void> {
  const { id } = await makeCohort(page, 0);
  await page.goto(`/cohorts/${id}/emails/offer`);
}

async function openEmptyWaitlist(page: Page): Promise<void> {
  const { id } = await makeCohort(page, 0);
  await page.goto(`/cohorts/${id}/waitlist`);
}

async function openMove(page: Page): Promise<void> {
  const { id } = await makeCohort(page, 2);
  await page.goto(`/cohorts/${id}/move`);
}

async function openTrash(page: Page): Promise<void> {
  const { id } = await makeCohort(page, 2);
  await page.goto(`/cohorts/${id}`);
  await page.locator('[popovertarget="cohort-menu"]').click();
  await page.locator('[command="show-modal"][commandfor="trash-cohort"]').click();
  await expect(page.locator('#trash-cohort')).toBeVisible();
}
