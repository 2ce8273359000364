import type { BrowserContextOptions, JSHandle, Page } from '@playwright/test';
import { alternate, hasEveryCase } from '../every-case.ts';
import { expectAccessible, type Theme, themes } from './accessibility.ts';
import { type Inspector, inspect } from './inspector.ts';
import type { languages } from './people.ts';
import { pseudo } from './playwright.config.ts';
import { expect, rest, test } from './support.ts';
import { isUntranslated } from './untranslated.ts';
import { expectedErrors, inWindows, type View, views } from './views.ts';

test.use({ expectedErrors });

const phone = { width: 320, height: 568 };
const desk = { width: 1440, height: 800 };

/** A desktop at 200 % zoom: half as wide, with two device pixels per pixel. */
const beforeZoom = { width: 1280, height: 800 };
const zoomed = { width: 640, height: 400 };

type Size = typeof phone;

/** What is looked at in one language. */
type Look = {
  language: (typeof languages)[number];
  /** In the copy whose French is the pseudo-language: texts are longer, and others stand out. */
  isPseudo: boolean;
  /** Where axe looks, and in which themes. */
  axe: { sizes: readonly Size[]; themes: readonly Theme[] };
  /** Zooms that must show the same content as before; see every-case.ts. */
  zooms: readonly ('window' | 'letters')[];
};

/** The looks of a view: with every case all of them, otherwise another one for each view. */
function looksAt(view: View, index: number): Look[] {
  const widths = [desk, phone].filter(({ width }) => width <= (view.maxWidth ?? width));
  const look = {
    axe: { sizes: alternate(widths, index / 2), themes: alternate(themes, index) },
    zooms: alternate(['window', 'letters'] as const, index / 4),
  };
  return [
    { ...look, language: 'fr', isPseudo: true },
    ...(hasEveryCase ? (['en', 'fr'] as const) : []).map((language) => ({
      ...look,
      language,
      isPseudo: false,
    })),
  ];
}

for (const [index, view] of views.entries()) {
  test(`${view.name} is accessible, fits, is not cut off, loses nothing, and takes all its texts from the catalogs`, async ({
    openBrowser,
  }) => {
    for (const look of looksAt(view, index)) {
      await expectGood(openBrowser, view, look);
    }
  });
}

async function expectGood(
  openBrowser: (options?: BrowserContextOptions) => Promise<Page>,
  view: View,
  { language, isPseudo, axe, zooms }: Look,
): Promise<void> {
  const isWide = axe.sizes.includes(desk);
  const isNarrow = axe.sizes.includes(phone);
  // A view that has to be reopened in a narrow window is opened in one width only.
  const hasBoth = !(view.isOverlay || view.followsPointer);
  const sizes = [
    ...(isWide ? [desk] : []),
    ...(isWide || hasBoth ? [beforeZoom] : []),
    ...(zooms.includes('window') && (isNarrow || hasBoth) ? [zoomed] : []),
    ...(isNarrow || hasBoth ? [phone] : []),
  ];
  // Drawing four times as many pixels is expensive, and changes nothing for most views.
  const options = {
    ...(isPseudo ? { baseURL: pseudo.origin } : {}),
    ...(hasEveryCase ? { deviceScaleFactor: 2 } : {}),
  };
  const open = () => openBrowser(options);
  let whole: string[] | null = null;
  await inWindows(open, view, { language, sizes }, async (page, size) => {
    const name = `${isPseudo ? 'pseudo' : language}, ${size.width} px`;
    if (axe.sizes.includes(size)) {
      await expectAccessible(page, { name, themes: axe.themes, except: exceptions(view) });
    }
    const inspector = await inspect(page);
    await expectWhole(inspector, name);
    if (isPseudo) {
      await expectTranslated(inspector, name);
    }
    if (size === desk) {
      return;
    }
    await showOpener(page);
    const { items, faults } = await findIn(page, inspector, view);
    expect(faults, name).toEqual([]);
    whole ??= items;
    expect(lost(whole, items), name).toEqual([]);
    if (size === beforeZoom && zooms.includes('letters')) {
      await scaleLetters(page, '200%');
      await showOpener(page);
      const large = await findIn(page, inspector, view);
      expect(large.faults, 'letters of twice the size').toEqual([]);
      expect(lost(whole, large.items), 'letters of twice the size').toEqual([]);
      await scaleLetters(page, '');
    }
  });
}

/** A page under an overlay may be inert, including its heading. It has its own view. */
function exceptions({ isOverlay }: View): string[] {
  return isOverlay ? ['landmark-one-main', 'page-has-heading-one'] : [];
}

async function expectWhole(inspector: JSHandle<Inspector>, look: string): Promise<void> {
  const { tooWide, cut } = await inspector.evaluate((it) => ({
    tooWide: it.tooWide(),
    cut: it.cutTexts(),
  }));
  expect(tooWide, look).toEqual([]);
  expect(cut, look).toEqual([]);
}

async function expectTranslated(inspector: JSHandle<Inspector>, look: string): Promise<void> {
  const words = await inspector.evaluate((it) => it.words());
  // The pseudo-language is active; otherwise this would show nothing.
  expect(words.some((text) => /^\[.+\]$/.test(text))).toBe(true);
  expect(words.filter(isUntranslated), look).toEqual([]);
}

/** Scrolls to the button of the open menu, which another window or larger letters have moved. */
async function showOpener(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const menu = document.querySelector('[popover]:popover-open');
    const opener = document.querySelector(`[popovertarget="${menu?.id}"]`);
    (opener ?? document.activeElement)?.scrollIntoView({ block: 'center' });
    // An anchored menu follows its button with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

async function scaleLetters(page: Page, size: string): Promise<void> {
  await page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
  }, size);
  await rest(page);
}

/** The content of a view, visible or in the phone's sheet, and what is wrong with it. */
async function findIn(
  page: Page,
  inspector: JSHandle<Inspector>,
  view: View,
): Promise<{ items: string[]; faults: string[] }> {
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

/** A minute may have passed between the two. */
function lost(whole: string[], found: string[]): string[] {
  const timeless = (text: string) => text.replace(/\d+:\d\d/g, '#');
  const rest = found.map(timeless);
  return whole.filter((item) => !rest.includes(timeless(item)));
}
