import { readdirSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { serveSite } from './pages.ts';
import { type BuiltWorker, createCohort, createVisitor, origin, type Visitor } from './worker.ts';

let built: BuiltWorker;
let ada: Visitor;

serveSite((site) => {
  ({ built, ada } = site);
});

test.each([
  ['POST', '/RSC/F/a/b.txt', 'text/plain'],
  ['POST', '/login', 'multipart/form-data; boundary=x'],
  ['POST', '/login', 'application/x-www-form-urlencoded'],
  ['PUT', '/', 'application/json'],
  ['DELETE', '/onboarding/course', 'application/json'],
  ['POST', '/%61pi/accounts/auth/logout/', 'application/json'],
])('%s %s with a body never reaches a page', async (method, path, contentType) => {
  const response = await ada.request(path, {
    method,
    headers: { 'Content-Type': contentType },
    body: '--x--',
  });

  // The API decodes and protects the encoded path like any other.
  expect(response.status).toBe(path.startsWith('/%61') ? 403 : 405);
});

test.each([
  '/nowhere',
  '/RSC/F/node:os/userInfo.txt',
  '/RSC/',
  '/@fs/etc/passwd',
  '/src/env.ts',
  '/.env',
  '/.git/HEAD',
  '/__waku_internal_build_static_files',
  '/api%2Fhealth/',
  '//api/health/',
])('%s does not exist', async (path) => {
  let response = await ada.request(path);
  // Of another spelling; see canonical-address.ts.
  if (response.status === 301) {
    response = await ada.request(response.headers.get('Location') ?? '');
  }
  const text = await response.text();

  expect(response.status).toBe(404);
  expect(text).not.toMatch(/APP_SECRET|import |root:/);
});

test.each([
  '/RSC/R/nowhere.txt',
  '/RSC/R/%.txt',
  '/RSC/R/_root.txt?query=%',
  '/RSC/R/login.txt?query=error%3D%3Cscript%3E',
  '/%',
  '/login?%',
  `/${'x'.repeat(8_000)}`,
])('the path of %# is never a server error', async (path) => {
  const response = await createVisitor(built.server).request(path);

  expect(response.status).toBeLessThan(500);
});

test('an unknown page has an explanation and a link home, in the reader’s language', async () => {
  const headers = { 'Accept-Language': 'fr' };
  const html = await (await createVisitor(built.server).request('/nowhere', { headers })).text();

  expect(html).toMatch(/<html lang="fr">.*Page introuvable.*href="\/"/s);
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
])('%s carries every security header', async (_what, path, status) => {
  const response = await createVisitor(built.server).request(path);
  const { headers } = response;

  expect(response.status).toBe(status);
  expectGuards(headers, path.includes('token') ? 'strict-origin' : undefined);
  expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('Server')).toBeNull();
  expect(headers.get('X-Powered-By')).toBeNull();
  const policy = headers.get('Content-Security-Policy') ?? '';
  expect(policy).not.toContain('unsafe');
  for (const directive of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
    expect(policy).toContain(directive);
  }
  if (path.startsWith('/api/')) {
    // Answers of the API load nothing.
    expect(policy).not.toContain('nonce');
  } else {
    expect(policy).toMatch(/script-src 'self' 'nonce-[^']{22,}'/);
    expect(policy).toContain("form-action 'self'");
    expect(policy).toContain("object-src 'none'");
  }
});

test('every page has a new nonce, and the scripts of the page carry it', async () => {
  const pages = await Promise.all(
    [1, 2].map(async () => {
      const response = await createVisitor(built.server).request('/login');
      const [, nonce] =
        /'nonce-([^']+)'/.exec(response.headers.get('Content-Security-Policy') ?? '') ?? [];
      const html = await response.text();
      const inline = html.match(/<script(?![^>]*\bsrc=)[^>]*>/g) ?? [];
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
    const { headers, status } = await built.server.fetch(origin + path);

    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe(
      path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=86400',
    );
    expectGuards(headers);
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  }
});

test.each(['/login', '/signup', '/terms', '/privacy'])(
  '%s has a description in one sentence, in both languages',
  async (page) => {
    const sentences = new Set<string | undefined>();
    for (const language of ['en', 'fr']) {
      const headers = { 'Accept-Language': language };
      const html = await (await createVisitor(built.server).request(page, { headers })).text();
      const [head = ''] = html.split('</head>');
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
  async (language, status, path, headers, words) => {
    const response = await createVisitor(built.server).request(path, {
      headers: { 'Accept-Language': language, ...headers },
    });
    const text = await response.text();

    expect(response.status).toBe(status);
    expect(text).toContain(words);
    expect(text).toContain(response.headers.get('X-Request-Id'));
    expectGuards(response.headers);
  },
);

test('calendars are read-only files of their own, and the address of none is an empty 404', async () => {
  const { slug } = await createCohort(ada);
  const made = await ada.post('/api/calendar-feed/', undefined);
  const feed = new URL(((await made.json()) as { url: string }).url).pathname;
  const nobody = createVisitor(built.server);
  for (const path of [`/c/${slug}/calendar.ics`, feed]) {
    const got = await nobody.request(path);
    expect(got.headers.get('Content-Type')).toBe('text/calendar; charset=utf-8');
    expect(await got.text()).toMatch(/^BEGIN:VCALENDAR\r\n.*\r\nEND:VCALENDAR\r\n$/s);
    const headers = { 'If-None-Match': got.headers.get('ETag') ?? '' };
    expect((await nobody.request(path, { headers })).status).toBe(304);
    expect((await nobody.request(path, { method: 'POST' })).status).toBe(405);
  }
  for (const path of ['/calendar/x', feed.replace(/.\.ics/, '~.ics'), '/c/x/calendar.ics']) {
    const response = await nobody.request(path);
    expect([response.status, await response.text()]).toEqual([404, '']);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  }
});

test('a public validator finds no mistakes in the schema document', async () => {
  const response = await createVisitor(built.server).request('/api/schema/?format=json');
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(await response.text()));

  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

/** The headers of every answer, from every part of the worker. */
function expectGuards(
  headers: { get(name: string): string | null },
  referrerPolicy = 'strict-origin-when-cross-origin',
): void {
  expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains');
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(headers.get('Referrer-Policy')).toBe(referrerPolicy);
  expect(headers.get('Permissions-Policy')).toContain('camera=()');
  expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
}
