import type { Page } from '@playwright/test';
import {
  biology,
  type Course,
  chemistry,
  coverOf,
  dialogOf,
  listOf,
  openList,
  openNewCourse,
  optionOf,
  physics,
  rowOf,
  selectCourse,
  selectedOnServer,
  slowDown,
  triggerOf,
  watchCalls,
} from './courses.ts';
import { dialogCalled } from './failures.ts';
import { coursesOf } from './forms.ts';
import { holdPage } from './navigation.ts';
import { askApi, expect, openReady, signInWith, test } from './support.ts';

async function deleteCourse(page: Page, name: string): Promise<void> {
  const courses = (await askApi(page, 'GET', '/api/courses/')) as Course[];
  const { id } = courses.find((course) => course.name === name) ?? {};
  await askApi(page, 'DELETE', `/api/courses/${id}/`);
}

test.describe('choosing a course', () => {
  test('calls the select endpoint once, then shows its page and the current list', async ({
    page,
  }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page, '/cohorts');
    const [first] = (await askApi(page, 'GET', '/api/courses/')) as Course[];
    await askApi(page, 'POST', '/api/courses/', physics);
    const calls = watchCalls(page);
    await expect(page.getByRole('main').getByText('Not open yet')).toBeVisible();
    await selectCourse(page, 'Biology 101');

    await expect(page.getByRole('main').getByText('No cohorts yet.')).toBeVisible();
    await expect(page).toHaveURL('/cohorts');
    await expect(triggerOf(page, 'Biology 101')).toBeFocused();
    expect(calls.sent).toEqual([`POST /api/courses/${first?.id}/select/`]);
    expect(await selectedOnServer(page)).toEqual(['Biology 101']);
    await openList(page);
    await expect(page.getByRole('option')).toHaveText([
      'Biology 101Cohort',
      'ChemistryEvergreen',
      'PhysicsEvergreen',
    ]);
    await expect(page.getByRole('option', { selected: true })).toHaveText('Biology 101Cohort');
  });

  test('is visible before any answer, and of two quick choices the last one stays', async ({
    page,
  }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    const calls = watchCalls(page);
    await slowDown(page, 2000);
    await selectCourse(page, 'Biology 101');
    await expect(triggerOf(page, 'Biology 101')).toBeVisible();
    await expect(triggerOf(page)).toHaveAttribute('aria-busy', 'true');
    expect(calls.answered).toBe(0);
    await expect(coverOf(page, 'Chemistry')).toBeVisible();
    await selectCourse(page, 'Chemistry');
    await expect(triggerOf(page, 'Chemistry')).toBeVisible();

    await expect(triggerOf(page)).toHaveAttribute('aria-busy', 'false');
    await expect(triggerOf(page, 'Chemistry')).toBeVisible();
    await expect(coverOf(page, 'Chemistry')).toBeVisible();
    expect(calls.sent).toHaveLength(2);
    expect(await selectedOnServer(page)).toEqual(['Chemistry']);
  });

  test.describe('without a connection', () => {
    test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

    test('is undone with the error dialog, and can be retried there', async ({ page, context }) => {
      await signInWith(page, [biology, chemistry]);
      await openReady(page);
      await context.setOffline(true);
      await selectCourse(page, 'Biology 101');
      const dialog = dialogCalled(page, 'Network Error');
      await expect(dialog).toContainText('check your connection');
      await expect(page.locator('.course-trigger')).toContainText('Chemistry');
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect(triggerOf(page, 'Chemistry')).toBeFocused();
      await rowOf(page, 'Biology 101').click();
      await expect(dialog).toBeVisible();
      await expect(page.locator('.course-rows [aria-current]')).toContainText('Chemistry');
      await context.setOffline(false);
      await dialog.getByRole('button', { name: 'Retry' }).click();

      await expect(triggerOf(page, 'Biology 101')).toBeVisible();
      await expect(coverOf(page, 'Biology 101')).toBeVisible();
      expect(await selectedOnServer(page)).toEqual(['Biology 101']);
    });
  });

  test.describe('that was deleted meanwhile', () => {
    test.use({ expectedErrors: [/status of 404/] });

    test('says so and is undone at once, then refreshes the list', async ({ page }) => {
      await signInWith(page, [biology, chemistry, physics]);
      await openReady(page);
      await deleteCourse(page, 'Biology 101');
      const release = await holdPage(page, '_root');
      await rowOf(page, 'Biology 101').click();
      const dialog = dialogCalled(page, 'Not Found');
      await expect(dialog).toContainText('We couldn’t find that. It may have been deleted.');
      await expect(dialog.getByRole('button')).toHaveText(['Copy', 'Close']);
      await expect(page.locator('.course-trigger')).toContainText('Physics');
      await expect(page.locator('.course-trigger')).toHaveAttribute('aria-busy', 'true');
      await dialog.getByRole('button', { name: 'Close' }).click();
      release();
      await expect(triggerOf(page)).toHaveAttribute('aria-busy', 'false');
      await openList(page);
      await expect(page.getByRole('option')).toHaveText(['ChemistryEvergreen', 'PhysicsEvergreen']);
      await expect(page.getByRole('option', { selected: true })).toHaveText('PhysicsEvergreen');
    });
  });
});

test('users without a course cannot skip creating their first course, which needs a name and a type', async ({
  page,
}) => {
  await signInWith(page, []);
  for (const path of ['/', '/settings/billing']) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/onboarding/course');
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create your first course');
  await expect(page.getByText('Welcome, Ada. Let’s get started.')).toBeVisible();
  await expect(page.getByText('You can change these settings later.')).toBeVisible();
  const name = page.getByLabel('Course name');
  await expect(name).toBeFocused();
  const create = page.getByRole('button', { name: 'Create Course' });
  await create.click();
  await expect(name).toHaveAccessibleDescription('Course name is required');
  await expect(name).toBeFocused();
  const type = page.getByRole('group', { name: 'Course type' });
  await expect(type).toHaveAccessibleDescription('Please select a course type');
  await name.fill('Biology 101');
  await page.getByRole('radio', { name: /^Cohort/ }).press('Space');
  await create.dblclick();

  await expect(page).toHaveURL('/');
  await expect(page.getByText('Course created and selected.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create a cohort' })).toBeVisible();
  await expect(triggerOf(page, 'Biology 101')).toBeVisible();
  expect(await coursesOf(page)).toMatchObject([{ ...biology, is_selected: true }]);
  await page.reload();
  await expect(page.getByText('Course created and selected.')).toBeHidden();
  await page.goto('/onboarding/course');
  await expect(page).toHaveURL('/');
});

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 700 } });

  test('ctrl + k opens the sheet and its list, without a keyboard over it, and a choice closes both', async ({
    page,
  }) => {
    const names = Array.from({ length: 8 }, (_, index) => ({ ...biology, name: `No. ${index}.` }));
    await signInWith(page, names);
    await openReady(page);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('searchbox', { name: 'Find a course' })).toBeVisible();
    await expect(optionOf(page, 'No. 7')).toBeFocused();
    const sheet = page.getByRole('complementary');
    await page.keyboard.press('Escape');
    await expect(listOf(page)).toBeHidden();
    await expect(triggerOf(page, 'No. 7')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);

    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.tap();
    await triggerOf(page).tap();
    await optionOf(page, 'No. 6').tap();
    await expect(coverOf(page, 'No. 6.')).toBeVisible();
    await expect(sheet).toHaveCount(0);
    await expect(page.getByRole('banner')).toContainText('No. 6.');
    await expect(menu).toBeFocused();
  });
});

test.describe('in a low window', () => {
  test.use({ viewport: { width: 360, height: 400 } });

  test('the dialog for a new course takes the place of the sheet, scrolls inside its rounded corners, and leaves nothing inert', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await page.getByRole('button', { name: 'Menu' }).click();
    await openNewCourse(page);
    const body = dialogOf(page).locator('.dialog-body');
    await body.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    expect(await body.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
    await expect(dialogOf(page)).toHaveCSS('overflow', 'hidden');
    const { y = 0, height = 0 } = (await dialogOf(page).boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + height).toBeLessThanOrEqual(400);

    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toBeHidden();
    expect(await page.evaluate(() => document.querySelectorAll('[inert]').length)).toBe(0);
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
  });
});
