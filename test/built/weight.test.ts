import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { locales } from '#db/values.ts';
import {
  type Browser,
  type BuiltWorker,
  createBrowser,
  signUpNewcomer,
  signUpPerson,
  startBuiltWorker,
  tokenIn,
} from './worker.ts';

/** In bytes, packed as they travel. Whatever a person does on a page may load more. */
const budgets = { scripts: 95_000, styles: 8_000, document: 14_000 };

const assets = 'dist/public/assets';

/** Every page, and who gets to see it. */
const pages = [
  ['/login', 'nobody'],
  ['/signup', 'nobody'],
  ['/confirm', 'nobody'],
  ['/terms', 'nobody'],
  ['/privacy', 'nobody'],
  ['/onboarding/course', 'newcomer'],
  ['/', 'instructor'],
  ['/cohorts', 'instructor'],
  ['/payments', 'instructor'],
  ['/settings', 'instructor'],
  ['/settings/billing', 'instructor'],
] as const;
const views = pages.flatMap(([page, reader]) => [
  [page, 'en', reader] as const,
  [page, 'fr', reader] as const,
]);

/** Words that a library leaves in whatever it is built into, and a file of the build where they have to stand. */
const libraries = [
  ['Lingui', /\bsetMessagesCompiler\b/, 'dist/server/**/*.js'],
  ['zod', /\b_zod\b/, `${assets}/*.js`],
] as const;

let built: BuiltWorker;
let readers: Record<(typeof pages)[number][1], Browser>;
let confirmToken: string;

beforeAll(async () => {
  built = await startBuiltWorker();
  const email = 'ada@example.com';
  readers = {
    nobody: createBrowser(built.server),
    newcomer: await signUpNewcomer(built, {
      email: 'alan@example.com',
      firstName: 'Alan',
      lastName: 'Turing',
    }),
    instructor: await signUpPerson(built, {
      email,
      firstName: 'Ada',
      lastName: 'Lovelace',
      courseName: 'Analytical Engines',
    }),
  };
  await readers.nobody.post('/api/accounts/auth/login/', { email });
  confirmToken = tokenIn((await built.mailsTo(email)).at(-1));
});

afterAll(async () => {
  await built.close();
});

test('every page is weighed in both languages', () => {
  const files = globSync('**/*.tsx', { cwd: 'src/pages' }).filter((file) => !/^(_|404)/.test(file));
  const routes = files.map((file) => `/${file.replace(/(^|\/)index\.tsx$|\.tsx$/, '')}`);

  const wanted = routes.flatMap((page) => locales.map((language) => `${page} ${language}`));
  expect(views.map(([page, language]) => `${page} ${language}`).sort()).toEqual(wanted.sort());
});

test.each(views)(
  'the scripts of %s (%s) stay within their budget',
  async (page, language, reader) => {
    const scripts = scriptsOf(await documentOf(page, language, reader));
    const weighed = scripts.map((name) => ({ name, bytes: weigh(contentOf(name)) }));
    const bytes = weighed.reduce((sum, script) => sum + script.bytes, 0);
    const heaviest = weighed.toSorted((a, b) => b.bytes - a.bytes).slice(0, 5);

    expect(scripts.length).toBeGreaterThan(2);
    expect(
      bytes,
      `${page} (${language}) weighs ${bytes} B in ${scripts.length} scripts, the heaviest of them
${heaviest.map((script) => `${script.bytes} B  ${script.name}`).join('\n')}`,
    ).toBeLessThanOrEqual(budgets.scripts);
  },
);

test.each(views)(
  'the document of %s (%s) stays within its budget',
  async (page, language, reader) => {
    const bytes = weigh(await documentOf(page, language, reader));

    expect(bytes, `${page} (${language}) weighs ${bytes} B`).toBeLessThanOrEqual(budgets.document);
  },
);

test('all styles together stay within their budget', () => {
  const files = globSync(`${assets}/*.css`);
  const bytes = files.reduce((sum, file) => sum + weigh(readFileSync(file)), 0);

  expect(files.length).toBeGreaterThan(0);
  expect(bytes, `The styles weigh ${bytes} B`).toBeLessThanOrEqual(budgets.styles);
});

test.each(libraries)('before anybody types, no page has loaded %s', async (_name, words) => {
  const loaded = new Set<string>();
  for (const [page, language, reader] of views) {
    for (const script of scriptsOf(await documentOf(page, language, reader))) {
      loaded.add(script);
    }
  }

  expect([...loaded].filter((name) => words.test(contentOf(name)))).toEqual([]);
});

test.each(libraries)('%s would be known by its words', (_name, words, files) => {
  expect(globSync(files).some((file) => words.test(readFileSync(file, 'utf8')))).toBe(true);
});

test('no browser is ever sent Lingui', () => {
  const [[, words]] = libraries;
  const scripts = globSync('*.js', { cwd: assets });

  expect(scripts.filter((name) => words.test(contentOf(name)))).toEqual([]);
});

type View = (typeof views)[number];

async function documentOf(page: View[0], language: View[1], reader: View[2]): Promise<string> {
  const address = page === '/confirm' ? `${page}?token=${confirmToken}` : page;
  const headers = { 'Accept-Language': language };
  const response = await readers[reader].request(address, { headers });
  const html = await response.text();
  expect(response.status).toBe(200);
  expect(html).toContain(`<html lang="${language}">`);
  return html;
}

/** What a browser loads with a document: the scripts it names, and whatever these import before they run. */
function scriptsOf(html: string): string[] {
  const found = new Set(
    [...html.matchAll(/\/assets\/([\w.-]+\.js)\b/g)].map(([, name = '']) => name),
  );
  // A set is walked through with what is added on the way.
  for (const script of found) {
    for (const [, name = ''] of contentOf(script).matchAll(
      /\b(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g,
    )) {
      found.add(name);
    }
  }
  return [...found];
}

function contentOf(script: string): string {
  return readFileSync(path.join(assets, script), 'utf8');
}

function weigh(content: string | Buffer): number {
  return gzipSync(content, { level: 9 }).length;
}
