import type { Page } from '@playwright/test';
import {
  type Cohort,
  comingDays,
  makeCohort,
  openMoreActions,
  pastDays,
  runningDays,
} from './cohorts.ts';
import { biology, section } from './settings.ts';
import { askApi, expect, openReady, signInWith, test } from './support.ts';

test.describe('the page of a cohort', () => {
  test('publishes a draft, and makes it a draft again', async ({ page }) => {
    await openCohort(page, { name: 'Winter', ...comingDays, capacity: 20 });
    await expect(stateOf(page)).toHaveText('This cohort is a draft.');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();

    await expect(page.getByText('Cohort published.')).toBeVisible();
    await expect(stateOf(page)).toHaveText('0 of 20 places are taken.');
    await expect(page.getByText('Enrollment is open until the first day.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Public page' })).toHaveAttribute(
      'href',
      /\/c\/winter-\w{6}$/,
    );
    await choose(page, 'Unpublish');
    await expect(stateOf(page)).toHaveText('This cohort is a draft.');
  });

  test('opens and closes enrollment, and lets the dates decide again', async ({ page }) => {
    const { id } = await openCohort(page, { name: 'Winter', ...comingDays }, 'publish');
    await page.getByRole('button', { name: 'Close enrollment now' }).click();
    await expect(page.getByText('You have closed enrollment.')).toBeVisible();
    await page.getByRole('button', { name: 'Follow the planned dates' }).click();
    await expect(page.getByText('Enrollment is open until the first day.')).toBeVisible();
    await askApi(page, 'PATCH', `/api/cohorts/${id}/`, { enrollment_closes_local: '2026-01-01' });
    await page.reload();
    await page.getByRole('button', { name: 'Open enrollment now' }).click();

    await expect(page.getByText('You have opened enrollment.')).toBeVisible();
  });

  test.describe('with its address', () => {
    test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

    test('copies it', async ({ page }) => {
      const { public_url: url } = await openCohort(
        page,
        { name: 'Winter', ...comingDays },
        'publish',
      );
      await page.getByRole('button', { name: 'Copy the public address' }).click();

      await expect(page.getByRole('status').getByText('Copied')).toBeAttached();
      expect(await page.evaluate(() => window.navigator.clipboard.readText())).toBe(url);
    });
  });

  test('says in which week it is, and when it has ended', async ({ page }) => {
    await openCohort(page, { name: 'Autumn', ...runningDays }, 'publish');
    await expect(stateOf(page)).toHaveText('Week 3 of 6.');
    const past = await makeCohort(page, { name: 'Last year', ...pastDays }, 'publish');
    await page.goto(`/cohorts/${past.id}`);

    await expect(stateOf(page)).toHaveText('This cohort has ended.');
    await page.getByRole('link', { name: 'Duplicate for the next group' }).click();
    await expect(page).toHaveURL(`/cohorts/${past.id}/duplicate`);
  });

  test('archives it, puts it into the trash, and takes it back from both', async ({ page }) => {
    await openCohort(page, { name: 'Winter', ...comingDays }, 'publish');
    await choose(page, 'Archive cohort');
    await expect(stateOf(page)).toHaveText('This cohort is archived.');
    await choose(page, 'Unarchive');
    await expect(stateOf(page)).toHaveText('Enrollment is open.');
    await choose(page, 'Move to the trash');
    await expect(stateOf(page)).toHaveText('This cohort is in the trash.');
    // The button of the menu is gone.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await page.getByRole('button', { name: 'Restore' }).click();

    await expect(stateOf(page)).toHaveText('Enrollment is open.');
  });

  test('is in the trash also for its other pages', async ({ page }) => {
    const { id } = await openCohort(page, { name: 'Winter', ...comingDays });
    await openReady(page, `/cohorts/${id}/settings`);
    await choose(page, 'Move to the trash');
    await expect(stateOf(page)).toHaveText('This cohort is in the trash.');
    for (const path of ['settings', 'move', 'duplicate']) {
      await page.goto(`/cohorts/${id}/${path}`);
      await expect(page).toHaveURL(`/cohorts/${id}`);
    }
    await expect(page.getByRole('button', { name: 'Restore' })).toBeVisible();
  });

  test('promises no public page of an archived draft', async ({ page }) => {
    await openCohort(page, { name: 'Winter', ...comingDays }, 'archive');

    await expect(page.getByText('Everything stays readable.', { exact: true })).toBeVisible();
  });

  test('offers no copy in an evergreen course', async ({ page }) => {
    const { course_id: course } = await openCohort(page, { name: 'Winter', ...comingDays });
    await openMoreActions(page);
    await expect(page.getByRole('link', { name: 'Duplicate' })).toBeVisible();
    await askApi(page, 'PATCH', `/api/courses/${course}/`, { course_type: 'evergreen' });
    await page.reload();
    await openMoreActions(page);

    await expect(page.getByRole('link', { name: 'Move all dates' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Duplicate' })).toBeHidden();
  });

  test('is counted before its course or its account is deleted', async ({ page }) => {
    await openCohort(page, { name: 'Winter', ...comingDays });
    await makeCohort(page, { name: 'Last year', ...pastDays });
    await openReady(page, '/settings');
    for (const [title, text] of [
      ['Delete this course', 'The course has 2 cohorts.'],
      ['Delete your account', '1 cohort hasn’t ended yet.'],
    ] as const) {
      await section(page, title).getByRole('button').click();
      const dialog = page.getByRole('dialog', { name: `${title}?` });
      await expect(dialog).toContainText(text);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    }
  });

  test('deletes it for ever from the trash, after asking', async ({ page }) => {
    const { id } = await openCohort(page, { name: 'Winter', ...comingDays }, 'trash');
    const open = page.locator('.cohort-state').getByRole('button', { name: 'Delete permanently' });
    await open.first().click();
    const dialog = page.getByRole('dialog', { name: 'Delete this cohort permanently?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await open.first().click();
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();

    await page.waitForURL('/cohorts');
    await expect(page.getByText('Cohort deleted.')).toBeVisible();
    const { status } = await page.request.get(`/api/cohorts/${id}/`).then((answer) => ({
      status: answer.status(),
    }));
    expect(status).toBe(404);
  });

  test.describe('that is put into the trash elsewhere', () => {
    test.use({ expectedErrors: [/status of 422/] });

    test('says so in place of publishing it', async ({ page }) => {
      const { id } = await openCohort(page, { name: 'Winter', ...comingDays });
      await askApi(page, 'DELETE', `/api/cohorts/${id}/`);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();

      await expect(page.getByText('This cohort is in the trash. Restore it first.')).toBeVisible();
      await expect(stateOf(page)).toHaveText('This cohort is in the trash.');
      await expect(page.getByRole('dialog')).toBeHidden();
    });
  });

  test.describe('of someone else, or of no cohort', () => {
    test.use({ expectedErrors: [/status of 404/] });

    test('is not found', async ({ page, openBrowser }) => {
      const { id } = await openCohort(page, { name: 'Winter', ...comingDays });
      const stranger = await openBrowser();
      await signInWith(stranger, [biology]);
      const parts = ['settings', 'move', 'duplicate', 'preview'];
      for (const path of [id, 'nothing', ...parts.map((part) => `${id}/${part}`)]) {
        const response = await stranger.goto(`/cohorts/${path}`);
        expect(response?.status()).toBe(404);
        await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('Page not found');
        await expect(stranger.getByRole('navigation', { name: 'Main navigation' })).toBeVisible();
      }
    });

    test('is not found without a new document either, and the way back leads on', async ({
      page,
    }) => {
      const { id } = await openCohort(page, { name: 'Winter', ...comingDays });
      await openReady(page, '/cohorts');
      await askApi(page, 'DELETE', `/api/cohorts/${id}/`);
      await askApi(page, 'POST', `/api/cohorts/${id}/purge/`);
      await page.getByRole('link', { name: 'Winter' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
      await expect(page).toHaveTitle('Page not found · Lectern');
      const sidebar = page.getByRole('navigation', { name: 'Main navigation' });
      await sidebar.getByRole('link', { name: 'Cohorts' }).click();

      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cohorts');
    });
  });
});

async function openCohort(
  page: Page,
  ...values: Parameters<typeof makeCohort> extends [Page, ...infer Rest] ? Rest : never
): Promise<Cohort> {
  await signInWith(page, [biology]);
  const cohort = await makeCohort(page, ...values);
  await openReady(page, `/cohorts/${cohort.id}`);
  return cohort;
}

function stateOf(page: Page) {
  return page.locator('#state');
}

async function choose(page: Page, name: string): Promise<void> {
  await openMoreActions(page);
  await page.getByRole('button', { name, exact: true }).click();
}
