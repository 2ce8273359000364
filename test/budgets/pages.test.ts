import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { locales } from '#db/values.ts';
import { growingSteps, shapeOf } from '#support/recorder.ts';
import { seedUsers } from '#support/seed.ts';
import { words } from '#support/words.ts';
import { createReaders, type Readers } from '../built/readers.ts';
import { type ListedPage, pageList } from '../page-list.ts';
import { budgets, checkBudgets, largestOf, noneOf, type Row } from './budgets.ts';
import { assetsNamed, contentOf, modulesOf, packagesOf, scriptsOf, weigh } from './built-files.ts';
import { type CountedWorker, startCountedWorker, type Trip } from './counted-worker.ts';

/** A page as its reader gets it, and the trips to D1 that it took. */
type View = ListedPage & { language: string; html: string; trips: Trip[] };

/** In rows: an index scan ends at the next entry, which may belong to another user. */
const nextEntries = 6;

/** The packages in the browser. To add one, say what it costs and what the platform lacks. */
const packages = {
  atOnce: words('@vitejs/plugin-rsc react react-dom react-server-dom-webpack scheduler waku'),
  /** With the first input or error, or where lessons are edited, downloaded or imported. */
  later: words(`
    @sentry/browser @sentry/browser-utils @sentry/conventions @sentry/core @sentry/replay web-vitals
    @tiptap/core @tiptap/extension-blockquote @tiptap/extension-bold @tiptap/extension-code
    @tiptap/extension-code-block @tiptap/extension-document @tiptap/extension-hard-break
    @tiptap/extension-heading @tiptap/extension-horizontal-rule @tiptap/extension-italic
    @tiptap/extension-list @tiptap/extension-paragraph @tiptap/extension-strike
    @tiptap/extension-table @tiptap/extension-text @tiptap/extensions orderedmap prosemirror-commands prosemirror-dropcursor
    prosemirror-gapcursor prosemirror-history prosemirror-keymap prosemirror-model
    prosemirror-schema-list prosemirror-state prosemirror-tables prosemirror-transform
    prosemirror-view rope-sequence w3c-keyname
    ccount decode-named-character-reference devlop escape-string-regexp longest-streak
    markdown-table mdast-util-find-and-replace mdast-util-from-markdown mdast-util-gfm
    mdast-util-gfm-autolink-literal mdast-util-gfm-task-list-item micromark-extension-gfm
    micromark-extension-gfm-autolink-literal micromark-extension-gfm-task-list-item
    mdast-util-gfm-footnote mdast-util-gfm-strikethrough mdast-util-gfm-table mdast-util-phrasing
    mdast-util-to-markdown mdast-util-to-string micromark micromark-core-commonmark
    micromark-extension-gfm-footnote micromark-extension-gfm-strikethrough
    micromark-extension-gfm-table micromark-factory-destination micromark-factory-label
    micromark-factory-space micromark-factory-title micromark-factory-whitespace
    micromark-util-character micromark-util-chunked micromark-util-classify-character
    micromark-util-combine-extensions micromark-util-decode-numeric-character-reference
    micromark-util-decode-string micromark-util-edit-map micromark-util-html-tag-name
    micromark-util-normalize-identifier micromark-util-resolve-all micromark-util-subtokenize
    unist-util-is unist-util-stringify-position unist-util-visit unist-util-visit-parents zwitch
    @zip.js/zip.js client-zip yaml zod
  `),
};

/** Their content is in the database even for visitors who are not signed in. */
const pagesOfLinks = /^\/(confirm|undo-address-change|[cp]\/(?!paid$).*)$/;

let built: CountedWorker;
let readers: Readers;
let views: View[];

beforeAll(async () => {
  // Error reporting adds to pages. Nothing listens at this address, because no page is run.
  built = await startCountedWorker({ SENTRY_DSN: 'http://a1b2c3@localhost:9/42' });
  readers = await createReaders(built);
  // Who has completed a cohort has a certificate to open.
  await built.sql("UPDATE enrollments SET completed_at = 1 WHERE status = 'enrolled'");
  await built.takeTrips();
  views = await visitAll(locales);
});

afterAll(() => built.close());

test('every page is visited in both languages', () => {
  const files = globSync('**/*.tsx', { cwd: 'src/pages' }).filter((file) => !/^(_|404)/.test(file));

  expect(views.length).toBe(files.length * locales.length);
});

test('scripts, documents and styles stay within their budgets', ({ task }) => {
  const weights = new Map(assetsNamed('js').map((name) => [name, weigh(contentOf(name))]));
  const scripts = views.map((view) => ({
    ...view,
    what: nameOf(view),
    measured: sumOf(scriptsOf(view.html).map((name) => weights.get(name) ?? 0)),
  }));
  const [ofPublic, ofApp] = [true, false].map((isPublic) =>
    scripts.filter(({ reader }) => ['nobody', 'learner'].includes(reader) === isPublic),
  );
  const documents = views.map((view) => ({ what: nameOf(view), measured: weigh(view.html) }));
  const styles = sumOf(assetsNamed('css').map((name) => weigh(contentOf(name))));

  expect(Math.min(...scripts.map(({ measured }) => measured))).toBeGreaterThan(50_000);
  checkBudgets(task, [
    ...largestOf('scripts of a public page', budgets.scriptsOfPublicPage, ofPublic ?? []),
    ...largestOf('scripts of a page of the app', budgets.scriptsOfApp, ofApp ?? []),
    ...largestOf('document', budgets.document, documents),
    { what: 'all styles', measured: styles, budget: budgets.styles, unit: 'B' },
  ]);
});

test('the browser gets only the agreed packages, most of them later, and only zod/mini of zod', () => {
  const atOnce = new Set(
    [...new Set(views.flatMap(({ html }) => scriptsOf(html)))].flatMap((name) => packagesOf(name)),
  );
  const scripts = assetsNamed('js');
  const all = new Set(scripts.flatMap((name) => packagesOf(name)));
  const zod = scripts
    .flatMap((name) => modulesOf(name))
    .filter((module) => module.startsWith('zod/'));

  expect([...atOnce].sort()).toEqual(packages.atOnce);
  expect([...all].filter((name) => !atOnce.has(name)).sort()).toEqual(packages.later.toSorted());
  expect(zod.filter((module) => !/^zod\/(mini|v4\/(core|mini))\//.test(module))).toEqual([]);
});

test('until the first paint, scripts leave the connection to styles and font', () => {
  for (const { path, html } of views) {
    const preloads = html.match(/<link rel="modulepreload"[^>]*>/g) ?? [];
    const patient = preloads.filter((tag) => tag.includes('fetchPriority="low"')).join();
    const urgent = scriptsOf(html).filter((script) => !patient.includes(`/assets/${script}"`));
    expect(urgent, path).toEqual([]);
  }
});

test('no page has a text of the other language, and no script a text of either', () => {
  const texts = Object.fromEntries(locales.map((language) => [language, textsOf(language)]));
  // The preview of an email is in the language of its cohort, also beside a message.
  const withEmail = /\/(?:\[kind\]|message)$/;
  for (const { path, language, html } of views.filter(({ path }) => !withEmail.test(path))) {
    const own = new Set(texts[language]);
    expect([...own].some((text) => html.includes(text))).toBe(true);
    const others = Object.values(texts).flat();
    const foreign = others.filter((text) => !own.has(text) && html.includes(text));
    expect(foreign, `${path} (${language})`).toEqual([]);
  }
  const scripts = assetsNamed('js').map(contentOf).join('\n');
  const carried = Object.values(texts).flat();
  expect(carried.filter((text) => scripts.includes(text))).toEqual([]);
});

test('a page takes one trip to the database, and none if it shows nothing of it', async ({
  task,
}) => {
  const rows = views.map((view) => {
    const { path, reader, trips } = view;
    const isAnonymous = reader === 'nobody' && !pagesOfLinks.test(path);
    const budget = budgets.trips[isAnonymous ? 'anonymousPage' : 'page'];
    // If the binding sent trips another way, they would not be counted.
    expect(trips.length === 0, path).toBe(isAnonymous);
    return { what: `trips of ${nameOf(view)}`, measured: trips.length, budget, unit: '' as const };
  });
  for (const path of ['/RSC/R/cohorts.txt', '/confirm', '/undo-address-change']) {
    const { trips } = await visit(readers.instructor, readers.addressOf(path));
    const what = `trips of ${path}, signed in`;
    rows.push({ what, measured: trips.length, budget: budgets.trips.page, unit: '' });
  }

  checkBudgets(task, rows);
});

test('with 100 times the users, pages read no more rows, all by an index', async ({ task }) => {
  const before = views.filter(({ language }) => language === 'en');
  const { DB } = await built.server.getWorker().getEnv();
  await seedUsers(DB, 1_000);
  const after = await visitAll(['en']);
  const growing: string[] = [];
  const steps: string[] = [];
  for (const [index, { path, trips }] of after.entries()) {
    const few = before[index]?.trips.flat() ?? [];
    for (const [at, { sql, params, read }] of trips.flat().entries()) {
      expect(shapeOf(sql)).toBe(shapeOf(few[at]?.sql ?? ''));
      const readBefore = few[at]?.read ?? 0;
      if (read > readBefore + nextEntries) {
        growing.push(`${path}: ${readBefore} → ${read} rows: ${shapeOf(sql)}`);
      }
      const plan = await built.sql(`EXPLAIN QUERY PLAN ${sql}`, ...params.map(String));
      const found = growingSteps(plan.map(({ detail }) => String(detail)));
      steps.push(...found.map((step) => `${path}: ${step}: ${shapeOf(sql)}`));
    }
  }

  checkBudgets(task, [
    ...noneOf('growing statements of pages', budgets.growingStatements, growing),
    ...noneOf('growing steps of plans of pages', budgets.growingSteps, steps),
    ...after.map(({ path, trips }) => ({
      what: `rows read by ${path}`,
      measured: sumOf(trips.flat().map(({ read }) => read)),
      unit: '' as const,
    })),
  ]);
});

test('the documents with 100 people are printed', async ({ task }) => {
  const names = Array.from({ length: 100 }, (_, at) => `Grace Hopper ${at}`);
  const { cohortId } = readers;
  await built.sql(
    `INSERT INTO people (id, owner_id, email, email_canonical, name, name_key, language, source,
        link_version, created_at, updated_at)
      SELECT value, owner_id, value, value, value, value, 'en', 'added', 1, 0, 0
      FROM cohorts, json_each(?) WHERE cohorts.id = ?`,
    JSON.stringify(names),
    cohortId,
  );
  await built.sql(
    `INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key, status, changed_by,
        status_changed_at, created_at)
      SELECT id, owner_id, ?, id, name_key, 'enrolled', 'owner', 0, 0 FROM people WHERE id = name`,
    cohortId,
  );
  const rows: Row[] = [];
  for (const page of ['/cohorts/[id]/roster', '/cohorts/[id]/attendance']) {
    const { html } = await visit(readers.instructor, readers.addressOf(page), 'fr');
    expect(html.split('Grace Hopper').length).toBeGreaterThan(100);
    rows.push({ what: `document, ${page} with 100 people (fr)`, measured: weigh(html), unit: 'B' });
  }

  checkBudgets(task, rows);
});

async function visitAll(languages: readonly string[]): Promise<View[]> {
  const visited: View[] = [];
  for (const page of pageList) {
    for (const language of languages) {
      const path = readers.addressOf(page.path, language);
      const found = await visit(readers[page.reader], path, language);
      expect(found.html).toContain(`<html lang="${language}">`);
      visited.push({ ...page, language, ...found });
    }
  }
  return visited;
}

async function visit(reader: Readers['nobody'], path: string, language = 'en') {
  const response = await reader.request(path, { headers: { 'Accept-Language': language } });
  const html = await response.text();
  expect(response.status, path).toBe(200);
  return { html, trips: await built.takeTrips() };
}

function nameOf({ path, language }: View): string {
  return `${path} (${language})`;
}

/** A catalog's texts that are long enough to recognize, without those that have placeholders. */
function textsOf(language: string): string[] {
  const catalogs = globSync(`locales/${language}/*.po`).map((file) => readFileSync(file, 'utf8'));
  return catalogs.flatMap((catalog) =>
    [...catalog.matchAll(/^msgstr "([^"\\<{&]{25,})"$/gm)].map(([, text = '']) => text),
  );
}

function sumOf(counts: number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
