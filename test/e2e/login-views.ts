import { expect, type Page } from '@playwright/test';
import { clientOf, newEmail, person } from './people.ts';

export const mailForm = 'form:has([name="email"])';

async function submitLogin(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.locator('[name="email"]').fill(email);
  await page.locator(`${mailForm} button[type="submit"]`).click();
}

export async function openLoginUnknown(page: Page): Promise<void> {
  await submitLogin(page, newEmail());
  await expect(page.locator('.field-error')).toBeVisible();
}

export async function openLoginDone(page: Page): Promise<void> {
  const email = newEmail();
  await (await clientOf(page)).signUp(email);
  await page.context().clearCookies({ name: /^(session|csrftoken)$/ });
  await submitLogin(page, email);
  await expect(page.locator('[name="email"]')).toHaveCount(0);
}

/** Waiting for an answer that never comes. */
export async function openLoginSending(page: Page): Promise<void> {
  await page.route('**/api/accounts/auth/login/', () => {});
  await submitLogin(page, newEmail());
  await expect(page.locator(`${mailForm} [data-busy]`)).toBeVisible();
}

/** Where the verification email is sent once more. */
export async function openLoginUnverified(page: Page): Promise<void> {
  const email = newEmail();
  await (await clientOf(page)).requestSignUp(email);
  await submitLogin(page, email);
  await expect(page.locator('main .alert')).toBeVisible();
}

export async function openWrongCodes(page: Page, tries: number): Promise<void> {
  await openLoginDone(page);
  const field = page.locator('[name="code"]');
  for (let done = 0; done < tries; done += 1) {
    await field.fill('');
    await expect(field).toHaveAttribute('aria-invalid', 'false');
    // It is the right one once in a million.
    await field.fill('000000');
    await expect(field).toHaveAttribute('aria-invalid', 'true');
  }
}

export async function openSignUpDone(page: Page): Promise<void> {
  await page.goto('/signup');
  for (const [name, value] of Object.entries({ ...person, email: newEmail() })) {
    await page.locator(`[name="${name}"]`).fill(value);
  }
  await page.locator(`${mailForm} button[type="submit"]`).click();
  await expect(page.locator('[name="email"]')).toHaveCount(0);
}

/** A message about a failure. The pointer rests on it, so that it stays. */
export async function openToastFailed(page: Page): Promise<void> {
  await page.goto('/login');
  await page.route('**/google/login/', (route) => route.fulfill({ status: 500 }));
  await page.locator('main button[type="submit"]').last().click();
  await page.locator('.toast').hover();
}
