import { dayFromToday, makeCohort } from './cohorts.ts';
import {
  biology,
  chemistry,
  listOf,
  openList,
  openNewCourse,
  optionOf,
  physics,
  rowOf,
  selectedOnServer,
  triggerOf,
  watchCalls,
} from './courses.ts';
import { askApi, expect, openReady, rest, signInWith, test } from './support.ts';

function coursesNamed(...names: string[]) {
  return names.map((name) => ({ name, course_type: 'cohort' as const }));
}

const eightCourses = coursesNamed(
  ...['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'],
);

test.describe('the list of courses', () => {
  test('has each course with its type, and a check mark at the selected one only', async ({
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

  test('is navigated with the arrows, Home and End, and wraps around', async ({ page }) => {
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

  test('opens and selects with the space bar, without scrolling the page', async ({ page }) => {
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

  test('jumps to typed text: a repeated letter, or a word until a pause', async ({ page }) => {
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

  test('moves on with each press when one letter is pressed quickly', async ({ page }) => {
    await signInWith(page, coursesNamed('Algebra', 'Art history', 'Botany', 'Arc welding'));
    await openReady(page);
    await openList(page);
    await expect(optionOf(page, 'Arc welding')).toBeFocused();
    await page.keyboard.type('aa');

    await expect(optionOf(page, 'Art history')).toBeFocused();
  });

  test('closes with Escape and with a click outside, without choosing', async ({ page }) => {
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

  test('returns the focus to where it was before ctrl + k, or to its button', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/settings');
    const field = page.locator('main').getByLabel('Course name', { exact: true });
    await field.focus();
    await page.keyboard.press('Control+k');
    await expect(optionOf(page, 'Biology 101')).toBeFocused();
    await page.keyboard.press('Escape');

    await expect(field.or(triggerOf(page)).and(page.locator(':focus'))).toHaveCount(1);
  });

  test('opens with ctrl + k next to the collapsed sidebar', async ({ page }) => {
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

  test('its keys are in the tooltip of its button and in the user menu, which opens it', async ({
    page,
  }) => {
    await signInWith(page, [biology, chemistry]);
    await openReady(page);
    await triggerOf(page).hover();
    await expect(page.getByRole('tooltip')).toHaveText('Chemistry (Ctrl or ⌘ + K)');
    await page.getByRole('button', { name: /^Your account/ }).click();
    const item = page.getByRole('button', { name: 'Switch course' });
    await expect(item.locator('.keys')).toHaveAttribute('data-keys', 'Ctrl K');
    await item.click();

    await expect(optionOf(page, 'Chemistry')).toBeFocused();
    await expect(page.locator('#user-menu')).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(triggerOf(page, 'Chemistry')).toBeFocused();
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

  test('has a search field from 8 courses on', async ({ page }) => {
    await signInWith(page, eightCourses.slice(0, 7));
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
    // As in every search field: first the text is cleared, then the list closes.
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

  test('Enter in the search field chooses the first of several matches', async ({ page }) => {
    await signInWith(page, eightCourses);
    await openReady(page);
    await openList(page);
    const search = page.getByRole('searchbox', { name: 'Find a course' });
    await page.keyboard.press('Enter');
    await expect(listOf(page)).toBeVisible();
    await search.fill('s');
    await expect(page.getByRole('option')).toHaveText(['SixCohort', 'SevenCohort']);
    await page.keyboard.press('Enter');

    await expect(triggerOf(page, 'Six')).toBeFocused();
    await expect(listOf(page)).toBeHidden();
    await expect.poll(() => selectedOnServer(page)).toEqual(['Six']);
  });

  test('keeps its place, width and height while one filters', async ({ page }) => {
    await signInWith(page, eightCourses);
    await openReady(page);
    await openList(page);
    await rest(page);
    const box = await listOf(page).boundingBox();
    expect(box?.width).toBe(360);
    const trigger = await triggerOf(page).boundingBox();
    expect(box?.y).toBeCloseTo((trigger?.y ?? 0) + (trigger?.height ?? 0) + 8, 0);
    const search = page.getByRole('searchbox', { name: 'Find a course' });
    for (const [text, count] of [
      ['six', 1],
      ['zzz', 0],
      ['', 8],
    ] as const) {
      await search.fill(text);
      await expect(page.getByRole('option')).toHaveCount(count);
      expect(await listOf(page).boundingBox()).toEqual(box);
    }
  });

  test('scrolls to the selected course when it opens', async ({ page }) => {
    await signInWith(
      page,
      coursesNamed(...Array.from({ length: 30 }, (_, i) => `Course ${i + 1}`)),
    );
    await openReady(page);
    await openList(page);

    await expect(page.getByRole('option', { selected: true })).toHaveText('Course 30Cohort');
    await expect(page.getByRole('option', { selected: true })).toBeInViewport();
  });

  test('says how the cohorts of each course stand, and rows at home say it too', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    const days = (starts_on: string, ends_on: string) => ({ name: 'Spring', starts_on, ends_on });
    await makeCohort(page, days(dayFromToday(-3), dayFromToday(20)), 'publish');
    await makeCohort(page, days(dayFromToday(40), dayFromToday(60)), 'publish');
    await openReady(page);
    await expect(rowOf(page, 'Biology 101')).toContainText('Cohort · 1 running, 1 coming');
    await openList(page);

    await expect(optionOf(page, 'Biology 101')).toHaveText(
      'Biology 101Cohort · 1 running, 1 coming',
    );
  });

  test.describe('of which a page has some', () => {
    test.use({ expectedErrors: [/status of 503/] });

    test('loads the others, and says so if it cannot', async ({ page }) => {
      const names = Array.from({ length: 12 }, (_, index) => `Course ${index + 1}.`);
      await signInWith(page, coursesNamed(...names));
      let isDown = true;
      await page.route('**/api/courses/choices/', (route) =>
        isDown ? route.fulfill({ status: 503, body: '' }) : route.continue(),
      );
      await openReady(page, '/cohorts');
      await openList(page);
      await expect(listOf(page).getByRole('status')).toHaveText('Not all courses could be loaded.');
      await expect(page.getByRole('option')).toHaveCount(9);
      isDown = false;
      await listOf(page).getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('option')).toHaveCount(12);
      await expect(listOf(page).getByRole('status')).toHaveText('');
      await optionOf(page, 'Course 10\\.').click();

      await expect(triggerOf(page, 'Course 10\\.')).toBeFocused();
      await expect.poll(() => selectedOnServer(page)).toEqual(['Course 10.']);
    });
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
