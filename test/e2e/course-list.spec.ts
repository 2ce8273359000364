import type { Locator, Page } from '@playwright/test';
import {
  biology,
  coverOf,
  dialogOf,
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

const cohortCourse = (name: string) => ({ ...biology, name });

test('the list of courses opens by its keys, its button and the user menu, is navigated with arrows, Home, End and typed text, and closes without a change', async ({
  page,
}) => {
  await signInWith(page, ['Algebra', 'Art history', 'Botany', 'Arc welding'].map(cohortCourse));
  await page.clock.install();
  await openReady(page, '/settings');
  const calls = watchCalls(page);
  const selected = optionOf(page, 'Arc welding');
  const field = page.getByRole('main').getByLabel('Course name', { exact: true }).first();
  for (const keys of ['Control+k', 'Meta+k']) {
    await page.keyboard.press(keys);
    await expect(selected).toBeFocused();
    await page.keyboard.press(keys);
    await expect(listOf(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(listOf(page)).toBeHidden();
    await expect(field.or(triggerOf(page)).and(page.locator(':focus'))).toHaveCount(1);
    // The second time, while typing.
    await field.focus();
  }
  await page.getByRole('button', { name: /^Your account/ }).click();
  const item = page.getByRole('button', { name: 'Switch course' });
  await expect(item.locator('.keys')).toHaveAttribute('data-keys', 'Ctrl K');
  await item.click();
  await expect(selected).toBeFocused();
  await expect(page.locator('#user-menu')).toBeHidden();
  for (const close of [
    () => page.mouse.click(900, 600),
    () => triggerOf(page).click(),
    () => selected.click(),
  ]) {
    await close();
    await expect(listOf(page)).toBeHidden();
    await openList(page);
  }
  await page.keyboard.press('Escape');
  await expect(triggerOf(page, 'Arc welding')).toBeFocused();
  expect(calls).toEqual([]);
  await openNewCourse(page);
  await page.keyboard.press('Control+k');
  await expect(dialogOf(page)).toBeVisible();
  await expect(listOf(page)).toBeHidden();
  await page.keyboard.press('Escape');

  await expect(triggerOf(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(selected).toBeFocused();
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
    // A longer search stays where it fits.
    ['ar', 'Arc welding'],
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
  await expect.poll(() => selectedOnServer(page)).toEqual(['Art history']);
});

test.describe('from 8 courses on', () => {
  test.use({ expectedErrors: [/status of 503/] });

  test('the list has a search field, of which Enter chooses the first match, and loads what the page has not', async ({
    page,
  }) => {
    const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'];
    await signInWith(page, names.map(cohortCourse));
    await openReady(page);
    await openList(page);
    await expect(page.getByRole('option')).toHaveCount(7);
    await expect(searchOf(page)).toHaveCount(0);
    for (const name of ['Économie', 'Nine', 'Ten', 'Eleven', 'Twelve']) {
      await askApi(page, 'POST', '/api/courses/', { name, course_type: 'evergreen' });
    }
    let isDown = true;
    await page.route('**/api/courses/choices/', (route) =>
      isDown ? route.fulfill({ status: 503, body: '' }) : route.continue(),
    );
    await openReady(page);
    const rows = page.getByRole('region', { name: 'Your courses' }).getByRole('listitem');
    await expect(rows).toHaveCount(9);
    await expect(rows.last()).toHaveText('TwelveEvergreenSelected');
    await page.getByRole('button', { name: 'Show all courses' }).click();
    const status = listOf(page).getByRole('status');
    await expect(status).toHaveText('Not all courses could be loaded.');
    await expect(page.getByRole('option')).toHaveCount(9);
    isDown = false;
    await listOf(page).getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('option')).toHaveCount(12);
    await expect(status).toHaveText('');
    await expect(page.getByRole('option', { selected: true })).toBeInViewport();
    await expect(listOf(page).getByRole('button', { name: 'create new course' })).toBeInViewport();

    const search = searchOf(page);
    await search.focus();
    await page.keyboard.press('Enter');
    await rest(page);
    const box = await listOf(page).boundingBox();
    for (const [text, found] of [
      ['  eCoNo ', ['ÉconomieEvergreen']],
      ['f', ['FourCohort', 'FiveCohort']],
      ['zzz', []],
    ] as const) {
      await search.fill(text);
      await expect(page.getByRole('option')).toHaveText([...found]);
      // It keeps its place and size.
      expect(await listOf(page).boundingBox()).toEqual(box);
    }
    await expect(status).toHaveText('No results found');
    // As in every search field: first the text is cleared, then the list closes.
    await page.keyboard.press('Escape');
    await expect(page.getByRole('option')).toHaveCount(12);
    await page.keyboard.press('Escape');
    await expect(listOf(page)).toBeHidden();
    await openList(page);
    await expect(search).toBeFocused();
    await search.fill('si');
    await page.keyboard.press('Enter');
    await expect(listOf(page)).toBeHidden();
    await expect(triggerOf(page, 'Six')).toBeFocused();
    await expect(coverOf(page, 'Six')).toBeVisible();
    await expect(rows).toHaveCount(9);
    await rowOf(page, 'Two').click();
    await expect.poll(() => selectedOnServer(page)).toEqual(['Two']);
  });
});

function searchOf(page: Page): Locator {
  return page.getByRole('searchbox', { name: 'Find a course' });
}
