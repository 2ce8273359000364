import { createHmac, randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { readSecrets } from '../../scripts/local/settings.ts';
import { clientOf, makeCourse, makeCourses, newEmail, person } from './people.ts';
import { type View, viewsOf } from './view.ts';

const owner = viewsOf('someone in the settings', async (page) => {
  await makeCourses(page, 2);
  return {};
});

const moving = viewsOf('someone who changes their address', async (page) => {
  await (await clientOf(page)).requestAddressChange();
  await makeCourse(page);
  return {};
});

const undeliverable = viewsOf('someone whose email bounced', bounce);

/** The settings, and what opens from them, in states that depend on the account or on an answer. */
export const settingsViews: View[] = [
  owner('settings-mistakes', '/settings', { act: makeNoName }),
  owner('proof', '/settings', { isForNights: true, isOverlay: true, act: askForProof }),
  owner('proof-sent', '/settings', { isOverlay: true, act: sendProof }),
  owner('proof-wrong', '/settings', { isForNights: true, isOverlay: true, act: mistypeProof }),
  owner('toasts', '/settings', { followsPointer: true, act: saveTwice }),
  moving('settings-pending-address', '/settings', { isForNights: true }),
  undeliverable('settings-undeliverable', '/settings', { isForNights: true }),
];

async function makeNoName(page: Page): Promise<void> {
  const form = page.locator('form:has([name="first_name"])');
  for (const name of ['first_name', 'last_name']) {
    await form.locator(`[name="${name}"]`).fill('');
  }
  await form.locator('button[type="submit"]:enabled').click();
  await expect(form.locator('[aria-invalid="true"]')).toHaveCount(2);
}

/** Shown when a login is too old, which takes too long to wait for. */
async function askForProof(page: Page): Promise<void> {
  await page.locator('#proof').evaluate((dialog: HTMLDialogElement) => dialog.showModal());
}

async function sendProof(page: Page): Promise<void> {
  await askForProof(page);
  await page.locator('#proof button[type="submit"]').click();
  await expect(page.locator('#proof [name="code"]')).toBeVisible();
}

async function mistypeProof(page: Page): Promise<void> {
  await sendProof(page);
  const field = page.locator('#proof [name="code"]');
  // It is the right one once in a million.
  await field.fill('000000');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
}

/** As Resend reports it. */
async function bounce(page: Page) {
  const email = newEmail();
  await (await clientOf(page)).signUp(email);
  await makeCourse(page);
  const from = 'Lectern <hello@lectern.test>';
  const event = {
    type: 'email.bounced',
    data: { from, to: [email], bounce: { type: 'Permanent' } },
  };
  const body = JSON.stringify(event);
  const [id, at] = [`msg_${randomUUID()}`, Math.floor(Date.now() / 1000)];
  const [, key = ''] = readSecrets()['RESEND_WEBHOOK_SECRET']?.split('_') ?? [];
  const hmac = createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${at}.${body}`);
  const told = await page.request.post('/api/webhooks/resend/', {
    headers: {
      'Content-Type': 'application/json',
      'svix-id': id,
      'svix-timestamp': String(at),
      'svix-signature': `v1,${hmac.digest('base64')}`,
    },
    data: body,
  });
  expect(told.status()).toBe(200);
  return {};
}

/** Saves a changed form, and changes it back. The pointer on the toasts makes them stay. */
async function saveTwice(page: Page): Promise<void> {
  const field = page.locator('#profile [name="last_name"]');
  for (const name of [`${person.last_name}a`, person.last_name]) {
    await field.fill(name);
    await field.press('Enter');
    await expect(page.locator('#profile [data-changes]')).toHaveCount(0);
    await page.locator('.toast').last().hover();
  }
  await expect(page.locator('.toast')).toHaveCount(2);
}
