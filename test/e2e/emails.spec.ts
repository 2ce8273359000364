import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { emailViews } from './emails.ts';
import { inspect } from './inspector.ts';
import { languages } from './people.ts';
import { expect, test } from './support.ts';
import { inWindows, rest } from './views.ts';

const phone = { width: 320, height: 568 };

const sizes = [phone, { width: 600, height: 800 }, { width: 1280, height: 800 }];

for (const view of emailViews) {
  test(`${view.name} is accessible, fits and fetches nothing, in both languages and themes`, async ({
    openBrowser,
  }) => {
    const requested: string[] = [];
    const openWatched = async () => {
      const page = await openBrowser();
      page.on('request', (request) => requested.push(request.url()));
      return page;
    };
    for (const language of languages) {
      await inWindows(openWatched, view, { language, sizes }, async (page, size) => {
        const look = `${language}, ${size.width} px`;
        if (size === phone) {
          await expectAccessible(page, look);
        }
        const inspector = await inspect(page);
        expect(await inspector.evaluate((it) => it.tooWide()), look).toEqual([]);
        expect(await inspector.evaluate((it) => it.cutTexts()), look).toEqual([]);
      });
    }
    expect(requested).toEqual([]);
  });
}

/** All rules in one theme, and in the other only the contrast, which depends on it. */
async function expectAccessible(page: Page, look: string): Promise<void> {
  const axe = () => new AxeBuilder({ page }).setLegacyMode();
  await page.emulateMedia({ colorScheme: 'dark' });
  await rest(page);
  expect(await violations(axe().withRules('color-contrast')), `${look}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await rest(page);
  // An email is part of a mail program's page, which has the landmarks.
  const others = axe().disableRules(['landmark-one-main', 'region']);
  expect(await violations(others), `${look}, light`).toEqual([]);
}

async function violations(axe: AxeBuilder): Promise<unknown[]> {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
