import path from 'node:path';
import { languages } from './people.ts';
import { test } from './support.ts';
import { expectedErrors, inWindows, rest, views } from './views.ts';

const folder = path.join(import.meta.dirname, '../../screenshots');

const sizes = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];

test.use({ expectedErrors });

for (const view of views) {
  test(`${view.name} in both languages and themes, at four widths`, async ({ openBrowser }) => {
    for (const language of languages) {
      await inWindows(openBrowser, view, { language, sizes }, async (page, { width }) => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await rest(page);
          await page.screenshot({
            path: path.join(folder, String(width), `${view.name}.${language}.${colorScheme}.png`),
            fullPage: view.isOverlay !== true,
          });
        }
      });
    }
  });
}
