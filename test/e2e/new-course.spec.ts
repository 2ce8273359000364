import type { Locator, Page } from '@playwright/test';
import {
  biology,
  type Course,
  dialogOf,
  openList,
  openNewCourse,
  optionOf,
  selectedOnServer,
  slowDown,
  triggerOf,
  watchCalls,
} from './courses.ts';
import { dialogCalled } from './failures.ts';
import {
  askApi,
  expect,
  loseNextAnswer,
  openReady,
  signInWith,
  test,
  untilLoaded,
} from './support.ts';

async function namesOnServer(page: Page): Promise<string[]> {
  const courses = (await askApi(page, 'GET', '/api/courses/')) as Course[];
  return courses.map(({ name }) => name);
}

async function fillNewCourse(page: Page, name: string, type = 'Evergreen'): Promise<void> {
  await dialogOf(page).getByLabel('Course name').fill(name);
  await dialogOf(page)
    .getByRole('radio', { name: new RegExp(`^${type}`) })
    .check();
}

function createButton(page: Page): Locator {
  return dialogOf(page).getByRole('button', { name: 'Create Course', exact: true });
}

function continueButton(page: Page): Locator {
  return dialogOf(page).getByRole('button', { name: 'create course and continue', exact: true });
}

async function expectTyped(page: Page): Promise<void> {
  await expect(dialogOf(page).getByLabel('Course name')).toHaveValue('Geology');
  await expect(dialogOf(page).getByRole('radio', { name: /^Evergreen/ })).toBeChecked();
}

test.describe('the dialog for a new course', () => {
  test('works with the keyboard alone, from the list to the new course', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/cohorts');
    await page.keyboard.press('Control+k');
    await expect(optionOf(page, 'Biology 101')).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect(dialogOf(page).getByLabel('Course name')).toBeFocused();
    await page.keyboard.type('Geology');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await expect(continueButton(page)).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(createButton(page)).toBeFocused();
    // Enter in a field is “Create Course” too.
    await dialogOf(page).getByLabel('Course name').press('Enter');

    await expect(triggerOf(page, 'Geology')).toBeVisible();
    await expect(dialogOf(page)).toBeHidden();
    await expect(page).toHaveURL('/cohorts');
  });

  test('‘Create Course’ stays on the page, with the new course selected; a double click creates one', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/cohorts');
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    const calls = watchCalls(page);
    await openNewCourse(page);
    await fillNewCourse(page, '  Geology ');
    await createButton(page).dblclick();

    await expect(dialogOf(page)).toBeHidden();
    await expect(triggerOf(page, 'Geology')).toBeFocused();
    await expect(page).toHaveURL('/cohorts');
    await expect(page.getByRole('main').getByText('Not open yet')).toBeVisible();
    await expect(page.getByText('Course created and selected.')).toBeVisible();
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
    await openList(page);
    await expect(page.getByRole('option')).toHaveText(['Biology 101Cohort', 'GeologyEvergreen']);
    await expect(page.getByRole('option', { selected: true })).toHaveText('GeologyEvergreen');
    await page.keyboard.press('Escape');
    expect(await selectedOnServer(page)).toEqual(['Geology']);
    expect(calls.sent).toEqual(['POST /api/courses/']);
    // Empty again.
    await openNewCourse(page);
    await expect(dialogOf(page).getByLabel('Course name')).toHaveValue('');
    await expect(dialogOf(page).getByRole('radio', { checked: true })).toHaveCount(0);
  });

  test('‘create course and continue’ goes to the next step of the course', async ({ page }) => {
    await signInWith(page, [biology]);
    for (const [from, type, next, title] of [
      ['/', 'Cohort', '/cohorts/new', 'New cohort'],
      ['/cohorts', 'Evergreen', '/lessons', 'Lessons'],
      // The page is the one that is shown.
      ['/lessons', 'Evergreen', '/lessons', 'Lessons'],
    ] as const) {
      await openReady(page, from);
      await openNewCourse(page);
      await fillNewCourse(page, `Geology ${from}`, type);
      await continueButton(page).click();

      await expect(page).toHaveURL(next);
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      await expect(triggerOf(page, `Geology ${from}`)).toBeVisible();
      await expect(page.getByText('Course created and selected.')).toBeVisible();
      await expect(dialogOf(page)).toBeHidden();
    }
    expect(await namesOnServer(page)).toHaveLength(4);
  });

  test('shows progress and lets nothing be changed while it is created, also once it is closed', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/cohorts');
    await openNewCourse(page);
    await fillNewCourse(page, 'Geology');
    await slowDown(page, 1500);
    const box = await dialogOf(page).boundingBox();
    await dialogOf(page).getByLabel('Course name').press('Enter');
    await page.keyboard.press('Enter');

    await expect(dialogOf(page).getByRole('button', { name: 'Creating…' })).toBeDisabled();
    await expect(continueButton(page)).toBeDisabled();
    await expect(dialogOf(page).getByLabel('Course name')).toBeDisabled();
    await expect(dialogOf(page).getByRole('radio').first()).toBeDisabled();
    expect(await dialogOf(page).boundingBox()).toEqual(box);
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toBeHidden();
    await expect(page.getByText('Course created and selected.')).toBeVisible();
    await expect(triggerOf(page, 'Geology')).toBeVisible();
    expect(await namesOnServer(page)).toEqual(['Biology 101', 'Geology']);
  });

  test('shows errors at each field, without a request, and accepts a name of 254 characters', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const calls = watchCalls(page);
    await openNewCourse(page);
    const name = dialogOf(page).getByLabel('Course name');
    const type = dialogOf(page).getByRole('group', { name: 'Course type' });
    await createButton(page).click();
    await expect(name).toHaveAccessibleDescription('Course name is required');
    await expect(name).toBeFocused();
    await expect(type).toHaveAccessibleDescription('Please select a course type');
    await type.getByRole('radio', { name: /^Cohort/ }).check();
    await expect(type).toHaveAccessibleDescription('');
    for (const [typed, message] of [
      ['   ', 'Course name is required'],
      ['  ab  ', 'Course name must be at least 3 characters'],
      ['a'.repeat(255), 'Course name must be less than 255 characters'],
    ] as const) {
      await name.fill(typed);
      await expect(name).toHaveAccessibleDescription('');
      await continueButton(page).click();
      await expect(name).toHaveAccessibleDescription(message);
      await expect(name).toHaveValue(typed);
    }
    expect(calls.sent).toEqual([]);
    await name.fill('Z'.repeat(254));
    await createButton(page).click();
    await expect(triggerOf(page, 'Z'.repeat(254))).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
  });

  test('keeps what was typed when Escape, its button or a click outside closes it', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await openNewCourse(page);
    await fillNewCourse(page, 'Geology');
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => dialogOf(page).getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(5, 5),
    ]) {
      await close();
      await expect(dialogOf(page)).toBeHidden();
      await expect(triggerOf(page, 'Biology 101')).toBeFocused();
      await openNewCourse(page);
      await expectTyped(page);
    }
    expect(await namesOnServer(page)).toEqual(['Biology 101']);
  });

  test.describe('without a connection, or if an answer is lost', () => {
    test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED/] });

    test('keeps what was typed, and Retry presses the same button again, which creates one course', async ({
      page,
      context,
    }) => {
      await signInWith(page, [biology]);
      await openReady(page, '/cohorts');
      await openNewCourse(page);
      await fillNewCourse(page, 'Geology');
      await untilLoaded(page, 'new-course-form');
      await context.setOffline(true);
      await continueButton(page).click();
      const failure = dialogCalled(page, 'Network Error');
      await expect(failure).toContainText('What you typed is still here.');
      await page.keyboard.press('Escape');
      await expect(failure).toBeHidden();
      await expectTyped(page);

      await continueButton(page).click();
      await expect(failure).toBeVisible();
      await context.setOffline(false);
      const lost = page.waitForEvent('requestfailed');
      await loseNextAnswer(page, '**/api/courses/');
      await failure.getByRole('button', { name: 'Retry' }).click();
      await lost;
      await failure.getByRole('button', { name: 'Retry' }).click();
      await expect(page).toHaveURL('/lessons');
      await expect(triggerOf(page, 'Geology')).toBeVisible();
      expect(await namesOnServer(page)).toEqual(['Biology 101', 'Geology']);
    });
  });
});
