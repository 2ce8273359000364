import type { Page } from '@playwright/test';
import { rowOf } from './courses.ts';
import {
  biology,
  courseTrigger,
  dialogCalled,
  emailOf,
  expectFirstCourseTyped,
  idOf,
  openFirstCourse,
  requestIdOf,
  requestsTo,
  selectCourse,
  submitFirstCourse,
  watercolors,
} from './failures.ts';
import {
  askApi,
  expect,
  logInAs,
  openReady,
  signInWith,
  test,
  untilReadyToSend,
} from './support.ts';

test.describe('something that was deleted in the meantime', () => {
  test.use({ expectedErrors: [/status of 404/] });

  test('a deleted course is “Not Found” when it is selected, and leaves the list', async ({
    page,
  }) => {
    await signInWith(page, [biology, watercolors]);
    await page.goto('/');
    await deleteCourse(page, biology.name);
    const answer = page.waitForResponse('**/select/');
    await rowOf(page, biology.name).click();

    const dialog = dialogCalled(page, 'Not Found');
    await expect(
      dialog.getByText('We couldn’t find that. It may have been deleted.'),
    ).toBeVisible();
    await expect(dialog.getByText(await requestIdOf(await answer))).toBeVisible();
    await expect(dialog.getByRole('button')).toHaveText(['Copy', 'Close']);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(courseTrigger(page)).toHaveAccessibleName(/Watercolors/);
    await courseTrigger(page).click();
    await expect(page.getByRole('option')).toHaveText([/^Watercolors/]);
  });

  test('a deleted course is “Not Found” when it is saved, and the typed text stays', async ({
    page,
  }) => {
    await signInWith(page, [biology, watercolors]);
    await page.goto('/settings');
    await deleteCourse(page, watercolors.name);
    const section = page.getByRole('region', { name: 'Name and type' });
    await section.getByLabel('Course name').fill('Oil on canvas');
    await section.getByRole('button', { name: 'Save' }).click();

    const dialog = dialogCalled(page, 'Not Found');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
    await expect(section.getByLabel('Course name')).toHaveValue('Oil on canvas');
  });

  test('a session that has already ended is “Not Found” when it is ended', async ({
    page,
    openBrowser,
  }) => {
    await signInWith(page, [biology]);
    const other = await openBrowser();
    await logInAs(other, await emailOf(page), 2);
    await page.goto('/settings');
    await askApi(other, 'POST', '/api/accounts/auth/logout/');
    const end = page.getByRole('listitem').getByRole('button', { name: 'End session' });
    await end.click();

    await expect(dialogCalled(page, 'Not Found')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialogCalled(page, 'Not Found')).toBeHidden();
    await expect(end).toBeFocused();
  });
});

test.describe('a limit that is reached', () => {
  test.use({ expectedErrors: [/status of 429/] });

  test('is called “Too Many Requests”, and says when to try again', async ({ page }) => {
    await signInWith(page, [biology]);
    const path = `/api/accounts/${await idOf(page)}/export/`;
    for (let times = 0; times < 3; times += 1) {
      await askApi(page, 'GET', path);
    }
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Download your data' }).click();

    const dialog = dialogCalled(page, 'Too Many Requests');
    await expect(dialog).toContainText(
      'You’ve made too many requests. You can try again in 24\u00a0hours.',
    );
    await expect(dialog.getByRole('button')).toHaveText(['Close', 'Try Again']);
    await expect(dialog.getByRole('button', { name: 'Try Again' })).toBeDisabled();
    await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
  });
});

test.describe('without a connection', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

  test('is called “Network Error”, and Retry creates the course once the connection is back', async ({
    page,
    context,
  }) => {
    await openFirstCourse(page);
    await untilReadyToSend(page);
    await context.setOffline(true);
    await submitFirstCourse(page);

    const dialog = dialogCalled(page, 'Network Error');
    await expect(dialog).toContainText('We couldn’t reach Lectern. Please check your connection.');
    await expect(dialog.getByRole('button')).toHaveText(['Close', 'Retry']);
    await expectFirstCourseTyped(page);
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(page).toHaveURL('/');
  });

  test('a course that could not be selected is not shown as selected, and Retry selects it', async ({
    page,
    context,
  }) => {
    await signInWith(page, [biology, watercolors]);
    await openReady(page, '/');
    await context.setOffline(true);
    await selectCourse(page, biology.name);

    const dialog = dialogCalled(page, 'Network Error');
    await expect(dialog).toBeVisible();
    await expect(courseTrigger(page)).toHaveAccessibleName(/Watercolors/);
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(courseTrigger(page)).toHaveAccessibleName(/Biology 101/);
    await expect(page.getByRole('heading', { name: 'Biology 101' })).toBeVisible();
  });

  test('settings that could not be saved are saved by Retry', async ({ page, context }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/settings');
    await context.setOffline(true);
    await page.getByLabel('First name').fill('Augusta');
    await page.getByLabel('First name').press('Enter');

    const dialog = dialogCalled(page, 'Network Error');
    await expect(dialog).toBeVisible();
    await expect(page.getByLabel('First name')).toHaveValue('Augusta');
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('Name saved.')).toBeVisible();
    await expect(
      page.getByRole('button', { name: /^Your account\b.*Augusta Lovelace/ }),
    ).toBeVisible();
  });
});

test.describe('a page that cannot be read after a change', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('says so, and Retry reads it without repeating the change', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/settings');
    const changes = requestsTo(page, `/api/accounts/${await idOf(page)}/`);
    await page.route('**/RSC/**', (route) => route.abort(), { times: 1 });
    await page.getByLabel('First name').fill('Augusta');
    await page.getByLabel('First name').press('Enter');
    await dialogCalled(page, 'Network Error').getByRole('button', { name: 'Retry' }).click();

    await expect(
      page.getByRole('button', { name: /^Your account\b.*Augusta Lovelace/ }),
    ).toBeVisible();
    expect(changes).toHaveLength(1);
  });
});

/** As from another tab: the test's page does not know. */
async function deleteCourse(page: Page, name: string): Promise<void> {
  const courses = (await askApi(page, 'GET', '/api/courses/')) as { id: string; name: string }[];
  const id = courses.find((course) => course.name === name)?.id;
  await askApi(page, 'DELETE', `/api/courses/${id}/`);
}
