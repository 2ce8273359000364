import type { Locator, Page } from '@playwright/test';

export function sidebarOf(page: Page): Locator {
  return page.getByRole('complementary');
}

export function toggleOf(page: Page): Locator {
  return page.getByRole('button', { name: 'Toggle sidebar' });
}

/** Where the sidebar is, and how wide. */
export async function sidebarBox(page: Page) {
  const box = await page.locator('aside').boundingBox();
  return box && { x: box.x, width: box.width };
}

export async function sidebarCookieOf(page: Page) {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === 'sidebar_state');
}
