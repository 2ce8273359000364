import path from 'node:path';
import { emailViews } from './emails.ts';
import { overlaysOn } from './overlays.ts';
import { languages } from './people.ts';
import { rest, test } from './support.ts';
import type { View } from './view.ts';
import { expectedErrors, inWindows, narrowestDesk, views } from './views.ts';

const folder = path.join(import.meta.dirname, '../../screenshots');

const sizesOfPages = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];

test.use({ expectedErrors });

/** A phone, and the window of a mail program. */
const sizesOfEmails = [
  { width: 360, height: 740 },
  { width: 600, height: 800 },
];

for (const view of [...views, ...emailViews]) {
  test(`${view.name} in both languages and themes, at every width`, async ({ openBrowser }) => {
    test.setTimeout(1_800_000);
    const [sizes, overlays] = isPage(view)
      ? [sizesOfPages, await overlaysOn(openBrowser, view)]
      : [sizesOfEmails, []];
    for (const one of [{ isOverlay: false, ...view }, ...overlays]) {
      // There, some buttons are neither where a desk has them nor where a phone does.
      const shown = sizes.filter(({ width }) => !(one.isOverlay && width === narrowestDesk));
      for (const language of languages) {
        await inWindows(openBrowser, one, { language, sizes: shown }, async (page, { width }) => {
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            await rest(page);
            await page.screenshot({
              path: path.join(folder, String(width), `${one.name}.${language}.${colorScheme}.png`),
              fullPage: !one.isOverlay,
            });
          }
        });
      }
    }
  });
}

function isPage(view: Pick<View, 'name' | 'open'>): view is View {
  return 'path' in view;
}
