import type { Page } from '@playwright/test';
import { askApi, expect, rest } from './support.ts';

export type Cohort = { id: string; name: string; course_id: string; public_url: string };

/** The end of the public address of a cohort. */
export function slugOf({ public_url: url }: Pick<Cohort, 'public_url'>): string {
  return url.split('/').at(-1) ?? '';
}

/** The day that is this many days from today, or before it if negative. */
export function dayFromToday(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** Days that have begun, and end after today. */
export const runningDays = { starts_on: dayFromToday(-17), ends_on: dayFromToday(24) };

/** Days that begin in a few weeks. */
export const comingDays = { starts_on: dayFromToday(41), ends_on: dayFromToday(80) };

/** Days that are over. */
export const pastDays = { starts_on: dayFromToday(-120), ends_on: dayFromToday(-80) };

type CohortInput = {
  name: string;
  starts_on: string;
  ends_on: string;
  time_zone?: string;
  [field: string]: unknown;
};

/** The course that the signed-in user has selected. */
export async function selectedCourse(page: Page): Promise<{ id: string; name: string }> {
  const courses = (await askApi(page, 'GET', '/api/courses/')) as {
    id: string;
    name: string;
    is_selected: boolean;
  }[];
  const course = courses.find(({ is_selected: isSelected }) => isSelected);
  if (course === undefined) {
    throw new Error('There is no course.');
  }
  return course;
}

/** A cohort of the selected course, by the API, after these actions. */
export async function makeCohort(
  page: Page,
  input: CohortInput,
  ...actions: ('publish' | 'archive' | 'trash')[]
): Promise<Cohort> {
  const { id: courseId } = await selectedCourse(page);
  const values = { time_zone: 'America/Vancouver', ...input };
  const path = `/api/courses/${courseId}/cohorts/`;
  const cohort = (await askApi(page, 'POST', path, values)) as Cohort;
  for (const action of actions) {
    const own = `/api/cohorts/${cohort.id}/`;
    await (action === 'trash'
      ? askApi(page, 'DELETE', own)
      : askApi(page, 'POST', `${own}${action}/`));
  }
  return cohort;
}

/** Clicks a button without a session, goes to log in, and gets the session back. */
export async function comeBackAfter(page: Page, button: string): Promise<void> {
  // Until the button is there, the page still needs the session.
  await expect(page.getByRole('button', { name: button })).toBeVisible();
  const [session] = (await page.context().cookies()).filter(({ name }) => name === 'session');
  await page.context().clearCookies({ name: 'session' });
  await page.getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog', { name: 'Authentication Required' });
  await expect(dialog).toContainText('Your session has expired');
  await dialog.getByRole('link', { name: 'Go to Login' }).click();
  await expect(page).toHaveURL(/\/login\?/);
  await page.context().addCookies(session ? [session] : []);
}

/** Opens the menu of a cohort. Until it rests, Playwright scrolls the page to reach its buttons. */
export async function openMoreActions(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await rest(page);
}
