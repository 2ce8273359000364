import type { Locator, Page } from '@playwright/test';
import { askApi, openReady, signInWith } from './support.ts';

export const biology = { name: 'Biology 101', course_type: 'cohort' } as const;

export const watercolors = { name: 'Watercolors', course_type: 'evergreen' } as const;

export const algebra = { name: 'Éléments d’algèbre', course_type: 'cohort' } as const;

type Account = { id: string; email: string; language: string };

/** A new user on their settings page. Returns their address. */
export async function openSettings(
  page: Page,
  courses: Parameters<typeof signInWith>[1] = [biology],
): Promise<string> {
  await signInWith(page, courses);
  await openReady(page, '/settings');
  return (await toAccount(page)).email;
}

export async function toAccount(page: Page): Promise<Account> {
  return (await askApi(page, 'GET', '/api/accounts/auth/user/')) as Account;
}

export function section(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title, exact: true });
}

export async function requestAddress(page: Page, address: string): Promise<void> {
  await page.getByLabel('New email address').fill(address);
  await page.getByRole('button', { name: 'Send confirmation link' }).click();
}
