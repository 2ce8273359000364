import type { Locator, Page } from '@playwright/test';

export const connectionLost = 'We couldn’t reach Lectern. Please check your connection.';

/** The text of the toast. */
export function toastOn(page: Page): Locator {
  return page.getByRole('status').locator('.toast');
}

/** Where there is no sidebar. */
export async function openAccountMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Your account/ }).click();
}

/** The signed-in user's courses, from the API. */
export function coursesOf(page: Page): Promise<unknown[]> {
  return page.evaluate(async () => (await fetch('/api/courses/')).json());
}
