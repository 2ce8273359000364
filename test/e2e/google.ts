import type { Page } from '@playwright/test';
import { googleOrigin } from './playwright.config.ts';

export async function goToGoogle(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.waitForURL(`${googleOrigin}/**`);
}

export async function choose(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: email }).click();
}
