import type { Locator, Page } from '@playwright/test';
import {
  biology,
  type Course,
  dialogOf,
  openList,
  openNewCourse,
  optionOf,
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

test('the dialog for a new course keeps what was typed when it closes, says at each field what is missing, creates one course however often it is sent, and stays on the page with the new course selected', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  await openReady(page, '/cohorts');
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  const calls = watchCalls(page);
  await page.keyboard.press('Control+k');
  await expect(optionOf(page, 'Biology 101')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const name = dialogOf(page).getByLabel('Course name');
  await expect(name).toBeFocused();
  await page.keyboard.type(' Geology ');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await expect(continueButton(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(createButton(page)).toBeFocused();
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => dialogOf(page).getByRole('button', { name: 'Close' }).click(),
    () => page.mouse.click(5, 5),
  ]) {
    await close();
    await expect(dialogOf(page)).toBeHidden();
    await expect(triggerOf(page, 'Biology 101')).toBeFocused();
    await openNewCourse(page);
    await expect(name).toHaveValue(' Geology ');
    await expect(dialogOf(page).getByRole('radio', { name: /^Evergreen/ })).toBeChecked();
  }

  await slowDown(page, 1500);
  const box = await dialogOf(page).boundingBox();
  await createButton(page).dblclick();
  await expect(dialogOf(page).getByRole('button', { name: 'Creating…' })).toBeDisabled();
  await expect(continueButton(page)).toBeDisabled();
  await expect(name).toBeDisabled();
  await expect(dialogOf(page).getByRole('radio').first()).toBeDisabled();
  expect(await dialogOf(page).boundingBox()).toEqual(box);
  await expect(dialogOf(page)).toBeHidden();
  await expect(triggerOf(page, 'Geology')).toBeFocused();
  await expect(page).toHaveURL('/cohorts');
  await expect(page.getByRole('main').getByText('Not open yet')).toBeVisible();
  await expect(page.getByText('Course created and selected.')).toBeVisible();
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
  expect(calls).toEqual(['POST /api/courses/']);
  await openList(page);
  await expect(page.getByRole('option')).toHaveText(['Biology 101Cohort', 'GeologyEvergreen']);
  await expect(page.getByRole('option', { selected: true })).toHaveText('GeologyEvergreen');
  await page.keyboard.press('Escape');
  // Empty again.
  await openNewCourse(page);
  await expect(name).toHaveValue('');
  await expect(dialogOf(page).getByRole('radio', { checked: true })).toHaveCount(0);
  await createButton(page).click();
  await expect(name).toHaveAccessibleDescription('Course name is required');
  await expect(name).toBeFocused();
  const type = dialogOf(page).getByRole('group', { name: 'Course type' });
  await expect(type).toHaveAccessibleDescription('Please select a course type');
  await page.keyboard.type('Ge');
  await expect(name).toHaveAccessibleDescription('');
  await type.getByRole('radio').first().check();
  await expect(type).toHaveAccessibleDescription('');
  expect(calls).toEqual(['POST /api/courses/']);
});

test.describe('without a connection, or if an answer is lost, the dialog for a new course', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED/] });

  test('keeps what was typed; Retry presses ‘create course and continue’ again, which creates one course and goes to its next step', async ({
    page,
    context,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/cohorts');
    await openNewCourse(page);
    await fillNewCourse(page, 'Geology', 'Evergreen');
    await untilLoaded(page, 'new-course-form');
    await context.setOffline(true);
    await continueButton(page).click();
    const failure = dialogCalled(page, 'Network Error');
    await expect(failure).toContainText('What you typed is still here.');
    await page.keyboard.press('Escape');
    await expect(failure).toBeHidden();
    await expect(dialogOf(page).getByLabel('Course name')).toHaveValue('Geology');
    await expect(dialogOf(page).getByRole('radio', { name: /^Evergreen/ })).toBeChecked();

    await continueButton(page).click();
    await expect(failure).toBeVisible();
    await context.setOffline(false);
    const lost = page.waitForEvent('requestfailed');
    await loseNextAnswer(page, '**/api/courses/');
    await failure.getByRole('button', { name: 'Retry' }).click();
    await lost;
    await failure.getByRole('button', { name: 'Retry' }).click();
    await expect(page).toHaveURL('/lessons');
    await expect(page.getByText('Course created and selected.')).toBeVisible();
    await expect(triggerOf(page, 'Geology')).toBeVisible();

    await openReady(page, '/lessons');
    for (const [type, path] of [
      // The page is the one that is shown.
      ['Evergreen', '/lessons'],
      ['Cohort', '/cohorts/new'],
    ] as const) {
      await openNewCourse(page);
      await fillNewCourse(page, `${type} one`, type);
      await continueButton(page).click();
      await expect(triggerOf(page, `${type} one`)).toBeVisible();
      await expect(dialogOf(page)).toBeHidden();
      await expect(page).toHaveURL(path);
    }
    const courses = (await askApi(page, 'GET', '/api/courses/')) as Course[];
    expect(courses.map(({ name }) => name)).toEqual([
      'Biology 101',
      'Geology',
      'Evergreen one',
      'Cohort one',
    ]);
  });
});

async function fillNewCourse(page: Page, name: string, type: string): Promise<void> {
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
