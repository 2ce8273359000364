import { env } from 'cloudflare:workers';
import { type Context, Hono } from 'hono';
import { expect, test } from 'vitest';
import { api } from '#api.ts';
import { commonMiddleware } from '#common-middleware.ts';
import { calendars } from '#features/calendar/serve-calendars.ts';
import { sealText } from '#lib/sealed-text.ts';
import { createToken } from '#lib/tokens.ts';
import { csrfGuard } from '#middleware/csrf.ts';
import { jsonBodies } from '#middleware/json-bodies.ts';
import { readOnlyPages } from '#middleware/read-only-pages.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { currentRequest } from '#middleware/request-storage.ts';
import type { ResponseKind } from '#middleware/response-headers.ts';
import { origin } from '#support/client.ts';
import { words } from '#support/words.ts';

/** How the pages of a kind are treated, where it is not how pages of the app are. */
const treatments = {
  app: '',
  document: 'sessionless cookieless cacheable nearest',
  link: 'primary strict-origin',
  preview: 'by-language',
  cohort: 'sessionless cookieless cacheable by-language same-in-language browser-unread nearest',
  person:
    'sessionless cookieless cacheable by-language same-in-language browser-unread primary no-referrer',
  learner: 'sessionless cookieless by-language browser-unread primary',
};

const kindOfPage: Record<string, keyof typeof treatments> = {
  '/terms': 'document',
  '/privacy': 'document',
  '/confirm': 'link',
  '/undo-address-change': 'link',
  '/cohorts/x/preview': 'preview',
  '/c/x': 'cohort',
  '/learn': 'learner',
  '/learn/x': 'learner',
  '/learn/x/all': 'learner',
  '/learn/x/search': 'learner',
  '/learn/x/attestation': 'learner',
  '/learn/x/x': 'learner',
  '/p/x': 'person',
  '/p/address': 'person',
  '/p/certificate': 'person',
  '/p/confirm': 'person',
  '/p/data': 'person',
  '/p/paid': 'person',
  '/p/remove': 'person',
  '/p/unsubscribe': 'person',
};

const everyPage = Object.keys(import.meta.glob('../../src/pages/**/[!_]*.tsx')).map((file) =>
  file
    .replace(/^.*\/src\/pages|(\/?index)?\.tsx$/g, '')
    .replace(/\[\w+\]/g, 'x')
    .replace(/^$/, '/'),
);

test('each page is treated as one of its kind, as a document and as a payload', async () => {
  const rows = everyPage.flatMap((page) => {
    const expected = treatments[kindOfPage[page] ?? 'app'];
    return [page, `/RSC/R${page === '/' ? '/_root' : page}.txt`].map((path) => [path, expected]);
  });

  expect(everyPage).toEqual(expect.arrayContaining(Object.keys(kindOfPage)));
  expect(await treatmentsOf(rows, treatmentOfPage)).toEqual(rows);
});

test.each([
  [treatments.cohort, '/c/x.ics'],
  [treatments.person, '/p/%2F'],
  [
    treatments.learner,
    '/learn /learn/x /learn/x/y /learn/x/all /RSC/R/learn.txt /RSC/R/learn/x.txt /RSC/R/learn/x/y.txt',
  ],
  [treatments.app, '/learnx /x/learn /lessons /lessons/x /lessons/preview /RSC/R/learnx.txt'],
  [treatments.preview, '/cohorts/x/preview.txt'],
  [treatments.link, '/confirm/x /confirm-x /undo-address-change.html'],
  [
    treatments.app,
    '/c /c/x/y /c/x/calendar.icsx /C/x /rsc/R/c/x.txt /p /p/x/y /calendar /calendarx /cohorts/preview',
  ],
  [
    treatments.app,
    '/cohorts/x/y/preview /cohorts/x/preview/y /cohorts/x/previewx /terms.txt /terms/x /confirmx /x/confirm',
  ],
  [
    treatments.app,
    '/RSC/R/calendar/x.txt /RSC/R/c/x/calendar.ics.txt /apix /api-x /x/export /nowhere /favicon.ico /assets/x.js',
  ],
  // The language is looked for in the path as it was sent.
  [
    'sessionless cookieless cacheable browser-unread primary no-referrer',
    '/%70/x /RSC/R/%70/x.txt',
  ],
  ['sessionless cookieless cacheable browser-unread nearest', '/%63/x'],
  ['404 cookieless same same-in-language nearest', '/calendar/x.ics /c/x/calendar.ics'],
  ['404', '/RSC/F/x/y.txt /RSC/x.txt /RSC/R/x /RSC/R/_.txt /RSC/R/index.html_.txt /RSC/terms.txt'],
  ['404', '/RSC/R/terms /RSC/R/c/x/calendar.ics'],
  ['404 cookieless same-in-language nearest', '/RSC/R/c/x'],
  ['404 cookieless same-in-language primary no-referrer', '/RSC/R/p/x /RSC/R/p/.txt'],
  ['404 cookieless primary no-referrer', '/RSC/%52/p/x.txt'],
  ['404 primary strict-origin', '/RSC/R/confirm'],
  ['301 cookieless no-referrer', '/c/ /RSC/ /terms/'],
  ['301 cookieless same same-in-language no-referrer', '/calendar/'],
])('other paths and odd spellings are treated as “%s”: %s', async (expected, paths) => {
  const rows = words(paths).map((path) => [path, expected]);

  expect(await treatmentsOf(rows, treatmentOfPage)).toEqual(rows);
});

test('only pages that show lessons frame videos, of three providers alone', async () => {
  const framed = async (path: string) => {
    const response = await pages.request(origin + path, {}, bindings);
    return /frame-src ([^;]*)/.exec(response.headers.get('Content-Security-Policy') ?? '')?.[1];
  };
  const providers =
    'https://www.youtube-nocookie.com https://player.vimeo.com https://www.loom.com';
  for (const path of words(
    '/learn /learn/x /learn/x/y /lessons/preview /lessons/preview/x /lessons/x/versions',
  )) {
    expect(await framed(path), path).toBe(providers);
  }
  for (const path of words('/ /lessons /lessons/x /lessons/trash /p/x /c/x /terms')) {
    expect(await framed(path), path).toBeUndefined();
  }
});

const participants = 'sessionless cookieless cacheable nearest origin 32kB';
const learners = 'sessionless cookieless primary origin 32kB';
const apiTreatments: Record<string, string> = {
  '/api/error-reports/': 'origin form unlimited',
  '/api/courses/x/files/x/parts/x/': 'token form unlimited',
  '/api/courses/x/picture/': 'token form unlimited',
  '/api/accounts/photo/': 'token form unlimited',
  '/api/cohorts/x/imports/': 'token 2080kB',
  '/api/courses/x/imports/': 'token 2048kB',
  '/api/courses/x/cohorts/': 'token 320kB',
  '/api/cohorts/x/schedule/': 'token 320kB',
  '/api/courses/x/lessons/': 'token 768kB',
  '/api/sections/x/lessons/': 'token 768kB',
  '/api/lessons/x/draft/': 'token 768kB',
  '/api/webhooks/resend/': 'sessionless cookieless cacheable nearest no-proof 256kB',
  '/api/webhooks/stripe/': 'sessionless cookieless cacheable nearest no-proof 256kB',
  '/api/mail/unsubscribe/': 'sessionless cookieless cacheable nearest no-proof form 32kB',
  '/api/accounts/x/export/': 'primary token 32kB',
  '/api/people/x/export/': 'primary token 32kB',
  '/api/accounts/auth/google/callback/': 'primary token 32kB',
  '/api/health/': 'primary token 32kB',
  '/%61pi/health/': 'primary token 32kB',
  '/api/%70ublic/x/': participants,
  '/api/mail/unsubscribe': participants,
};

test('each route of the API is treated as one of its kind, and so are its near misses', async () => {
  const routes = api.routes.map(({ path }) => path.replace(/:\w+|\*/g, 'x'));
  const nearMisses = words(
    `/api /api/ /api/public /api/publicx/ /api/webhooks/ /api/webhooks/resend /api/webhooks/x/ /api/x/export
    /api/health /api/error-reports /api/cohorts/imports/ /api/cohorts/x/imports /api/cohorts/x/y/imports/`,
  );
  const paths = new Set([...routes, ...nearMisses, ...Object.keys(apiTreatments)]);
  const rows = [...paths].map((path) => [
    path,
    apiTreatments[path] ??
      (/^\/api\/(learning\/|participation\/open\/$)/.test(path)
        ? learners
        : /^\/api\/(public|participation|mail)\//.test(path)
          ? participants
          : 'token 32kB'),
  ]);

  expect(await treatmentsOf(rows, treatmentOfRoute)).toEqual(rows);
});

/** More requests are made than the flood limit lets through. */
const FLOOD_LIMIT = { limit: async () => ({ success: true }) };
const bindings = { ...env, FLOOD_LIMIT };

const bookmark = await sealText('a-bookmark', env.APP_SECRET);

const pages = echo('pages').use(readOnlyPages, calendars()).get('*', echoed);
const reads = echo('data').get('*', echoed);
const writes = echo('data').use(csrfGuard).post('*', echoed);
const bodies = new Hono<HonoEnv>()
  .onError((_error, c) => c.text('refused', 400))
  .use(jsonBodies)
  .post('*', (c) => c.text('read'));

function echo(answers: ResponseKind) {
  return new Hono<HonoEnv>()
    .onError((_error, c) => c.text('refused', 400))
    .use(...commonMiddleware(answers));
}

/** Tells what a route may know, and tries to have its answer kept. */
function echoed(c: Context<HonoEnv>) {
  c.header('Cache-Control', 'public');
  return c.json({
    session: c.get('sessionToken'),
    language: c.get('ctx').request.locale,
    cookies: currentRequest().cookies,
  });
}

/** The rows with what is seen in place of what is expected. */
async function treatmentsOf(rows: string[][], treatmentOf: (path: string) => Promise<string>) {
  return Promise.all(rows.map(async ([path = '']) => [path, await treatmentOf(path)]));
}

function treatmentOfPage(path: string): Promise<string> {
  return treatmentOf(pages, path);
}

async function treatmentOf(app: Hono<HonoEnv>, path: string): Promise<string> {
  const asked: (string | undefined)[] = [];
  const withSession = (from?: string) => {
    asked.push(from);
    return env.DB.withSession();
  };
  const watched = { ...bindings, DB: { withSession } as unknown as D1Database };
  const headers = { Cookie: `__Host-session=${createToken()}; __Host-bookmark=${bookmark}` };
  const ask = (query: string) => app.request(origin + path + query, { headers }, watched);
  const plain = await ask('');
  const french = await ask(path.startsWith('/RSC/') ? '?query=lang%3Dfr' : '?lang=fr');
  const read = french.ok
    ? await french.json<{ session: string | null; language: string; cookies: string }>()
    : null;
  const referrer = plain.headers.get('Referrer-Policy') ?? '';
  return wordsFor({
    [plain.status]: !plain.ok,
    sessionless: read?.session === null,
    cookieless: plain.headers.getSetCookie().length === 0,
    cacheable: plain.headers.get('Cache-Control') === 'public',
    'by-language': read?.language === 'fr',
    same: !plain.headers.has('Vary'),
    'same-in-language': !french.headers.has('Vary'),
    'browser-unread': read?.cookies === '',
    primary: asked[0] === 'first-primary',
    nearest: asked[0] === 'first-unconstrained',
    [referrer]: referrer !== 'strict-origin-when-cross-origin',
  });
}

async function treatmentOfRoute(path: string): Promise<string> {
  const post = async (headers: Record<string, string>) =>
    (await writes.request(origin + path, { method: 'POST', headers }, bindings)).ok;
  const Cookie = 'x'.repeat(9_000);
  const refused = await reads.request(origin + path, { headers: { Cookie } }, bindings);
  const [isOpen, needsOrigin] = [await post({}), await post({ Origin: origin })];
  const seen = await treatmentOf(reads, path);
  const more = wordsFor({
    plain: refused.status !== 400,
    'no-proof': isOpen,
    origin: !isOpen && needsOrigin,
    token: !needsOrigin,
    form: await takesBody(path, 9, 'application/x-www-form-urlencoded'),
    [await limitOf(path)]: true,
  });
  return `${seen} ${more}`.trim();
}

/** The smallest of our limits on bodies that a path has. */
async function limitOf(path: string): Promise<string> {
  for (const kilobytes of [32, 256, 320, 768, 2048, 2080]) {
    if (!(await takesBody(path, kilobytes * 1024 + 1))) {
      return (await takesBody(path, kilobytes * 1024)) ? `${kilobytes}kB` : 'another limit';
    }
  }
  return 'unlimited';
}

async function takesBody(path: string, length: number, type = 'application/json') {
  const headers = { 'Content-Type': type };
  const init = { method: 'POST', headers, body: new Uint8Array(length) };
  return (await bodies.request(origin + path, init)).ok;
}

function wordsFor(facts: Record<string, boolean>): string {
  return Object.keys(facts)
    .filter((word) => facts[word])
    .join(' ');
}
