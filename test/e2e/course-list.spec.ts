import type { Locator, Page } from '@playwright/test';
import { dayFromToday, makeCohort } from './cohorts.ts';
import {
  biology,
  chemistry,
  coverOf,
  listOf,
  openList,
  openNewCourse,
  optionOf,
  rowOf,
  selectedOnServer,
  triggerOf,
  watchCalls,
} from './courses.ts';
import { askApi, expect, openReady, rest, signInWith, test } from './support.ts';

function coursesNamed(...names: string[]) {
  return names.map((name) => ({ name, course_type: 'cohort' as const }));
}

function searchOf(page: Page): Locator {
  return page.getByRole('searchbox', { name: 'Find a course' });
}

test.describe('the list of courses', () => {
  test('has each course with its type and how many of its cohorts run or are coming, and a check at the selected one', async ({
    page,
  }) => {
    await signInWith(page, [chemistry, biology]);
    const days = (starts_on: string, ends_on: string) => ({ name: 'Spring', starts_on, ends_on });
    await makeCohort(page, days(dayFromToday(-3), dayFromToday(20)), 'publish');
    await makeCohort(page, days(dayFromToday(40), dayFromToday(60)), 'publish');
    await openReady(page);
    await expect(rowOf(page, 'Biology 101')).toContainText('Cohort · 1 running, 1 upcoming');
    await openList(page);

    await expect(page.getByRole('option')).toHaveText([
      'ChemistryEvergreen',
      'Biology 101Cohort · 1 running, 1 upcoming',
    ]);
    const selected = page.getByRole('option', { selected: true });
    await expect(selected).toHaveText(/^Biology 101/);
    await expect(selected).toBeFocused();
    await expect(listOf(page).locator('.icon-check')).toHaveCount(1);
    await expect(selected.locator('.icon-check')).toBeVisible();
  });

  test('is navigated with arrows, Home, End and typed text, and chooses with the space bar', async ({
    page,
  }) => {
    await signInWith(page, coursesNamed('Algebra', 'Art history', 'Botany', 'Arc welding'));
    await page.clock.install();
    await openReady(page);
    await triggerOf(page).focus();
    await page.keyboard.press('Enter');
    await expect(optionOf(page, 'Arc welding')).toBeFocused();
    const newCourse = listOf(page).getByRole('button', { name: 'create new course' });
    for (const [key, target] of [
      ['ArrowUp', optionOf(page, 'Botany')],
      ['Home', optionOf(page, 'Algebra')],
      ['ArrowUp', newCourse],
      ['ArrowDown', optionOf(page, 'Algebra')],
      ['End', newCourse],
    ] as const) {
      await page.keyboard.press(key);
      await expect(target).toBeFocused();
    }
    await page.clock.pauseAt(Date.now() + 60_000);
    for (const [typed, name] of [
      // Each press of one letter moves on.
      ['a', 'Algebra'],
      ['a', 'Art history'],
      ['arc', 'Arc welding'],
      ['art h', 'Art history'],
      ['zz', 'Art history'],
    ] as const) {
      await page.clock.runFor(701);
      await page.keyboard.type(typed);
      await expect(optionOf(page, name)).toBeFocused();
    }
    await page.clock.resume();
    await page.clock.runFor(701);
    await page.keyboard.press('Space');

    await expect(triggerOf(page, 'Art history')).toBeFocused();
    await expect(coverOf(page, 'Art history')).toBeVisible();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  });

  test('closes with Escape, a click outside and its button, and choosing the selected one changes nothing', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    const calls = watchCalls(page);
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(900, 600),
      () => triggerOf(page).click(),
      () => optionOf(page, 'Biology 101').click(),
    ]) {
      await openList(page);
      await close();
      await expect(listOf(page)).toBeHidden();
    }
    await expect(triggerOf(page, 'Biology 101')).toBeFocused();
    expect(calls.sent).toEqual([]);
  });

  test('opens with ctrl or ⌘ + k from anywhere but a dialog, and from the user menu; its button says so', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await openReady(page, '/settings');
    const field = page.getByRole('main').getByLabel('Course name', { exact: true }).first();
    for (const keys of ['Control+k', 'Meta+k']) {
      await page.keyboard.press(keys);
      await expect(optionOf(page, 'Biology 101')).toBeFocused();
      await page.keyboard.press(keys);
      await expect(listOf(page)).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(listOf(page)).toBeHidden();
      await expect(field.or(triggerOf(page)).and(page.locator(':focus'))).toHaveCount(1);
      // The second time, while typing.
      await field.focus();
    }

    await triggerOf(page).hover();
    await expect(page.getByRole('tooltip')).toHaveText('Biology 101 (Ctrl or ⌘ + K)');
    await page.getByRole('button', { name: /^Your account/ }).click();
    const item = page.getByRole('button', { name: 'Switch course' });
    await expect(item.locator('.keys')).toHaveAttribute('data-keys', 'Ctrl K');
    await item.click();
    await expect(optionOf(page, 'Biology 101')).toBeFocused();
    await expect(page.locator('#user-menu')).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(triggerOf(page, 'Biology 101')).toBeFocused();

    await openNewCourse(page);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog', { name: 'Create a new course' })).toBeVisible();
    await expect(listOf(page)).toBeHidden();
  });

  test('has a search field from 8 courses on, of which Enter chooses the first match', async ({
    page,
  }) => {
    await signInWith(page, coursesNamed('One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'));
    await openReady(page);
    await openList(page);
    await expect(page.getByRole('option')).toHaveCount(7);
    await expect(searchOf(page)).toHaveCount(0);
    await askApi(page, 'POST', '/api/courses/', { name: 'Économie', course_type: 'evergreen' });
    await openReady(page);
    await openList(page);
    const search = searchOf(page);
    await expect(search).toBeFocused();
    await page.keyboard.press('Enter');
    await rest(page);
    const box = await listOf(page).boundingBox();
    for (const [text, names] of [
      ['  eCoNo ', ['ÉconomieEvergreen']],
      ['f', ['FourCohort', 'FiveCohort']],
      ['zzz', []],
    ] as const) {
      await search.fill(text);
      await expect(page.getByRole('option')).toHaveText([...names]);
      // It keeps its place and size.
      expect(await listOf(page).boundingBox()).toEqual(box);
    }
    await expect(listOf(page).getByRole('status')).toHaveText('No results found');
    // As in every search field: first the text is cleared, then the list closes.
    await page.keyboard.press('Escape');
    await expect(page.getByRole('option')).toHaveCount(8);
    await search.fill('s');
    await page.keyboard.press('Enter');
    await expect(listOf(page)).toBeHidden();
    await expect(triggerOf(page, 'Six')).toBeFocused();
    await expect.poll(() => selectedOnServer(page)).toEqual(['Six']);
  });

  test.describe('of which a page has some', () => {
    test.use({ expectedErrors: [/status of 503/] });

    test('loads the others, and says so if it cannot; the selected one and the last button are visible', async ({
      page,
    }) => {
      const courses = coursesNamed(...Array.from({ length: 20 }, (_, index) => `No. ${index}.`));
      await signInWith(page, courses);
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
      await expect(page.getByRole('option')).toHaveCount(20);
      await expect(listOf(page).getByRole('status')).toHaveText('');
      await expect(page.getByRole('option', { selected: true })).toBeInViewport();
      await expect(
        listOf(page).getByRole('button', { name: 'create new course' }),
      ).toBeInViewport();

      await searchOf(page).fill('no. 12');
      await page.keyboard.press('ArrowDown');
      await expect(optionOf(page, 'No. 12')).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(triggerOf(page, 'No. 12')).toBeFocused();
      await expect.poll(() => selectedOnServer(page)).toEqual(['No. 12.']);
    });
  });
});
