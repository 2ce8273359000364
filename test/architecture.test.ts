import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { secretNames } from '../src/settings.ts';

const pages = globSync('src/pages/**/*.{ts,tsx}');
const routes = pages.filter((file) => !file.includes('_interceptors'));

/** Pages that anybody may see; every other one must ask who is there. */
const publicPages = [
  '_root',
  '404',
  'confirm',
  'login',
  'privacy',
  'signup',
  'terms',
  'undo-address-change',
];

test('src/pages holds these routes and nothing else', () => {
  expect(routes.map((file) => path.relative('src/pages', file)).sort()).toEqual([
    '404.tsx',
    '_root.tsx',
    'cohorts.tsx',
    'confirm.tsx',
    'index.tsx',
    'login.tsx',
    'onboarding/course.tsx',
    'payments.tsx',
    'privacy.tsx',
    'settings/billing.tsx',
    'settings/index.tsx',
    'signup.tsx',
    'terms.tsx',
    'undo-address-change.tsx',
  ]);
});

test.each(routes)('%s says how it renders', (file) => {
  expect(readFileSync(file, 'utf8')).toContain(
    "export const getConfig = async () => ({ render: 'dynamic' }) as const;",
  );
});

test.each(routes)(
  '%s asks for its request, and a signed-in page for its user, in its first line',
  (file) => {
    const [, firstLine = ''] =
      /export default (?:async )?function \w+\([^)]*\)[^{]*\{\n\s*([^\n]*)/.exec(
        readFileSync(file, 'utf8'),
      ) ?? [];

    expect(firstLine).toMatch(
      isPublic(file)
        ? /\b(pageRequest|requireNobody)\(\)/
        : /\bawait (requireUser|requireCourse)\(/,
    );
  },
);

test.each(routes.filter((file) => !isPublic(file)))(
  '%s has the error dialog, toasts, keyboard and tooltips',
  (file) => {
    expect(readFileSync(file, 'utf8')).toMatch(/<AppShell request=\{request\}|<PageTools \/>/);
  },
);

/** Islands and the entry, and whatever these import, at once or when it is needed. */
const sentToBrowsers = withImports([
  'src/waku.client.tsx',
  ...globSync('src/**/*.{ts,tsx}').filter((file) =>
    readFileSync(file, 'utf8').startsWith("'use client'"),
  ),
]);

/** Where these may lie; what is for the server alone says so in its first line. */
const forBrowsers = /^src\/(ui|lib|router|api\/browser|features)\/|^src\/(paths|db\/values)\.ts$/;
const packagesForBrowsers =
  /^(react|react-dom\/client|zod\/mini|@sentry\/browser|waku\/(client|minimal\/client|router\/client-core))$/;

test.each(sentToBrowsers)('%s imports what a browser may be sent', (file) => {
  const offenders = importsOf(file).filter(
    (name) => !forBrowsers.test(name) && !packagesForBrowsers.test(name),
  );

  expect(offenders).toEqual([]);
});

test('the walk through the imports finds what is loaded at once, and what is loaded later', () => {
  expect(sentToBrowsers).toContain('src/client/call-api.ts');
  expect(sentToBrowsers).toContain('src/features/auth/schema.ts');
  expect(sentToBrowsers).not.toContain('src/features/shell/app-shell.tsx');
});

test('no browser is sent Lingui or a catalog: islands are handed their words', () => {
  const offenders = sentToBrowsers.filter((file) =>
    importsOf(file).some((name) => /^@lingui\/|^src\/i18n\/|^locales\//.test(name)),
  );

  expect(offenders).toEqual([]);
});

test('nothing but src/router knows the client of Waku', () => {
  const importers = globSync('src/**/*.{ts,tsx}').filter((file) =>
    importsOf(file).some((name) => /^waku\/(minimal|router\/client)/.test(name)),
  );

  expect(importers.length).toBeGreaterThan(0);
  expect(importers.filter((file) => !file.startsWith('src/router/'))).toEqual([]);
});

test('in browsers one file alone sends requests, with the token, and one alone writes cookies', () => {
  const withWords = (words: RegExp) =>
    sentToBrowsers.filter((file) => words.test(readFileSync(file, 'utf8')));

  expect(withWords(/\bfetch\(|XMLHttpRequest|sendBeacon|WebSocket|EventSource/)).toEqual([
    'src/client/call-api.ts',
  ]);
  expect(withWords(/document\.cookie = |cookieStore/)).toEqual(['src/lib/write-cookie.ts']);
});

test('there are no server functions', () => {
  const offenders = globSync('src/**/*.{ts,tsx}').filter((file) =>
    /^\s*['"]use server['"]/m.test(readFileSync(file, 'utf8')),
  );

  expect(offenders).toEqual([]);
});

test('no module keeps state of a request: there is no module-level let', () => {
  const offenders = globSync('src/**/*.{ts,tsx}').filter((file) =>
    /^(export )?let /m.test(readFileSync(file, 'utf8')),
  );

  expect(offenders).toEqual([]);
});

test('nothing asks D1 for a transaction, which it does not have', () => {
  const offenders = globSync('src/**/*.ts').filter((file) =>
    /\.transaction\(/.test(readFileSync(file, 'utf8')),
  );

  expect(offenders).toEqual([]);
});

test.each(globSync('locales/fr/*.po'))('%s has every text in French', (file) => {
  const entries = readFileSync(file, 'utf8').split('\n\n').slice(1);
  const missing = entries.filter((entry) => /^msgstr ""$(?!\n")/m.test(entry));

  expect(missing).toEqual([]);
});

test.each(globSync('locales/fr/*.po'))(
  '%s has the values and the elements that each text has in English, in whatever order',
  (file) => {
    const catalog = readFileSync(file, 'utf8');
    const entries = [...catalog.matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm)];
    const offenders = entries.filter(([, english, french]) => partsOf(english) !== partsOf(french));

    // All but the head.
    expect(entries).toHaveLength((catalog.match(/^msgid /gm)?.length ?? 0) - 1);
    expect(offenders.map(([entry]) => entry)).toEqual([]);
  },
);

test('typed text is no part of a text that is parsed: values of a `<Trans>` are elements, and of a `<Plural>` counts', () => {
  const offenders = globSync('src/**/*.tsx').flatMap((file) =>
    plainValuesIn(readFileSync(file, 'utf8')).map((value) => `${file}: ${value}`),
  );

  expect(offenders).toEqual([]);
});

test.each([
  ['const name = course.name;', '<Trans>The course {name}</Trans>'],
  ['', '<Trans>The course {course.name}</Trans>'],
  ['', '<Trans>The course <b>{course.name}</b></Trans>'],
  ['', '<Trans>The course {String(name)}</Trans>'],
  ['', "<Trans id='x'>The course {isNew ? 'new' : name}</Trans>"],
  ['const name = course.name < b;', '<Trans>The course {name}</Trans>'],
  ['const name = <b>{course.name}</b>;\n}\nfunction Other({ name }) {', '<Trans>{name}</Trans>'],
  ['', '<Plural value={count} one="a course" other={others} />'],
])('a value that is no element is found: %j, %j', (constant, text) => {
  expect(plainValuesIn(`function Page() {\n  ${constant}\n  return ${text};\n}`)).toHaveLength(1);
});

test.each([
  ['const name = <bdi>{course.name}</bdi>;', '<Trans>The course {name}</Trans>'],
  ['const name = (\n    <b>{course.name}</b>);', '<Trans>The course {name}, <b>{name}</b></Trans>'],
  ['const name = course.name && (\n    <b>{course.name}</b>);', '<Trans>The course {name}</Trans>'],
  ['', "<Trans>New here?{' '}<a href={paths.signup}>Sign up</a></Trans>"],
  ['', '<Plural value={count} one="a course" other="# courses" />'],
])('and there is none in %j, %j', (constant, text) => {
  expect(plainValuesIn(`function Page() {\n  ${constant}\n  return ${text};\n}`)).toEqual([]);
});

test('versions are exact, and the lock file is whole and names no place to fetch from', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const versions = Object.values<string>({ ...dependencies, ...devDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);

  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const names = new Set(Object.keys(packages).map((key) => key.replace(/^.*node_modules\//, '')));
  const wanted = Object.values<{ optionalDependencies?: object }>(packages).flatMap(
    ({ optionalDependencies = {} }) => Object.keys(optionalDependencies),
  );
  expect(wanted.filter((name) => !names.has(name))).toEqual([]);
  expect(JSON.stringify(packages)).not.toContain('"resolved"');
});

/** Below these the React Server Components, Waku or Hono have holes that are known (see docs/security.md). */
const floors: [name: string, floor: string][] = [
  ['react', '19.3.1'],
  ['react-dom', '19.3.1'],
  ['react-server-dom-webpack', '19.3.1'],
  ['waku', '1.0.0-rc.1'],
  ['hono', '4.13.19'],
  ['@vitejs/plugin-rsc', '0.5.38'],
];

test.each(floors)('every copy of %s in the lock file is at least %s', (name, floor) => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const copies = Object.entries<{ version: string }>(packages).filter(([key]) =>
    key.endsWith(`node_modules/${name}`),
  );

  expect(copies.length).toBeGreaterThan(0);
  expect(copies.filter(([, { version }]) => isBelow(version, floor))).toEqual([]);
});

test('the React that plugin-rsc carries in itself is above the floor too', () => {
  const file = 'node_modules/@vitejs/plugin-rsc/dist/vendor/react-server-dom/package.json';
  const { version } = JSON.parse(readFileSync(file, 'utf8'));

  expect(isBelow(version, '19.3.1')).toBe(false);
});

test('versions are compared as versions', () => {
  expect(isBelow('19.3.0', '19.3.1')).toBe(true);
  expect(isBelow('19.10.0', '19.3.1')).toBe(false);
  expect(isBelow('19.3.1-canary.0', '19.3.1')).toBe(true);
  expect(isBelow('1.0.0-beta.9', '1.0.0-rc.1')).toBe(true);
  expect(isBelow('1.0.0', '1.0.0-rc.1')).toBe(false);
});

test('arctic, which its author has left, is imported in one file and at one version', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const importers = globSync('src/**/*.{ts,tsx}').filter((file) =>
    /from 'arctic/.test(readFileSync(file, 'utf8')),
  );

  expect(dependencies.arctic).toBe('3.7.0');
  expect(importers).toEqual(['src/features/auth/google.ts']);
});

test('toucan, which its author has left, is imported in one file, the SDK of browsers in another, when they are needed', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const importersOf = (name: string) =>
    globSync('src/**/*.{ts,tsx}').filter((file) => importsOf(file).includes(name));
  const files = globSync('src/**/*.{ts,tsx}').filter((file) =>
    /from '(toucan|@sentry)/.test(readFileSync(file, 'utf8')),
  );

  expect(dependencies['toucan-js']).toBe('4.1.1');
  expect(importersOf('toucan-js')).toEqual(['src/observability/error-reports.ts']);
  expect(importersOf('@sentry/browser')).toEqual(['src/features/error-reports/start-sentry.ts']);
  // Toucan is not imported before something has failed.
  expect(files).toEqual(['src/features/error-reports/start-sentry.ts']);
});

test('source maps, for which error reports are read, are not served', () => {
  const maps = globSync('dist/source-maps/**/*.map');

  expect(maps.some((file) => file.startsWith('dist/source-maps/public/'))).toBe(true);
  expect(maps.some((file) => file.startsWith('dist/source-maps/server/'))).toBe(true);
  expect(globSync('dist/{public,server}/**/*.map')).toEqual([]);
  const served = globSync('dist/public/**/*.{js,css}');
  expect(served.filter((file) => readFileSync(file, 'utf8').includes('sourceMappingURL'))).toEqual(
    [],
  );
});

test.each([null, 'preview', 'production'])(
  'wrangler.toml is whole in the environment %s: the operator’s own domain alone, no addresses of requests in the log, all bindings and secrets',
  (environment) => {
    const config = readWranglerToml(environment);

    expect(config.workers_dev).toBe(false);
    expect(config.preview_urls).toBe(false);
    expect(config.observability.logs).toEqual({ enabled: true, invocation_logs: false });
    expect(config.triggers.crons).toHaveLength(1);
    expect(config.d1_databases.map(({ binding }) => binding)).toEqual(['DB']);
    expect(config.ratelimits.map(({ name, simple }) => [name, simple])).toEqual([
      ['FLOOD_LIMIT', { limit: 1200, period: 60 }],
      ['FLOOD_LIMIT_NETWORK', { limit: 19200, period: 60 }],
      ['REPORTS', { limit: 60, period: 60 }],
    ]);
    expect(config.secrets.required).toEqual(secretNames);
    expect(config.vars['ENVIRONMENT']).toBe(environment ?? 'local');
    expect(config.name).toBe(
      { preview: 'lectern-preview', production: 'lectern' }[environment ?? ''] ?? 'lectern-local',
    );
  },
);

test('no two environments share a name, a rate limiter or a domain', () => {
  const configs = ['preview', 'production'].map(readWranglerToml);
  const unique = configs.flatMap(({ name, ratelimits, routes }) => [
    name,
    ...ratelimits.map(({ namespace_id }) => namespace_id),
    ...(routes ?? []).map((route) => JSON.stringify(route)),
  ]);

  expect(unique).toHaveLength(10);
  expect(new Set(unique).size).toBe(10);
});

test('every file that docs/security.md names is there', () => {
  const named = [...readFileSync('docs/security.md', 'utf8').matchAll(/`([\w./-]+\.tsx?)`/g)];
  const missing = named
    .map(([, file = '']) => file)
    .filter((file) => !['src/', 'test/', ''].some((folder) => existsSync(folder + file)));

  expect(named.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});

test.each([
  ['docs/spec-coverage.md', 80],
  ['docs/operating.md', 20],
])('every test that %s names is there', (document, leastRows) => {
  const rows = [...readFileSync(document, 'utf8').matchAll(/\| ([^|]+) › ([^|]+) \|$/gm)];
  const missing = rows.filter(([, file = '', name = '']) => {
    const source = file.endsWith('.ts') ? `test/${file}` : `test/e2e/${file}.spec.ts`;
    return !existsSync(source) || !readFileSync(source, 'utf8').includes(name);
  });

  expect(rows.length).toBeGreaterThanOrEqual(leastRows);
  expect(missing.map(([row]) => row)).toEqual([]);
});

test('every fault in docs/operating.md has its test', () => {
  const [, table = ''] = readFileSync('docs/operating.md', 'utf8').split('\n## Faults');
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);

  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => !row.includes(' › '))).toEqual([]);
});

test('docs/operating.md says of every event in the log what it means, and of no other', () => {
  const [, type = ''] =
    /type LogEvent =([^;]+);/.exec(readFileSync('src/observability/log.ts', 'utf8')) ?? [];
  const events = [...type.matchAll(/'(\w+)'/g)].map(([, event]) => event);
  const watched = readFileSync('docs/operating.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| \**`[a-z_]+`/.test(line))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)])
    .map(([, event]) => event);

  expect(events.length).toBeGreaterThan(20);
  expect(watched.filter((event) => event?.includes('_') || event === 'failure').sort()).toEqual(
    [...events, 'failure'].sort(),
  );
});

test('all SQL of docs/operating.md runs on the schema of the migrations', () => {
  const database = new DatabaseSync(':memory:');
  for (const file of globSync('migrations/*.sql').sort()) {
    database.exec(readFileSync(file, 'utf8'));
  }
  const statements = [
    ...readFileSync('docs/operating.md', 'utf8').matchAll(/```sql\n([^`]+)```/g),
  ].map(([, statement = '']) => statement);

  expect(statements.length).toBeGreaterThan(5);
  for (const statement of statements) {
    expect(() => database.exec(statement), statement).not.toThrow();
  }
});

test('what is sent to browsers names no secret of the worker', () => {
  const files = globSync('dist/public/**/*.{js,css,html,txt}');
  const offenders = files.filter((file) =>
    secretNames.some((name) => readFileSync(file, 'utf8').includes(name)),
  );

  expect(files.length).toBeGreaterThan(0);
  expect(offenders).toEqual([]);
});

type WranglerToml = {
  name: string;
  workers_dev: boolean;
  preview_urls: boolean;
  observability: { logs: object };
  triggers: { crons: string[] };
  vars: Record<string, unknown>;
  secrets: { required: string[] };
  d1_databases: { binding: string }[];
  ratelimits: { name: string; namespace_id: string; simple: object }[];
  routes?: unknown[];
};

/** The declared type of what wrangler returns is `any`; these fields are those of its config-schema.json. */
function readWranglerToml(env: string | null): WranglerToml {
  return unstable_readConfig({ config: 'wrangler.toml', ...(env && { env }) }) as WranglerToml;
}

function isPublic(route: string): boolean {
  return publicPages.includes(path.relative('src/pages', route).replace('.tsx', ''));
}

/** The values and the elements of a text of Lingui, each once and in no order. */
function partsOf(text = ''): string {
  const parts = text.match(/<\/?\w+\/?>|\{\w+(?=[,}])/g) ?? [];
  return [...new Set(parts)].sort().join(' ');
}

/** Made of a date alone, by a formatter of the platform. */
const wordsOfIntl = /^timeAgo\(/;

/**
 * What Lingui puts into a text before it looks for tags: values of `<Trans>`, but for the constants
 * of the same function that hold elements, and those of `<Plural>`, but for its count. What stands
 * in an attribute within a `<Trans>` is no part of the text.
 */
function plainValuesIn(source: string): string[] {
  // A line with nothing but a closing brace ends a function.
  return source.split(/^}$/m).flatMap((component) => {
    const constants = component.matchAll(/const (\w+) = (?:[\w.]+ && )?\(?\s*</g);
    const harmless = [...constants].map(([, name]) => name).concat("' '");
    const texts = component.match(/<Trans\b.*?<\/Trans>/gs) ?? [];
    const plurals = component.match(/<Plural\b.*?\/>/gs) ?? [];
    return [
      ...texts.flatMap((text) => [...text.matchAll(/(?<!=)\{(.*?)\}/gs)]),
      ...plurals.flatMap((plural) => [...plural.matchAll(/\b(?!value\b)\w+=\{(.*?)\}/gs)]),
    ]
      .map(([, value = '']) => value.trim())
      .filter((value) => !harmless.includes(value) && !wordsOfIntl.test(value));
  });
}

/** These files and all that they import, directly or not. */
function withImports(files: string[]): string[] {
  const found = new Set(files);
  // A set is walked through with what is added on the way.
  for (const file of found) {
    for (const name of importsOf(file).filter((name) => existsSync(name))) {
      found.add(name);
    }
  }
  return [...found].sort();
}

/** What a file imports besides types, which cost nothing: packages by their names, our own files by their paths. */
function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  const imports = /^import (?!type )(?:[^;']*? from )?'([^']+)';|\bimport\(\s*'([^']+)'/gms;
  return [...source.matchAll(imports)].map(([, now, later]) =>
    (now ?? later ?? '')
      .replace(/^#(?!locales\/)/, 'src/')
      .replace(/^#locales\//, 'locales/')
      .replace(/^\.{1,2}\/.*/s, (relative) => path.join(path.dirname(file), relative)),
  );
}

/** By number, part for part; a release comes after all of its candidates. */
function isBelow(version: string, floor: string): boolean {
  const [release = '', candidate] = version.split(/-(.*)/s);
  const [floorRelease = '', floorCandidate] = floor.split(/-(.*)/s);
  const order = release.localeCompare(floorRelease, 'en', { numeric: true });
  if (order !== 0) {
    return order < 0;
  }
  if (candidate === undefined || floorCandidate === undefined) {
    return candidate !== undefined;
  }
  return candidate.localeCompare(floorCandidate, 'en', { numeric: true }) < 0;
}
