import type { Page } from '@playwright/test';
import { comingDays, makeCohort, openMoreActions } from './cohorts.ts';
import { addPerson } from './enrollments.ts';
import { toastOn } from './forms.ts';
import { biology } from './settings.ts';
import { askApi, expect, mailsTo, openReady, signInWith, test, uniqueEmail } from './support.ts';

test.use({
  expectedErrors: [/status of 4(04|22)/],
  permissions: ['clipboard-read', 'clipboard-write'],
});

test('a cohort is previewed, published and linked to, opens and closes enrollment, is kept while its owner is in another course, and is a draft again; it is archived, goes to the trash without telling its people, comes back from both, and is deleted permanently', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  const { id, public_url: url } = await makeCohort(page, {
    name: 'Winter',
    ...comingDays,
    capacity: 20,
  });
  await openReady(page, `/cohorts/${id}`);
  await expect(stateOf(page)).toHaveText('This cohort is a draft. 3 things are missing.');
  await page.getByRole('link', { name: 'Preview public page' }).click();
  await expect(page.getByText('This is a preview. Only you can see it.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the cohort' }).click();
  await page.getByRole('button', { name: 'Publish…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish Winter?' });
  await expect(dialog).toContainText('There is no place or meeting link yet.');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Cohort published.')).toBeVisible();
  await expect(stateOf(page)).toHaveText('0 of 20 places are taken.');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByRole('status').getByText('Copied')).toBeAttached();
  expect(await page.evaluate(() => window.navigator.clipboard.readText())).toBe(url);

  await page.getByRole('button', { name: 'Close enrollment now' }).click();
  await expect(page.getByText('You have closed enrollment.')).toBeVisible();
  await page.getByRole('button', { name: 'Follow the planned dates' }).click();
  await expect(page.getByText(/^Enrollment is open until the cohort starts on/)).toBeVisible();

  await askApi(page, 'POST', '/api/courses/', { name: 'Poetry', course_type: 'cohort' });
  await openReady(page, `/cohorts/${id}`);
  await page.getByRole('button', { name: 'Switch to this course' }).click();
  const places = page.getByRole('navigation', { name: 'Main navigation' });
  await expect(places.locator('[aria-current]')).toHaveText('Cohorts');
  await choose(page, 'Unpublish');
  await expect(stateOf(page)).toHaveText(/^This cohort is a draft/);

  await askApi(page, 'POST', `/api/cohorts/${id}/publish/`);
  const email = uniqueEmail();
  await addPerson(page, { id }, { name: 'Ana Fernández', email });
  await openReady(page, `/cohorts/${id}`);
  const open = '1 of 20 places are taken.';
  // By keyboard: what it means, the list with the way back, and the cohort as it was.
  await openMoreActions(page);
  await page.getByRole('button', { name: 'Archive…' }).press('Enter');
  const archive = page.getByRole('dialog', { name: 'Archive Winter?' });
  await expect(archive).toContainText('1 person will read “This cohort has ended.”');
  await archive.getByLabel('Tell the 1 person by email that it ends today').press('Space');
  await page.keyboard.press('Enter');
  await page.waitForURL('/cohorts');
  await expect(toastOn(page)).toContainText('Archived. Winter has ended for its 1 person.');
  await toastOn(page).getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(toastOn(page)).toHaveText('The cohort is back in the list.');
  await page.getByRole('link', { name: 'Winter' }).click();
  await expect(stateOf(page)).toHaveText(open);
  await choose(page, 'Move to the trash');
  const trash = page.getByRole('dialog', { name: 'Move this cohort to the trash?' });
  await expect(trash).toContainText('1 person who is enrolled, waiting or invited.');
  await trash.getByLabel('Tell the people concerned by email').uncheck();
  await trash.getByRole('button', { name: 'Move to the trash' }).click();
  await expect(stateOf(page)).toHaveText('This cohort is in the trash.');
  // The button of the menu is gone.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(stateOf(page)).toHaveText(open);
  expect(await mailsTo(email)).toHaveLength(1);

  // In another tab.
  await askApi(page, 'DELETE', `/api/cohorts/${id}/`);
  await page.getByRole('button', { name: 'Close enrollment now' }).click();
  await expect(page.getByText('This cohort is in the trash. Restore it first.')).toBeVisible();
  await expect(stateOf(page)).toHaveText('This cohort is in the trash.');
  const remove = page.locator('.cohort-state').getByRole('button', { name: 'Delete permanently' });
  await remove.first().click();
  const deletion = page.getByRole('dialog', { name: 'Delete this cohort permanently?' });
  await deletion.getByRole('button', { name: 'Delete permanently' }).click();
  await page.waitForURL('/cohorts');
  await expect(page.getByText('Cohort deleted.')).toBeVisible();
  expect((await page.request.get(`/api/cohorts/${id}/`, { maxRetries: 1 })).status()).toBe(404);
});

function stateOf(page: Page) {
  return page.locator('#state');
}

async function choose(page: Page, name: string): Promise<void> {
  await openMoreActions(page);
  await page.getByRole('button', { name, exact: true }).click();
}
