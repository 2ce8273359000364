import type { Locator, Page, Request } from '@playwright/test';
import type { ErrorBody } from '#api/error-body.ts';
import { toAccount } from './settings.ts';
import { expect, signInWith } from './support.ts';

export const requestId = '3f1c0b1e-9a7d-4f57-8a51-0d3c7a1f2b4c';

export const internal = 'Something went wrong. Please try again.';

export function dialogCalled(page: Page, title: string): Locator {
  return page.getByRole('dialog', { name: title, exact: true });
}

/** Every later request to a path. */
export function requestsTo(page: Page, path: string): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) {
      requests.push(request);
    }
  });
  return requests;
}

export function errorBody(errors?: string[]): ErrorBody {
  return { code: 'internal', message: internal, ...(errors && { errors }), request_id: requestId };
}

/** Fakes the next answer for a path; the worker gives all later ones. */
export async function answerOnce(page: Page, path: string, status: number, errors?: string[]) {
  await page.route(path, (route) => route.fulfill({ status, json: errorBody(errors) }), {
    times: 1,
  });
}

/** A new user without a course. */
export async function openFirstCourse(page: Page): Promise<void> {
  await signInWith(page, []);
  await page.goto('/onboarding/course');
}

export async function submitFirstCourse(page: Page): Promise<void> {
  await page.getByLabel('Course name').fill('Biology 101');
  await page.getByRole('radio', { name: /^Cohort/ }).check();
  await page.getByRole('button', { name: 'Create Course' }).click();
}

export async function expectFirstCourseTyped(page: Page): Promise<void> {
  await expect(page.getByLabel('Course name')).toHaveValue('Biology 101');
  await expect(page.getByRole('radio', { name: /^Cohort/ })).toBeChecked();
}

export async function emailOf(page: Page): Promise<string> {
  return (await toAccount(page)).email;
}
