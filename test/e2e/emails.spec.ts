import AxeBuilder from '@axe-core/playwright';
import { emailViews } from './emails.ts';
import { inspect } from './inspector.ts';
import { languages } from './people.ts';
import { expect, test } from './support.ts';
import { inWindows, rest } from './views.ts';

const sizes = [
  { width: 320, height: 568 },
  { width: 600, height: 800 },
  { width: 1280, height: 800 },
];

for (const view of emailViews) {
  test(`${view.name} is accessible, fits and fetches nothing, in both languages and themes`, async ({
    openBrowser,
  }) => {
    for (const language of languages) {
      await inWindows(openBrowser, view, { language, sizes }, async (page, { width }) => {
        const look = `${language}, ${width} px`;
        // An email is part of a mail program's page, which has the landmarks.
        const axe = new AxeBuilder({ page })
          .setLegacyMode()
          .disableRules(['landmark-one-main', 'region']);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await rest(page);
          const { violations } = await axe.analyze();
          const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
          expect(found, `${look}, ${colorScheme}`).toEqual([]);
        }
        const inspector = await inspect(page);
        expect(await inspector.evaluate((it) => it.tooWide()), look).toEqual([]);
        expect(await inspector.evaluate((it) => it.cutTexts()), look).toEqual([]);
        const fetched = await page.evaluate(() => performance.getEntriesByType('resource').length);
        expect(fetched, look).toBe(0);
      });
    }
  });
}
