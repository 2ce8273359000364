import { expect, type Page } from '@playwright/test';
import { cohortWith } from './enrollments.ts';
import { payOnline, writePayments } from './online-payments.ts';
import { courseNames, makeCourse, makeCourses, person, someone } from './people.ts';
import { drawPng } from './pictures.ts';
import { askApi } from './support.ts';
import { opener, type View, viewsOf } from './view.ts';

const owner = viewsOf('someone in the settings', async (page) => {
  await makeCourses(page, 2);
  return {};
});

const unfinished = viewsOf('someone who has begun to connect Stripe', async (page) => {
  await makeCourses(page, 1);
  await askApi(page, 'POST', '/api/payment-account/', { country: 'FR' });
  return {};
});

const connected = viewsOf('someone who is paid by Stripe', async (page) => {
  await makeCourse(page);
  const price = { price_minor: 48_000, currency: 'CAD' };
  const cohort = await cohortWith(page, [someone(0)], { name: courseNames[2] ?? '', ...price });
  await payOnline(page, cohort.id);
  writePayments(cohort.id, [{ enrollment: cohort.people[0]?.id ?? '', minor: 48_000 }]);
  return {};
});

const gettingPaid = '/settings/payments';

/** The settings, and what opens from them, in states that depend on the account or on an answer. */
export const settingsViews: View[] = [
  owner('settings-mistakes', '/settings', { act: makeNoName }),
  owner('settings-picture', '/settings', { act: choosePicture }),
  owner('settings-duplicate', '/settings', {
    isOverlay: true,
    presses: [opener('duplicate-course')],
  }),
  owner('proof', '/settings', { isOverlay: true, act: askForProof }),
  owner('proof-sent', '/settings', { isOverlay: true, act: sendProof }),
  unfinished('getting-paid-unfinished', gettingPaid),
  connected('getting-paid-connected', gettingPaid),
  connected('getting-paid-disconnect', gettingPaid, {
    isOverlay: true,
    presses: [opener('disconnect-stripe')],
  }),
  owner('toasts', '/settings', { followsPointer: true, act: saveTwice }),
];

async function makeNoName(page: Page): Promise<void> {
  const form = page.locator('form:has([name="first_name"])');
  for (const name of ['first_name', 'last_name']) {
    await form.locator(`[name="${name}"]`).fill('');
  }
  await form.locator('button[type="submit"]:enabled').click();
  await expect(form.locator('[aria-invalid="true"]')).toHaveCount(2);
}

/** Chooses a picture that is higher than what is shown of it. */
async function choosePicture(page: Page): Promise<void> {
  await page.locator('#picture input').setInputFiles(await drawPng(page, 600, 800));
  await expect(page.locator('#picture canvas')).toBeFocused();
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
