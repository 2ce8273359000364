import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { inspect } from './inspector.ts';
import { expect, test } from './support.ts';
import { expectedErrors, inWindows, rest, type View, views } from './views.ts';

test.use({ expectedErrors });

const phone = { width: 320, height: 568 };
const desk = { width: 1440, height: 800 };

/** A desktop at 200 % zoom: half as wide, with two device pixels per pixel. */
const beforeZoom = { width: 1280, height: 800 };
const zoomed = { width: 640, height: 400 };

for (const view of views) {
  test(`${view.name} is accessible, fits, is not cut off and loses nothing in either language, at 320 to 1440 px, at 200 % and with letters of twice the size`, async ({
    openBrowser,
  }) => {
    await inWindows(
      openBrowser,
      view,
      { language: 'en', sizes: [desk, phone] },
      async (page, { width }) => {
        await expectAccessible(page, `en, ${width} px`, exceptions(view));
        await expectWhole(page, `en, ${width} px`);
      },
    );

    let whole: string[] | null = null;
    // French is the longer language, so anything that can be cut off is looked for there.
    await inWindows(
      () => openBrowser({ deviceScaleFactor: 2 }),
      view,
      { language: 'fr', sizes: [desk, beforeZoom, zoomed, phone] },
      async (page, size) => {
        const look = `fr, ${size.width} px`;
        if (size === desk || size === phone) {
          await expectAccessible(page, look, exceptions(view));
        }
        await expectWhole(page, look);
        if (size === desk) {
          return;
        }
        const { items, faults } = await findIn(page, view);
        expect(faults, look).toEqual([]);
        whole ??= items;
        expect(lost(whole, items), look).toEqual([]);
        if (size === beforeZoom) {
          await scaleLetters(page, '200%');
          const large = await findIn(page, view);
          expect(large.faults, 'letters of twice the size').toEqual([]);
          expect(lost(whole, large.items), 'letters of twice the size').toEqual([]);
          await scaleLetters(page, '');
        }
      },
    );
  });
}

/** A page under an overlay may be inert, including its heading. It has its own view. */
function exceptions({ isOverlay }: View): string[] {
  return isOverlay ? ['landmark-one-main', 'page-has-heading-one'] : [];
}

async function expectWhole(page: Page, look: string): Promise<void> {
  const inspector = await inspect(page);
  const { tooWide, cut } = await inspector.evaluate((it) => ({
    tooWide: it.tooWide(),
    cut: it.cutTexts(),
  }));
  expect(tooWide, look).toEqual([]);
  expect(cut, look).toEqual([]);
}

async function scaleLetters(page: Page, size: string): Promise<void> {
  await page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
  }, size);
  await rest(page);
}

/** The content of a view, visible or in the phone's sheet, and what is wrong with it. */
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
