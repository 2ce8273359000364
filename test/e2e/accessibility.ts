import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { expect, rest } from './support.ts';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

export const themes = ['dark', 'light'] as const;

export type Theme = (typeof themes)[number];

type Look = {
  /** Named in the findings. */
  name: string;
  themes: readonly Theme[];
  /** Rules that are about something other than what is shown. */
  except: string[];
};

/**
 * Expects axe to find nothing: with all rules in the last theme, and in the others only with those
 * for contrast, which depend on the theme.
 */
export async function expectAccessible(page: Page, { name, themes, except }: Look): Promise<void> {
  // Not by axe's adapter for Playwright, which takes three times as long for frames we do not have.
  await page.evaluate(source);
  for (const [index, theme] of themes.entries()) {
    await page.emulateMedia({ colorScheme: theme });
    await rest(page);
    const isLast = index === themes.length - 1;
    const options: axe.RunOptions = isLast
      ? { rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])) }
      : { runOnly: ['color-contrast'] };
    expect(await violations(page, options), `${name}, ${theme}`).toEqual([]);
  }
}

function violations(page: Page, options: axe.RunOptions): Promise<unknown[]> {
  return page.evaluate(
    async (options) => {
      // What the source has just defined.
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(options);
      return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    },
    {
      ...options,
      // Reporting what passes, and a selector for each element, would take half of the time.
      resultTypes: ['violations' as const],
      selectors: false,
      // Fonts and styles are there.
      preload: false,
    },
  );
}
