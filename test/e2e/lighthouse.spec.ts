import { chromium, type Page } from '@playwright/test';
import lighthouse, { type Flags, type Result } from 'lighthouse';
import { listen, pass, portOf } from './packed.ts';
import { debuggingPort } from './playwright.config.ts';
import { expect, signInWith, test } from './support.ts';

// It would be part of the measurement.
test.use({ screenshot: 'off' });

type Category = 'performance' | 'accessibility' | 'best-practices' | 'seo';

/** In percent, as Lighthouse shows them. */
const wanted: Record<Category, number> = {
  performance: 99,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
};

const behindTheDoor: Category[] = ['performance', 'accessibility', 'best-practices'];

const pages: [path: string, categories: Category[]][] = [
  ['/login', [...behindTheDoor, 'seo']],
  // Search engines never see these pages.
  ['/', behindTheDoor],
  ['/settings', behindTheDoor],
];

for (const [path, categories] of pages) {
  test(`Lighthouse finds nothing to improve on ${path} on a phone`, { tag: '@night' }, async () => {
    test.setTimeout(240_000);
    await inOwnBrowser(async (page, origin) => {
      if (path !== '/login') {
        await signInWith(page, [{ name: 'Biology 101', course_type: 'cohort' }]);
      }
      const front = await listen((request, response) =>
        pass(request, response, { address: new URL(origin), origin }),
      );
      const url = `http://localhost:${portOf(front)}${path}`;
      const { categories: scores, ...result } = await audit(url, categories);
      front.close();

      expect(result.finalDisplayedUrl).toBe(url);
      const missed = categories.filter((name) => scoreOf(scores, name) < wanted[name]);
      expect(missed.flatMap((name) => lossesIn({ ...result, categories: scores }, name))).toEqual(
        [],
      );
    });
  });
}

/** Lighthouse opens its page in the browser's default context, which needs a signed-in user. */
async function inOwnBrowser(look: (page: Page, origin: string) => Promise<void>): Promise<void> {
  const { baseURL = '', launchOptions = {} } = test.info().project.use;
  const context = await chromium.launchPersistentContext('', {
    ...launchOptions,
    args: [...(launchOptions.args ?? []), `--remote-debugging-port=${debuggingPort}`],
    baseURL,
  });
  try {
    await look(await context.newPage(), baseURL);
  } finally {
    await context.close();
  }
}

/**
 * Lighthouse's defaults: a mid-range phone on slow 4G, simulated. Up to three attempts until the
 * speed is right: other processes make the machine look slower, and nothing makes it look faster.
 */
async function audit(url: string, categories: Category[]): Promise<Result> {
  const flags: Flags = { port: debuggingPort, onlyCategories: categories, logLevel: 'error' };
  let result: Result | undefined;
  for (let run = 1; run <= 3; run += 1) {
    result = (await lighthouse(url, flags))?.lhr;
    if (result && scoreOf(result.categories, 'performance') >= wanted.performance) {
      break;
    }
  }
  if (result === undefined) {
    throw new Error(`Lighthouse has said nothing of ${url}.`);
  }
  return result;
}

function scoreOf(categories: Result['categories'], name: Category): number {
  return Math.round((categories[name]?.score ?? 0) * 100);
}

/** The score of a category, and the audits that lower it. */
function lossesIn({ categories, audits }: Result, name: Category): string[] {
  const refs = categories[name]?.auditRefs ?? [];
  const lost = refs
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${name}: ${id} ${audits[id]?.displayValue ?? audits[id]?.title}`);
  return [`${name}: ${scoreOf(categories, name)}`, ...lost];
}
