import type { Locator, Page } from '@playwright/test';
import { dialogOf, openNewCourse, optionOf, selectedOnServer, triggerOf } from './courses.ts';
import { biology, section, watercolors } from './settings.ts';
import { askApi, expect, openReady, signInWith, test, untilReady } from './support.ts';

test('leaving changes that are not saved asks, by a link, the browser’s Back, a reload, another or a new course, or logging out: staying keeps the text, and leaving drops it; nothing is asked where nothing is lost', async ({
  page,
}) => {
  await signInWith(page, [watercolors, biology]);
  await openReady(page, '/');
  await page.getByRole('link', { name: 'Settings' }).click();
  await change(page, 'Biology 102');
  // The page is not left, so that this does not end.
  void page.goBack().catch(() => null);
  await expect(leaveDialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/settings');
  await page.getByRole('link', { name: 'Cohorts' }).click();
  await expect(stayButton(page)).toBeFocused();
  await stayButton(page).click();
  await expect(leaveDialog(page)).toBeHidden();
  await expect(page).toHaveURL('/settings');
  await expect(courseName(page)).toHaveValue('Biology 102');
  const save = section(page, 'Name and type').getByRole('button', { name: 'Save changes' });
  await expect(save).toBeFocused();

  const document = await page.evaluateHandle(() => window.document);
  await page.getByRole('link', { name: 'Cohorts' }).click();
  await leaveButton(page).click();
  await expect(page).toHaveURL('/cohorts');
  // By the router, without loading a document.
  expect(await document.evaluate((before) => before === window.document)).toBe(true);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(courseName(page)).toHaveValue('Biology 101');
  await change(page, 'Biology 102');
  const asked = dialogsOn(page);
  await page.reload();
  expect(asked.splice(0)).toEqual(['beforeunload']);
  await untilReady(page);
  await expect(courseName(page)).toHaveValue('Biology 101');

  await change(page, 'Biology 102');
  await chooseCourse(page, 'Watercolors');
  await stayButton(page).click();
  expect(await selectedOnServer(page)).toEqual(['Biology 101']);
  await chooseCourse(page, 'Watercolors');
  await leaveButton(page).click();
  await expect(courseName(page)).toHaveValue('Watercolors');

  await change(page, 'Oils');
  await openNewCourse(page);
  const dialog = dialogOf(page);
  const create = dialog.getByRole('button', { name: 'Create Course', exact: true });
  await dialog.getByLabel('Course name').fill('Chemistry');
  await dialog.getByRole('radio', { name: /^Cohort/ }).check();
  await create.click();
  await stayButton(page).click();
  await expect(dialog.getByLabel('Course name')).toHaveValue('Chemistry');
  expect(await askApi(page, 'GET', '/api/courses/')).toHaveLength(2);
  await create.click();
  await leaveButton(page).click();
  await expect(courseName(page)).toHaveValue('Chemistry');

  // Within the page, with changes of the account only, and for a deleted course.
  await page.getByLabel('First name').fill('Augusta');
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page).toHaveURL('/settings#profile');
  await chooseCourse(page, 'Watercolors');
  await expect(courseName(page)).toHaveValue('Watercolors');
  await expect(page.getByLabel('First name')).toHaveValue('Augusta');
  await page.getByLabel('First name').fill('Ada');
  await change(page, 'Oils');
  await section(page, 'Delete this course').getByRole('button').click();
  await page.getByLabel('Type Watercolors to confirm').fill('Watercolors');
  await page.keyboard.press('Enter');
  await expect(courseName(page)).toHaveValue('Biology 101');
  await expect(leaveDialog(page)).toBeHidden();

  await change(page, 'Alchemy');
  for (const answer of [stayButton, leaveButton]) {
    await page.getByRole('button', { name: /^Your account\b.*Ada Lovelace/ }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await answer(page).click();
    await expect(page).toHaveURL(answer === stayButton ? '/settings#profile' : '/login');
  }
  expect(asked).toEqual([]);
});

function courseName(page: Page): Locator {
  return section(page, 'Name and type').getByLabel('Course name');
}

/** Another name, which is not saved. */
async function change(page: Page, name: string): Promise<void> {
  await courseName(page).fill(name);
  await expect(section(page, 'Name and type').locator('[data-changes]')).toHaveCount(1);
}

function leaveDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Leave without saving?' });
}

function stayButton(page: Page): Locator {
  return leaveDialog(page).getByRole('button', { name: 'Stay' });
}

function leaveButton(page: Page): Locator {
  return leaveDialog(page).getByRole('button', { name: 'Leave without saving' });
}

async function chooseCourse(page: Page, name: string): Promise<void> {
  await triggerOf(page).click();
  await optionOf(page, name).click();
}

/** The questions of the browser itself, which are accepted. */
function dialogsOn(page: Page): string[] {
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  return asked;
}
