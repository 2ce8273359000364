import { expect, type Page } from '@playwright/test';
import { clientOf, newEmail, person } from './people.ts';
import { makeMistakes, type View, viewsOf } from './view.ts';

const mailForm = 'form:has([name="email"])';

const nobody = viewsOf('someone without an account', null);

const known = viewsOf('someone with an account', async (page) => {
  const client = await clientOf(page);
  const [email, unverified] = [newEmail(), newEmail()];
  await client.signUp(email);
  await client.requestSignUp(unverified);
  return { email, unverified };
});

const linked = viewsOf('someone with a link', async (page) => {
  const client = await clientOf(page);
  const confirm = await client.requestSignUp(newEmail());
  const { stopLink } = await client.requestAddressChange();
  return { confirm: queryOf(confirm), stop: queryOf(stopLink) };
});

/** What people see who are not logged in, or who follow a link to their account. */
export const loginViews: View[] = [
  nobody('login', '/login'),
  nobody('login-expired', '/login?next=/settings&reason=expired'),
  nobody('signup', '/signup'),
  nobody('signup-mistakes', '/signup', { isExample: true, act: makeMistakes(mailForm) }),
  nobody('signup-done', '/signup', { act: signUp }),
  nobody('toast-failed', '/login', { isExample: true, followsPointer: true, act: failWithGoogle }),
  nobody('terms', '/terms'),
  nobody('privacy', '/privacy'),
  nobody('not-found', '/nowhere', { isFailure: true }),
  known('login-done', '/login', { isLoggedOut: true, act: askForLink }),
  known('code-wrong', '/login', { isLoggedOut: true, act: mistypeCode }),
  linked('confirm', '/confirm?[confirm]', { isLoggedOut: true }),
  linked('undo-stop', '/undo-address-change?[stop]'),
];

function queryOf(link: string): string {
  return new URL(link).search.slice(1);
}

async function submit(page: Page, email: string): Promise<void> {
  await page.locator('[name="email"]').fill(email);
  await page.locator(`${mailForm} button[type="submit"]`).click();
}

async function askForLink(page: Page, { email = '' }): Promise<void> {
  await submit(page, email);
  await expect(page.locator('[name="email"]')).toHaveCount(0);
}

async function mistypeCode(page: Page, made: { email?: string }): Promise<void> {
  await askForLink(page, made);
  // By chance, this is the right code in one run of a million.
  await page.locator('[name="code"]').fill('000000');
  await expect(page.locator('[name="code"]')).toHaveAttribute('aria-invalid', 'true');
}

async function signUp(page: Page): Promise<void> {
  for (const [name, value] of Object.entries({ ...person, email: newEmail() })) {
    await page.locator(`[name="${name}"]`).fill(value);
  }
  await page.locator(`${mailForm} button[type="submit"]`).click();
  await expect(page.locator('[name="email"]')).toHaveCount(0);
}

/** A message about a failure. The pointer rests on it, so that it stays. */
async function failWithGoogle(page: Page): Promise<void> {
  await page.route('**/google/login/', (route) => route.fulfill({ status: 500 }));
  await page.locator('main button[type="submit"]').last().click();
  await page.locator('.toast').hover();
}
