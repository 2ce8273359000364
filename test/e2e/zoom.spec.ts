import type { Page } from '@playwright/test';
import { inspect } from './inspector.ts';
import { expect, test } from './support.ts';
import { expectedErrors, inWindows, rest, type View, views } from './views.ts';

test.use({
  // Traces of so many pages would take as long as the tests.
  trace: 'off',
  // What 200 % make of a screen.
  deviceScaleFactor: 2,
  expectedErrors,
});

/** A desk, the same with a zoom of 200 %, and a small phone. In French, which is the longer language. */
const sizes = [
  { width: 1280, height: 800 },
  { width: 640, height: 400 },
  { width: 320, height: 568 },
];

for (const view of views) {
  test(`${view.name} loses nothing at 200 %, with letters of twice the size and at 320 px`, async ({
    openBrowser,
  }) => {
    let whole: string[] | null = null;
    await inWindows(openBrowser, view, { language: 'fr', sizes }, async (page, { width }) => {
      const { items, faults } = await findIn(page, view);
      expect(faults, `${width} px`).toEqual([]);
      whole ??= items;
      if (width === sizes[0]?.width) {
        await scaleLetters(page, '200%');
        const large = await findIn(page, view);
        expect(large.faults, 'letters of twice the size').toEqual([]);
        expect(lost(whole, large.items), 'letters of twice the size').toEqual([]);
        await scaleLetters(page, '');
      }
      expect(lost(whole, items), `${width} px`).toEqual([]);
    });
  });
}

async function scaleLetters(page: Page, size: string): Promise<void> {
  await page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
  }, size);
  await rest(page);
}

/** What people find in a view, at once or in the sheet that the sidebar becomes, and what is wrong with it. */
async function findIn(page: Page, view: View): Promise<{ items: string[]; faults: string[] }> {
  const inspector = await inspect(page);
  const look = () =>
    inspector.evaluate((it) => ({
      items: it.items(),
      faults: [...it.tooWide(), ...it.overlaps(), ...it.unreachable()],
    }));
  const found = await look();
  const sheetButton = page.locator('[popovertarget="sidebar"]').filter({ visible: true }).first();
  if (!view.isOverlay && (await sheetButton.isVisible())) {
    await sheetButton.click();
    await expect(page.locator('#sidebar')).toBeVisible();
    await rest(page);
    const { items, faults } = await look();
    await page.keyboard.press('Escape');
    return { items: [...found.items, ...items], faults: [...found.faults, ...faults] };
  }
  return found;
}

function lost(whole: string[], found: string[]): string[] {
  return whole.filter((item) => !found.includes(item));
}
