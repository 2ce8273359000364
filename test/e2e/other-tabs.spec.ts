import type { BrowserContext, Page } from '@playwright/test';
import {
  biology,
  type Course,
  chemistry,
  dialogOf,
  openNewCourse,
  physics,
  selectCourse,
  triggerOf,
} from './courses.ts';
import { answerOnce, dialogCalled } from './failures.ts';
import { askApi, expect, logInAs, openReady, signInWith, test } from './support.ts';

test('a tab follows when another one selects, creates or deletes a course; a form keeps what is typed, saves it to its own course, and then follows', async ({
  page,
  context,
}) => {
  await signInWith(page, [chemistry, biology]);
  await openReady(page, '/');
  const other = await openOther(context, '/cohorts');
  const typing = await openOther(context, '/settings');
  const name = typing.getByLabel('Course name').first();
  await name.fill('Biology 102');
  await expect(other.getByText('No cohorts yet.')).toBeVisible();
  await selectCourse(page, chemistry.name);
  await expect(triggerOf(other, chemistry.name)).toBeVisible();
  await expect(other.getByText('Not open yet')).toBeVisible();
  // By then, this one has heard of it too.
  await expect(name).toHaveValue('Biology 102');
  await expect(triggerOf(typing, biology.name)).toBeVisible();
  await name.press('Enter');
  await expect(triggerOf(typing, chemistry.name)).toBeVisible();
  const courses = (await askApi(page, 'GET', '/api/courses/')) as Course[];
  expect(courses.map((course) => course.name)).toEqual([chemistry.name, 'Biology 102']);

  await openNewCourse(page);
  await dialogOf(page).getByLabel('Course name').fill(physics.name);
  await dialogOf(page)
    .getByRole('radio', { name: /^Evergreen/ })
    .check();
  await dialogOf(page).getByRole('button', { name: 'Create Course', exact: true }).click();
  await expect(triggerOf(other, physics.name)).toBeVisible();
  await expect(triggerOf(typing, physics.name)).toBeVisible();
  await typing.getByRole('button', { name: 'Delete this course' }).first().click();
  await typing.getByLabel(`Type ${physics.name} to confirm`).fill(physics.name);
  await typing.keyboard.press('Enter');
  await expect(triggerOf(other, chemistry.name)).toBeVisible();
});

test.describe('logging out', () => {
  test.use({ expectedErrors: [/status of 500/] });

  test('can be retried, leads all tabs to the login page and leaves nothing in them; logging in leads them on, and no tab shows someone else', async ({
    page,
    context,
  }) => {
    const email = await signInWith(page, [biology]);
    await openReady(page, '/');
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible();
    const other = await openOther(context, '/settings');
    await other.getByLabel('First name').fill('Augusta');
    await page.evaluate(() => {
      window.sessionStorage.setItem('draft', '{}');
      // biome-ignore lint/suspicious/noDocumentCookie: as the login page writes it.
      document.cookie = 'return_to=%2Fsettings; Path=/';
    });
    const account = page.getByRole('button', { name: /^Your account\b.*Ada Lovelace/ });
    const logOut = page.locator('#user-menu').getByRole('button', { name: 'Log out' });
    const failure = dialogCalled(page, 'Server Error');
    await answerOnce(page, '**/auth/logout/', { status: 500 });
    await account.click();
    await logOut.click();
    await expect(failure).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(failure).toBeHidden();
    await expect(account).toBeFocused();
    await answerOnce(page, '**/auth/logout/', { status: 500 });
    await account.click();
    await logOut.click();
    await failure.getByRole('button', { name: 'Retry' }).click();
    for (const tab of [page, other]) {
      await expect(tab).toHaveURL('/login');
      expect(await tab.evaluate(() => window.sessionStorage.getItem('draft'))).toBeNull();
    }
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('return_to');
    // Two pages that were shown by one document.
    for (const login of ['/login?next=/settings', '/login']) {
      await page.goBack();
      await expect(page).toHaveURL(login);
      await expect(page.getByText(email)).toHaveCount(0);
    }

    await logInAs(page, email, 2);
    await openReady(page, '/cohorts');
    await expect(other).toHaveURL('/');
    await signInWith(other, [chemistry]);
    await openReady(other, '/');
    await expect(triggerOf(page, chemistry.name)).toBeVisible();
  });
});

async function openOther(context: BrowserContext, path: string): Promise<Page> {
  const other = await context.newPage();
  await openReady(other, path);
  return other;
}
