import type { Locator, Page } from '@playwright/test';
import { biology, dialogOf, openNewCourse } from './courses.ts';
import { expect, openReady, signInWith, test } from './support.ts';

test.describe('in a low window', () => {
  test.use({ viewport: { width: 360, height: 400 } });

  test('a dialog scrolls between its corners, which stay', async ({ page }) => {
    await signInWith(page, [biology]);
    await openReady(page);
    await page.getByRole('button', { name: 'Menu' }).click();
    await openNewCourse(page);
    const dialog = dialogOf(page);
    const body = dialog.locator('.dialog-body');
    await body.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));

    expect(await scrolled(body)).toBeGreaterThan(0);
    await expectUnscrolled(page, dialog);
  });
});

/** The box does not scroll, and all that does is inside its rounded corners. */
async function expectUnscrolled(page: Page, dialog: Locator): Promise<void> {
  const { height = 0 } = page.viewportSize() ?? {};
  const found = await dialog.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const { overflowX, overflowY, borderTopLeftRadius, borderBottomRightRadius } =
      getComputedStyle(element);
    return {
      top,
      bottom,
      isClipped: [overflowX, overflowY].every((overflow) => overflow === 'hidden'),
      isTall: element.scrollHeight > element.clientHeight,
      radii: [borderTopLeftRadius, borderBottomRightRadius].map(Number.parseFloat),
    };
  });
  expect(found.top).toBeGreaterThanOrEqual(0);
  expect(found.bottom).toBeLessThanOrEqual(height);
  expect(found.isClipped).toBe(true);
  expect(found.isTall).toBe(false);
  expect(Math.min(...found.radii)).toBeGreaterThan(0);
}

function scrolled(element: Locator): Promise<number> {
  return element.evaluate(({ scrollTop }) => scrollTop);
}
