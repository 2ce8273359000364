import type { Page } from '@playwright/test';
import { test } from './support.ts';

export const biology = { name: 'Biology 101', course_type: 'cohort' } as const;

export function sidebarOf(page: Page) {
  return page.getByRole('complementary');
}

export function toggleOf(page: Page) {
  return page.getByRole('button', { name: 'Toggle sidebar' });
}

export async function keepSidebar(page: Page, isOpen: boolean): Promise<void> {
  const { baseURL } = test.info().project.use;
  const cookie = { name: 'sidebar_state', value: String(isOpen), url: baseURL ?? '' };
  await page.context().addCookies([cookie]);
}

export async function sidebarCookieOf(page: Page) {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === 'sidebar_state');
}

export async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).boundingBox();
  return box && { x: box.x, width: box.width };
}
