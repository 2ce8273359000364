import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './support.ts';
import { rest } from './views.ts';

/**
 * Expects axe to find nothing: by all rules in one theme, and in the other by those of contrast,
 * which depend on it.
 *
 * @param look said with what is found
 * @param except rules that are about something else than what is shown
 */
export async function expectAccessible(page: Page, look: string, except: string[]): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await rest(page);
  expect(await violations(axeFor(page).withRules('color-contrast')), `${look}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await rest(page);
  expect(await violations(axeFor(page).disableRules(except)), `${look}, light`).toEqual([]);
}

function axeFor(page: Page): AxeBuilder {
  const options = {
    // Describing what is right, and each element by a selector of its own, takes half of the time.
    resultTypes: ['violations' as const],
    selectors: false,
    // Fonts and styles are there.
    preload: false,
  };
  // All in the page itself: the other mode is for frames, which there are none of, and opens a tab
  // each time.
  return new AxeBuilder({ page }).setLegacyMode().options(options);
}

async function violations(axe: AxeBuilder): Promise<unknown[]> {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
