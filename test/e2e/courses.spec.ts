import type { Locator, Page } from '@playwright/test';
import { askApi, expect, signInWith, test } from './support.ts';

type Course = { id: string; name: string; course_type: string; is_selected: boolean };

const biology = { name: 'Biology 101', course_type: 'cohort' } as const;
const chemistry = { name: 'Chemistry', course_type: 'evergreen' } as const;
const physics = { name: 'Physics', course_type: 'evergreen' } as const;

function coursesNamed(...names: string[]) {
  return names.map((name) => ({ name, course_type: 'cohort' as const }));
}

/** The button in the sidebar that says which course is selected. */
function triggerOf(page: Page, name = ''): Locator {
  return page.getByRole('button', { name: new RegExp(`^Course:? ${name}`) });
}

function listOf(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Course', exact: true });
}

function optionOf(page: Page, name: string): Locator {
  return page.getByRole('option', { name: new RegExp(`^${name}`) });
}

/** Until scripts have taken over the page. */
async function openReady(page: Page, path = '/'): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' });
}

async function openList(page: Page): Promise<void> {
  await triggerOf(page).click();
  await expect(listOf(page)).toBeVisible();
}

async function select(page: Page, name: string): Promise<void> {
  await openList(page);
  await optionOf(page, name).click();
}

async function selectedOnServer(page: Page): Promise<string[]> {
  const courses = (await askApi(page, 'GET', '/api/courses/')) as Course[];
  return courses.filter((course) => course.is_selected).map(({ name }) => name);
}

async function namesOnServer(page: Page): Promise<string[]> {
  const courses = (await askApi(page, 'GET', '/api/courses/')) as Course[];
  return courses.map(({ name }) => name);
}

/** Every answer takes so long, as from the other side of the world. */
async function slowDown(page: Page, latency: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
}

/** The calls of the API that may change something, in order, and how many of them are answered. */
function watchCalls(page: Page) {
  const calls = { sent: [] as string[], answered: 0 };
  const isCall = (url: string, method: string) => url.includes('/api/') && method !== 'GET';
  page.on('request', (request) => {
    if (isCall(request.url(), request.method())) {
      calls.sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
    }
  });
  page.on('response', (response) => {
    if (isCall(response.url(), response.request().method())) {
      calls.answered += 1;
    }
  });
  return calls;
}

function dialogOf(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Create a new course' });
}

async function openNewCourse(page: Page): Promise<void> {
  await openList(page);
  await listOf(page).getByRole('button', { name: 'create new course' }).click();
  await expect(dialogOf(page)).toBeVisible();
}

async function fillNewCourse(page: Page, name: string): Promise<void> {
  await dialogOf(page).getByLabel('Course name').fill(name);
  await dialogOf(page)
    .getByRole('radio', { name: /^Evergreen/ })
    .check();
}

function createButton(page: Page): Locator {
  return dialogOf(page).getByRole('button', { name: 'Create Course', exact: true });
}

function continueButton(page: Page): Locator {
  return dialogOf(page).getByRole('button', { name: 'create course and continue', exact: true });
}

test.describe('the list of courses', () => {
  test('has each course with its type, and a check mark at the selected one alone', async ({
    page,
  }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    await expect(triggerOf(page)).toContainText('ChemistryEvergreen');
    await openList(page);

    await expect(page.getByRole('option')).toHaveText(['Biology 101Cohort', 'ChemistryEvergreen']);
    const selected = page.getByRole('option', { selected: true });
    await expect(selected).toHaveText('ChemistryEvergreen');
    await expect(listOf(page).locator('.icon-check')).toHaveCount(1);
    await expect(selected.locator('.icon-check')).toBeVisible();
    await expect(selected).toBeFocused();
    await expect(listOf(page).getByRole('button', { name: 'create new course' })).toBeVisible();
  });

  test('is worked by arrows, Home and End, round and round', async ({ page }) => {
    await signInWith(page, [biology, chemistry, physics]);
    await openReady(page);
    await triggerOf(page).focus();
    await page.keyboard.press('Enter');
    const newCourse = listOf(page).getByRole('button', { name: 'create new course' });
    await expect(optionOf(page, 'Physics')).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(optionOf(page, 'Chemistry')).toBeFocused();
    await page.keyboard.press('Home');
    await expect(optionOf(page, 'Biology 101')).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(newCourse).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(optionOf(page, 'Biology 101')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(optionOf(page, 'Chemistry')).toBeFocused();
    await page.keyboard.press('End');
    await expect(newCourse).toBeFocused();
  });

  test('opens with the space bar and takes a choice by it, without a jump of the page', async ({
    page,
  }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    await triggerOf(page).focus();
    await page.keyboard.press('Space');
    await expect(optionOf(page, 'Chemistry')).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');

    await expect(triggerOf(page, 'Biology 101')).toBeFocused();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await expect.poll(() => selectedOnServer(page)).toEqual(['Biology 101']);
  });

  test('goes to what is typed: a letter again and again, or a word, which ends after a rest', async ({
    page,
  }) => {
    await signInWith(page, coursesNamed('Algebra', 'Art history', 'Botany', 'Arc welding'));
    await page.clock.install();
    await openReady(page);
    await openList(page);
    await expect(optionOf(page, 'Arc welding')).toBeFocused();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.press('a');
    await expect(optionOf(page, 'Algebra')).toBeFocused();
    await page.clock.runFor(701);
    await page.keyboard.press('a');
    await expect(optionOf(page, 'Art history')).toBeFocused();
    await page.clock.runFor(701);
    await page.keyboard.press('b');
    await expect(optionOf(page, 'Botany')).toBeFocused();
    await page.clock.runFor(701);

    await page.keyboard.type('arc');
    await expect(optionOf(page, 'Arc welding')).toBeFocused();
    await page.clock.runFor(701);
    await page.keyboard.type('art h');
    await expect(optionOf(page, 'Art history')).toBeFocused();
    await page.clock.runFor(701);
    await page.keyboard.type('zz');
    await expect(optionOf(page, 'Art history')).toBeFocused();
    expect(await selectedOnServer(page)).toEqual(['Arc welding']);
  });

  test('goes on with each press when one letter is pressed quickly', async ({ page }) => {
    await signInWith(page, coursesNamed('Algebra', 'Art history', 'Botany', 'Arc welding'));
    await openReady(page);
    await openList(page);
    await expect(optionOf(page, 'Arc welding')).toBeFocused();
    await page.keyboard.type('aa');

    await expect(optionOf(page, 'Art history')).toBeFocused();
  });

  test('closes with Escape and with a press beside it, and chooses nothing', async ({ page }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    const calls = watchCalls(page);
    await openList(page);
    await page.keyboard.press('Home');
    await page.keyboard.press('Escape');
    await expect(listOf(page)).toBeHidden();
    await expect(triggerOf(page, 'Chemistry')).toBeFocused();

    await openList(page);
    await page.mouse.click(900, 600);
    await expect(listOf(page)).toBeHidden();
    await openList(page);
    await triggerOf(page).click();
    await expect(listOf(page)).toBeHidden();
    expect(calls.sent).toEqual([]);
  });

  for (const keys of ['Control+k', 'Meta+k']) {
    test(`opens with ${keys} from anywhere`, async ({ page }) => {
      await signInWith(page, [biology, chemistry]);
      await openReady(page, '/settings');
      await page.keyboard.press(keys);
      await expect(optionOf(page, 'Chemistry')).toBeFocused();
      await page.keyboard.press(keys);
      await expect(listOf(page)).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(listOf(page)).toBeHidden();

      await page.getByLabel('Course name').first().focus();
      await page.keyboard.press(keys);
      await expect(optionOf(page, 'Chemistry')).toBeFocused();
    });
  }

  test('gives the focus back to where ctrl + k has taken it from, or to its button', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/settings');
    const field = page.locator('main').getByLabel('Course name');
    await field.focus();
    await page.keyboard.press('Control+k');
    await expect(optionOf(page, 'Biology 101')).toBeFocused();
    await page.keyboard.press('Escape');

    await expect(field.or(triggerOf(page)).and(page.locator(':focus'))).toHaveCount(1);
  });

  test('opens with ctrl + k beside the sidebar of icons', async ({ page }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    await page.keyboard.press('Control+b');
    await page.keyboard.press('Control+k');
    await expect(optionOf(page, 'Chemistry')).toBeFocused();
    await expect(optionOf(page, 'Biology 101')).toBeVisible();
    await page.keyboard.press('Escape');

    await expect(triggerOf(page, 'Chemistry')).toBeFocused();
  });

  test('stays closed with ctrl + k while a dialog is open', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await openNewCourse(page);
    await page.keyboard.press('Control+k');

    await expect(listOf(page)).toBeHidden();
    await expect(page.getByRole('dialog', { name: 'Create a new course' })).toBeVisible();
  });

  test('works with one course', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const calls = watchCalls(page);
    await openList(page);
    await expect(page.getByRole('option')).toHaveText(['Biology 101Cohort']);
    await expect(page.getByRole('searchbox')).toHaveCount(0);
    await optionOf(page, 'Biology 101').click();

    await expect(listOf(page)).toBeHidden();
    await expect(triggerOf(page, 'Biology 101')).toBeFocused();
    expect(calls.sent).toEqual([]);
  });

  test('has a field to find one in from 8 courses on', async ({ page }) => {
    await signInWith(page, coursesNamed('One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'));
    await openReady(page);
    await openList(page);
    await expect(page.getByRole('option')).toHaveCount(7);
    await expect(page.getByRole('searchbox')).toHaveCount(0);

    await askApi(page, 'POST', '/api/courses/', { name: 'Économie', course_type: 'evergreen' });
    await openReady(page);
    await openList(page);
    const search = page.getByRole('searchbox', { name: 'Find a course' });
    await expect(search).toBeFocused();
    await search.fill('  eCoNo ');
    await expect(page.getByRole('option')).toHaveText(['ÉconomieEvergreen']);
    await search.fill('f');
    await expect(page.getByRole('option')).toHaveText(['FourCohort', 'FiveCohort']);
    await search.fill('zzz');
    await expect(page.getByRole('option')).toHaveCount(0);
    await expect(listOf(page).getByRole('status')).toHaveText('No results found');
    // As in every search field: first the text goes, then the list.
    await page.keyboard.press('Escape');
    await expect(page.getByRole('option')).toHaveCount(8);
    await search.fill('f');
    await triggerOf(page).click();
    await expect(listOf(page)).toBeHidden();

    await openList(page);
    await expect(search).toHaveValue('');
    await expect(page.getByRole('option')).toHaveCount(8);
    await page.keyboard.press('Escape');
    await expect(listOf(page)).toBeHidden();
    await expect(triggerOf(page)).toBeFocused();
    await openList(page);
    await search.fill('seven');
    await expect(page.getByRole('option')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(triggerOf(page, 'Seven')).toBeFocused();
    await expect.poll(() => selectedOnServer(page)).toEqual(['Seven']);
  });

  test('shows the selected course at once, also far down', async ({ page }) => {
    await signInWith(
      page,
      coursesNamed(...Array.from({ length: 30 }, (_, i) => `Course ${i + 1}`)),
    );
    await openReady(page);
    await openList(page);

    await expect(page.getByRole('option', { selected: true })).toHaveText('Course 30Cohort');
    await expect(page.getByRole('option', { selected: true })).toBeInViewport();
  });

  test('works with 500 courses', async ({ page }) => {
    await signInWith(page, []);
    for (let made = 0; made < 500; made += 20) {
      const batch = coursesNamed(
        ...Array.from({ length: 20 }, (_, i) => `Course ${made + i + 1}.`),
      );
      await Promise.all(batch.map((course) => askApi(page, 'POST', '/api/courses/', course)));
    }
    await openReady(page, '/cohorts');
    await openList(page);
    await expect(page.getByRole('option')).toHaveCount(500);
    const box = await listOf(page).boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(720);
    await expect(listOf(page).getByRole('button', { name: 'create new course' })).toBeInViewport();

    const search = page.getByRole('searchbox', { name: 'Find a course' });
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('option').first()).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('option').last()).toBeFocused();
    await expect(page.getByRole('option').last()).toBeInViewport();
    await search.fill('course 321.');
    await page.keyboard.press('ArrowDown');
    await expect(optionOf(page, 'Course 321\\.')).toBeFocused();
    await page.keyboard.press('Enter');

    await expect(triggerOf(page, 'Course 321\\.')).toBeFocused();
    await expect(page.getByRole('main').getByText('Course 321.')).toBeVisible();
  });
});

test.describe('choosing a course', () => {
  test('calls the select endpoint once, then shows the page of the new course', async ({
    page,
  }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page, '/cohorts');
    const courses = (await askApi(page, 'GET', '/api/courses/')) as Course[];
    const calls = watchCalls(page);
    await expect(page.getByRole('main').getByText('This is an evergreen course')).toBeVisible();
    await select(page, 'Biology 101');

    await expect(page.getByRole('main').getByText('This is a cohort course')).toBeVisible();
    await expect(page).toHaveURL('/cohorts');
    await expect(triggerOf(page, 'Biology 101')).toBeFocused();
    expect(calls.sent).toEqual([`POST /api/courses/${courses[0]?.id}/select/`]);
    expect(await selectedOnServer(page)).toEqual(['Biology 101']);
    await openList(page);
    await expect(page.getByRole('option', { selected: true })).toHaveText('Biology 101Cohort');
    await page.reload();
    await expect(triggerOf(page, 'Biology 101')).toBeVisible();
  });

  test('brings the list up to date with what was made elsewhere', async ({ page }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    await askApi(page, 'POST', '/api/courses/', physics);
    await select(page, 'Biology 101');
    await expect(page.getByRole('main').getByText('Biology 101')).toBeVisible();
    await openList(page);

    await expect(page.getByRole('option')).toHaveText([
      'Biology 101Cohort',
      'ChemistryEvergreen',
      'PhysicsEvergreen',
    ]);
  });

  test('is visible at once on a slow network, before any answer', async ({ page }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    const calls = watchCalls(page);
    await slowDown(page, 2500);
    await select(page, 'Biology 101');

    await expect(triggerOf(page, 'Biology 101')).toBeVisible({ timeout: 1000 });
    await expect(triggerOf(page)).toHaveAttribute('aria-busy', 'true');
    expect(calls.sent).toHaveLength(1);
    expect(calls.answered).toBe(0);
    await expect(page.getByRole('main').getByText('Chemistry')).toBeVisible();
    await expect(page.getByRole('main').getByText('Biology 101')).toBeVisible();
    await expect(triggerOf(page, 'Biology 101')).toHaveAttribute('aria-busy', 'false');
    expect(calls.answered).toBe(1);
  });

  test('of two choices in a row keeps the last', async ({ page }) => {
    await signInWith(page, [biology, chemistry, physics]);
    await openReady(page);
    await slowDown(page, 800);
    await select(page, 'Biology 101');
    await select(page, 'Chemistry');
    await expect(triggerOf(page, 'Chemistry')).toBeVisible();

    await expect(triggerOf(page)).toHaveAttribute('aria-busy', 'false');
    await expect(triggerOf(page, 'Chemistry')).toBeVisible();
    await expect(page.getByRole('main').getByText('Chemistry')).toBeVisible();
    expect(await selectedOnServer(page)).toEqual(['Chemistry']);
  });

  test('and going back to the first one at once keeps the first', async ({ page }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    await slowDown(page, 800);
    await select(page, 'Biology 101');
    await select(page, 'Chemistry');

    await expect(triggerOf(page)).toHaveAttribute('aria-busy', 'false');
    await expect(triggerOf(page, 'Chemistry')).toBeVisible();
    expect(await selectedOnServer(page)).toEqual(['Chemistry']);
  });

  test.describe('without a connection', () => {
    test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

    test('is taken back with the error dialog, and can be repeated there', async ({
      page,
      context,
    }) => {
      await signInWith(page, [biology, chemistry]);
      await openReady(page);
      await context.setOffline(true);
      await select(page, 'Biology 101');
      const dialog = page.getByRole('dialog', { name: 'Network Error' });
      await expect(dialog).toContainText('check your connection');
      await expect(page.locator('.course-trigger')).toContainText('Chemistry');
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect(triggerOf(page, 'Chemistry')).toBeFocused();
      await openList(page);
      await expect(page.getByRole('option', { selected: true })).toHaveText('ChemistryEvergreen');
      await page.keyboard.press('Escape');

      await select(page, 'Biology 101');
      await expect(dialog).toBeVisible();
      await context.setOffline(false);
      await dialog.getByRole('button', { name: 'Retry' }).click();
      await expect(triggerOf(page, 'Biology 101')).toBeVisible();
      await expect(page.getByRole('main').getByText('Biology 101')).toBeVisible();
      expect(await selectedOnServer(page)).toEqual(['Biology 101']);
    });
  });

  test.describe('that a second tab has deleted', () => {
    test.use({ expectedErrors: [/status of 404/] });

    test('says so, and the list is fresh', async ({ page, context }) => {
      await signInWith(page, [biology, chemistry, physics]);
      await openReady(page);
      const second = await context.newPage();
      const [first] = (await askApi(second, 'GET', '/api/courses/')) as Course[];
      await askApi(second, 'DELETE', `/api/courses/${first?.id}/`);
      await select(page, 'Biology 101');
      const dialog = page.getByRole('dialog', { name: 'Not Found' });
      await expect(dialog).toBeVisible();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect(dialog).toBeHidden();

      await expect(triggerOf(page, 'Physics')).toBeVisible();
      await openList(page);
      await expect(page.getByRole('option')).toHaveText(['ChemistryEvergreen', 'PhysicsEvergreen']);
      await expect(page.getByRole('option', { selected: true })).toHaveText('PhysicsEvergreen');
    });

    test('leads to a first course when none is left', async ({ page, context }) => {
      await signInWith(page, [biology, chemistry]);
      await openReady(page);
      const second = await context.newPage();
      for (const { id } of (await askApi(second, 'GET', '/api/courses/')) as Course[]) {
        await askApi(second, 'DELETE', `/api/courses/${id}/`);
      }
      await select(page, 'Biology 101');

      await expect(page).toHaveURL('/onboarding/course');
    });
  });

  test.describe('after the session has ended', () => {
    test.use({ expectedErrors: [/status of 401|Unauthorized access/] });

    test('is taken back and leads to the login page', async ({ page, context }) => {
      await signInWith(page, [biology, chemistry]);
      await openReady(page);
      await askApi(page, 'DELETE', '/api/accounts/auth/sessions/current/');
      await context.clearCookies({ name: 'session' });
      await select(page, 'Biology 101');
      const dialog = page.getByRole('dialog', { name: 'Authentication Required' });
      await expect(dialog).toBeVisible();
      await expect(page.locator('.course-trigger')).toContainText('Chemistry');
      await dialog.getByRole('link', { name: 'Go to Login' }).click();

      await expect(page).toHaveURL('/login');
    });
  });
});

test.describe('which course is current', () => {
  test('nobody without a course gets past the first one', async ({ page }) => {
    await signInWith(page, []);
    for (const path of ['/', '/cohorts', '/payments', '/settings', '/settings/billing']) {
      await page.goto(path);
      await expect(page, path).toHaveURL('/onboarding/course');
    }
    await page.getByLabel('Course name').fill('Biology 101');
    await page.getByRole('radio', { name: /^Cohort/ }).check();
    await page.getByRole('button', { name: 'Create Course' }).click();

    await expect(page).toHaveURL('/');
    await expect(triggerOf(page, 'Biology 101')).toBeVisible();
    await page.goto('/onboarding/course');
    await expect(page).toHaveURL('/');
  });

  test('where the selected one is gone, the first is', async ({ page }) => {
    await signInWith(page, [biology, chemistry, physics]);
    const courses = (await askApi(page, 'GET', '/api/courses/')) as Course[];
    await askApi(page, 'DELETE', `/api/courses/${courses[2]?.id}/`);
    await page.goto('/');

    await expect(triggerOf(page, 'Biology 101')).toBeVisible();
  });

  test('is the same in every browser', async ({ page, openBrowser }) => {
    await signInWith(page, [biology, chemistry]);
    const other = await openBrowser();
    await other.context().addCookies(await page.context().cookies());
    await openReady(page);
    await select(page, 'Biology 101');
    await expect(page.getByRole('main').getByText('Biology 101')).toBeVisible();
    await other.goto('/');

    await expect(triggerOf(other, 'Biology 101')).toBeVisible();
  });
});

test.describe('the sheet on a phone', () => {
  test.use({ viewport: { width: 375, height: 700 } });

  test('has the courses too, and ctrl + k opens both', async ({ page }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    await page.keyboard.press('Control+k');
    await expect(optionOf(page, 'Chemistry')).toBeFocused();
    const box = await listOf(page).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(375);
    await page.keyboard.press('Escape');
    await expect(listOf(page)).toBeHidden();
    await expect(page.getByRole('complementary')).toBeVisible();
    await expect(triggerOf(page, 'Chemistry')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('complementary')).toHaveCount(0);

    await page.getByRole('button', { name: 'Menu' }).click();
    await select(page, 'Biology 101');
    await expect(page.locator('main').getByText('Biology 101')).toBeVisible();
    expect(await selectedOnServer(page)).toEqual(['Biology 101']);
  });

  test('gives way to the dialog for a new course, and leaves nothing inert', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/cohorts');
    await page.getByRole('button', { name: 'Menu' }).click();
    await openNewCourse(page);
    await expect(page.getByLabel('Course name')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toBeHidden();
    expect(await page.evaluate(() => document.querySelectorAll('[inert]').length)).toBe(0);
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
  });
});

test.describe('the dialog for a new course', () => {
  test('begins in the name of the course', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await openNewCourse(page);

    await expect(listOf(page)).toBeHidden();
    await expect(dialogOf(page).getByLabel('Course name')).toBeFocused();
    await expect(createButton(page)).toBeVisible();
    await expect(continueButton(page)).toBeVisible();
  });

  test('is open to the keyboard alone, from the list to the new course', async ({ page }) => {
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
    await expect(page.getByText('Your course is there, and it is selected.')).toBeVisible();
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
    await expect(triggerOf(page)).toBeFocused();
    await openList(page);
    await expect(page.getByRole('option')).toHaveText(['Biology 101Cohort', 'GeologyEvergreen']);
    await expect(page.getByRole('option', { selected: true })).toHaveText('GeologyEvergreen');
    expect(await selectedOnServer(page)).toEqual(['Geology']);
  });

  test('‘create course and continue’ goes home, to the new course', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/cohorts');
    await openNewCourse(page);
    await fillNewCourse(page, 'Geology');
    await continueButton(page).click();

    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible();
    await expect(triggerOf(page, 'Geology')).toBeVisible();
    await expect(dialogOf(page)).toBeHidden();
    expect(await namesOnServer(page)).toEqual(['Biology 101', 'Geology']);
  });

  test('‘create course and continue’ at home closes, with the new course selected', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await openNewCourse(page);
    await fillNewCourse(page, 'Geology');
    await continueButton(page).click();

    await expect(dialogOf(page)).toBeHidden();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('main').getByText('Geology')).toBeVisible();
    await expect(triggerOf(page, 'Geology')).toBeVisible();
  });

  test('is sent with Enter as by ‘Create Course’', async ({ page }) => {
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
    test(`says that it is at work after ‘${pressed}’, and nothing in it can be changed`, async ({
      page,
    }) => {
      await signInWith(page, [biology]);
      await openReady(page, '/cohorts');
      await openNewCourse(page);
      await fillNewCourse(page, 'Geology');
      await slowDown(page, 2500);
      await dialogOf(page).getByRole('button', { name: pressed, exact: true }).click();

      const other = pressed === 'Create Course' ? continueButton(page) : createButton(page);
      const busy = dialogOf(page).getByRole('button', { name: 'Creating your course…' });
      await expect(busy).toBeVisible({ timeout: 1500 });
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

  test('says what is wrong at each field, and asks nobody', async ({ page }) => {
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
    test(`takes a name of ${length} characters`, async ({ page }) => {
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
    ['a press beside it', (page) => page.mouse.click(5, 5)],
  ];
  for (const [way, close] of waysToClose) {
    test(`keeps what was typed when ${way} closes it`, async ({ page }) => {
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

  test('is empty again after a course was made', async ({ page }) => {
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

  test('makes one course of a double click', async ({ page }) => {
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

  test('makes one course of two presses of Enter, on a slow network too', async ({ page }) => {
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

  test('goes on when it is closed meanwhile', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/cohorts');
    await openNewCourse(page);
    await fillNewCourse(page, 'Geology');
    await slowDown(page, 1000);
    await createButton(page).click();
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toBeHidden();

    await expect(page.getByText('Your course is there, and it is selected.')).toBeVisible();
    await expect(triggerOf(page, 'Geology')).toBeVisible();
    expect(await namesOnServer(page)).toEqual(['Biology 101', 'Geology']);
  });

  test.describe('without a connection', () => {
    test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

    for (const [pressed, path] of [
      ['Create Course', '/cohorts'],
      ['create course and continue', '/'],
    ] as const) {
      test(`keeps what was typed after ‘${pressed}’, and Retry does the same once more`, async ({
        page,
        context,
      }) => {
        await signInWith(page, [biology]);
        await openReady(page, '/cohorts');
        await openNewCourse(page);
        await fillNewCourse(page, 'Geology');
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

    test('is asked for again, and the course is made once', async ({ page }) => {
      await signInWith(page, [biology]);
      await openReady(page);
      await page.route(
        '**/api/courses/',
        async (route) => {
          await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
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
