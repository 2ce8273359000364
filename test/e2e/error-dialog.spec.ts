import type { Locator, Page } from '@playwright/test';
import {
  answerOnce,
  biology,
  courseTrigger,
  dialogCalled,
  emailOf,
  expectFirstCourseTyped,
  idOf,
  internal,
  openFirstCourse,
  requestsTo,
  selectCourse,
  submitFirstCourse,
  watercolors,
} from './failures.ts';
import { expect, logInAs, openReady, signInWith, test, uniqueEmail } from './support.ts';

test.describe('the dialog itself', () => {
  test.use({ expectedErrors: [/status of 500/] });

  test('is modal, traps the focus, and Escape returns it to the form', async ({ page }) => {
    await openFirstCourse(page);
    await answerOnce(page, '**/api/courses/', 500);
    await submitFirstCourse(page);
    const dialog = dialogCalled(page, 'Server Error');
    await expectModal(dialog);
    // One full cycle: the browser's own controls may come in between.
    for (let presses = 0; presses < 4; presses += 1) {
      await page.keyboard.press('Tab');
      await expect(page.locator('main :focus:not(dialog *)')).toHaveCount(0);
    }
    await page.keyboard.press('Escape');

    await expect(dialog).toBeHidden();
    await expect(page.locator('form:focus-within').getByLabel('Course name')).toBeVisible();
    await expectFirstCourseTyped(page);
  });

  test('opens over the dialog for a new course, and closes on its own', async ({ page }) => {
    await signInWith(page, [watercolors]);
    await page.goto('/');
    const { newCourse, requests } = await failNewCourse(page);
    await expectModal(dialogCalled(page, 'Server Error'));
    await page.keyboard.press('Escape');

    await expect(dialogCalled(page, 'Server Error')).toBeHidden();
    await expect(newCourse).toBeVisible();
    await expect(newCourse.locator(':focus')).toHaveCount(1);
    await expect(newCourse.getByLabel('Course name')).toHaveValue('Biology 101');
    await expect(newCourse.getByRole('radio', { name: /^Cohort/ })).toBeChecked();
    expect(requests).toHaveLength(1);
  });

  test('retries a new course with the button that was pressed', async ({ page }) => {
    await signInWith(page, [watercolors]);
    await page.goto('/payments');
    const { requests } = await failNewCourse(page);
    await dialogCalled(page, 'Server Error').getByRole('button', { name: 'Retry' }).click();

    // Where a new cohort course continues.
    await expect(page).toHaveURL('/cohorts/new');
    await expect(courseTrigger(page)).toHaveAccessibleName(/Biology 101/);
    expect(requests).toHaveLength(2);
  });

  test('returns the focus to the course selector', async ({ page }) => {
    await signInWith(page, [biology, watercolors]);
    await openReady(page);
    await answerOnce(page, '**/select/', 500);
    await selectCourse(page, biology.name);
    await expectModal(dialogCalled(page, 'Server Error'));
    await page.keyboard.press('Escape');

    await expect(dialogCalled(page, 'Server Error')).toBeHidden();
    await expect(courseTrigger(page)).toBeFocused();
  });

  test('returns the focus to the settings that were not saved', async ({ page }) => {
    await signInWith(page, [biology]);
    await page.goto('/settings');
    await answerOnce(page, `**/api/accounts/${await idOf(page)}/`, 500);
    await page.getByLabel('First name').fill('Augusta');
    const profile = page.getByRole('region', { name: 'Profile' });
    await profile.getByRole('button', { name: 'Save' }).click();
    await expectModal(dialogCalled(page, 'Server Error'));
    await page.keyboard.press('Escape');

    await expect(dialogCalled(page, 'Server Error')).toBeHidden();
    await expect(profile.locator(':focus')).toHaveCount(1);
    await expect(page.getByLabel('First name')).toHaveValue('Augusta');
  });

  test('works for logout on the home page: Escape closes it, Retry logs out', async ({ page }) => {
    await signInWith(page, [biology]);
    await page.goto('/');
    await answerOnce(page, '**/auth/logout/', 500);
    const logOut = page.getByRole('main').getByRole('button', { name: 'Log out' });
    await logOut.click();
    await expectModal(dialogCalled(page, 'Server Error'));
    await page.keyboard.press('Escape');
    await expect(dialogCalled(page, 'Server Error')).toBeHidden();
    await expect(logOut).toBeFocused();

    await answerOnce(page, '**/auth/logout/', 500);
    await logOut.click();
    await dialogCalled(page, 'Server Error').getByRole('button', { name: 'Retry' }).click();
    await expect(page).toHaveURL('/login');
  });

  test('works for logout in the user menu: Escape returns to the menu’s button', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await page.goto('/');
    await answerOnce(page, '**/auth/logout/', 500);
    const trigger = page.getByRole('button', { name: /^Your account\b.*Ada Lovelace/ });
    await trigger.click();
    await page.locator('#user-menu').getByRole('button', { name: 'Log out' }).click();
    await expectModal(dialogCalled(page, 'Server Error'));
    await page.keyboard.press('Escape');

    await expect(dialogCalled(page, 'Server Error')).toBeHidden();
    await expect(trigger).toBeFocused();
  });

  test('works for ending a session, and Retry ends it', async ({ page, openBrowser }) => {
    await signInWith(page, [biology]);
    const other = await openBrowser();
    await logInAs(other, await emailOf(page), 2);
    await page.goto('/settings');
    await answerOnce(page, '**/auth/sessions/*/', 500);
    await page.getByRole('listitem').getByRole('button', { name: 'End session' }).click();
    await dialogCalled(page, 'Server Error').getByRole('button', { name: 'Retry' }).click();

    await expect(page.getByText('You’re not logged in anywhere else.')).toBeVisible();
    await other.goto('/');
    await expect(other).toHaveURL('/login?reason=expired');
  });

  for (const path of ['/login', '/signup']) {
    test(`does not open on ${path}: the form shows the error`, async ({ page }) => {
      await page.goto(path);
      await page.route('**/api/accounts/auth/*/', (route) =>
        route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Oh</h1>' }),
      );
      if (path === '/signup') {
        await page.getByLabel('First name').fill('Ada');
        await page.getByLabel('Last name').fill('Lovelace');
      }
      await page.getByLabel('Email address').fill(uniqueEmail());
      await page.getByLabel('Email address').press('Enter');

      await expect(page.locator('form').getByRole('alert').filter({ hasText: /\S/ })).toHaveText(
        internal,
      );
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
  }
});

/** Open, on top, with the focus in it. */
async function expectModal(dialog: Locator): Promise<void> {
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((element) => element.matches(':modal'))).toBe(true);
  await expect(dialog.locator(':focus')).toHaveCount(1);
}

async function openNewCourse(page: Page): Promise<Locator> {
  await courseTrigger(page).click();
  await page.getByRole('button', { name: 'create new course' }).click();
  return page.getByRole('dialog', { name: 'Create a new course' });
}

/** Submits the dialog for a new course once, to a server that fails. */
async function failNewCourse(page: Page) {
  const requests = requestsTo(page, '/api/courses/');
  await answerOnce(page, '**/api/courses/', 500);
  const newCourse = await openNewCourse(page);
  await newCourse.getByLabel('Course name').fill('Biology 101');
  await newCourse.getByRole('radio', { name: /^Cohort/ }).check();
  await newCourse.getByRole('button', { name: 'create course and continue' }).click();
  return { newCourse, requests };
}
