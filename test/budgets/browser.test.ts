import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Browser as Chromium, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailsIn } from '#support/inbox.ts';
import { migrate } from '../../scripts/local/database.ts';
import type { Running } from '../../scripts/local/running.ts';
import { appOrigin, ensureSecrets } from '../../scripts/local/settings.ts';
import { startStandIns } from '../../scripts/local/steps.ts';
import { startBuiltWorker } from '../../scripts/local/worker.ts';
import type { Mail, Reachable, Server } from '../built/worker.ts';
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts';
import { alternate, hasEveryCase } from '../every-case.ts';
import { pageList } from '../page-list.ts';
import { holdBudgets } from './budget.ts';
import { contentOf, fileOf, sourcesOf, weigh } from './built-files.ts';
import { createReaders, type Readers } from './pages.ts';
import { serveInPieces } from './pieces.ts';
import { type Shift, shiftRow, twoFrames, watchShifts } from './shifts.ts';

const settings = {
  appPort: 4300,
  googlePort: 4301,
  resendPort: 4302,
  stateFolder: mkdtempSync(path.join(os.tmpdir(), 'lectern-budgets-')),
  limits: {},
  sentryDsn: null,
};
const origin = appOrigin(settings);

const phone = { width: 360, height: 740 };
const desk = { width: 1440, height: 900 };

/** A phone and a desktop, also with the longer texts of French. */
const looks = [
  { size: phone, locale: 'en', where: 'at 360 px' },
  { size: phone, locale: 'fr', where: 'in French at 360 px' },
  { size: desk, locale: 'en', where: 'at 1440 px' },
  { size: desk, locale: 'fr', where: 'in French at 1440 px' },
] as const;

/** So slow that a document arrives in several pieces; in bytes and milliseconds. */
const slowNetwork = {
  offline: false,
  latency: 100,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
};
const fastNetwork = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/** Many pages, each as slow as on a bad network; with every case, three times as many. */
const timeout = hasEveryCase ? 900_000 : 300_000;

const pages = pageList.map(({ path, reader }) => [path, reader] as const);

/** Each page in one look, which differs by test, or in all of them; see every-case.ts. */
const pagesInLooks = (shift: number) =>
  pages.flatMap((view, index) =>
    alternate(looks, index + shift).map((look) => ({ ...look, view })),
  );

/** Participants' pages report no errors. */
const isForParticipants = (page: string) => /^\/[cp]\//.test(page);

/** The pages to open with error reporting off (0) or on (1): half of them, or all in both. */
const pagesByTurn = (turn: 0 | 1) =>
  pages.filter(([page], index) => hasEveryCase || index % 2 === turn || isForParticipants(page));

type View = (typeof pages)[number];

/** The kind of browser session, as watch-for-errors.ts decides it. */
type Session = 'on error' | 'recorded';

let running: Running[] = [];
let browser: Chromium;
let readers: Readers;

beforeAll(async () => {
  ensureSecrets();
  await migrate(settings);
  const standIns = await startStandIns(settings);
  running = [standIns, await startBuiltWorker(settings)];
  const inbox = `http://localhost:${settings.resendPort}`;
  const site: Reachable = {
    origin,
    server: { getWorker: () => ({ fetch: fetchAsHarness() }) },
    mailsTo: (address) => mailsIn<Mail>(inbox, address),
  };
  readers = await createReaders(site);
  browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags });
});

afterAll(async () => {
  await browser?.close();
  await Promise.all(running.map((part) => part.close()));
  rmSync(settings.stateFolder, { recursive: true });
});

test('no page shifts its layout while loading on a slow network, with fonts and scripts last', {
  timeout,
}, async ({ task }) => {
  const rows = await inLanes(pagesInLooks(0), async ({ size, locale, where, view }) => {
    const shifts = await inPage(view, { viewport: size, locale }, (page) =>
      shiftsWhileLoading(page, view),
    );
    return shiftRow(`layout shift of ${view[0]} ${where}`, shifts);
  });

  holdBudgets(task, rows);
});

test('no page shifts its layout while its document arrives in pieces, cut between any two elements', {
  timeout,
}, async ({ task }) => {
  const rows = await inLanes(pagesInLooks(1), async ({ size, locale, where, view }) => {
    const shifts = await inPage(view, { viewport: size, locale }, (page) =>
      shiftsInPieces(page, view),
    );
    return shiftRow(`layout shift of ${view[0]} in pieces ${where}`, shifts);
  });

  holdBudgets(task, rows);
});

test('a layout shift would be noticed', async () => {
  const view = ['/login', 'nobody'] as const;
  const shifts = await inPage(view, {}, (page) =>
    shiftsWhileLoading(page, view, () => {
      const late = document.createElement('div');
      late.style.height = '300px';
      document.body.prepend(late);
    }),
  );

  expect(shifts.length).toBeGreaterThan(0);
});

test('no page loads error reporting code where reporting is off, or before the first error', {
  timeout,
}, async ({ task }) => {
  const silent = await reportingBytes('on error', pagesByTurn(0));
  const [standIns, worker] = running;
  await worker?.close();
  // Nothing listens there, and nothing is reported.
  const reporting = { ...settings, sentryDsn: 'http://a1b2c3@localhost:4303/42' };
  running = [...(standIns ? [standIns] : []), await startBuiltWorker(reporting)];
  const waiting = await reportingBytes('on error', pagesByTurn(1));
  const recorded = await reportingBytes(
    'recorded',
    pages.filter(([page]) => page === '/login'),
  );

  // The SDK's loader is there, so the SDK itself would be noticed. Participants are not reported.
  expect(
    Object.entries(waiting)
      .filter(([page, { ours }]) => isForParticipants(page) === ours > 0)
      .map(([page]) => page),
  ).toEqual([]);
  expect(Object.values(recorded).every(({ sdk }) => sdk > 10_000)).toBe(true);
  holdBudgets(task, [
    reportingRow('error reporting code on a page, where errors are not reported', silent, [
      'ours',
      'sdk',
    ]),
    reportingRow('the SDK for error reports on a page, before any error', waiting, ['sdk']),
  ]);
});

/** The global `fetch`, which does the same as the harness's but has other types. */
function fetchAsHarness(): ReturnType<Server['getWorker']>['fetch'] {
  return fetch as unknown as ReturnType<Server['getWorker']>['fetch'];
}

/**
 * Runs three at a time, because a slow page is mostly waiting. Results keep the order of the items.
 */
async function inLanes<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as Item);
    }
  };
  await Promise.all([lane(), lane(), lane()]);
  return results;
}

type PageOptions = { viewport?: { width: number; height: number }; locale?: string };

/** The URL of a page in the browser's language, which is part of participants' URLs. */
async function addressIn(page: Page, address: string): Promise<string> {
  const cookies = await page.context().cookies();
  const language = cookies.find(({ name }) => name === 'language')?.value;
  const url = readers.addressOf(address);
  return isForParticipants(address) && language !== undefined
    ? `${url}${url.includes('?') ? '&' : '?'}lang=${language}`
    : url;
}

/**
 * Opens a page in a context of its own, with an empty cache and its reader's cookies.
 *
 * @param options its language, if given, has to match the page's
 */
async function inPage<Result>(
  [, reader]: View,
  options: PageOptions,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext(options);
  try {
    const cookies = [...readers[reader].cookies].map(([name, value]) => ({
      name,
      value,
      url: origin,
    }));
    await context.addCookies(cookies);
    const { locale } = options;
    const page = await context.newPage();
    if (locale === undefined) {
      return await work(page);
    }
    await context.addCookies([{ name: 'language', value: locale, url: origin }]);
    const result = await work(page);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale);
    return result;
  } finally {
    await context.close();
  }
}

/**
 * Delays fonts and scripts until the page is painted without them, then waits until the network is
 * idle.
 */
async function shiftsWhileLoading(
  page: Page,
  [address]: View,
  whenPainted: () => void = () => {},
): Promise<Shift[]> {
  const network = await page.context().newCDPSession(page);
  await network.send('Network.emulateNetworkConditions', slowNetwork);
  const painted = Promise.withResolvers<void>();
  await page.route(/\.(js|woff2)$/, async (route) => {
    await painted.promise;
    await route.continue();
  });
  await page.addInitScript(watchShifts);
  await page.goto(origin + (await addressIn(page, address)), { waitUntil: 'commit' });
  await page.waitForFunction(
    () => document.readyState !== 'loading' && performance.getEntriesByType('paint').length > 0,
  );
  await page.evaluate(whenPainted);
  await twoFrames(page);
  await network.send('Network.emulateNetworkConditions', fastNetwork);
  painted.resolve();
  await page.waitForLoadState('networkidle');
  await page.evaluate(async () => void (await document.fonts.ready));
  await twoFrames(page);
  return page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
}

/**
 * Sends the document piece by piece, each as soon as the previous one has been painted. On a slow
 * network that can take 600 ms, and looks the same.
 */
async function shiftsInPieces(page: Page, [address]: View): Promise<Shift[]> {
  const pieces = await serveInPieces(origin);
  try {
    await page.addInitScript(watchShifts);
    await page.goto(pieces.origin + (await addressIn(page, address)), { waitUntil: 'commit' });
    while (pieces.sendNext()) {
      await twoFrames(page);
    }
    await page.waitForLoadState('networkidle');
    await twoFrames(page);
    return await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  } finally {
    await pieces.close();
  }
}

type ReportingBytes = { ours: number; sdk: number };

/** How many bytes of scripts each page loads for error reports until it is idle. */
async function reportingBytes(
  session: Session,
  views: readonly View[],
): Promise<Record<string, ReportingBytes>> {
  const bytes = await inLanes(views, async (view): Promise<[string, ReportingBytes]> => {
    const [address] = view;
    const scripts = await inPage(view, {}, (page) => scriptsFetched(page, address, session));
    expect(scripts.length).toBeGreaterThan(2);
    const ours = weightOf(scripts, /src\/features\/error-reports\//);
    return [address, { ours, sdk: weightOf(scripts, /node_modules\/@sentry\//) }];
  });
  return Object.fromEntries(bytes);
}

async function scriptsFetched(page: Page, address: string, session: Session): Promise<string[]> {
  const scripts = new Set<string>();
  page.on('request', (request) => {
    const [, script] = /\/assets\/([\w.-]+\.js)$/.exec(request.url()) ?? [];
    if (script !== undefined) {
      scripts.add(script);
    }
  });
  await page.addInitScript((kept) => sessionStorage.setItem('error-reports', kept), session);
  await page.goto(origin + (await addressIn(page, address)), { waitUntil: 'load' });
  await page.evaluate(
    () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 })),
  );
  await page.waitForLoadState('networkidle');
  return [...scripts];
}

function weightOf(scripts: string[], source: RegExp): number {
  return scripts
    .filter((script) => sourcesOf(fileOf(script)).some((file) => source.test(file)))
    .reduce((sum, script) => sum + weigh(contentOf(script)), 0);
}

function reportingRow(
  what: string,
  bytes: Record<string, ReportingBytes>,
  kinds: (keyof ReportingBytes)[],
) {
  const parts = Object.fromEntries(
    Object.entries(bytes).map(([page, found]) => [
      page,
      kinds.reduce((sum, kind) => sum + found[kind], 0),
    ]),
  );
  return {
    what,
    measured: Math.max(...Object.values(parts)),
    budget: 0,
    unit: 'B' as const,
    parts,
  };
}
