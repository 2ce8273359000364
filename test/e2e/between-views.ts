import { expect, type Page } from '@playwright/test';
import { askToBeTold, courseUrl } from './between.ts';
import { type Cohort, comingDays, dayFromToday, makeCohort } from './cohorts.ts';
import { addPerson } from './enrollments.ts';
import { clientOf, courseNames, newEmail, person } from './people.ts';
import { askApi } from './support.ts';
import type { View } from './views.ts';

/** What leads from one cohort to another: the page of a course, and moving someone. */
export const betweenViews: View[] = [
  { name: 'course-open', open: openCourse },
  {
    name: 'course-closed',
    open: async (page) => {
      await page.goto((await closedCourse(page)).url);
    },
  },
  { name: 'course-empty', open: openEmpty },
  { name: 'interest-mistakes', open: openMistakes },
  { name: 'interest-sent', open: openSent },
  { name: 'confirm-interest', open: openConfirm },
  { name: 'confirm-interest-done', open: openConfirmed },
  { name: 'cohorts-interested', open: openInterested },
  { name: 'enroll-closed', open: openClosed },
  { name: 'person-transfer', open: openTransfer },
];

/** A published cohort of a new instructor, who is signed in. */
async function publish(page: Page, values: object = {}): Promise<Cohort> {
  await (await clientOf(page)).signUp(newEmail());
  await askApi(page, 'POST', '/api/courses/', { name: courseNames[1], course_type: 'cohort' });
  return publishNext(page, values);
}

async function publishNext(page: Page, values: object = {}): Promise<Cohort> {
  const cohort = { name: courseNames[2] ?? '', ...comingDays, ...values };
  return makeCohort(page, cohort, 'publish');
}

const later = { starts_on: dayFromToday(150), ends_on: dayFromToday(190) };

async function openCourse(page: Page): Promise<void> {
  await publish(page, { price_minor: 48_000, currency: 'CAD' });
  await publishNext(page, {
    ...later,
    enrollment_opens_local: `${dayFromToday(100)}T09:00`,
  });
  await page.goto(await courseUrl(page));
}

/** A course with two cohorts, neither of which takes people yet. */
async function closedCourse(page: Page): Promise<{ url: string; cohort: Cohort }> {
  const cohort = await publish(page, { enrollment_opens_local: `${dayFromToday(20)}T09:00` });
  await publishNext(page, { ...later, join_mode: 'invitation' });
  return { url: await courseUrl(page), cohort };
}

async function openEmpty(page: Page): Promise<void> {
  const { id } = await publish(page);
  await askApi(page, 'POST', `/api/cohorts/${id}/unpublish/`);
  await page.goto(await courseUrl(page));
}

async function openMistakes(page: Page): Promise<void> {
  await page.goto((await closedCourse(page)).url);
  await page.locator('.public-box button[type="submit"]').click();
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(2);
}

async function openSent(page: Page): Promise<void> {
  await page.goto((await closedCourse(page)).url);
  await page.locator('[name="email"]').fill(newEmail());
  await page.locator('[name="consent"]').check();
  await page.locator('.public-box button[type="submit"]').click();
  await expect(page.locator('.public-sent')).toBeVisible();
}

async function openConfirm(page: Page): Promise<void> {
  const { url, cohort } = await closedCourse(page);
  const cookies = await page.context().cookies();
  const language = cookies.find(({ name }) => name === 'language')?.value ?? 'en';
  const { link } = await askToBeTold(page, {
    course: url,
    cohort: cohort.public_url,
    language,
  });
  await page.goto(link);
}

async function openConfirmed(page: Page): Promise<void> {
  await openConfirm(page);
  await page.locator('main button[type="submit"]').click();
  await expect(page.locator('main h1')).toBeFocused();
}

async function openInterested(page: Page): Promise<void> {
  await openConfirmed(page);
  await page.goto('/cohorts');
}

async function openClosed(page: Page): Promise<void> {
  const { public_url: url } = await publish(page, { join_mode: 'invitation' });
  await page.goto(url);
  await expect(page.locator('.other-dates')).toBeVisible();
}

/** The first cohort in the list of choices is full. */
async function openTransfer(page: Page): Promise<void> {
  const cohort = await publish(page, later);
  const full = await publishNext(page, { capacity: 1 });
  const name = `${person.first_name} ${person.last_name}`;
  await addPerson(page, full, { name, email: newEmail() });
  const { id } = await addPerson(page, cohort, { name, email: newEmail() });
  await page.goto(`/cohorts/${cohort.id}/roster/${id}`);
  await expect(page.locator('#person-transfer')).toBeVisible();
}
