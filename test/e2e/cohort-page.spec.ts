import type { Page } from '@playwright/test';
import {
  type Cohort,
  comingDays,
  makeCohort,
  openMoreActions,
  pastDays,
  runningDays,
} from './cohorts.ts';
import { addPerson } from './enrollments.ts';
import { biology, section } from './settings.ts';
import { askApi, expect, mailsTo, openReady, signInWith, test, uniqueEmail } from './support.ts';

const winter = { name: 'Winter', ...comingDays };

test.describe('the page of a cohort', () => {
  test.use({
    expectedErrors: [/status of 4(00|04|22)/],
    permissions: ['clipboard-read', 'clipboard-write'],
  });

  test('is previewed by its owner, publishes a draft, copies its link, opens and closes enrollment, and makes it a draft again', async ({
    page,
  }) => {
    const { id, public_url: url } = await openCohort(page, { ...winter, capacity: 20 });
    await expect(stateOf(page)).toHaveText('This cohort is a draft. 3 things are missing.');
    await page.getByRole('link', { name: 'Preview public page' }).click();
    await expect(page.getByText('This is a preview. Only you can see it.')).toBeVisible();
    await page.getByRole('link', { name: 'Back to the cohort' }).click();
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish Winter?' });
    await expect(dialog).toContainText('read the page and enroll. 20 places, then a waitlist.');
    await expect(dialog).toContainText('There is no place or meeting link yet.');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await expect(page.getByText('Cohort published.')).toBeVisible();
    await expect(stateOf(page)).toHaveText('0 of 20 places are taken.');
    await expect(page.getByRole('link', { name: 'Public page' })).toHaveAttribute(
      'href',
      /\/c\/.+-winter-\w{6}$/,
    );
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect(page.getByRole('status').getByText('Copied')).toBeAttached();
    expect(await page.evaluate(() => window.navigator.clipboard.readText())).toBe(url);

    await expect(page.getByText(/^Enrollment is open until the cohort starts on/)).toBeVisible();
    await page.getByRole('button', { name: 'Close enrollment now' }).click();
    await expect(page.getByText('You have closed enrollment.')).toBeVisible();
    await page.getByRole('button', { name: 'Follow the planned dates' }).click();
    await expect(page.getByText(/^Enrollment is open until the cohort starts on/)).toBeVisible();
    await askApi(page, 'PATCH', `/api/cohorts/${id}/`, { enrollment_closes_local: '2026-01-01' });
    await openReady(page, `/cohorts/${id}`);
    await page.getByRole('button', { name: 'Open enrollment now' }).click();
    await expect(page.getByText('You have opened enrollment.')).toBeVisible();
    await choose(page, 'Unpublish');
    await expect(stateOf(page)).toHaveText(/^This cohort is a draft/);
  });

  test('is named by the trail, has one column in large letters, and says when it is of another course', async ({
    page,
  }) => {
    const { id } = await openCohort(page, winter, 'publish');
    await openReady(page, `/cohorts/${id}/schedule`);
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
    await expect(trail.getByRole('listitem')).toHaveText(['Cohorts', 'Winter', 'Schedule']);
    await openReady(page, `/cohorts/${id}/schedule/new`);
    const above = ['Cohorts', 'Winter'];
    await expect(trail.getByRole('listitem')).toHaveText([...above, 'Schedule', 'Add session']);
    const person = await addPerson(page, { id }, { name: 'Ana Fernández', email: uniqueEmail() });
    await openReady(page, `/cohorts/${id}/roster/${person.id}`);
    await expect(trail.getByRole('listitem')).toHaveText([...above, 'Roster', 'Ana Fernández']);

    await openReady(page, `/cohorts/${id}`);
    await page.setViewportSize({ width: 1280, height: 800 });
    const columns = () =>
      page
        .locator('.cohort-overview')
        .evaluate((grid) => getComputedStyle(grid).gridTemplateColumns.split(' ').length);
    expect(await columns()).toBe(2);
    // A style element would violate the Content Security Policy.
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    expect(await columns()).toBe(1);

    await askApi(page, 'POST', '/api/courses/', { name: 'Poetry', course_type: 'cohort' });
    await openReady(page, `/cohorts/${id}`);
    const places = page.getByRole('navigation', { name: 'Main navigation' });
    await expect(places.locator('[aria-current]')).toHaveCount(0);
    await page.getByRole('button', { name: 'Switch to this course' }).click();
    await expect(places.locator('[aria-current]')).toHaveText('Cohorts');
  });

  test('archives it, moves it to the trash without telling its people, takes it back from both, and deletes it permanently', async ({
    page,
  }) => {
    const { id } = await openCohort(page, winter, 'publish');
    const email = uniqueEmail();
    await addPerson(page, { id }, { name: 'Ana Fernández', email });
    await openReady(page, `/cohorts/${id}`);
    await choose(page, 'Archive cohort');
    await expect(stateOf(page)).toHaveText('This cohort is archived.');
    await choose(page, 'Unarchive');
    await expect(stateOf(page)).toHaveText('Enrollment is open.');
    await choose(page, 'Move to the trash');
    const trash = page.getByRole('dialog', { name: 'Move this cohort to the trash?' });
    await expect(trash).toContainText('1 person who is enrolled, waiting or invited.');
    await trash.getByLabel('Tell the people concerned by email').uncheck();
    await trash.getByRole('button', { name: 'Move to the trash' }).click();
    await expect(stateOf(page)).toHaveText('This cohort is in the trash.');
    // The button of the menu is gone.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    for (const path of ['settings', 'move', 'duplicate']) {
      await page.goto(`/cohorts/${id}/${path}`);
      await expect(page).toHaveURL(`/cohorts/${id}`);
    }
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect(stateOf(page)).toHaveText('Enrollment is open.');
    expect(await mailsTo(email)).toHaveLength(1);

    await askApi(page, 'DELETE', `/api/cohorts/${id}/`);
    await page.getByRole('button', { name: 'Close enrollment now' }).click();
    await expect(page.getByText('This cohort is in the trash. Restore it first.')).toBeVisible();
    await expect(stateOf(page)).toHaveText('This cohort is in the trash.');
    await expect(page.getByRole('dialog')).toBeHidden();
    const remove = page
      .locator('.cohort-state')
      .getByRole('button', { name: 'Delete permanently' });
    await remove.first().click();
    const dialog = page.getByRole('dialog', { name: 'Delete this cohort permanently?' });
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await page.waitForURL('/cohorts');
    await expect(page.getByText('Cohort deleted.')).toBeVisible();
    expect((await page.request.get(`/api/cohorts/${id}/`)).status()).toBe(404);
  });

  test('says in which week it is and when it has ended; cohorts and people are counted before course or account are deleted', async ({
    page,
  }) => {
    const running = await openCohort(page, { name: 'Autumn', ...runningDays }, 'publish');
    await expect(stateOf(page)).toHaveText('Week 3 of 6.');
    await addPerson(page, running, { name: 'Ana', email: uniqueEmail() });
    const past = await makeCohort(page, { name: 'Last year', ...pastDays }, 'publish');
    await page.goto(`/cohorts/${past.id}`);
    await expect(stateOf(page)).toHaveText('This cohort has ended.');
    await page.getByRole('link', { name: 'Duplicate for the next group' }).click();
    await expect(page).toHaveURL(`/cohorts/${past.id}/duplicate`);

    await openReady(page, '/settings');
    for (const [title, ...texts] of [
      ['Delete this course', 'The course has 2 cohorts.', '1 person is in the cohorts'],
      ['Delete your account', '1 cohort hasn’t ended yet.', '1 person who takes part'],
    ] as const) {
      await section(page, title).getByRole('button').click();
      const dialog = page.getByRole('dialog', { name: `${title}?` });
      for (const text of texts) {
        await expect(dialog).toContainText(text);
      }
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    }
  });

  test('is not found by others, nor is any other page of it', async ({ page, openBrowser }) => {
    const cohort = await openCohort(page, winter);
    const person = await addPerson(page, cohort, { name: 'Ana Fernández', email: uniqueEmail() });
    const stranger = await openBrowser();
    await signInWith(stranger, [biology]);
    const parts = ['settings', 'move', 'duplicate', 'preview', 'roster', `roster/${person.id}`];
    const others = ['roster/nobody', 'waitlist', 'schedule', 'attendance', 'emails', 'import'];
    for (const part of [...parts, ...others]) {
      const answer = await stranger.request.get(`/cohorts/${cohort.id}/${part}`);
      expect(answer.status(), part).toBe(404);
      expect(await answer.text(), part).not.toContain('Fernández');
    }
    await stranger.goto(`/cohorts/${cohort.id}`);
    await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('Page not found');
    const sidebar = stranger.getByRole('navigation', { name: 'Main navigation' });
    await sidebar.getByRole('link', { name: 'Cohorts' }).click();
    await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('Cohorts');
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
