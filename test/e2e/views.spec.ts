import type { BrowserContextOptions, JSHandle, Page } from '@playwright/test';
import { pageList } from '../page-list.ts';
import { barriersIn, themes } from './accessibility.ts';
import { type Inspector, inspect } from './inspector.ts';
import { watchShifts } from './layout-shifts.ts';
import { overlaysOn } from './overlays.ts';
import { pseudo } from './playwright.config.ts';
import { expect, rest, test } from './support.ts';
import { isUntranslated } from './untranslated.ts';
import type { View } from './view.ts';
import { expectedErrors, gateViews, inWindows, openView, pageOf, views } from './views.ts';

test.use({ expectedErrors });

const phone = { width: 320, height: 568 };
const desk = { width: 1440, height: 800 };

/** A desktop at 200 % zoom: half as wide, with two device pixels per pixel. */
const beforeZoom = { width: 1280, height: 800 };
const zoomed = { width: 640, height: 400 };

test('every page of src/pages is among the views of `npm test`', () => {
  const seen = gateViews.map(pageOf);
  expect(pageList.map(pageOf).filter((page) => !seen.includes(page))).toEqual([]);
});

test('a layout shift would be noticed', async ({ page }) => {
  const shifts = await watchShifts(page);
  await page.addInitScript(() => {
    addEventListener('load', () => {
      document.body.style.paddingTop = '300px';
    });
  });
  await page.goto('/login');
  await expect.poll(shifts).not.toEqual([]);
});

/** As many as a test can look at within its limit of processor time. */
const mostViews = 4;

// In `npm test` each view is seen once: in French, because other tests use English, in one theme
// and at one width, which alternate. Those that need the same people are looked at one after the
// other in one process, so that these are made once.
for (const [group, members] of Map.groupBy(gateViews, (view) => view.group)) {
  test.describe(`what ${group} sees`, () => {
    test.describe.configure({ mode: 'default' });
    const size = Math.ceil(members.length / Math.ceil(members.length / mostViews));
    for (let start = 0; start < members.length; start += size) {
      const part = members.slice(start, start + size);
      const names = part.map(({ name }) => name).join(', ');
      const title = `is accessible, fits, stays in place, and is not cut off or covered: ${names}`;
      test(title, async ({ openBrowser }) => expectSeen(await openBrowser(), part));
    }
  });
}

async function expectSeen(page: Page, part: View[]): Promise<void> {
  const shifts = await watchShifts(page);
  const faults: Record<string, unknown> = {};
  for (const view of part) {
    const index = gateViews.indexOf(view);
    const size = index % 4 < 2 || view.maxWidth ? phone : desk;
    await openView(page, view, { language: 'fr', size });
    const theme = themes[index % 2] ?? 'dark';
    const barriers = await barriersIn(page, theme, exceptions(view));
    const inspector = await inspect(page);
    const layout = await inspector.evaluate((it) => [...it.cutTexts(), ...it.faults()]);
    const found = [...barriers, ...layout, ...(await shifts())];
    if (found.length > 0) {
      faults[`${view.name}, ${size.width} px, ${theme}`] = found;
    }
    // A form may keep what was typed.
    await page.evaluate(() => sessionStorage.clear());
    await page.unrouteAll();
  }
  expect(faults).toEqual({});
}

/** A language; in the pseudo-language, French texts are longer, and others stand out. */
const languages = [
  { name: 'pseudo', language: 'fr', options: { baseURL: pseudo.origin } },
  { name: 'en', language: 'en', options: {} },
  { name: 'fr', language: 'fr', options: {} },
] as const;

const isGood =
  'is accessible, fits, stays in place, is not cut off, loses nothing, and takes all its texts from the catalogs';

for (const view of views) {
  test(`${view.name}, with what opens on it, ${isGood}`, { tag: '@night' }, async ({
    openBrowser,
  }) => {
    // Up to a dozen overlays, of which each is looked at like a page.
    test.setTimeout(3_600_000);
    for (const one of [view, ...(await overlaysOn(openBrowser, view))]) {
      await expectGood(openBrowser, one);
    }
  });
}

async function expectGood(
  openBrowser: (options: BrowserContextOptions) => Promise<Page>,
  view: View,
): Promise<void> {
  for (const { name, language, options } of languages) {
    let whole: string[] | null = null;
    let shifts = async (): Promise<string[]> => [];
    const open = async () => {
      const page = await openBrowser({ deviceScaleFactor: 2, ...options });
      shifts = await watchShifts(page);
      return page;
    };
    const sizes = [desk, beforeZoom, zoomed, phone];
    // Each loaded in its window, because a resized page moves. All letters of the pseudo-language are
    // of the font's second file.
    const moves = view.isOverlay || view.movesLate || name === 'pseudo';
    for (const size of moves ? [] : [desk, phone]) {
      await inWindows(open, view, { language, sizes: [size] }, async () =>
        expect(await shifts(), `${view.name}, ${name}, ${size.width} px`).toEqual([]),
      );
    }
    await inWindows(open, view, { language, sizes }, async (page, size) => {
      const look = `${view.name}, ${name}, ${size.width} px`;
      for (const theme of size === desk || size === phone ? themes : []) {
        expect(await barriersIn(page, theme, exceptions(view)), `${look}, ${theme}`).toEqual([]);
      }
      const inspector = await inspect(page);
      expect(await inspector.evaluate((it) => it.cutTexts()), look).toEqual([]);
      if (name === 'pseudo') {
        await expectTranslated(inspector, look);
      }
      await showOpener(page);
      const { items, faults } = await findIn(page, inspector, view);
      expect(faults, look).toEqual([]);
      if (size === desk) {
        return;
      }
      whole ??= items;
      expect(lost(whole, items), look).toEqual([]);
      if (size === beforeZoom) {
        await scaleLetters(page, '200%');
        await showOpener(page);
        const large = await findIn(page, inspector, view);
        expect(large.faults, `${look}, letters of twice the size`).toEqual([]);
        expect(lost(whole, large.items), `${look}, letters of twice the size`).toEqual([]);
        await scaleLetters(page, '');
      }
    });
  }
}

/** A page under an overlay may be inert, including its heading. It has its own view. */
function exceptions({ isOverlay }: View): string[] {
  return isOverlay ? ['landmark-one-main', 'page-has-heading-one'] : [];
}

async function expectTranslated(inspector: JSHandle<Inspector>, look: string): Promise<void> {
  const words = await inspector.evaluate((it) => it.words());
  // The pseudo-language is active; otherwise this would show nothing.
  expect(words.some((text) => /^\[.+\]$/.test(text))).toBe(true);
  expect(words.filter(isUntranslated), look).toEqual([]);
}

/**
 * Scrolls to the button of the open menu, which another window or larger letters have moved, and
 * opens it again. Where it is follows with the next frame.
 */
async function showOpener(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frames = () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const menu = document.querySelector<HTMLElement>('.menu:popover-open');
    const opener = document.querySelector<HTMLElement>(`[popovertarget="${menu?.id}"]`);
    if (opener) {
      menu?.hidePopover();
      await frames();
    }
    (opener ?? document.activeElement)?.scrollIntoView({ block: 'center' });
    await frames();
    if (opener) {
      menu?.showPopover({ source: opener });
      await frames();
    }
  });
}

async function scaleLetters(page: Page, size: string): Promise<void> {
  await page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
  }, size);
  await rest(page);
}

/** Where there is no room for the sidebar, or for the lessons beside the one that is read. */
const sheetButtons = '[popovertarget="sidebar"], [popovertarget="outline"]';

/** The content of a view, visible or in the phone's sheet, and what is wrong with it. */
async function findIn(
  page: Page,
  inspector: JSHandle<Inspector>,
  view: View,
): Promise<{ items: string[]; faults: string[] }> {
  const look = () =>
    inspector.evaluate((it) => ({
      items: it.items(),
      faults: it.faults(),
    }));
  const found = await look();
  const sheetButton = page.locator(sheetButtons).filter({ visible: true }).first();
  if (!view.isOverlay && (await sheetButton.isVisible())) {
    await sheetButton.click();
    await expect(page.locator('[popover="auto"]:popover-open')).toBeVisible();
    await rest(page);
    const { items, faults } = await look();
    await page.keyboard.press('Escape');
    return { items: [...found.items, ...items], faults: [...found.faults, ...faults] };
  }
  return found;
}

/** Between the two, a minute may have passed, and the words of a text after its time changed. */
function lost(whole: string[], found: string[]): string[] {
  const timeless = (text: string) => text.replace(/\d+:\d\d(?:\s[AP]M)?(?: · \d+)?/g, '#');
  const rest = found.map(timeless);
  return whole.filter((item) => !rest.includes(timeless(item)));
}
