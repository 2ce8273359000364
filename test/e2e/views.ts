import { expect, type Page } from '@playwright/test';
import { accountViews } from './account-views.ts';
import { cohortViews } from './cohort-views.ts';
import { lessonViews } from './lesson-views.ts';
import { participantViews } from './participant-views.ts';
import { languageCookie, type languages } from './people.ts';
import { pseudoText } from './pseudo.ts';
import { rest } from './support.ts';
import type { View } from './view.ts';

/** All that people can see but what `overlaysOn` finds on these. All suites see what is added. */
export const views: View[] = [...accountViews, ...lessonViews, ...cohortViews, ...participantViews];

/**
 * What `npm test` looks at: each page once, and the example of each kind of overlay. The others are
 * looked at at night.
 */
export const gateViews: View[] = views.filter((view) => {
  const ofItsPage = views.filter((other) => isPage(other) && pageOf(other) === pageOf(view));
  const isFirst = view === ofItsPage[0] && !ofItsPage.some(({ isExample }) => isExample);
  return view.isExample || isFirst;
});

function isPage({ isOverlay = false, followsPointer = false }: View): boolean {
  return !(isOverlay || followsPointer);
}

/** Where overlays are looked for: each page once with the data of a group. */
export const pageViews: View[] = views.filter(
  (view, index) =>
    isPage(view) &&
    !views.slice(0, index).some(({ group, path }) => group === view.group && path === view.path),
);

/** The path of a view's page, without the query, the hash and the names in brackets. */
export function pageOf({ path }: { path: string }): string {
  return path.replace(/[?#].*/, '').replace(/\[\w+\]/g, '[]');
}

/**
 * Console messages in views that show a refusal. One expression: Playwright would take two for a
 * value and its options.
 */
export const expectedErrors = [/status of [45]\d\d|^Unauthorized access|ERR_INTERNET_DISCONNECTED/];

type Size = { width: number; height: number };

type Windows<Each extends Size> = { language: (typeof languages)[number]; sizes: Each[] };

/** In both languages and in the pseudo-language. */
const loadingText = new RegExp(
  `^(${['Loading…', 'Chargement…', pseudoText('Loading…')].map(RegExp.escape).join('|')})$`,
);

/** The width at which the desktop sidebar becomes the phone's sheet. */
export const narrowestDesk = 768;

/** Opens a view in a window of this size, at rest. */
export async function openView(
  page: Page,
  view: Pick<View, 'open'>,
  { language, size }: { language: string; size: Size },
): Promise<void> {
  await page.setViewportSize(size);
  await page.context().addCookies([languageCookie(language)]);
  await view.open(page);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  // The list of courses, whose rows come when it opens.
  await expect(page.getByText(loadingText)).toBeHidden();
  // The time zones, which a script lists.
  await expect(page.locator('[name="time_zone"]:not(:has(optgroup))')).toHaveCount(0);
  await rest(page);
}

/**
 * Shows a view in windows of several sizes, at rest, for a check of each. The window is resized as
 * people do, and an overlay is reopened if it is reached differently.
 */
export async function inWindows<Each extends Size>(
  openBrowser: () => Promise<Page>,
  view: Pick<View, 'open' | 'isOverlay' | 'followsPointer' | 'minWidth' | 'maxWidth'>,
  { language, sizes }: Windows<Each>,
  look: (page: Page, size: Each) => Promise<void>,
): Promise<void> {
  let page: Page | null = null;
  let wasDesk = false;
  const { minWidth = 0, maxWidth = Number.POSITIVE_INFINITY } = view;
  for (const size of sizes.filter(({ width }) => width >= minWidth && width <= maxWidth)) {
    const isDesk = size.width >= narrowestDesk;
    if (page === null || view.followsPointer || (view.isOverlay && isDesk !== wasDesk)) {
      await page?.context().close();
      page = await openBrowser();
      await openView(page, view, { language, size });
    } else {
      await page.setViewportSize(size);
      await rest(page);
    }
    wasDesk = isDesk;
    await look(page, size);
  }
  await page?.context().close();
}
