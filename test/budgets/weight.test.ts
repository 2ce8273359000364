import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { minifySync } from 'rolldown/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { locales } from '#db/values.ts';
import { builtConfig } from '../../scripts/local/settings.ts';
import { type BuiltWorker, startBuiltWorker } from '../built/worker.ts';
import { pageList, type Reader } from '../page-list.ts';
import { holdBudgets } from './budget.ts';
import {
  assetsNamed,
  browserFiles,
  contentOf,
  fileOf,
  modulesOf,
  packagesOf,
  scriptsOf,
  weigh,
  weightsOf,
} from './built-files.ts';
import { createReaders, type Readers } from './pages.ts';
import { bytesRow, namesRow, type Row } from './row.ts';

/** In bytes, compressed. Actions on a page may load more. */
const budgets = {
  /**
   * Pages by reader: public pages are often read once, on a phone, by people who did not choose
   * Lectern.
   */
  scripts: { nobody: 92_600, newcomer: 95_200, instructor: 95_200 },
  /** Forms of many fields, and the roster; see decisions 49, 53 and 61. */
  formScripts: 97_900,
  /** Where the operator has turned error reporting on. */
  reportingScripts: 98_800,
  styles: 17_900,
  document: 14_200,
  /** Of settings, which are many forms; see decisions 59 and 78. */
  settingsDocument: 15_000,
  /** The whole deployment; cold-start.test.ts limits what is evaluated before the first answer. */
  serverModules: 714_000,
};

const forms = [
  '/cohorts/new',
  '/cohorts/[id]/move',
  '/cohorts/[id]/settings',
  '/cohorts/[id]/roster',
  '/cohorts/[id]/roster/[enrollment]',
  '/cohorts/[id]/schedule/[meeting]',
  '/cohorts/[id]/schedule/new',
  '/cohorts/[id]/schedule/weekly',
];

/** The packages in the browser. To add one, say what it costs and what the platform lacks. */
const packagesAtOnce = [
  '@vitejs/plugin-rsc',
  'react',
  'react-dom',
  'react-server-dom-webpack',
  'scheduler',
  'waku',
];

/** Loaded with the first input or the first error. */
const packagesLater = [
  '@sentry/browser',
  '@sentry/browser-utils',
  '@sentry/conventions',
  '@sentry/core',
  '@sentry/replay',
  'web-vitals',
  'zod',
];

/** Part of React's unused string renderer, and of no other module. */
const legacyServerWords = 'which does not support Suspense';

/** Bytes that a minifier may still save after minification. */
const unminified = 100;

const serverFolder = path.dirname(builtConfig);

type View = { page: string; reader: Reader; language: (typeof locales)[number]; html: string };

let built: BuiltWorker;
let reporting: BuiltWorker;
let views: View[];
let reportingViews: View[];

beforeAll(async () => {
  [built, reporting] = await Promise.all([
    startBuiltWorker(),
    // Nothing is sent there: no page runs.
    startBuiltWorker({ SENTRY_DSN: 'http://a1b2c3@localhost:9/42' }),
  ]);
  views = await readViews(await createReaders(built));
  reportingViews = await readViews(await createReaders(reporting));
});

afterAll(async () => {
  await Promise.all([built.close(), reporting.close()]);
});

test('every page is weighed in both languages', () => {
  const files = globSync('**/*.tsx', { cwd: 'src/pages' }).filter((file) => !/^(_|404)/.test(file));
  const routes = files.map((file) => `/${file.replace(/(^|\/)index\.tsx$|\.tsx$/, '')}`);

  const wanted = routes.flatMap((page) => locales.map((language) => `${page} ${language}`));
  const weighed = views.map(({ page, language }) => `${page} ${language}`);
  expect(weighed.sort()).toEqual(wanted.sort());
});

test('the scripts of every page stay within budget', ({ task }) => {
  const rows = views.map((view) => scriptsRow(`scripts of ${view.page} (${view.language})`, view));
  const heaviest = reportingViews
    .map((view) => ({
      ...scriptsRow('scripts of the heaviest page, where errors are reported', view),
      budget: budgets.reportingScripts,
    }))
    .toSorted((a, b) => b.measured - a.measured)
    .slice(0, 1);

  for (const { parts } of rows) {
    expect(Object.keys(parts).length).toBeGreaterThan(2);
  }
  holdBudgets(task, [...rows, ...heaviest]);
});

test('the page of a cohort has no more scripts than the login page', ({ task }) => {
  const [ofCohort, ofLogin] = ['/c/[slug]', '/login'].map((page) => {
    const view = views.find((one) => one.page === page);
    expect(view).toBeDefined();
    return scriptsRow('scripts of /c/[slug], beside those of /login', view as View);
  }) as [Row, Row];

  holdBudgets(task, [{ ...ofCohort, budget: ofLogin.measured }]);
});

test('until the first paint, scripts leave the connection to styles and font', ({ task }) => {
  const urgent = views.flatMap(({ page, language, html }) => {
    const preloads = html.match(/<link rel="modulepreload"[^>]*>/g) ?? [];
    const patient = preloads.filter((tag) => tag.includes('fetchPriority="low"')).join();
    return scriptsOf(html)
      .filter((script) => !patient.includes(`/assets/${script}"`))
      .map((script) => `${page} (${language}): ${script}`);
  });

  holdBudgets(task, [namesRow('scripts of pages without a preload of low priority', urgent)]);
});

test('the document of every page stays within budget', ({ task }) => {
  holdBudgets(
    task,
    views.map(({ page, language, html }) => {
      const measured = weigh(html);
      return {
        what: `document of ${page} (${language})`,
        measured,
        budget: page.endsWith('/settings') ? budgets.settingsDocument : budgets.document,
        unit: 'B',
        // Before compression; the payload contains the page again, for React.
        parts: {
          'HTML, unpacked': html.length - payloadIn(html),
          'payload, unpacked': payloadIn(html),
        },
      };
    }),
  );
});

test('no page contains texts of the other language, and no script contains any texts', ({
  task,
}) => {
  const texts = Object.fromEntries(locales.map((language) => [language, textsOf(language)]));
  // The preview of an email is in the language of its cohort.
  const ofReader = views.filter(({ page }) => page !== '/cohorts/[id]/emails/[kind]');
  const doubled = ofReader.flatMap(({ page, language, html }) => {
    const own = new Set(texts[language]);
    expect([...own].some((text) => html.includes(text))).toBe(true);
    return locales
      .filter((other) => other !== language)
      .flatMap((other) => texts[other] ?? [])
      .filter((text) => !own.has(text) && html.includes(text))
      .map((text) => `${page} (${language}): ${text}`);
  });
  const scripts = assetsNamed('js').map(contentOf);
  const carried = Object.values(texts)
    .flat()
    .filter((text) => scripts.some((script) => script.includes(text)));

  holdBudgets(task, [
    namesRow('texts of the other language on a page', doubled),
    namesRow('texts of the catalogs in scripts', carried),
  ]);
});

test('all styles together stay within budget', ({ task }) => {
  const parts = weightsOf(assetsNamed('css').map((name) => ({ name, content: contentOf(name) })));

  holdBudgets(task, [bytesRow('styles of all pages together', budgets.styles, parts)]);
});

test('the browser gets only the agreed packages, only when needed, and only zod/mini of zod', ({
  task,
}) => {
  const scripts = browserFiles();
  const atOnce = new Set(
    [...views, ...reportingViews]
      .flatMap(({ html }) => scriptsOf(html))
      .map(fileOf)
      .flatMap(packagesOf),
  );
  const all = new Set(scripts.flatMap(packagesOf));
  const zod = scripts.flatMap(modulesOf).filter((module) => module.startsWith('zod/'));

  // Each is found where expected, so a missing one is not just overlooked.
  expect([...all].sort()).toEqual(expect.arrayContaining([...packagesAtOnce, ...packagesLater]));
  holdBudgets(task, [
    namesRow(
      'packages in the browser besides those agreed to',
      [...all].filter((name) => ![...packagesAtOnce, ...packagesLater].includes(name)),
    ),
    namesRow(
      'packages on a page before any input or error, of those that come later',
      [...atOnce].filter((name) => !packagesAtOnce.includes(name)),
    ),
    namesRow(
      'modules of zod in the browser besides zod/mini',
      zod.filter((module) => !/^zod\/(mini|v4\/(core|mini))\//.test(module)),
    ),
  ]);
});

test('the server modules are small, minified and without unused code', ({ task }) => {
  const files = globSync('**/*.js', { cwd: serverFolder }).map((name) => ({
    name,
    content: readFileSync(path.join(serverFolder, name), 'utf8'),
  }));
  const legacy = files.filter(({ content }) => content.includes(legacyServerWords));
  const saved = files.map(({ name, content }) => ({
    name,
    bytes: content.length - minifySync(name, content, { module: true }).code.length,
  }));

  const reactDom = 'node_modules/react-dom/cjs/react-dom-server';
  expect(readFileSync(`${reactDom}-legacy.browser.production.js`, 'utf8')).toContain(
    legacyServerWords,
  );
  expect(readFileSync(`${reactDom}.edge.production.js`, 'utf8')).not.toContain(legacyServerWords);
  holdBudgets(task, [
    bytesRow('server modules', budgets.serverModules, weightsOf(files)),
    bytesRow(
      'server modules, what minifying them once more would save',
      unminified,
      partsOf(saved),
    ),
    namesRow(
      'server modules with react-dom-server-legacy',
      legacy.map(({ name }) => name),
    ),
  ]);
});

/** A catalog's texts that are long enough to recognize, without those that have placeholders. */
function textsOf(language: string): string[] {
  const catalogs = globSync(`locales/${language}/*.po`).map((file) => readFileSync(file, 'utf8'));
  return catalogs.flatMap((catalog) =>
    [...catalog.matchAll(/^msgstr "([^"\\<{&]{25,})"$/gm)].map(([, text = '']) => text),
  );
}

async function readViews(readers: Readers): Promise<View[]> {
  const read: View[] = [];
  for (const { path: page, reader } of pageList) {
    for (const language of locales) {
      const headers = { 'Accept-Language': language };
      // Without `lang`, participants are redirected to their own language.
      const address = readers.addressOf(page);
      const choice = `${address.includes('?') ? '&' : '?'}lang=${language}`;
      const path = page.startsWith('/p/') ? `${address}${choice}` : address;
      const response = await readers[reader].request(path, { headers });
      const html = await response.text();
      expect(response.status).toBe(200);
      expect(html).toContain(`<html lang="${language}">`);
      read.push({ page, reader, language, html });
    }
  }
  return read;
}

function scriptsRow(what: string, { page, html, reader }: View): Row {
  const scripts = scriptsOf(html).map((name) => ({ name, content: contentOf(name) }));
  const budget = forms.includes(page) ? budgets.formScripts : budgets.scripts[reader];
  return bytesRow(what, budget, weightsOf(scripts));
}

function partsOf(files: { name: string; bytes: number }[]): Record<string, number> {
  return Object.fromEntries(
    files.filter(({ bytes }) => bytes > 0).map(({ name, bytes }) => [name, bytes]),
  );
}

/** How much of a document is the page's payload for React, in inline scripts. */
function payloadIn(html: string): number {
  const scripts = html.match(/<script[^>]*>[^<]*__FLIGHT_DATA[^<]*<\/script>/g) ?? [];
  return scripts.join('').length;
}
