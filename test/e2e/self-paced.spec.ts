import { openMoreActions } from './cohorts.ts';
import { toastOn } from './forms.ts';
import { makeEvergreen, openRun } from './open-runs.ts';
import { expect, openReady, signInWith, test } from './support.ts';

test('enrollment of an evergreen course is set up before anyone can enroll, opened by one button, and closed', async ({
  page,
}) => {
  await signInWith(page, []);
  await makeEvergreen(page);
  await openReady(page, '/cohorts');
  await expect(page.getByRole('heading', { name: /^Your 2 lessons are published/ })).toBeVisible();
  await page.getByRole('button', { name: 'Change this first' }).click();
  await page.waitForURL(/\/cohorts\/[\w-]{36}\/settings$/);
  await expect(page.getByText('Enrollment is still closed.')).toBeVisible();
  await page.getByLabel('Days of access').fill('90');
  await page.getByLabel('Currency').selectOption('EUR');
  await page.getByRole('textbox', { name: 'Price' }).fill('60');
  await page.getByRole('textbox', { name: 'Places' }).fill('1,000');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Enrollment settings saved.')).toBeVisible();
  expect(await openRun(page)).toMatchObject({
    access_days: 90,
    capacity: 1_000,
    price_minor: 6_000,
    currency: 'EUR',
    enrollment_state: 'closed',
  });

  await page.getByRole('link', { name: 'Overview' }).click();
  await page.waitForURL('/cohorts');
  await page.getByRole('button', { name: 'Open enrollment' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Open enrollment?' });
  await expect(dialog).toContainText('Each person who enrolls owes €60. They pay you directly.');
  await dialog.getByRole('button', { name: 'Open enrollment' }).click();
  await expect(toastOn(page).last()).toContainText('Enrollment is open.');
  await toastOn(page).getByRole('button', { name: 'Undo' }).click();
  await expect(toastOn(page).last()).toHaveText('Enrollment is closed.');
  await page.getByRole('button', { name: 'Open enrollment' }).first().click();
  await dialog.getByRole('button', { name: 'Open enrollment' }).click();
  await expect(page.getByText('Start any day · 1,000 places · €60')).toBeVisible();
  expect((await openRun(page)).enrollment_state).toBe('open');
  await openMoreActions(page);
  await page.getByRole('button', { name: 'Close enrollment' }).first().click();
  await expect(page.getByText('Enrollment is closed.').first()).toBeVisible();
  expect((await openRun(page)).enrollment_state).toBe('closed');
});
