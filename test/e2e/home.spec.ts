import type { Page } from '@playwright/test';
import { openCentralEuropean } from './account-views.ts';
import { lookAsOwner } from './people.ts';
import { expect, openReady, test } from './support.ts';

test.describe('dates at home', () => {
  // On the other side of the date line.
  test.use({ timezoneId: 'Pacific/Kiritimati' });

  test('are those of the reader’s clock and zone, and midnight passes', { tag: '@night' }, async ({
    page,
  }) => {
    await page.clock.install({ time: new Date('2026-11-24T09:59:00Z') });
    await lookAsOwner(page);
    await page.route('/', async (route) => {
      const answer = await route.fetch();
      const html = (await answer.text()).replaceAll(
        /20\d\d-\d\d-\d\dT[\d:.]+Z/g,
        '2026-11-24T07:41:00.000Z',
      );
      await route.fulfill({ response: answer, body: html });
    });
    await openReady(page);
    await expect(page.getByText('Tuesday, November 24')).toBeVisible();
    await expect(page.getByText('Today, 9:41 PM')).toBeVisible();
    await expect.poll(() => loadedRanges(page)).toHaveLength(1);

    await page.clock.setFixedTime(new Date('2026-11-24T10:01:00Z'));
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(page.getByText('Wednesday, November 25')).toBeVisible();
    await expect(page.getByText('November 24, 2026 at 9:41 PM')).toBeVisible();
  });
});

test('letters of Central Europe load the other part of the titles’ font', {
  tag: '@night',
}, async ({ page }) => {
  await openCentralEuropean(page);

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Šárka');
  await expect.poll(() => loadedRanges(page)).toHaveLength(2);
});

/** The ranges of characters of the titles' font that are there. */
function loadedRanges(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const fonts = [...(await document.fonts.ready)];
    return fonts
      .filter(({ family, status }) => family.includes('Source Serif') && status === 'loaded')
      .map(({ unicodeRange }) => unicodeRange);
  });
}
