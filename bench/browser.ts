import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { PlainFailure } from '../scripts/local/plain-failure.ts';
import {
  chromiumFlags,
  chromiumPath,
  hasChromium,
  howToGetChromium,
} from '../test/e2e/chromium.ts';
import {
  type Load,
  load,
  type Step,
  signIn,
  signInWithCohort,
  tour,
  visit,
  walk,
} from './browser/measure.ts';
import { startSites, twinFolder } from './browser/sites.ts';
import { median, noteAim, printTable } from './figures.ts';

const rounds = 3;

/** @throws PlainFailure without Chromium, or without the libraries of the twin */
export function requireBrowserAndTwin(): void {
  if (!hasChromium) {
    throw new PlainFailure(howToGetChromium);
  }
  if (!existsSync(path.join(twinFolder, 'node_modules'))) {
    throw new PlainFailure(
      'The single-page twin has no libraries yet: run `npm ci --prefix bench/single-page` once.',
    );
  }
}

/**
 * Measures the product and its single-page twin (bench/single-page) in Chromium, alternating, each
 * time with an empty cache, and prints a table. Takes a few minutes.
 */
export async function benchBrowser(): Promise<void> {
  const sites = await startSites();
  try {
    const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags });
    try {
      await measure(browser, sites);
    } finally {
      await browser.close();
    }
  } finally {
    await sites.close();
  }
}

type Sites = Awaited<ReturnType<typeof startSites>>;

async function measure(browser: Browser, sites: Sites): Promise<void> {
  const nobody: Awaited<ReturnType<typeof signIn>> = [];
  const cookies = await signIn(browser, sites);
  const slow = { cookies, phone: 'slow' } as const;
  const asItIs = { cookies, phone: 'as it is' } as const;
  const { ours, twin } = sites;
  const home = await inTurns(
    () => load(browser, `${ours}/`, slow),
    () => load(browser, `${twin}/`, slow),
  );
  const settings = await inTurns(
    () => load(browser, `${ours}/settings`, slow),
    () => load(browser, `${twin}/settings`, slow),
  );
  const visits = await inTurns(
    () => visit(browser, ours, cookies),
    () => visit(browser, twin, cookies),
  );
  const walks = await inTurns(
    () => walk(browser, ours, cookies),
    () => walk(browser, twin, cookies),
  );
  const work = await inTurns(
    () => load(browser, `${ours}/`, asItIs),
    () => load(browser, `${twin}/`, asItIs),
  );
  const newcomer = async (phone: 'slow processor' | 'as it is') => ({
    cookies: await signIn(browser, sites),
    phone,
  });
  const tours = await inTurns(
    async () => tour(browser, ours, await newcomer('slow processor')),
    async () => tour(browser, twin, await newcomer('slow processor')),
  );
  // CPU work is nearly the same each time.
  const workOfTours = await inTurns(
    async () => tour(browser, ours, await newcomer('as it is')),
    async () => tour(browser, twin, await newcomer('as it is')),
    1,
  );
  const host = await signInWithCohort(browser, sites);
  const still: [name: string, page: string, reader: typeof cookies][] = [
    ['login', '/login', nobody],
    ['sign-up', '/signup', nobody],
    ['home', '/', cookies],
    ['settings', '/settings', cookies],
    ['the list of cohorts', '/cohorts', host.cookies],
    ['a new cohort', '/cohorts/new', host.cookies],
    ['a cohort', `/cohorts/${host.id}`, host.cookies],
    ['a roster', `/cohorts/${host.id}/roster`, host.cookies],
    ['a schedule', `/cohorts/${host.id}/schedule`, host.cookies],
    ['a public page', host.publicPath, nobody],
  ];
  const withAndWithoutScripts: [name: string, pairs: Pair<Load>[]][] = [];
  for (const [name, page, reader] of still) {
    const options = { cookies: reader, phone: 'slow' } as const;
    const pairs = await inTurns(
      () => load(browser, ours + page, options),
      () => load(browser, ours + page, { ...options, scripts: false }),
      // Single rounds differ by more than the target allows.
      5,
    );
    withAndWithoutScripts.push([name, pairs]);
  }

  const loadRows = (name: string, pairs: Pair<Load>[]): Row[] => [
    row(`scripts of ${name}, kB gz`, pairs, (at) => at.scriptBytes / 1000, scriptAims),
    row(`all of ${name} over the network, kB`, pairs, (at) => at.wireBytes / 1000),
    row(`first paint of ${name}, ms`, pairs, (at) => at.firstPaint),
    row(`largest paint of ${name}, ms`, pairs, (at) => at.largestPaint),
  ];
  print('ours', 'twin', [
    ...loadRows('home', home),
    ...loadRows('settings', settings),
    row('main thread work for home, ms', work, (at) => at.busy),
    row('until a click opens the user menu, ms', visits, (at) => at.menuOpens),
    row('until the arrow keys work in it, ms', visits, (at) => at.keysWork),
    row('home to cohorts, ms', visits, (at) => at.forth),
    row('home to cohorts, kB', visits, (at) => at.forthBytes / 1000),
    row('and to home by its link, ms', visits, (at) => at.back),
    row('and to home by its link, kB', visits, (at) => at.backBytes / 1000),
    row('home to cohorts after 150 ms on the link, ms', walks, (at) => at.toCohorts, { ours: 80 }),
    row('home to settings after 150 ms on the link, ms', walks, (at) => at.toSettings, {
      ours: 120,
    }),
    row('back to the page before, ms', walks, (at) => at.back, { ratio: 1 }),
    row('worst interaction of the tour, ms', tours, worstOf, { ours: 120 }),
  ]);
  print(
    'with',
    'without',
    withAndWithoutScripts.map(([name, pairs]) =>
      row(`largest paint of ${name}, scripts, ms`, pairs, (at) => at.largestPaint, { ratio: 1.05 }),
    ),
  );
  const steps = tours[0]?.[0].map(({ name }) => name) ?? [];
  const stepOf = (name: string) => (tour: Step[]) =>
    tour.find((step) => step.name === name) ?? missing(name);
  print(
    'ours',
    'twin',
    steps.flatMap((name) => [
      row(`${name}, ms`, tours, (tour) => stepOf(name)(tour).worst),
      row('  main thread work', workOfTours, (tour) => stepOf(name)(tour).busy),
    ]),
  );
  const slowest = steps
    .map(
      (name) => tours.map(([tour]) => stepOf(name)(tour)).toSorted(byWorst)[Math.floor(rounds / 2)],
    )
    .filter((step) => step !== undefined)
    .toSorted((a, b) => -byWorst(a, b));
  console.log('Where the time of our slowest interactions went, in the median round:');
  for (const { name, slowest: what } of slowest.slice(0, 5)) {
    console.log(`  ${name}: ${what}`);
  }
}

/** Both sites in one round. */
type Pair<Measured> = readonly [ours: Measured, other: Measured];

/** A B, B A, A B …: anything that changes over time affects both. */
async function inTurns<Measured>(
  ours: () => Promise<Measured>,
  other: () => Promise<Measured>,
  count = rounds,
): Promise<Pair<Measured>[]> {
  const pairs: Pair<Measured>[] = [];
  for (let round = 0; round < count; round += 1) {
    if (round % 2 === 0) {
      const first = await ours();
      pairs.push([first, await other()]);
    } else {
      const first = await other();
      pairs.push([await ours(), first]);
    }
  }
  return pairs;
}

type Aims = { ours?: number; ratio?: number };

const scriptAims: Aims = { ours: 95, ratio: 0.53 };

type Row = { what: string; cells: string[] };

function row<Measured>(
  what: string,
  pairs: Pair<Measured>[],
  read: (measured: Measured) => number,
  aims: Aims = {},
): Row {
  const ours = pairs.map(([measured]) => read(measured));
  const others = pairs.map(([, measured]) => read(measured));
  const ratio = median(pairs.map(([a, b]) => read(a) / read(b)));
  const wanted = [
    aims.ours !== undefined && `≤ ${aims.ours}`,
    aims.ratio !== undefined && `≤ ${aims.ratio} ×`,
  ].filter((aim) => aim !== false);
  const isMet = median(ours) <= (aims.ours ?? Infinity) && ratio <= (aims.ratio ?? Infinity);
  if (wanted.length > 0) {
    const measured = `${figure(median(ours))}, ${ratio.toFixed(2)} × (${spread(ours)})`;
    noteAim({ what, target: wanted.join(', '), measured, isMet });
  }
  return {
    what,
    cells: [
      figure(median(ours)),
      figure(median(others)),
      Number.isFinite(ratio) ? ratio.toFixed(2) : '',
      `${spread(ours)} / ${spread(others)}`,
      wanted.join(', '),
      wanted.length === 0 ? '' : isMet ? 'yes' : 'no',
    ],
  };
}

/** The slowest step of a round; the slowest by median is named below. */
function worstOf(steps: Step[]): number {
  return Math.max(...steps.map(({ worst }) => worst));
}

function byWorst(a: Step, b: Step): number {
  return a.worst - b.worst;
}

function spread(values: number[]): string {
  return `${figure(Math.min(...values))}–${figure(Math.max(...values))}`;
}

function figure(value: number): string {
  return value.toFixed(value < 100 && !Number.isInteger(value) ? 1 : 0);
}

function missing(name: string): never {
  throw new Error(`A tour has no step "${name}".`);
}

function print(ours: string, other: string, rows: Row[]): void {
  const head = ['', ours, other, 'ratio', 'lowest–highest of both', 'target', 'met'];
  printTable(
    head,
    rows.map(({ what, cells }) => [what, ...cells]),
  );
}
