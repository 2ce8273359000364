import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { rest } from './support.ts';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

export const themes = ['dark', 'light'] as const;

/**
 * What axe finds in a theme.
 *
 * @param except rules about parts of a page that this one does not show
 */
export async function barriersIn(
  page: Page,
  theme: (typeof themes)[number],
  except: string[],
): Promise<unknown[]> {
  await page.emulateMedia({ colorScheme: theme });
  await rest(page);
  // Not by axe's adapter for Playwright, which takes three times as long for frames we do not have.
  await page.evaluate(source);
  return page.evaluate(
    async (options) => {
      // What the source has just defined.
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(options);
      return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    },
    {
      rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
      // Reporting what passes, and a selector for each element, would take half of the time.
      resultTypes: ['violations' as const],
      selectors: false,
      // Of emails alone, which emails.spec.ts looks at.
      iframes: false,
      // Fonts and styles are there.
      preload: false,
    },
  );
}
