import type { Locator, Page } from '@playwright/test';

export const connectionUnsupportedPlayer =
  'We couldn’t reach Lectern. Please check your connection.';

/** The text of the toast. */
export function toastOn(page: Page): Locator {
  return page.getByRole('status').locator('.toast');
}
