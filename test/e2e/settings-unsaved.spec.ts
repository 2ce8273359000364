import type { Locator, Page } from '@playwright/test';
import { optionOf, selectedOnServer, triggerOf } from './courses.ts';
import { biology, openSettings, section, toAccount, watercolors } from './settings.ts';
import { askApi, expect, holdScripts, openReady, signInWith, test } from './support.ts';

test.describe('the button that saves', () => {
  test('waits for something to differ, says so, and waits again once it is saved', async ({
    page,
  }) => {
    await openSettings(page);
    const settings = section(page, 'Name and type');
    const name = settings.getByLabel('Course name');
    const save = saveIn(settings);
    await expect(save).toBeDisabled();
    await expect(save).not.toHaveClass(/button-primary/);
    await expectStatus(settings, '');

    await name.fill('Biology 102');
    await expect(save).toBeEnabled();
    await expect(save).toHaveClass(/button-primary/);
    await expectStatus(settings, 'Not saved yet');
    // Only where something differs.
    await expect(saveIn(section(page, 'Profile'))).toBeDisabled();

    await name.fill('  Biology 101 ');
    await expect(save).toBeDisabled();
    await settings.getByRole('radio', { name: /^Evergreen/ }).check();
    await expect(save).toBeEnabled();
    await settings.getByRole('radio', { name: /^Cohort/ }).check();
    await expect(save).toBeDisabled();

    await name.fill(' Biology 102 ');
    await save.click();
    await expect(page.getByText('Course saved.')).toBeVisible();
    await expect(save).toBeDisabled();
    await expectStatus(settings, '');
    await expect(name).toHaveValue('Biology 102');
  });

  test('keeps its place and its width with each label', async ({ page }) => {
    await openSettings(page);
    const profile = section(page, 'Profile');
    // Scrolls there.
    await profile.getByLabel('First name').focus();
    const before = await saveIn(profile).boundingBox();
    const below = await section(page, 'Email address').boundingBox();
    await profile.getByLabel('First name').fill('Augusta');
    await expectStatus(profile, 'Not saved yet');

    expect(await saveIn(profile).boundingBox()).toEqual(before);
    expect(await section(page, 'Email address').boundingBox()).toEqual(below);
  });

  test('knows of text from before the scripts were there', async ({ page }) => {
    await signInWith(page, [biology]);
    const release = await holdScripts(page);
    await page.goto('/settings', { waitUntil: 'commit' });
    const profile = section(page, 'Profile');
    // The browser may have restored it.
    await expect(saveIn(profile)).toBeEnabled();
    await profile.getByLabel('First name').fill('Augusta');
    release();
    await expectStatus(profile, 'Not saved yet');
    await saveIn(profile).click();

    await expect(page.getByText('Name saved.')).toBeVisible();
    expect(await toAccount(page)).toMatchObject({ first_name: 'Augusta' });
  });

  test.describe('if the page cannot be read after a change', () => {
    test.use({ expectedErrors: [/ERR_FAILED/] });

    test('does not call the saved text unsaved', async ({ page }) => {
      await signInWith(page, [biology]);
      await openReady(page, '/settings');
      const profile = section(page, 'Profile');
      await profile.getByLabel('First name').fill('Augusta');
      await page.route('**/RSC/**', (route) => route.abort(), { times: 1 });
      await saveIn(profile).click();
      await page
        .getByRole('dialog', { name: 'Network Error' })
        .getByRole('button', { name: 'Close' })
        .click();

      await expect(profile.getByLabel('First name')).toHaveValue('Augusta');
      await expectStatus(profile, '');
      await expect(saveIn(profile)).toBeDisabled();
    });
  });
});

test.describe('leaving with changes that are not saved', () => {
  test('by a link asks; staying keeps the text, and leaving drops it', async ({ page }) => {
    await openChanged(page);
    await page.getByRole('link', { name: 'Cohorts' }).click();
    await expect(leaveDialog(page)).toBeVisible();
    await expect(leaveDialog(page).getByRole('button', { name: 'Stay' })).toBeFocused();
    await leaveDialog(page).getByRole('button', { name: 'Stay' }).click();

    await expect(leaveDialog(page)).toBeHidden();
    await expect(page).toHaveURL('/settings');
    await expect(courseName(page)).toHaveValue('Biology 102');
    await expect(saveIn(section(page, 'Name and type'))).toBeFocused();

    const document = await page.evaluateHandle(() => window.document);
    await page.getByRole('link', { name: 'Cohorts' }).click();
    await leaveDialog(page).getByRole('button', { name: 'Leave without saving' }).click();
    await expect(page.getByRole('heading', { name: 'Cohorts', level: 1 })).toBeVisible();
    await expect(page).toHaveURL('/cohorts');
    // By the router, without loading a document.
    expect(await document.evaluate((before) => before === window.document)).toBe(true);
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(courseName(page)).toHaveValue('Biology 101');
  });

  test('by the browser’s Back asks too', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/');
    await page.getByRole('link', { name: 'Settings' }).click();
    await courseName(page).click();
    await courseName(page).fill('Biology 102');
    await expectStatus(section(page, 'Name and type'), 'Not saved yet');
    await page.goBack({ waitUntil: 'commit', timeout: 1_000 }).catch(() => null);
    await expect(leaveDialog(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL('/settings');
    await expect(courseName(page)).toHaveValue('Biology 102');
  });

  test('by the sheet of a phone asks, and Escape stays', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openChanged(page);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Cohorts' }).click();
    await expect(leaveDialog(page)).toBeVisible();
    await page.keyboard.press('Escape');

    await expect(leaveDialog(page)).toBeHidden();
    await expect(page).toHaveURL('/settings');
    await expect(courseName(page)).toHaveValue('Biology 102');
  });

  test('by another course asks before it is selected', async ({ page }) => {
    await openChanged(page);
    await chooseCourse(page, 'Watercolors');
    await leaveDialog(page).getByRole('button', { name: 'Stay' }).click();
    await expect(courseName(page)).toHaveValue('Biology 102');
    await expect(triggerOf(page)).toContainText('Biology 101');
    expect(await selectedOnServer(page)).toEqual(['Biology 101']);

    await chooseCourse(page, 'Watercolors');
    await leaveDialog(page).getByRole('button', { name: 'Leave without saving' }).click();
    await expect(courseName(page)).toHaveValue('Watercolors');
    await chooseCourse(page, 'Biology 101');
    await expect(courseName(page)).toHaveValue('Biology 101');
  });

  test('by a new course asks before it is created', async ({ page }) => {
    await openChanged(page);
    await triggerOf(page).click();
    await page.getByRole('button', { name: 'create new course' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a new course' });
    await dialog.getByLabel('Course name').fill('Chemistry');
    await dialog.getByRole('radio', { name: /^Cohort/ }).check();
    await dialog.getByRole('button', { name: 'Create Course', exact: true }).click();
    await leaveDialog(page).getByRole('button', { name: 'Stay' }).click();
    await expect(dialog.getByLabel('Course name')).toHaveValue('Chemistry');
    expect(await askApi(page, 'GET', '/api/courses/')).toHaveLength(2);

    await dialog.getByRole('button', { name: 'Create Course', exact: true }).click();
    await leaveDialog(page).getByRole('button', { name: 'Leave without saving' }).click();
    await expect(courseName(page)).toHaveValue('Chemistry');
  });

  test('does not ask for another course if only the account has changes, and keeps them', async ({
    page,
  }) => {
    await signInWith(page, [watercolors, biology]);
    await openReady(page, '/settings');
    await page.getByLabel('First name').fill('Augusta');
    await chooseCourse(page, 'Watercolors');

    await expect(courseName(page)).toHaveValue('Watercolors');
    await expect(leaveDialog(page)).toBeHidden();
    await expect(page.getByLabel('First name')).toHaveValue('Augusta');
  });

  test('by logging out asks while the session is still there', async ({ page }) => {
    await openChanged(page);
    const menu = page.getByRole('button', { name: /^Your account\b.*Ada Lovelace/ });
    await menu.click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await leaveDialog(page).getByRole('button', { name: 'Stay' }).click();
    await expect(courseName(page)).toHaveValue('Biology 102');
    await toAccount(page);

    const asked = dialogsOn(page);
    await menu.click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await leaveDialog(page).getByRole('button', { name: 'Leave without saving' }).click();
    await expect(page).toHaveURL('/login');
    expect(asked).toEqual([]);
  });

  test('by a reload is asked about by the browser', async ({ page }) => {
    await openChanged(page);
    const asked = dialogsOn(page);
    await page.reload();

    expect(asked).toEqual(['beforeunload']);
    await expect(courseName(page)).toHaveValue('Biology 101');
  });

  test('is not asked about where nothing differs any more', async ({ page }) => {
    await openChanged(page);
    await courseName(page).fill('Biology 101');
    const asked = dialogsOn(page);
    await chooseCourse(page, 'Watercolors');
    await expect(courseName(page)).toHaveValue('Watercolors');
    await page.reload();
    await page.getByRole('link', { name: 'Cohorts' }).click();

    await expect(page.getByRole('heading', { name: 'Cohorts', level: 1 })).toBeVisible();
    expect(asked).toEqual([]);
  });

  test('is not asked about by links within the page, nor for a deleted course', async ({
    page,
  }) => {
    await openChanged(page);
    const asked = dialogsOn(page);
    await page.getByRole('link', { name: 'Profile' }).click();
    await expect(page).toHaveURL('/settings#profile');
    await expect(leaveDialog(page)).toBeHidden();
    await section(page, 'Delete this course').getByRole('button').click();
    await page.getByLabel('Type Biology 101 to confirm').fill('Biology 101');
    await page.keyboard.press('Enter');

    await expect(courseName(page)).toHaveValue('Watercolors');
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
