import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { comingDays, dayFromToday } from './cohorts.ts';
import { addPerson, cohortWith } from './enrollments.ts';
import { centralEuropean, clientOf, courseNames, newEmail, person } from './people.ts';
import { askApi, runClock } from './support.ts';
import type { View } from './views.ts';

/** What an instructor writes to everyone in a cohort, and what the cohort writes by itself. */
export const groupViews: View[] = [
  { name: 'message', open: openMessage },
  { name: 'message-invalid', open: openInvalid },
  { name: 'message-shown', open: openShown },
  { name: 'message-to-no-one', open: openToNoOne },
  { name: 'emails-due', open: openDue },
  { name: 'announce-changes', open: openAnnounce },
  { name: 'unsubscribe-reminders', open: openUnsubscribe },
  { name: 'unsubscribe-reminders-done', open: openUnsubscribed },
];

const names = [person, centralEuropean].map(
  ({ first_name, last_name }) => `${first_name} ${last_name}`,
);

/** A new user with a cohort of this many people. */
async function makeGroup(page: Page, count: number) {
  await (await clientOf(page)).signUp(newEmail());
  await askApi(page, 'POST', '/api/courses/', { name: courseNames[1], course_type: 'cohort' });
  const people = Array.from({ length: count }, (_, index) => ({
    name: names[index % names.length] ?? '',
    email: newEmail().replace(/^a/, `a${randomUUID().slice(0, 2)}`),
  }));
  return cohortWith(page, people, { name: courseNames[2] ?? '', ...comingDays });
}

async function openMessage(page: Page): Promise<void> {
  const { id } = await makeGroup(page, 2);
  await page.goto(`/cohorts/${id}/message`);
}

async function write(page: Page): Promise<void> {
  await page.locator('#subject').fill(names[0] ?? '');
  await page.locator('#text').fill(`${names[0]}\n\n${names[1]}`);
  await page.locator('.cohort-form [type=submit]').click();
  await page.mouse.move(0, 0);
}

async function openInvalid(page: Page): Promise<void> {
  await openMessage(page);
  await page.locator('.cohort-form [type=submit]').click();
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(2);
  await page.mouse.move(0, 0);
}

async function openShown(page: Page): Promise<void> {
  await openMessage(page);
  await write(page);
  await expect(page.locator('.email-preview')).toBeVisible();
}

async function openToNoOne(page: Page): Promise<void> {
  const { id } = await makeGroup(page, 0);
  await page.goto(`/cohorts/${id}/message`);
  await write(page);
  await expect(page.locator('.alert')).toBeVisible();
}

/** Sessions that people will be reminded of and have not been told about, and a message. */
async function openDue(page: Page): Promise<void> {
  const { id } = await makeGroup(page, 2);
  const path = `/api/cohorts/${id}/`;
  for (const [index, day] of [43, 50, 57, 64, 71].entries()) {
    await askApi(page, 'POST', `${path}meetings/`, {
      title: names[index % names.length],
      starts_local: `${dayFromToday(day)}T18:00`,
      duration_minutes: 90,
    });
  }
  await askApi(page, 'PATCH', `${path}emails/`, { hour_before_reminder: true });
  await askApi(page, 'POST', `${path}messages/`, { subject: names[0], text: names[1] });
  await page.goto(`/cohorts/${id}/emails`);
  await expect(page.locator('.announce')).toBeVisible();
}

/** A session that people have not been told about, and what the owner says about it. */
async function openAnnounce(page: Page): Promise<void> {
  const { id } = await makeGroup(page, 2);
  await askApi(page, 'POST', `/api/cohorts/${id}/meetings/`, {
    title: names[0],
    starts_local: `${dayFromToday(43)}T18:00`,
    duration_minutes: 90,
  });
  await page.goto(`/cohorts/${id}/schedule`);
  await page.locator('#announcement-note').fill(names[1] ?? '');
}

/** By the link in a message to the group. */
async function openUnsubscribe(page: Page): Promise<void> {
  const { id } = await makeGroup(page, 0);
  const email = newEmail();
  const client = await clientOf(page);
  await addPerson(page, { id }, { name: names[0] ?? '', email });
  // A message waits for the email that says that its reader was added.
  await client.mailTo(email);
  await askApi(page, 'POST', `/api/cohorts/${id}/messages/`, { subject: names[0], text: names[1] });
  await runClock(page);
  const { text } = await client.mailTo(email, '/p/unsubscribe');
  await page.goto(/http\S+\/p\/unsubscribe\S+/.exec(text)?.[0] ?? '');
}

async function openUnsubscribed(page: Page): Promise<void> {
  await openUnsubscribe(page);
  await page.locator('main .button-primary').click();
  await expect(page.locator('main .button-primary')).toHaveCount(0);
}
