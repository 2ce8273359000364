import type { BrowserContext, Page } from '@playwright/test';
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
  selectedOnServer,
  slowDown,
  triggerOf,
  watchCalls,
} from './courses.ts';
import { holdPage } from './navigation.ts';
import { askApi, expect, openReady, rest, signInWith, test } from './support.ts';

/** Opens a page with three courses, of which a second tab then deletes the first. */
async function openWithoutTheFirst(page: Page, context: BrowserContext): Promise<void> {
  await signInWith(page, [biology, chemistry, physics]);
  await openReady(page);
  const second = await context.newPage();
  const [first] = (await askApi(second, 'GET', '/api/courses/')) as Course[];
  await askApi(second, 'DELETE', `/api/courses/${first?.id}/`);
}

async function select(page: Page, name: string): Promise<void> {
  await openList(page);
  await optionOf(page, name).click();
}

test.describe('choosing a course', () => {
  test('calls the select endpoint once, then shows the page of the new course', async ({
    page,
  }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page, '/cohorts');
    const courses = (await askApi(page, 'GET', '/api/courses/')) as Course[];
    const calls = watchCalls(page);
    await expect(page.getByRole('main').getByText('This is an evergreen course')).toBeVisible();
    await select(page, 'Biology 101');

    await expect(page.getByRole('main').getByText('No cohorts yet.')).toBeVisible();
    await expect(page).toHaveURL('/cohorts');
    await expect(triggerOf(page, 'Biology 101')).toBeFocused();
    expect(calls.sent).toEqual([`POST /api/courses/${courses[0]?.id}/select/`]);
    expect(await selectedOnServer(page)).toEqual(['Biology 101']);
    await openList(page);
    await expect(page.getByRole('option', { selected: true })).toHaveText('Biology 101Cohort');
    await page.reload();
    await expect(triggerOf(page, 'Biology 101')).toBeVisible();
  });

  test('refreshes the list with courses created elsewhere', async ({ page }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    await askApi(page, 'POST', '/api/courses/', physics);
    await select(page, 'Biology 101');
    await expect(coverOf(page, 'Biology 101')).toBeVisible();
    await openList(page);

    await expect(page.getByRole('option')).toHaveText([
      'Biology 101Cohort',
      'ChemistryEvergreen',
      'PhysicsEvergreen',
    ]);
  });

  test('is visible immediately on a slow network, before any answer', async ({ page }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    const calls = watchCalls(page);
    await slowDown(page, 2500);
    await select(page, 'Biology 101');

    await expect(triggerOf(page, 'Biology 101')).toBeVisible({ timeout: 1000 });
    await expect(triggerOf(page)).toHaveAttribute('aria-busy', 'true');
    // What sends it may still be on its way over this network.
    await expect.poll(() => calls.sent).toHaveLength(1);
    expect(calls.answered).toBe(0);
    await expect(coverOf(page, 'Chemistry')).toBeVisible();
    await expect(coverOf(page, 'Biology 101')).toBeVisible();
    await expect(triggerOf(page, 'Biology 101')).toHaveAttribute('aria-busy', 'false');
    expect(calls.answered).toBe(1);
  });

  test('keeps the last of two quick choices', async ({ page }) => {
    await signInWith(page, [biology, chemistry, physics]);
    await openReady(page);
    await slowDown(page, 800);
    await select(page, 'Biology 101');
    await select(page, 'Chemistry');
    await expect(triggerOf(page, 'Chemistry')).toBeVisible();

    await expect(triggerOf(page)).toHaveAttribute('aria-busy', 'false');
    await expect(triggerOf(page, 'Chemistry')).toBeVisible();
    await expect(coverOf(page, 'Chemistry')).toBeVisible();
    expect(await selectedOnServer(page)).toEqual(['Chemistry']);
  });

  test('keeps the first course after quickly going back to it', async ({ page }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    await slowDown(page, 800);
    await select(page, 'Biology 101');
    await select(page, 'Chemistry');

    await expect(triggerOf(page)).toHaveAttribute('aria-busy', 'false');
    await expect(triggerOf(page, 'Chemistry')).toBeVisible();
    expect(await selectedOnServer(page)).toEqual(['Chemistry']);
  });

  test.describe('without a connection', () => {
    test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

    test('is undone with the error dialog, and can be retried there', async ({ page, context }) => {
      await signInWith(page, [biology, chemistry]);
      await openReady(page);
      await context.setOffline(true);
      await select(page, 'Biology 101');
      const dialog = page.getByRole('dialog', { name: 'Network Error' });
      await expect(dialog).toContainText('check your connection');
      await expect(page.locator('.course-trigger')).toContainText('Chemistry');
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect(triggerOf(page, 'Chemistry')).toBeFocused();
      await openList(page);
      await expect(page.getByRole('option', { selected: true })).toHaveText('ChemistryEvergreen');
      await page.keyboard.press('Escape');

      await select(page, 'Biology 101');
      await expect(dialog).toBeVisible();
      await context.setOffline(false);
      await dialog.getByRole('button', { name: 'Retry' }).click();
      await expect(triggerOf(page, 'Biology 101')).toBeVisible();
      await expect(coverOf(page, 'Biology 101')).toBeVisible();
      expect(await selectedOnServer(page)).toEqual(['Biology 101']);
    });
  });

  test.describe('that a second tab has deleted', () => {
    test.use({ expectedErrors: [/status of 404/] });

    test('says so, and the list is refreshed', async ({ page, context }) => {
      await openWithoutTheFirst(page, context);
      await rowOf(page, 'Biology 101').click();
      const dialog = page.getByRole('dialog', { name: 'Not Found' });
      await expect(dialog).toBeVisible();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect(dialog).toBeHidden();

      await expect(triggerOf(page, 'Physics')).toBeVisible();
      await openList(page);
      await expect(page.getByRole('option')).toHaveText(['ChemistryEvergreen', 'PhysicsEvergreen']);
      await expect(page.getByRole('option', { selected: true })).toHaveText('PhysicsEvergreen');
    });

    test('is undone at once, although the list takes longer', async ({ page, context }) => {
      await openWithoutTheFirst(page, context);
      const release = await holdPage(page, '_root');
      await rowOf(page, 'Biology 101').click();
      await expect(page.getByRole('dialog', { name: 'Not Found' })).toBeVisible();

      await expect(triggerOf(page, 'Physics')).toBeVisible();
      await expect(triggerOf(page)).toHaveAttribute('aria-busy', 'true');
      release();
      await expect(triggerOf(page)).toHaveAttribute('aria-busy', 'false');
    });

    test('leads to a first course when none is left', async ({ page, context }) => {
      await signInWith(page, [biology, chemistry]);
      await openReady(page);
      const second = await context.newPage();
      for (const { id } of (await askApi(second, 'GET', '/api/courses/')) as Course[]) {
        await askApi(second, 'DELETE', `/api/courses/${id}/`);
      }
      await rowOf(page, 'Biology 101').click();

      await expect(page).toHaveURL('/onboarding/course');
    });
  });

  test.describe('after the session has ended', () => {
    test.use({ expectedErrors: [/status of 401|Unauthorized access/] });

    test('is undone and leads to the login page', async ({ page, context }) => {
      await signInWith(page, [biology, chemistry]);
      await openReady(page);
      await askApi(page, 'DELETE', '/api/accounts/auth/sessions/current/');
      await context.clearCookies({ name: 'session' });
      await select(page, 'Biology 101');
      const dialog = page.getByRole('dialog', { name: 'Authentication Required' });
      await expect(dialog).toBeVisible();
      await expect(page.locator('.course-trigger')).toContainText('Chemistry');
      await dialog.getByRole('link', { name: 'Go to Login' }).click();

      await expect(page).toHaveURL('/login?reason=expired');
    });
  });
});

test.describe('which course is current', () => {
  test('users without a course cannot get past the first one', async ({ page }) => {
    await signInWith(page, []);
    for (const path of ['/', '/cohorts', '/payments', '/settings', '/settings/billing']) {
      await page.goto(path);
      await expect(page, path).toHaveURL('/onboarding/course');
    }
    await page.getByLabel('Course name').fill('Biology 101');
    await page.getByRole('radio', { name: /^Cohort/ }).check();
    await page.getByRole('button', { name: 'Create Course' }).click();

    await expect(page).toHaveURL('/');
    await expect(page.getByText('Course created and selected.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Create a cohort' })).toBeVisible();
    await expect(triggerOf(page, 'Biology 101')).toBeVisible();
    await page.reload();
    await expect(page.getByText('Course created and selected.')).toBeHidden();
    await page.goto('/onboarding/course');
    await expect(page).toHaveURL('/');
  });

  test('if the selected course is gone, the first one is selected', async ({ page }) => {
    await signInWith(page, [biology, chemistry, physics]);
    const courses = (await askApi(page, 'GET', '/api/courses/')) as Course[];
    await askApi(page, 'DELETE', `/api/courses/${courses[2]?.id}/`);
    await page.goto('/');

    await expect(triggerOf(page, 'Biology 101')).toBeVisible();
  });

  test('is the same in every browser', async ({ page, openBrowser }) => {
    await signInWith(page, [biology, chemistry]);
    const other = await openBrowser();
    await other.context().addCookies(await page.context().cookies());
    await openReady(page);
    await select(page, 'Biology 101');
    await expect(coverOf(page, 'Biology 101')).toBeVisible();
    await other.goto('/');

    await expect(triggerOf(other, 'Biology 101')).toBeVisible();
  });
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 700 } });

  test('the search field does not take the focus, which would open the keyboard', async ({
    page,
  }) => {
    const courses = Array.from({ length: 8 }, (_, index) => ({
      ...biology,
      name: `Course ${index + 1}`,
    }));
    await signInWith(page, courses);
    await openReady(page);
    await page.getByRole('button', { name: 'Menu' }).tap();
    await triggerOf(page).tap();

    await expect(page.getByRole('searchbox', { name: 'Find a course' })).toBeVisible();
    await expect(optionOf(page, 'Course 8')).toBeFocused();
    await optionOf(page, 'Course 7').tap();
    await expect(coverOf(page, 'Course 7')).toBeVisible();
    await expect(page.getByRole('complementary')).toHaveCount(0);
  });
});

test.describe('the sheet on a phone', () => {
  test.use({ viewport: { width: 375, height: 700 } });

  test('has the course list too, and ctrl + k opens both', async ({ page }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    await page.keyboard.press('Control+k');
    await expect(optionOf(page, 'Chemistry')).toBeFocused();
    // Once the sheet has slid in.
    await rest(page);
    const box = await listOf(page).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(375);
    expect(box?.width).toBe((await page.getByRole('complementary').boundingBox())?.width);
    await page.keyboard.press('Escape');
    await expect(listOf(page)).toBeHidden();
    await expect(page.getByRole('complementary')).toBeVisible();
    await expect(triggerOf(page, 'Chemistry')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('complementary')).toHaveCount(0);

    await page.getByRole('button', { name: 'Menu' }).click();
    await select(page, 'Biology 101');
    await expect(page.getByRole('complementary')).toHaveCount(0);
    await expect(coverOf(page, 'Biology 101')).toBeVisible();
    await expect(page.getByRole('banner')).toContainText('Biology 101');
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
    expect(await selectedOnServer(page)).toEqual(['Biology 101']);
  });

  test('closes for the dialog for a new course, and leaves nothing inert', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/cohorts');
    await page.getByRole('button', { name: 'Menu' }).click();
    await openNewCourse(page);
    await expect(page.getByLabel('Course name')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toBeHidden();
    expect(await page.evaluate(() => document.querySelectorAll('[inert]').length)).toBe(0);
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
  });
});
