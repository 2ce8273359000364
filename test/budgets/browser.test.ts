import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  type BrowserContext,
  type Browser as Chromium,
  chromium,
  type Page,
} from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailsIn } from '#support/inbox.ts';
import { migrate } from '../../scripts/local/database.ts';
import type { Running } from '../../scripts/local/running.ts';
import { appOrigin, ensureSecrets, readSecrets } from '../../scripts/local/settings.ts';
import { startStandIns } from '../../scripts/local/steps.ts';
import { startBuiltWorker } from '../../scripts/local/worker.ts';
import { freePort, startWithRetry } from '../built/free-port.ts';
import { createReaders, type Readers } from '../built/readers.ts';
import type { Mail, Server } from '../built/worker.ts';
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts';
import { hasEveryCase } from '../every-case.ts';
import { pageList } from '../page-list.ts';

const settings = {
  appPort: 0,
  googlePort: 0,
  resendPort: 0,
  stripePort: 0,
  stateFolder: mkdtempSync(path.join(os.tmpdir(), 'lectern-budgets-')),
  limits: {},
  sentryDsn: null,
};
/** Known once the ports are. */
let origin: string;

const phone = { width: 360, height: 740 };
const desk = { width: 1440, height: 900 };

/** First a phone with the longer texts of French, which moves the most; at night all. */
const looks = [
  { size: phone, locale: 'fr' },
  { size: desk, locale: 'fr' },
  { size: phone, locale: 'en' },
  { size: desk, locale: 'en' },
].slice(0, hasEveryCase ? 4 : 1);

const views = pageList.flatMap((page) => looks.map((look) => ({ page, ...look })));

type View = (typeof views)[number];

/** The score of a shift by a fraction of a pixel, if a word is a little wider in another font. */
const rounding = 0.00005;

let running: Running[] = [];
let browser: Chromium;
let readers: Readers;
/** One for each reader and look. Nothing is cached in them, because requests are held back. */
const contexts = new Map<string, Promise<BrowserContext>>();

beforeAll(async () => {
  ensureSecrets();
  await migrate(settings);
  running = await startWithRetry(async () => {
    for (const port of ['appPort', 'googlePort', 'resendPort', 'stripePort'] as const) {
      settings[port] = await freePort();
    }
    return [await startStandIns(settings), await startBuiltWorker(settings)];
  });
  origin = appOrigin(settings);
  const inbox = `http://localhost:${settings.resendPort}`;
  // The global `fetch` does the same as the harness's but has other types.
  const server = { getWorker: () => ({ fetch }) } as unknown as Server;
  const mailsTo = (address: string) => mailsIn<Mail>(inbox, address);
  const appSecret = readSecrets()['APP_SECRET'] ?? '';
  readers = await createReaders({ origin, server, mailsTo, appSecret });
  browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags });
});

afterAll(async () => {
  await browser?.close();
  await Promise.all(running.map((part) => part.close()));
  rmSync(settings.stateFolder, { recursive: true });
});

test('no page shifts its layout when its fonts and scripts arrive after it is painted', async () => {
  const shifts: string[] = [];
  const waiting = [...views];
  // Three at a time, because a page is mostly waiting.
  const lane = async () => {
    for (let view = waiting.pop(); view !== undefined; view = waiting.pop()) {
      const { page, locale, size } = view;
      const found = await shiftsWhileLoading(view);
      shifts.push(...found.map((one) => `${page.path} in ${locale} at ${size.width} px: ${one}`));
    }
  };
  await Promise.all([lane(), lane(), lane()]);

  expect(views.length).toBeGreaterThan(40);
  // In the message too, which is all that a report keeps.
  expect(shifts, shifts.join('\n')).toEqual([]);
});

test('a layout shift would be noticed', async () => {
  const login = views.find(({ page }) => page.path === '/login') as View;
  const shifts = await shiftsWhileLoading(login, () => {
    const late = document.createElement('div');
    late.style.height = '300px';
    document.body.prepend(late);
  });

  expect(shifts.length).toBeGreaterThan(0);
});

/**
 * Opens a page without a cache and with its reader's cookies. Fonts and scripts are held back until
 * it is painted without them; then waits until the network is idle.
 *
 * @param whenPainted runs in the browser, before fonts and scripts
 * @returns the elements that moved, and how far
 */
async function shiftsWhileLoading(
  view: View,
  whenPainted: () => void = () => {},
): Promise<string[]> {
  const { locale } = view;
  const page = await (await contextOf(view)).newPage();
  try {
    const painted = Promise.withResolvers<void>();
    await page.route(/\.(js|woff2)$/, async (route) => {
      await painted.promise;
      await route.continue();
    });
    await page.addInitScript(watchShifts);
    await page.goto(origin + readers.addressOf(view.page.path, locale), { waitUntil: 'commit' });
    await page.waitForFunction(
      () => document.readyState !== 'loading' && performance.getEntriesByType('paint').length > 0,
    );
    await page.evaluate(whenPainted);
    await twoFrames(page);
    painted.resolve();
    await page.waitForLoadState('networkidle');
    await page.evaluate(async () => void (await document.fonts.ready));
    await twoFrames(page);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale);
    const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
    return shifts
      .filter(({ value }) => value > rounding)
      .map(({ value, nodes }) => `${value}: ${nodes.join(', ')}`);
  } finally {
    await page.close();
  }
}

async function contextOf({ page: { reader }, size, locale }: View): Promise<BrowserContext> {
  const cookies = [...readers[reader].cookies, ['language', locale] as const];
  const open = async () => {
    const context = await browser.newContext({ viewport: size, locale });
    await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: origin })));
    return context;
  };
  const name = `${reader} ${locale} ${size.width}`;
  const context = contexts.get(name) ?? open();
  contexts.set(name, context);
  return context;
}

/** How far something moved, and what. */
type Shift = { value: number; nodes: string[] };

/** Runs in the browser. */
function watchShifts(): void {
  type LayoutShift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
  const shifts: Shift[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as LayoutShift[]) {
      const nodes = sources.map(({ node }) =>
        node instanceof Element
          ? `${node.localName}.${node.className}`
          : (node?.nodeName ?? 'gone'),
      );
      shifts.push({ value, nodes });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** After two frames, layout changes have been reported to observers. */
async function twoFrames(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
