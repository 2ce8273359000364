import type { Locator, Page } from '@playwright/test';
import { askApi, expect } from './support.ts';

export type Course = { id: string; name: string; course_type: string; is_selected: boolean };

export const biology = { name: 'Biology 101', course_type: 'cohort' } as const;

export const chemistry = { name: 'Chemistry', course_type: 'evergreen' } as const;

export const physics = { name: 'Physics', course_type: 'evergreen' } as const;

/** The sidebar button with the selected course. */
export function triggerOf(page: Page, name = ''): Locator {
  return page
    .getByRole('complementary')
    .getByRole('button', { name: new RegExp(`^Course:? ${name}`) });
}

export function listOf(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Course', exact: true });
}

export function optionOf(page: Page, name: string): Locator {
  return page.getByRole('option', { name: new RegExp(`^${name}`) });
}

/** The name on the cover at home: that of the selected course, as the server has it. */
export function coverOf(page: Page, name: string): Locator {
  return page.locator('.cover').getByRole('heading', { name, exact: true });
}

/** A course among the rows at home. */
export function rowOf(page: Page, name: string): Locator {
  return page
    .getByRole('region', { name: 'Your courses' })
    .getByRole('button', { name: new RegExp(`^${name} (Cohort|Evergreen)`) });
}

export async function openList(page: Page): Promise<void> {
  await triggerOf(page).click();
  await expect(listOf(page)).toBeVisible();
}

export async function selectCourse(page: Page, name: string): Promise<void> {
  await openList(page);
  await optionOf(page, name).click();
}

export async function selectedOnServer(page: Page): Promise<string[]> {
  const courses = (await askApi(page, 'GET', '/api/courses/')) as Course[];
  return courses.filter((course) => course.is_selected).map(({ name }) => name);
}

/** Delays every answer, as from the other side of the world. */
export async function slowDown(page: Page, latency: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
}

/** The API calls that may change something, in order. */
export function watchCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/') && request.method() !== 'GET') {
      calls.push(`${request.method()} ${new URL(request.url()).pathname}`);
    }
  });
  return calls;
}

export function dialogOf(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Create a new course' });
}

export async function openNewCourse(page: Page): Promise<void> {
  await openList(page);
  await listOf(page).getByRole('button', { name: 'create new course' }).click();
  await expect(dialogOf(page)).toBeVisible();
}
