import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { setCookie } from 'hono/cookie';
import { expect, test, vi } from 'vitest';
import { api } from '#api.ts';
import { commonMiddleware } from '#common-middleware.ts';
import { createToken } from '#lib/tokens.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import type { ResponseKind } from '#middleware/response-headers.ts';
import { answerOf } from '#support/answers.ts';
import { createClient, origin } from '#support/client.ts';
import { loggedEvents } from '#support/console.ts';
import { words } from '#support/words.ts';

const healthPath = '/api/health/';
const message = {
  en: 'Too many requests. Please try again later.',
  fr: 'Trop de demandes. Réessayez plus tard.',
};
const usedUp = { limit: async () => ({ success: false }) };

test('before the flood limit only the network address of a request is read', async () => {
  const read = vi.spyOn(Headers.prototype, 'get');
  const named: string[] = [];
  const limit = async () => {
    named.push(...read.mock.calls.map(([name]) => name.toLowerCase()));
    return { success: true };
  };
  const headers = {
    Cookie: 'language=fr; __Host-bookmark=ab',
    'Accept-Language': 'fr',
    'User-Agent': 'Version/',
    'CF-Connecting-IP': '203.0.113.7',
  };
  const bindings = { ...env, FLOOD_LIMIT: { limit } };
  const response = await api.request(origin + healthPath, { headers }, bindings);
  read.mockRestore();

  expect(response.status).toBe(200);
  expect(new Set(named)).toEqual(new Set(['cf-connecting-ip']));
});

test.each([
  ['fr', { 'Accept-Language': 'de, FR-ca;q=0.5, en;q=0.2' }],
  ['en', { 'Accept-Language': 'fr;q=0, xx' }],
  ['fr', { Cookie: 'language=fr', 'Accept-Language': 'en' }],
] as const)('a flooding client is refused in its language (%s, %o)', async (locale, headers) => {
  const bindings = { FLOOD_LIMIT: usedUp };
  const response = await createClient().get(healthPath, { headers, bindings });
  const body = { code: 'rate_limited', message: message[locale] };

  expect(response.headers.get('Retry-After')).toBe('60');
  expect(await answerOf(response)).toMatchObject({ status: 429, body });
  expect(loggedEvents('rate_limited')).toMatchObject([{ limit: 'floodLimit' }]);
});

test('a flooding request is refused before anything else that is wrong with it', async () => {
  for (const [address, headers] of [
    ['https://evil.test/api/health/', {}],
    [`${origin}/api/${'x'.repeat(5_000)}`, {}],
    [origin + healthPath, { Cookie: `a=${'x'.repeat(9_000)}` }],
  ] as const) {
    const bindings = { ...env, FLOOD_LIMIT: usedUp };
    expect((await api.request(address, { headers }, bindings)).status).toBe(429);
  }
});

test('a path or query that is too long is refused, and one of almost 4 kB is read', async () => {
  const refused = { code: 'url_too_long', message: 'This web address is too long.' };
  for (const path of ['/api/', `${healthPath}?x=`]) {
    const answer = await answerOf(createClient().get(path + '%ffx'.repeat(30_000)));
    expect(answer).toMatchObject({ status: 414, body: refused });
  }
  expect((await createClient().get(`${healthPath}?x=${'x'.repeat(4_000)}`)).status).toBe(200);
});

test('cookies of more than 8 kB are refused with a hint, in the requested language; slightly smaller ones are read', async () => {
  const ask = (length: number) =>
    createClient().get(healthPath, {
      headers: { Cookie: `a=${'x'.repeat(length)}; language=fr`, 'Accept-Language': 'en' },
    });
  const message = expect.stringContaining('delete the cookies for this site');
  const body = { code: 'cookies_too_large', message };

  expect(await answerOf(ask(9_000))).toMatchObject({ status: 431, body });
  expect((await ask(8_000)).status).toBe(200);
});

const cookie = `__Host-session=${createToken()}; __Host-browser=${createToken()}`;

/** Routes that return the session they get, and try to have their answer cached. */
function echoOf(answers: ResponseKind) {
  return new Hono<HonoEnv>().use(...commonMiddleware(answers)).all('*', (c) => {
    c.header('Cache-Control', 'public, s-maxage=10');
    if (c.req.query('cookie') !== undefined) {
      setCookie(c, 'a', 'b');
    }
    const isFailed = c.req.query('failed') !== undefined;
    return c.text(c.get('sessionToken') ?? 'no session', isFailed ? 500 : 200);
  });
}

// Which paths those are: path-kinds.test.ts.
test.each(['', '?failed', '?cookie'])(
  'an answer for everyone is cacheable, unless it fails or sets a cookie: %s',
  async (query) => {
    const asked = { headers: { Cookie: cookie } };
    const { headers } = await echoOf('data').request(`${origin}/terms${query}`, asked, env);

    expect(headers.get('Cache-Control')).toBe(query === '' ? 'public, s-maxage=10' : 'no-store');
    expect(headers.get('Vary')).toContain('Cookie, Accept-Language');
  },
);

const pages = echoOf('pages');

/** A request whose address is as it was sent; `Request` would resolve it. */
function sentTo(path: string): Request {
  const request = new Request(origin, { headers: { Cookie: cookie } });
  return new Proxy(request, {
    get: (target, key) => (key === 'url' ? origin + path : Reflect.get(target, key)),
  });
}

test.each([
  ['/p/a-link/', '/p/a-link'],
  ['//p/a-link', '/p/a-link'],
  ['/p/a-link//index.html/index.html/', '/p/a-link'],
  ['/x/%2e%2E/p/a-link', '/p/a-link'],
  ['/p\\a-link', '/p/a-link'],
  ['/p/confirm/?token=a//b/', '/p/confirm?token=a//b/'],
  ['/RSC/R//p/a-link.txt?query=lang%3Dfr', '/RSC/R/p/a-link.txt?query=lang%3Dfr'],
  ['/index.html', '/'],
  ['//evil.test/', '/evil.test'],
  ['//api/health/', '/api/health'],
])('%s leads to %s before anything of the browser is read', async (path, canonical) => {
  for (const address of [path, canonical]) {
    const response = await pages.fetch(sentTo(address), env);
    const isOther = address === path;

    expect([response.status, response.headers.get('Location')]).toEqual(
      isOther ? [301, canonical] : [200, null],
    );
    if (isOther || canonical.startsWith('/p/')) {
      expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(await response.text()).toBe(isOther ? '' : 'no session');
    }
  }
});

test.each(
  words('/ /p/a-link /p/%2Fa-link /%70/a-link /p/a%2F..%2Fb /p/index.htm /x%20y /login?next=//x/'),
)('%s is the only spelling of its page', async (path) => {
  expect((await pages.fetch(sentTo(path), env)).status).toBe(200);
});
