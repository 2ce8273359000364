import type { Page } from '@playwright/test';

/** The public address of the selected course, as its owner copies it. */
export async function courseUrl(page: Page): Promise<string> {
  await page.goto('/cohorts');
  return (await page.locator('#course-address').getAttribute('data-tip')) ?? '';
}
