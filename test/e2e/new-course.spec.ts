import type { Locator, Page } from '@playwright/test';
import {
  biology,
  type Course,
  dialogOf,
  listOf,
  openList,
  openNewCourse,
  optionOf,
  selectedOnServer,
  slowDown,
  triggerOf,
  watchCalls,
} from './courses.ts';
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

test.describe('the dialog for a new course', () => {
  test('focuses the course name', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await openNewCourse(page);

    await expect(listOf(page)).toBeHidden();
    await expect(dialogOf(page).getByLabel('Course name')).toBeFocused();
    await expect(createButton(page)).toBeVisible();
    await expect(continueButton(page)).toBeVisible();
  });

  test('works with the keyboard alone, from the list to the new course', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
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
    await page.keyboard.press('Enter');

    await expect(triggerOf(page, 'Geology')).toBeVisible();
    await expect(dialogOf(page)).toBeHidden();
  });

  test('‘Create Course’ stays on the page, with the new course selected', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/cohorts');
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    await openNewCourse(page);
    await fillNewCourse(page, '  Geology ');
    await createButton(page).click();

    await expect(dialogOf(page)).toBeHidden();
    await expect(triggerOf(page, 'Geology')).toBeVisible();
    await expect(page).toHaveURL('/cohorts');
    await expect(page.getByRole('main').getByText('This is an evergreen course')).toBeVisible();
    await expect(page.getByText('Course created and selected.')).toBeVisible();
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
    await expect(triggerOf(page)).toBeFocused();
    await openList(page);
    await expect(page.getByRole('option')).toHaveText(['Biology 101Cohort', 'GeologyEvergreen']);
    await expect(page.getByRole('option', { selected: true })).toHaveText('GeologyEvergreen');
    expect(await selectedOnServer(page)).toEqual(['Geology']);
  });

  for (const from of ['/', '/cohorts', '/settings'] as const) {
    for (const [type, next, title] of [
      ['Cohort', '/cohorts/new', 'New cohort'],
      ['Evergreen', '/settings#course', 'Settings'],
    ] as const) {
      test(`‘create course and continue’ goes to the next step of the course (${type}, from ${from})`, async ({
        page,
      }) => {
        await signInWith(page, [biology]);
        await openReady(page, from);
        await openNewCourse(page);
        await fillNewCourse(page, 'Geology', type);
        await continueButton(page).click();

        await expect(page).toHaveURL(next);
        await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
        await expect(triggerOf(page, 'Geology')).toBeVisible();
        await expect(page.getByText('Course created and selected.')).toBeVisible();
        await expect(dialogOf(page)).toBeHidden();
        expect(await namesOnServer(page)).toEqual(['Biology 101', 'Geology']);
      });
    }
  }

  test('is sent with Enter as with ‘Create Course’', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/cohorts');
    await openNewCourse(page);
    await fillNewCourse(page, 'Geology');
    await dialogOf(page).getByLabel('Course name').press('Enter');

    await expect(triggerOf(page, 'Geology')).toBeVisible();
    await expect(dialogOf(page)).toBeHidden();
    await expect(page).toHaveURL('/cohorts');
  });

  for (const pressed of ['Create Course', 'create course and continue']) {
    test(`shows progress after ‘${pressed}’, and nothing in it can be changed`, async ({
      page,
    }) => {
      await signInWith(page, [biology]);
      await openReady(page, '/cohorts');
      await openNewCourse(page);
      await fillNewCourse(page, 'Geology');
      await slowDown(page, 2500);
      const box = await dialogOf(page).boundingBox();
      await dialogOf(page).getByRole('button', { name: pressed, exact: true }).click();

      const other = pressed === 'Create Course' ? continueButton(page) : createButton(page);
      const busy = dialogOf(page).getByRole('button', { name: 'Creating…' });
      await expect(busy).toBeVisible({ timeout: 1500 });
      expect(await dialogOf(page).boundingBox()).toEqual(box);
      await expect(busy).toBeDisabled();
      await expect(other).toBeDisabled();
      await expect(dialogOf(page).getByLabel('Course name')).toBeDisabled();
      for (const type of [/^Evergreen/, /^Cohort/]) {
        await expect(dialogOf(page).getByRole('radio', { name: type })).toBeDisabled();
      }
      await expect(dialogOf(page).getByLabel('Course name')).toHaveValue('Geology');
      await expect(dialogOf(page)).toBeHidden();
      await expect(triggerOf(page, 'Geology')).toBeVisible();
    });
  }

  test('shows errors at each field, without a request', async ({ page }) => {
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
    await expect(dialogOf(page).getByText('Please select a course type')).toBeVisible();

    await type.getByRole('radio', { name: /^Cohort/ }).check();
    await expect(type).toHaveAccessibleDescription('');
    for (const [typed, message] of [
      ['   ', 'Course name is required'],
      ['ab', 'Course name must be at least 3 characters'],
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
  });

  for (const length of [3, 254]) {
    test(`accepts a name of ${length} characters`, async ({ page }) => {
      await signInWith(page, [biology]);
      await openReady(page);
      await openNewCourse(page);
      await fillNewCourse(page, 'Z'.repeat(length));
      await createButton(page).click();

      await expect(dialogOf(page)).toBeHidden();
      await expect(triggerOf(page, 'Z'.repeat(length))).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
    });
  }

  const waysToClose: [string, (page: Page) => Promise<void>][] = [
    ['Escape', (page) => page.keyboard.press('Escape')],
    ['its button', (page) => dialogOf(page).getByRole('button', { name: 'Close' }).click()],
    ['a click outside', (page) => page.mouse.click(5, 5)],
  ];
  for (const [way, close] of waysToClose) {
    test(`keeps the typed text when ${way} closes it`, async ({ page }) => {
      await signInWith(page, [biology]);
      await openReady(page);
      await openNewCourse(page);
      await fillNewCourse(page, 'Geology');
      await close(page);
      await expect(dialogOf(page)).toBeHidden();
      await expect(triggerOf(page, 'Biology 101')).toBeFocused();
      await openNewCourse(page);

      await expect(dialogOf(page).getByLabel('Course name')).toHaveValue('Geology');
      await expect(dialogOf(page).getByRole('radio', { name: /^Evergreen/ })).toBeChecked();
      expect(await namesOnServer(page)).toEqual(['Biology 101']);
    });
  }

  test('is empty again after a course was created', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await openNewCourse(page);
    await fillNewCourse(page, 'Geology');
    await createButton(page).click();
    await expect(dialogOf(page)).toBeHidden();
    await openNewCourse(page);
    await expect(dialogOf(page).getByLabel('Course name')).toHaveValue('');
    await expect(dialogOf(page).getByRole('radio', { checked: true })).toHaveCount(0);

    await fillNewCourse(page, 'Zoology');
    await createButton(page).click();
    await expect(triggerOf(page, 'Zoology')).toBeVisible();
    expect(await namesOnServer(page)).toEqual(['Biology 101', 'Geology', 'Zoology']);
  });

  test('creates one course on a double click', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const calls = watchCalls(page);
    await openNewCourse(page);
    await fillNewCourse(page, 'Geology');
    await createButton(page).dblclick();
    await expect(triggerOf(page, 'Geology')).toBeVisible();
    await page.waitForLoadState('networkidle');

    expect(await namesOnServer(page)).toEqual(['Biology 101', 'Geology']);
    expect(calls.sent).toEqual(['POST /api/courses/']);
  });

  test('creates one course when Enter is pressed twice, on a slow network too', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/cohorts');
    await openNewCourse(page);
    await fillNewCourse(page, 'Geology');
    await slowDown(page, 500);
    await dialogOf(page).getByLabel('Course name').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(triggerOf(page, 'Geology')).toBeVisible();
    await page.waitForLoadState('networkidle');

    expect(await namesOnServer(page)).toEqual(['Biology 101', 'Geology']);
    await expect(page).toHaveURL('/cohorts');
  });

  test('continues when it is closed in the meantime', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/cohorts');
    await openNewCourse(page);
    await fillNewCourse(page, 'Geology');
    await slowDown(page, 1000);
    await createButton(page).click();
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toBeHidden();

    await expect(page.getByText('Course created and selected.')).toBeVisible();
    await expect(triggerOf(page, 'Geology')).toBeVisible();
    expect(await namesOnServer(page)).toEqual(['Biology 101', 'Geology']);
  });

  test.describe('without a connection', () => {
    test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

    for (const [pressed, path] of [
      ['Create Course', '/cohorts'],
      ['create course and continue', '/settings#course'],
    ] as const) {
      test(`keeps the typed text after ‘${pressed}’, and Retry does the same once more`, async ({
        page,
        context,
      }) => {
        await signInWith(page, [biology]);
        await openReady(page, '/cohorts');
        await openNewCourse(page);
        await fillNewCourse(page, 'Geology');
        await untilLoaded(page, 'new-course-form');
        await context.setOffline(true);
        await dialogOf(page).getByRole('button', { name: pressed, exact: true }).click();
        const failure = page.getByRole('dialog', { name: 'Network Error' });
        await expect(failure).toContainText('check your connection');
        await failure.getByRole('button', { name: 'Close' }).click();
        await expect(failure).toBeHidden();
        await expect(dialogOf(page).getByLabel('Course name')).toHaveValue('Geology');
        await expect(dialogOf(page).getByRole('radio', { name: /^Evergreen/ })).toBeChecked();
        await expect(createButton(page)).toBeEnabled();
        await expect(dialogOf(page).locator(':focus')).toHaveCount(1);

        await dialogOf(page).getByRole('button', { name: pressed, exact: true }).click();
        await expect(failure).toBeVisible();
        await context.setOffline(false);
        await failure.getByRole('button', { name: 'Retry' }).click();
        await expect(triggerOf(page, 'Geology')).toBeVisible();
        await expect(page).toHaveURL(path);
        await expect(dialogOf(page)).toBeHidden();
        expect(await namesOnServer(page)).toEqual(['Biology 101', 'Geology']);
      });
    }
  });

  test.describe('an answer that is lost on its way', () => {
    test.use({ expectedErrors: [/ERR_FAILED/] });

    test('is requested again, and the course is created once', async ({ page }) => {
      await signInWith(page, [biology]);
      await openReady(page);
      await loseNextAnswer(page, '**/api/courses/');
      await openNewCourse(page);
      await fillNewCourse(page, 'Geology');
      await createButton(page).click();
      const failure = page.getByRole('dialog', { name: 'Network Error' });
      await failure.getByRole('button', { name: 'Retry' }).click();
      await expect(triggerOf(page, 'Geology')).toBeVisible();

      expect(await namesOnServer(page)).toEqual(['Biology 101', 'Geology']);
    });
  });
});
