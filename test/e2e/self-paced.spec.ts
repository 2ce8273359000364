import type { Page } from '@playwright/test';
import type { OpenRun } from '#features/cohorts/schema.ts';
import { openMoreActions, selectedCourse } from './cohorts.ts';
import { makeEvergreen } from './self-paced-views.ts';
import { askApi, expect, openReady, signInWith, test } from './support.ts';

test('enrollment is opened by one button, set up by one form, and closed', async ({ page }) => {
  await signInWith(page, []);
  await makeEvergreen(page);
  await openReady(page, '/cohorts');
  await expect(page.getByRole('heading', { name: /^Your lesson is published/ })).toBeVisible();
  await page.getByRole('button', { name: 'Open enrollment' }).click();
  await expect(page.getByText('Enrollment is open.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No one has enrolled yet.' })).toBeVisible();
  const { id, enrollment_state: state } = await runOf(page);
  expect(state).toBe('open');

  await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
  await page.waitForURL(`/cohorts/${id}/settings`);
  await page.getByLabel('Days of access').fill('90');
  await page.getByLabel('Currency').selectOption('EUR');
  await page.getByRole('textbox', { name: 'Price' }).fill('60');
  await page.getByRole('textbox', { name: 'Places' }).fill('1,000');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Enrollment settings saved.')).toBeVisible();
  expect(await runOf(page)).toMatchObject({
    access_days: 90,
    capacity: 1_000,
    price_minor: 6_000,
    currency: 'EUR',
    starts_on: null,
  });
  await expect(page.getByText('Start any day · 1,000 places · €60')).toBeVisible();

  await openMoreActions(page);
  await page.getByRole('button', { name: 'Close enrollment' }).first().click();
  await expect(page.getByText('Enrollment is closed.').first()).toBeVisible();
  expect((await runOf(page)).enrollment_state).toBe('closed');
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.waitForURL('/cohorts');
  await expect(page.getByRole('button', { name: 'Open enrollment' }).first()).toBeVisible();
});

test('enrollment can be set up before anyone can enroll', async ({ page }) => {
  await signInWith(page, []);
  await makeEvergreen(page);
  await openReady(page, '/cohorts');
  await page.getByRole('button', { name: 'Change this first' }).click();
  await page.waitForURL(/\/cohorts\/[\w-]{36}\/settings$/);
  await expect(page.getByText('Enrollment is still closed.')).toBeVisible();
  expect((await runOf(page)).enrollment_state).toBe('closed');
});

/** The open run of the selected course: to open it again answers it as it is. */
async function runOf(page: Page): Promise<OpenRun> {
  const { id } = await selectedCourse(page);
  return (await askApi(page, 'POST', `/api/courses/${id}/enrollment/`, {})) as OpenRun;
}
