import type { Locator, Page } from '@playwright/test';
import { askApi, openReady, signInWith } from './support.ts';

export const biology = { name: 'Biology 101', course_type: 'cohort' } as const;

export const watercolors = { name: 'Watercolors', course_type: 'evergreen' } as const;

type Account = { id: string; email: string; language: string };

/** A new user on their settings page. Returns their address. */
export async function openSettings(
  page: Page,
  courses: Parameters<typeof signInWith>[1] = [biology],
): Promise<string> {
  const email = await signInWith(page, courses);
  await openReady(page, '/settings');
  return email;
}

export async function toAccount(page: Page): Promise<Account> {
  return (await askApi(page, 'GET', '/api/accounts/auth/user/')) as Account;
}

export function section(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title, exact: true });
}
