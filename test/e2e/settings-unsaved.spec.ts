import type { Locator, Page } from '@playwright/test';
import { dialogOf, openNewCourse, optionOf, selectedOnServer, triggerOf } from './courses.ts';
import { biology, openSettings, section, toAccount, watercolors } from './settings.ts';
import { askApi, expect, openReady, signInWith, test } from './support.ts';

test('the button that saves waits for something to differ, says so, keeps its place, and waits again once it is saved', async ({
  page,
}) => {
  await openSettings(page);
  const settings = section(page, 'Name and type');
  const save = saveIn(settings);
  await expect(save).toBeDisabled();
  await expect(save).not.toHaveClass(/button-primary/);
  await expectStatus(settings, '');
  // Scrolls there.
  await courseName(page).focus();
  const before = await save.boundingBox();
  const below = await section(page, 'Profile').boundingBox();
  await courseName(page).fill('Biology 102');
  await expect(save).toBeEnabled();
  await expect(save).toHaveClass(/button-primary/);
  await expectStatus(settings, 'Not saved yet');
  expect(await save.boundingBox()).toEqual(before);
  expect(await section(page, 'Profile').boundingBox()).toEqual(below);
  // Only where something differs.
  await expect(saveIn(section(page, 'Profile'))).toBeDisabled();

  await courseName(page).fill('  Biology 101 ');
  await expect(save).toBeDisabled();
  await courseName(page).fill(' Biology 102 ');
  await save.click();
  await expect(page.getByText('Course saved.')).toBeVisible();
  await expect(save).toBeDisabled();
  await expectStatus(settings, '');
  await expect(courseName(page)).toHaveValue('Biology 102');
});

test.describe('leaving with changes that are not saved', () => {
  test('by a link, the browser’s Back or a reload asks; staying keeps the text, and leaving drops it', async ({
    page,
  }) => {
    await signInWith(page, [watercolors, biology]);
    await openReady(page, '/');
    await page.getByRole('link', { name: 'Settings' }).click();
    await courseName(page).fill('Biology 102');
    await expectStatus(section(page, 'Name and type'), 'Not saved yet');
    await page.goBack({ waitUntil: 'commit', timeout: 1_000 }).catch(() => null);
    await expect(leaveDialog(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL('/settings');
    await page.getByRole('link', { name: 'Cohorts' }).click();
    await expect(leaveDialog(page).getByRole('button', { name: 'Stay' })).toBeFocused();
    await leaveDialog(page).getByRole('button', { name: 'Stay' }).click();
    await expect(leaveDialog(page)).toBeHidden();
    await expect(page).toHaveURL('/settings');
    await expect(courseName(page)).toHaveValue('Biology 102');
    await expect(saveIn(section(page, 'Name and type'))).toBeFocused();

    const document = await page.evaluateHandle(() => window.document);
    await page.getByRole('link', { name: 'Cohorts' }).click();
    await leaveDialog(page).getByRole('button', { name: 'Leave without saving' }).click();
    await expect(page).toHaveURL('/cohorts');
    // By the router, without loading a document.
    expect(await document.evaluate((before) => before === window.document)).toBe(true);
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(courseName(page)).toHaveValue('Biology 101');
    await courseName(page).fill('Biology 102');
    const asked = dialogsOn(page);
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
    await expect(courseName(page)).toHaveValue('Biology 101');
  });

  test('by another or a new course or by logging out asks first', async ({ page }) => {
    await openChanged(page);
    const stay = leaveDialog(page).getByRole('button', { name: 'Stay' });
    const leave = leaveDialog(page).getByRole('button', { name: 'Leave without saving' });
    await chooseCourse(page, 'Watercolors');
    await stay.click();
    expect(await selectedOnServer(page)).toEqual(['Biology 101']);
    await chooseCourse(page, 'Watercolors');
    await leave.click();
    await expect(courseName(page)).toHaveValue('Watercolors');

    await courseName(page).fill('Oils');
    await openNewCourse(page);
    const dialog = dialogOf(page);
    const create = dialog.getByRole('button', { name: 'Create Course', exact: true });
    await dialog.getByLabel('Course name').fill('Chemistry');
    await dialog.getByRole('radio', { name: /^Cohort/ }).check();
    await create.click();
    await stay.click();
    await expect(dialog.getByLabel('Course name')).toHaveValue('Chemistry');
    expect(await askApi(page, 'GET', '/api/courses/')).toHaveLength(2);
    await create.click();
    await leave.click();
    await expect(courseName(page)).toHaveValue('Chemistry');

    await courseName(page).fill('Alchemy');
    const menu = page.getByRole('button', { name: /^Your account\b.*Ada Lovelace/ });
    const logOut = page.getByRole('button', { name: 'Log out' });
    await menu.click();
    await logOut.click();
    await stay.click();
    await toAccount(page);
    await menu.click();
    await logOut.click();
    await leave.click();
    await expect(page).toHaveURL('/login');
  });

  test('is not asked about where nothing is lost: within the page, with changes of the account only or none, and for a deleted course', async ({
    page,
  }) => {
    await openChanged(page);
    const asked = dialogsOn(page);
    await courseName(page).fill('Biology 101');
    await page.getByLabel('First name').fill('Augusta');
    await page.getByRole('link', { name: 'Profile' }).click();
    await expect(page).toHaveURL('/settings#profile');
    await chooseCourse(page, 'Watercolors');
    await expect(courseName(page)).toHaveValue('Watercolors');
    await expect(page.getByLabel('First name')).toHaveValue('Augusta');
    await page.getByLabel('First name').fill('Ada');
    await page.reload();
    await courseName(page).fill('Oils');
    await section(page, 'Delete this course').getByRole('button').click();
    await page.getByLabel('Type Watercolors to confirm').fill('Watercolors');
    await page.keyboard.press('Enter');

    await expect(courseName(page)).toHaveValue('Biology 101');
    await expect(leaveDialog(page)).toBeHidden();
    expect(asked).toEqual([]);
  });
});

/** The settings of a user with two courses, with another name in the form of the selected one. */
async function openChanged(page: Page): Promise<void> {
  await signInWith(page, [watercolors, biology]);
  await openReady(page, '/settings');
  await courseName(page).fill('Biology 102');
  await expectStatus(section(page, 'Name and type'), 'Not saved yet');
}

function courseName(page: Page): Locator {
  return section(page, 'Name and type').getByLabel('Course name');
}

function saveIn(settings: Locator): Locator {
  return settings.getByRole('button', { name: 'Save changes' });
}

/** What is visible beside the button; the room for it is always there. */
async function expectStatus(settings: Locator, text: string): Promise<void> {
  await expect(settings.getByRole('status')).toHaveText(text, { useInnerText: true });
}

function leaveDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Leave without saving?' });
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
