import type { BrowserContext, Page } from '@playwright/test';
import {
  biology,
  chemistry,
  dialogOf,
  openNewCourse,
  physics,
  selectCourse,
  triggerOf,
} from './courses.ts';
import { emailOf } from './failures.ts';
import { askApi, expect, logInAs, openReady, signInWith, test } from './support.ts';

test('a tab follows when another one selects, creates or deletes a course', async ({
  page,
  context,
}) => {
  await signInWith(page, [chemistry, biology]);
  await openReady(page, '/');
  const other = await openOther(context, '/cohorts');
  await expect(other.getByText('No cohorts yet.')).toBeVisible();
  await selectCourse(page, chemistry.name);
  await expect(triggerOf(other, chemistry.name)).toBeVisible();
  await expect(other.getByText('Not open yet')).toBeVisible();

  await openNewCourse(page);
  await dialogOf(page).getByLabel('Course name').fill(physics.name);
  await dialogOf(page)
    .getByRole('radio', { name: /^Evergreen/ })
    .check();
  await dialogOf(page).getByRole('button', { name: 'Create Course', exact: true }).click();
  await expect(triggerOf(other, physics.name)).toBeVisible();

  await openReady(page, '/settings');
  await page.getByRole('button', { name: 'Delete this course' }).first().click();
  await page.getByLabel(`Type ${physics.name} to confirm`).fill(physics.name);
  await page.keyboard.press('Enter');
  await expect(triggerOf(other, chemistry.name)).toBeVisible();
});

test('a form in another tab keeps what is typed, saves it to its own course, and then follows', async ({
  page,
  context,
}) => {
  await signInWith(page, [chemistry, biology]);
  await openReady(page, '/');
  const other = await openOther(context, '/settings');
  const third = await openOther(context, '/cohorts');
  const name = other.getByLabel('Course name').first();
  await name.fill('Biology 102');
  await selectCourse(page, chemistry.name);
  // By then, the other one has heard of it too.
  await expect(triggerOf(third, chemistry.name)).toBeVisible();
  await expect(name).toHaveValue('Biology 102');
  await expect(triggerOf(other, biology.name)).toBeVisible();
  await name.press('Enter');

  await expect(triggerOf(other, chemistry.name)).toBeVisible();
  const courses = (await askApi(page, 'GET', '/api/courses/')) as { name: string }[];
  expect(courses.map(({ name: saved }) => saved)).toEqual([chemistry.name, 'Biology 102']);
});

test('logging out leads all tabs to the login page, logging in leads them on, and no tab shows someone else', async ({
  page,
  context,
}) => {
  await signInWith(page, [biology]);
  const email = await emailOf(page);
  await openReady(page, '/');
  const other = await openOther(context, '/settings');
  await other.getByLabel('First name').fill('Augusta');
  await page.getByRole('button', { name: /^Your account\b/ }).click();
  await page.locator('#user-menu').getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/login');
  await expect(other).toHaveURL('/login');
  expect(await other.evaluate(() => window.sessionStorage.getItem('draft'))).toBeNull();

  await logInAs(page, email, 2);
  await openReady(page, '/cohorts');
  await expect(other).toHaveURL('/');
  await signInWith(other, [chemistry]);
  await openReady(other, '/');
  await expect(triggerOf(page, chemistry.name)).toBeVisible();
});

async function openOther(context: BrowserContext, path: string): Promise<Page> {
  const other = await context.newPage();
  await openReady(other, path);
  return other;
}
