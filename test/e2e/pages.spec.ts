import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { inspect } from './inspector.ts';
import { languages } from './people.ts';
import { expect, test } from './support.ts';
import { expectedErrors, inWindows, rest, type View, views } from './views.ts';

// Traces of so many pages would take as long as the tests.
test.use({ trace: 'off' });

const phoneAndDesk = [
  { width: 320, height: 800 },
  { width: 1440, height: 800 },
];

test.describe('what people see', () => {
  test.use({ expectedErrors });

  for (const view of views) {
    test(`${view.name} is accessible, fits and is not cut, in both languages and themes, at 320 and 1440 px`, async ({
      openBrowser,
    }) => {
      for (const language of languages) {
        await inWindows(
          openBrowser,
          view,
          { language, sizes: phoneAndDesk },
          async (page, { width }) => {
            const look = `${language}, ${width} px`;
            for (const colorScheme of ['light', 'dark'] as const) {
              await page.emulateMedia({ colorScheme });
              await rest(page);
              expect(await violations(page, view), `${look}, ${colorScheme}`).toEqual([]);
            }
            const inspector = await inspect(page);
            expect(await inspector.evaluate((it) => it.tooWide()), look).toEqual([]);
            expect(await inspector.evaluate((it) => it.cutTexts()), look).toEqual([]);
          },
        );
      }
    });
  }
});

test.describe('an unknown address', () => {
  test.use({ expectedErrors: [/status of 404/] });

  test('has a page of its own', async ({ page }) => {
    const response = await page.goto('/nowhere');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading')).toHaveText('There is no page here');
    await page.getByRole('link', { name: 'Go to your home page' }).click();
    await expect(page).toHaveURL('/login');
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('pages show their content and their links lead on', async ({ page }) => {
    await page.goto('/');
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    await page.getByRole('link', { name: 'Create an account' }).click();
    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
  });
});

async function violations(page: Page, view: View): Promise<unknown[]> {
  // The page under an overlay may be out of reach, its heading with it. It has a view of its own.
  const ofPages = view.isOverlay ? ['landmark-one-main', 'page-has-heading-one'] : [];
  // All in the page itself. The other mode is for frames, which there are none of, and takes a tab more each time.
  const axe = new AxeBuilder({ page }).setLegacyMode().disableRules(ofPages);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
