import { createHmac, randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { readSecrets } from '../../scripts/local/settings.ts';
import { clientOf, courseNames, newEmail, person, signedIn } from './people.ts';
import { askApi } from './support.ts';
import type { View } from './views.ts';

/** The settings, and what opens from them, in states that depend on the account or on an answer. */
export const settingsViews: View[] = [
  { name: 'settings-mistakes', open: openMistakes },
  { name: 'settings-undeliverable', open: openUndeliverable },
  { name: 'settings-pending-address', open: openPendingAddress },
  { name: 'proof', isOverlay: true, open: openProof },
  { name: 'proof-sent', isOverlay: true, open: openProofSent },
  { name: 'proof-wrong', isOverlay: true, open: openProofWrong },
  { name: 'toasts', followsPointer: true, open: openToasts },
];

async function openSettings(page: Page): Promise<void> {
  await signedIn(page, { courses: 2 });
  await page.goto('/settings');
}

async function openMistakes(page: Page): Promise<void> {
  await openSettings(page);
  const form = page.locator('form:has([name="first_name"])');
  for (const name of ['first_name', 'last_name']) {
    await form.locator(`[name="${name}"]`).fill('');
  }
  await form.locator('button[type="submit"]:enabled').click();
  await expect(form.locator('[aria-invalid="true"]')).toHaveCount(2);
}

async function openPendingAddress(page: Page): Promise<void> {
  const client = await clientOf(page);
  await client.requestAddressChange();
  await askApi(page, 'POST', '/api/courses/', { name: courseNames[1], course_type: 'cohort' });
  await page.goto('/settings');
}

/** Shown when a login is too old, which takes too long to wait for. */
async function openProof(page: Page): Promise<void> {
  await openSettings(page);
  await page.locator('#proof').evaluate((dialog: HTMLDialogElement) => dialog.showModal());
}

/** A user of its own, whose address gets few emails. */
async function openProofSent(page: Page): Promise<void> {
  await (await clientOf(page)).signUp(newEmail());
  await askApi(page, 'POST', '/api/courses/', { name: courseNames[1], course_type: 'cohort' });
  await page.goto('/settings');
  const dialog = page.locator('#proof');
  await dialog.evaluate((element: HTMLDialogElement) => element.showModal());
  await dialog.locator('button[type="submit"]').click();
  await expect(dialog.locator('[name="code"]')).toBeVisible();
}

async function openProofWrong(page: Page): Promise<void> {
  await openProofSent(page);
  const field = page.locator('#proof [name="code"]');
  // It is the right one once in a million.
  await field.fill('000000');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
}

/** A user whose email bounced, as reported by Resend. */
async function openUndeliverable(page: Page): Promise<void> {
  const email = newEmail();
  await (await clientOf(page)).signUp(email);
  await askApi(page, 'POST', '/api/courses/', { name: courseNames[1], course_type: 'cohort' });
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
  await page.goto('/settings');
}

/** Saves a changed form, and changes it back. The pointer on the toasts makes them stay. */
async function openToasts(page: Page): Promise<void> {
  await openSettings(page);
  const field = page.locator('#profile [name="last_name"]');
  for (const name of [`${person.last_name}a`, person.last_name]) {
    await field.fill(name);
    await field.press('Enter');
    await expect(page.locator('#profile [data-changes]')).toHaveCount(0);
    await page.locator('.toast').last().hover();
  }
  await expect(page.locator('.toast')).toHaveCount(2);
}
