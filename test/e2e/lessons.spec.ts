import type { Page, Route } from '@playwright/test';
import { comingDays, makeCohort } from './cohorts.ts';
import { biology } from './courses.ts';
import { makeOutline, menuOf, shownOutline, storedOutline } from './outlines.ts';
import { expect, openReady, signInWith, test } from './support.ts';

test('an outline is written and put in order by keyboard alone', async ({ page }) => {
  await signInWith(page, [biology]);
  await openReady(page, '/lessons');
  await expect(page.getByRole('heading', { name: 'Start with one lesson' })).toBeVisible();
  await press(page, page.getByRole('button', { name: 'New lesson' }), 'Enter');
  const title = page.getByLabel('Title of the lesson');
  for (const lesson of ['Sounds', 'Scenes']) {
    await expect(title).toBeFocused();
    await page.keyboard.type(lesson);
    await press(page, page.getByRole('button', { name: 'Create and add another' }), 'Enter');
    await expect(title).toHaveValue('');
  }
  await page.keyboard.press('Escape');
  await press(page, page.getByRole('button', { name: 'New section' }), 'Enter');
  await page.keyboard.type('Week two');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => shownOutline(page))
    .toEqual(['Untitled section: Sounds Scenes', 'Week two:']);

  const menu = menuOf(page, 'Scenes');
  await press(page, menu, 'Enter');
  await chooseByKey(page, 'Move up');
  await expect(page.getByText('Scenes is now 1 of 2 in Untitled section.')).toBeAttached();
  await expect(menu).toBeFocused();
  await page.keyboard.press('Enter');
  await chooseByKey(page, 'Move to section…');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Scenes is now 1 of 1 in Week two.')).toBeAttached();
  await expect(menu).toBeFocused();
  await press(page, menuOf(page, 'Week two'), 'Enter');
  await chooseByKey(page, 'Move up');
  await expect(page.getByText('Week two is now section 1 of 2.')).toBeAttached();

  const order = ['Week two: Scenes', 'Untitled section: Sounds'];
  await expect.poll(() => shownOutline(page)).toEqual(order);
  await expect.poll(() => storedOutline(page)).toEqual(['Week two: Scenes', ': Sounds']);
});

test.describe('with a mouse', () => {
  test.use({ expectedErrors: [/Failed to load resource/] });

  test('lessons and sections are dragged, a move that fails is taken back and tried again, and lessons are found without accents', async ({
    page,
  }) => {
    await signInWith(page, [biology]);
    await makeOutline(page, { One: ['a', 'b', 'c'], Two: ['d'], Three: [] });
    await openReady(page, '/lessons');
    const row = (title: string) =>
      page.locator('[data-row]').filter({ has: page.getByText(title, { exact: true }) });
    const drag = async (title: string, to: string, y: number) => {
      const handle = row(title).locator('.outline-handle');
      await handle.dragTo(row(to), { targetPosition: { x: 60, y } });
    };
    await drag('c', 'a', 4);
    await expect.poll(() => storedOutline(page)).toEqual(['One: c a b', 'Two: d', 'Three:']);
    await drag('a', 'd', 40);
    await expect.poll(() => storedOutline(page)).toEqual(['One: c b', 'Two: d a', 'Three:']);
    await drag('d', 'Three', 30);
    await expect.poll(() => storedOutline(page)).toEqual(['One: c b', 'Two: a', 'Three: d']);
    await drag('Three', 'One', 10);
    await expect.poll(() => storedOutline(page)).toEqual(['Three: d', 'One: c b', 'Two: a']);
    expect(await shownOutline(page)).toEqual(['Three: d', 'One: c b', 'Two: a']);

    const answer = Promise.withResolvers<void>();
    const fail = async (route: Route) => {
      await answer.promise;
      await route.abort();
    };
    await page.route('**/move/', fail, { times: 1 });
    await menuOf(page, 'b').click();
    await page.getByRole('button', { name: 'Move up' }).click();
    await expect.poll(() => shownOutline(page)).toContain('One: b c');
    answer.resolve();
    await expect.poll(() => shownOutline(page)).toContain('One: c b');
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => storedOutline(page)).toContain('One: b c');

    await makeOutline(page, { Four: ['e', 'f', 'g', 'Élodie'] });
    await openReady(page, '/lessons');
    const field = page.getByRole('searchbox', { name: 'Find a lesson' });
    await field.fill('elod');
    await expect.poll(() => shownOutline(page)).toEqual(['Four: Élodie']);
    await field.fill('elodx');
    await expect(page.getByText('No lesson has this in its title.')).toBeVisible();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 640 }, hasTouch: true });

  test('a lesson is renamed, timed, moved, and taken out of the trash; its section opens on a day of a cohort', {
    tag: '@night',
  }, async ({ page }) => {
    await signInWith(page, [biology]);
    await makeOutline(page, { One: ['a', 'b'], Two: ['c'] });
    await makeCohort(page, { name: 'Winter', ...comingDays }, 'publish');
    await openReady(page, '/lessons');
    await expect(page.locator('.outline-handle').first()).toBeHidden();
    const dialog = page.getByRole('dialog');
    const choose = async (title: string, item: string) => {
      await menuOf(page, title).tap();
      await page.locator('.menu:popover-open').getByText(item, { exact: true }).tap();
    };

    await choose('a', 'Rename');
    await dialog.getByLabel('Title of the lesson').fill('first');
    await dialog.getByRole('button', { name: 'Save' }).tap();
    await expect.poll(() => shownOutline(page)).toEqual(['One: first b', 'Two: c']);
    await choose('first', 'Reading time');
    await dialog.getByLabel('Minutes').fill('47');
    await dialog.getByRole('button', { name: 'Save' }).tap();
    await expect(page.getByText('47 min')).toBeVisible();
    await choose('first', 'Move down');
    await choose('b', 'Move to section…');
    await dialog.getByRole('button', { name: 'Two' }).tap();
    await expect.poll(() => storedOutline(page)).toEqual(['One: first', 'Two: c b']);
    await choose('Two', 'When it opens in Winter…');
    await dialog.getByRole('radio', { name: /^On a date/ }).check();
    await dialog.getByLabel('Day', { exact: true }).fill(comingDays.ends_on);
    await dialog.getByRole('button', { name: 'Save' }).tap();
    await expect(page.getByText('Saved when the section opens.')).toBeVisible();

    await choose('c', 'Move to the trash');
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect.poll(() => shownOutline(page)).toEqual(['One: first', 'Two: c b']);
    await page.locator('.outline-title').filter({ hasText: 'first' }).tap();
    await page.locator('.writing-bar [popovertarget="lesson-menu"]').tap();
    await page.getByRole('button', { name: 'Move to the trash' }).tap();
    await page.waitForURL('/lessons');
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
    await expect.poll(() => shownOutline(page)).toEqual(['One:', 'Two: c b']);
    await page.goto('/lessons/trash');
    await page.getByRole('button', { name: 'Restore' }).tap();
    await expect(page.getByText('The trash is empty.')).toBeVisible();
    expect(await storedOutline(page)).toEqual(['One: first', 'Two: c b']);
  });
});

async function press(page: Page, button: ReturnType<typeof menuOf>, key: string): Promise<void> {
  await button.focus();
  await page.keyboard.press(key);
}

/** Walks through the open menu to an item. */
async function chooseByKey(page: Page, name: string): Promise<void> {
  const item = page.locator('.menu:popover-open').getByText(name, { exact: true });
  await expect(item).toBeVisible();
  for (let step = 0; step < 12; step += 1) {
    if (await item.evaluate((element) => element === document.activeElement)) {
      break;
    }
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}
