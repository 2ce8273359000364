import type { Page } from '@playwright/test';
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

test('lessons and sections are dragged by their handles', async ({ page }) => {
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
  const order = ['Three: d', 'One: c b', 'Two: a'];
  await expect.poll(() => storedOutline(page)).toEqual(order);
  expect(await shownOutline(page)).toEqual(order);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 640 }, hasTouch: true });

  test('a lesson is renamed, moved, and taken out of the trash', async ({ page }) => {
    await signInWith(page, [biology]);
    await makeOutline(page, { One: ['a', 'b'], Two: ['c'] });
    await openReady(page, '/lessons');
    await expect(page.locator('.outline-handle').first()).toBeHidden();
    const choose = async (title: string, item: string) => {
      await menuOf(page, title).tap();
      await page.locator('#lesson-menu').getByText(item, { exact: true }).tap();
    };

    await choose('a', 'Rename');
    await page.getByRole('dialog').getByLabel('Title of the lesson').fill('first');
    await page.getByRole('button', { name: 'Save' }).tap();
    await expect.poll(() => shownOutline(page)).toEqual(['One: first b', 'Two: c']);
    await choose('first', 'Move down');
    await choose('b', 'Move to section…');
    await page.getByRole('dialog').getByRole('button', { name: 'Two' }).tap();
    await expect.poll(() => storedOutline(page)).toEqual(['One: first', 'Two: c b']);

    await choose('c', 'Move to the trash');
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect.poll(() => shownOutline(page)).toEqual(['One: first', 'Two: b c']);
    await choose('first', 'Move to the trash');
    await expect.poll(() => shownOutline(page)).toEqual(['One:', 'Two: b c']);
    await page.goto('/lessons/trash');
    await page.getByRole('button', { name: 'Restore' }).tap();
    await expect(page.getByText('The trash is empty.')).toBeVisible();
    expect(await storedOutline(page)).toEqual(['One: first', 'Two: b c']);
  });
});

test.describe('without a connection', () => {
  test.use({ expectedErrors: [/Failed to load resource/] });

  test('a move is shown at once and taken back, and can be tried again', async ({ page }) => {
    await signInWith(page, [biology]);
    await makeOutline(page, { One: ['a', 'b'] });
    await openReady(page, '/lessons');
    const answer = Promise.withResolvers<void>();
    await page.route(
      '**/move/',
      async (route) => {
        await answer.promise;
        await route.abort();
      },
      { times: 1 },
    );
    await menuOf(page, 'b').click();
    await page.getByRole('button', { name: 'Move up' }).click();
    await expect.poll(() => shownOutline(page)).toEqual(['One: b a']);
    answer.resolve();
    await expect.poll(() => shownOutline(page)).toEqual(['One: a b']);
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => storedOutline(page)).toEqual(['One: b a']);
  });
});

test('a search finds lessons by their titles, without accents', async ({ page }) => {
  await signInWith(page, [biology]);
  const others = ['b', 'c', 'd', 'e', 'f', 'g', 'h'];
  await makeOutline(page, { One: others, Two: ['Élodie'] });
  await openReady(page, '/lessons');
  const field = page.getByRole('searchbox', { name: 'Find a lesson' });
  await field.fill('elod');
  await expect.poll(() => shownOutline(page)).toEqual(['Two: Élodie']);
  await field.fill('elodx');
  await expect(page.getByText('No lesson has this in its title.')).toBeVisible();
  await field.fill('');
  await expect.poll(() => shownOutline(page)).toHaveLength(2);
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
