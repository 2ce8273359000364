import type { Page } from '@playwright/test';
import { googleOrigin } from './playwright.config.ts';
import { linkMailedTo } from './support.ts';

export async function goToGoogle(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.waitForURL(`${googleOrigin}/**`);
}

export async function choose(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: email }).click();
}

export async function signUpByMail(page: Page, firstName: string, email: string): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('First name').fill(firstName);
  await page.getByLabel('Last name').fill('Mailer');
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.goto(await linkMailedTo(email, 1));
  await page.getByRole('button', { name: 'Confirm and log in' }).click();
  await page.waitForURL('/onboarding/course');
}
