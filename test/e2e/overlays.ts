import type { Page } from '@playwright/test';
import { pressAll, type View } from './view.ts';
import { narrowestDesk, openView, pageViews } from './views.ts';

/** The page on which the overlays of the shell are looked at, which are the same on all. */
const pageOfShell = 'home';

/**
 * What the buttons of a page open, and the buttons in that: each as a view of its own. Of several
 * that open the same, or the same for each row, one is pressed. They are looked for in French, but
 * open in any language. None on the second view of the same page and data.
 */
export async function overlaysOn(openBrowser: () => Promise<Page>, view: View): Promise<View[]> {
  if (!pageViews.includes(view)) {
    return [];
  }
  const onDesk = await waysFrom(openBrowser, view, 2 * narrowestDesk);
  const onPhone = await waysFrom(openBrowser, view, narrowestDesk / 2);
  return [...new Map([...onDesk, ...onPhone]).keys()].map((selector) => ({
    ...view,
    name: [view.name, ...selector.matchAll(/(?<=")[\w-]+/g)].join('-'),
    isOverlay: true,
    ...(!onDesk.has(selector) && { maxWidth: narrowestDesk - 1 }),
    ...(!onPhone.has(selector) && { minWidth: narrowestDesk }),
    open: async (page) => {
      const ways = (page.viewportSize()?.width ?? 0) < narrowestDesk ? onPhone : onDesk;
      await view.open(page);
      await pressAll(page, ways.get(selector) ?? []);
      await page.mouse.move(0, 0);
    },
  }));
}

/** By the selector of each button that opens something: all that have to be pressed. */
async function waysFrom(
  openBrowser: () => Promise<Page>,
  view: View,
  width: number,
): Promise<Map<string, string[]>> {
  const except = view.name === pageOfShell ? 'none' : '.sidebar *, .topbar *';
  const ways = new Map<string, string[]>();
  const waiting: string[][] = [[]];
  for (const way of waiting) {
    const page = await openBrowser();
    await openView(page, view, { language: 'fr', size: { width, height: 800 } });
    await pressAll(page, way);
    for (const selector of await page.evaluate(openersOn, except)) {
      if (!ways.has(selector)) {
        ways.set(selector, [...way, selector]);
        waiting.push([...way, selector]);
      }
    }
    await page.context().close();
  }
  return ways;
}

/** Runs in the browser: the buttons of a page, or of what is open on it, that open something. */
function openersOn(except: string): string[] {
  const layers = document.querySelectorAll('dialog:modal, [popover="auto"]:popover-open');
  const buttons = ([...layers].at(-1) ?? document).querySelectorAll(
    'button[popovertarget]:not([popovertargetaction="hide"]), button[command="show-modal"]',
  );
  return [...buttons]
    .filter((button) => button.checkVisibility({ visibilityProperty: true }))
    .filter((button) => !button.matches(except))
    .map((button) => {
      const attribute = button.hasAttribute('popovertarget') ? 'popovertarget' : 'commandfor';
      const id = button.getAttribute(attribute) ?? '';
      const withoutRow = id.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, '');
      const status = button.getAttribute('data-status');
      return [
        withoutRow === id ? `[${attribute}="${id}"]` : `[${attribute}^="${withoutRow}"]`,
        status === null ? '' : `[data-status="${status}"]`,
      ].join('');
    });
}
