import { readdirSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { serveSite } from './pages.ts';
import {
  type BuiltWorker,
  createCohort,
  createVisitor,
  make,
  origin,
  type Visitor,
} from './worker.ts';

let built: BuiltWorker;
let ada: Visitor;
let nobody: Visitor;

serveSite((site) => {
  ({ built, ada } = site);
  nobody = createVisitor(built.server);
});

test.each([
  ['POST', '/RSC/F/a/b.txt', 'text/plain'],
  ['POST', '/login', 'multipart/form-data; boundary=x'],
  ['POST', '/login', 'application/x-www-form-urlencoded'],
  ['PUT', '/', 'application/json'],
  ['DELETE', '/onboarding/course', 'application/json'],
  ['POST', '/%61pi/accounts/auth/logout/', 'application/json'],
])('%s %s with a body never reaches a page', async (method, path, contentType) => {
  const headers = { 'Content-Type': contentType };
  const { status } = await ada.request(path, { method, headers, body: '--x--' });

  // The API decodes and protects the encoded path like any other.
  expect(status).toBe(path.startsWith('/%61') ? 403 : 405);
});

test('what does not exist is not found, and no path is a server error', async () => {
  for (const path of [
    ...['/nowhere', '/RSC/F/node:os/userInfo.txt', '/RSC/', '/@fs/etc/passwd', '/src/env.ts'],
    ...['/.env', '/.git/HEAD', '/__waku_internal_build_static_files', '/api%2Fhealth/'],
    '//api/health/',
  ]) {
    const first = await ada.get(path);
    // Of another spelling; see canonical-address.ts.
    const isSpelling = first.status === 301;
    const { status, text } = isSpelling ? await ada.get(first.headers['location'] ?? '') : first;
    expect([path, status]).toEqual([path, 404]);
    expect(text).not.toMatch(/APP_SECRET|import |root:/);
  }
  for (const path of [
    ...['/RSC/R/nowhere.txt', '/RSC/R/%.txt', '/RSC/R/_root.txt?query=%', '/%', '/login?%'],
    ...['/RSC/R/login.txt?query=error%3D%3Cscript%3E', `/${'x'.repeat(8_000)}`],
  ]) {
    expect((await nobody.get(path)).status, path).toBeLessThan(500);
  }
});

test('an unknown page has an explanation and a link home, in the reader’s language', async () => {
  const { text } = await nobody.get('/nowhere', { 'Accept-Language': 'fr' });

  expect(text).toMatch(/<html lang="fr">.*Page introuvable.*href="\/"/s);
});

test.each([
  ['a page', '/login', 200],
  ['the page of a link', '/confirm?token=x', 200],
  ['the payload of a link', '/RSC/R/undo-address-change.txt?query=token%3Dx', 200],
  ['a redirect', '/', 307],
  ['a payload', '/RSC/R/login.txt', 200],
  ['an API answer', '/api/health/', 200],
  ['an API refusal', '/api/courses/', 401],
  ['a request that bypasses Waku', '/RSC/x', 404],
])('%s carries every security header', async (_what, path, expected) => {
  const { status, headers } = await nobody.get(path);

  expect(status).toBe(expected);
  expectGuards(headers, path.includes('token') ? 'strict-origin' : undefined);
  expect(headers).toMatchObject({
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(headers).not.toHaveProperty('server');
  expect(headers).not.toHaveProperty('x-powered-by');
  const policy = headers['content-security-policy'] ?? '';
  expect(policy).not.toContain('unsafe');
  const always = ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"];
  const ofPages = ["form-action 'self'", "object-src 'none'"];
  const isOfApi = path.startsWith('/api/');
  for (const directive of isOfApi ? always : [...always, ...ofPages]) {
    expect(policy).toContain(directive);
  }
  // Answers of the API load nothing.
  expect(/script-src 'self' 'nonce-[^']{22,}'/.test(policy)).toBe(!isOfApi);
  expect(policy.includes('nonce')).toBe(!isOfApi);
});

test('every page has a new nonce, and the scripts of the page carry it', async () => {
  const pages = await Promise.all(
    [1, 2].map(async () => {
      const { headers, text } = await nobody.get('/login');
      const [, nonce] = /'nonce-([^']+)'/.exec(headers['content-security-policy'] ?? '') ?? [];
      const inline = text.match(/<script(?![^>]*\bsrc=)[^>]*>/g) ?? [];
      expect(inline.length).toBeGreaterThan(0);
      expect(inline.every((tag) => tag.includes(`nonce="${nonce}"`))).toBe(true);
      return nonce;
    }),
  );

  expect(pages[0]).not.toBe(pages[1]);
});

test('another host is told where Lectern is, and gets no cookie', async () => {
  const response = await built.server
    .getWorker()
    .fetch('https://evil.test/login', { redirect: 'manual' });

  expect(response.status).toBe(421);
  expect(await response.text()).toContain(origin);
  expect(response.headers.getSetCookie()).toEqual([]);
});

test('static files have headers of their own, and hashed ones are cached forever', async () => {
  const assets = readdirSync('dist/public/assets');
  const hashed = ['.css', '.js', '.woff2'].map((ending) =>
    assets.find((file) => file.endsWith(ending)),
  );
  for (const path of [...hashed.map((file) => `/assets/${file}`), '/favicon.svg', '/robots.txt']) {
    const response = await built.server.fetch(origin + path);
    const headers = Object.fromEntries(response.headers);

    expect(response.status).toBe(200);
    expect(headers['cache-control']).toBe(
      path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=86400',
    );
    expectGuards(headers);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  }
});

test.each(['/login', '/signup', '/terms', '/privacy'])(
  '%s has a description in one sentence, in both languages',
  async (page) => {
    const sentences = new Set<string | undefined>();
    for (const language of ['en', 'fr']) {
      const { text } = await nobody.get(page, { 'Accept-Language': language });
      const [head = ''] = text.split('</head>');
      sentences.add(/<meta name="description" content="([^"]{50,160})"/.exec(head)?.[1]);
    }

    expect(sentences.size).toBe(2);
    expect(sentences).not.toContain(undefined);
  },
);

test.each([
  ['en', 414, `/${'x'.repeat(5_000)}`, {}, 'This web address is too long.'],
  ['fr', 414, `/RSC/R/${'x'.repeat(5_000)}.txt`, {}, 'Cette adresse web est trop longue.'],
  ['en', 431, '/', { Cookie: `a=${'x'.repeat(9_000)}` }, 'delete the cookies for this site'],
])(
  'a request that is too long is refused in plain words, with a request id (%s, %i)',
  async (language, expected, path, sent, words) => {
    const own = { 'Accept-Language': language, ...sent };
    const { status, headers, text } = await createVisitor(built.server).get(path, own);

    expect(status).toBe(expected);
    expect(text).toContain(words);
    expect(text).toContain(headers['x-request-id']);
    expectGuards(headers);
  },
);

test('calendars are read-only files of their own, and the address of none is an empty 404', async () => {
  const { slug } = await createCohort(ada);
  const { url } = await make<{ url: string }>(ada, '/api/calendar-feed/');
  const feed = new URL(url).pathname;
  for (const path of [`/c/${slug}/calendar.ics`, feed]) {
    const { headers, text } = await nobody.get(path);
    expect(headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\n.*\r\nEND:VCALENDAR\r\n$/s);
    expect((await nobody.get(path, { 'If-None-Match': headers['etag'] ?? '' })).status).toBe(304);
    expect((await nobody.request(path, { method: 'POST' })).status).toBe(405);
  }
  for (const path of ['/calendar/x', feed.replace(/.\.ics/, '~.ics'), '/c/x/calendar.ics']) {
    const { status, headers, text } = await nobody.get(path);
    expect([status, headers['cache-control'], text]).toEqual([404, 'no-store', '']);
  }
});

test('a public validator finds no mistakes in the schema document', async () => {
  const { text } = await nobody.get('/api/schema/?format=json');
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(text));

  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

/** The headers of every answer, from every part of the worker. */
function expectGuards(
  headers: Record<string, string>,
  referrerPolicy = 'strict-origin-when-cross-origin',
): void {
  expect(headers).toMatchObject({
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'referrer-policy': referrerPolicy,
    'permissions-policy': expect.stringContaining('camera=()'),
    'cross-origin-resource-policy': 'same-origin',
  });
}
