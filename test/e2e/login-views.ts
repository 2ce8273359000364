import { expect, type Page } from '@playwright/test';
import { clientOf, linkIn, newEmail, person } from './people.ts';
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
  const { confirmLink, stopLink } = await client.requestAddressChange();
  return { confirm: queryOf(confirm), change: queryOf(confirmLink), stop: queryOf(stopLink) };
});

/** By the former address's owner, in a browser without a session. */
const changed = viewsOf('someone whose address was changed', async (page) => {
  const client = await clientOf(page);
  const { email, confirmLink } = await client.requestAddressChange();
  await client.confirm(confirmLink);
  return { restore: queryOf(linkIn(await client.mailTo(email, '/undo-address-change', 3))) };
});

/** What people see who are not logged in, or who come by a link to their account. */
export const loginViews: View[] = [
  nobody('login', '/login'),
  nobody('login-mistakes', '/login', { isForNights: true, act: makeMistakes(mailForm) }),
  nobody('login-refused', '/login?error=auth_failed', { isForNights: true }),
  nobody('login-expired', '/login?next=/settings&reason=expired', { isForNights: true }),
  nobody('login-sending', '/login', { isForNights: true, act: waitForever }),
  nobody('login-unknown', '/login', {
    isForNights: true,
    act: (page) => submit(page, newEmail()),
    until: '.field-error',
  }),
  nobody('signup', '/signup'),
  nobody('signup-mistakes', '/signup', { act: makeMistakes(mailForm) }),
  nobody('signup-done', '/signup', { act: signUp }),
  nobody('confirm-without-link', '/confirm', { isForNights: true }),
  nobody('undo-without-link', '/undo-address-change', { isForNights: true }),
  nobody('toast-failed', '/login', { followsPointer: true, act: failWithGoogle }),
  nobody('terms', '/terms'),
  nobody('privacy', '/privacy'),
  nobody('not-found', '/nowhere', { isFailure: true }),
  known('login-unverified', '/login', {
    isForNights: true,
    isLoggedOut: true,
    act: (page, { unverified = '' }) => submit(page, unverified),
    until: 'main .alert',
  }),
  known('login-done', '/login', { isForNights: true, isLoggedOut: true, act: askForLink }),
  known('code-wrong', '/login', {
    isLoggedOut: true,
    act: (page, made) => tryCodes(page, made, 1),
  }),
  known('code-used-up', '/login', {
    isForNights: true,
    isFresh: true,
    isLoggedOut: true,
    act: (page, made) => tryCodes(page, made, 5),
  }),
  linked('confirm', '/confirm?[confirm]', { isLoggedOut: true }),
  linked('confirm-as-other', '/confirm?[confirm]', { isForNights: true }),
  linked('confirm-new-address', '/confirm?[change]', { isForNights: true }),
  linked('confirm-spent', '/confirm?[confirm]', {
    isForNights: true,
    isFresh: true,
    act: spend,
  }),
  linked('undo-stop', '/undo-address-change?[stop]'),
  linked('undo-stopped', '/undo-address-change?[stop]', {
    isForNights: true,
    isFresh: true,
    act: undo,
  }),
  changed('undo-restore', '/undo-address-change?[restore]', {
    isForNights: true,
    isLoggedOut: true,
  }),
  changed('undo-restored', '/undo-address-change?[restore]', {
    isForNights: true,
    isFresh: true,
    isLoggedOut: true,
    act: undo,
  }),
];

function queryOf(link: string): string {
  return new URL(link).search.slice(1);
}

async function submit(page: Page, email: string): Promise<void> {
  await page.locator('[name="email"]').fill(email);
  await page.locator(`${mailForm} button[type="submit"]`).click();
}

/** For an answer that never comes. */
async function waitForever(page: Page): Promise<void> {
  await page.route('**/api/accounts/auth/login/', () => {});
  await submit(page, newEmail());
  await expect(page.locator(`${mailForm} [data-busy]`)).toBeVisible();
}

async function askForLink(page: Page, { email = '' }): Promise<void> {
  await submit(page, email);
  await expect(page.locator('[name="email"]')).toHaveCount(0);
}

async function tryCodes(page: Page, made: { email?: string }, tries: number): Promise<void> {
  await askForLink(page, made);
  const field = page.locator('[name="code"]');
  for (let done = 0; done < tries; done += 1) {
    await field.fill('');
    await expect(field).toHaveAttribute('aria-invalid', 'false');
    // It is the right one once in a million.
    await field.fill('000000');
    await expect(field).toHaveAttribute('aria-invalid', 'true');
  }
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

async function spend(page: Page): Promise<void> {
  await (await clientOf(page)).confirm(page.url());
  await page.locator('main button[type="submit"]').click();
  await expect(page.locator('main [role="alert"]').filter({ hasText: /\S/ })).toBeVisible();
}

async function undo(page: Page): Promise<void> {
  await page.locator('main button[type="submit"]').click();
  await expect(page.locator('main button')).toHaveCount(0);
}
