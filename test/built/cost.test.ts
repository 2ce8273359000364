import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ask, askOnce } from '../../bench/client.ts';
import { benchedWorker, visitHome } from '../../bench/lectern.ts';
import { ada, addPerson, createTables } from '../../bench/people.ts';
import { cpuMilliseconds, startWorkerd, type Workerd } from '../../bench/workerd.ts';
import { failureOf } from '../../src/observability/failure-of.ts';
import { withoutSecrets } from '../../src/observability/without-secrets.ts';
import { defaultLimits } from '../../src/vocabulary.ts';

const origin = 'https://lectern.test';
/** The maximum length of a header: all of a request's headers may have 128 kB. */
const headerLength = 120_000;
/** The limits of src/middleware/size-limits.ts for a URL and for cookies. */
const longestUrl = 4_000;
const longestCookies = 8_000;

/** CPU time is counted in ticks of 10 ms: over several requests, best of several rounds. */
const requests = 4;
const rounds = 3;
/**
 * Where `x` costs less than this, in ms of CPU for a request, the others may cost five times this.
 */
const floorMs = 5;

/** Where arbitrary input is inserted. */
type Place = (text: string) => Ask;

let workerd: Workerd;
let address: URL;
let signedIn = '';
let csrfToken = '';
/** Accepts every email. */
const resend = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ id: 'a-mail' }));
});
const stateFolder = mkdtempSync(path.join(os.tmpdir(), 'lectern-cost-'));

// Another process's CPU time is in /proc, which only Linux has.
const costTest = test.skipIf(process.platform !== 'linux');

beforeAll(async () => {
  if (process.platform !== 'linux') {
    return;
  }
  await new Promise<void>((resolve) => resend.listen(0, '127.0.0.1', resolve));
  const settings = {
    appPort: 0,
    googlePort: 0,
    resendPort: (resend.address() as AddressInfo).port,
    stateFolder,
    limits: Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, []])),
    // Nothing listens there, and no request here gets that far.
    sentryDsn: 'http://key@localhost:1/1',
  };
  workerd = await startWorkerd(settings, [benchedWorker(settings)]);
  address = await workerd.addressOf('lectern');
  const database = await workerd.miniflare.getD1Database('DB', 'lectern');
  await createTables(database);
  signedIn = (await visitHome(workerd, await addPerson(database, ada))).cookie;
  csrfToken = /__Host-csrftoken=([^;]+)/.exec(signedIn)?.[1] ?? '';
});

afterAll(async () => {
  await workerd?.close();
  resend.closeAllConnections();
  resend.close();
  rmSync(stateFolder, { recursive: true });
});

const page =
  (name: string): Place =>
  (text) => ({ path: '/login', headers: { [name]: text } });

/** A request from a signed-in user, or from an anonymous page of ours. */
function write(where: string, headers: Record<string, string>, body = '{}'): Ask {
  const common = {
    Origin: origin,
    Cookie: signedIn,
    'X-CSRFToken': csrfToken,
    'Content-Type': 'application/json',
  };
  return { path: where, method: 'POST', headers: { ...common, ...headers }, body };
}

const course = JSON.stringify({ name: 'Biology', course_type: 'cohort' });
const logOut = '/api/accounts/auth/logout/';
const webhook = '/api/webhooks/resend/';
const signature = { 'svix-id': 'x', 'svix-timestamp': now(), 'svix-signature': 'v1,x' };

/**
 * Each header that the sources read, as they spell it, with a request that reads it, and values
 * that could be expensive to parse.
 */
const headers: Record<string, { place: Place; status: number; worst: string[] }> = {
  "'User-Agent'": {
    // The email names the requesting browser.
    place: (text) =>
      write(
        '/api/accounts/auth/login/',
        { 'User-Agent': text },
        JSON.stringify({ email: ada.email }),
      ),
    status: 200,
    worst: ['Version/', 'Version/1 Safari', 'Chrome', ' '],
  },
  "'CF-Connecting-IP'": {
    place: page('CF-Connecting-IP'),
    status: 200,
    worst: ['1.', ':', '::1', '0'],
  },
  "'Accept-Language'": {
    place: page('Accept-Language'),
    status: 200,
    worst: [',', 'a,', 'a;q=0.1,a;q=0.2,', 'a;a=";', 'fr-', ' ,'],
  },
  "'Cookie'": {
    place: (text) => ({ path: '/login', headers: { Cookie: `language=${text}` } }),
    status: 431,
    worst: ['%ffx', ';', '=;', 'language=;', '__Host-session="'],
  },
  "'Accept'": {
    place: (text) => ({
      path: '/api/accounts/auth/google/callback/',
      headers: { Accept: text },
    }),
    status: 302,
    worst: [',', 'a,', 'a;q=0.1,a;q=0.2,', 'a;a=";', '*/*,'],
  },
  "'Origin'": {
    place: (text) => write(logOut, { Origin: text }),
    status: 403,
    worst: ['https://', '.', '%ff'],
  },
  "'Sec-Fetch-Site'": {
    place: (text) => write(logOut, { Origin: 'null', 'Sec-Fetch-Site': text }),
    status: 403,
    worst: ['same-origin,', ' '],
  },
  headerName: {
    place: (text) => write(logOut, { 'X-CSRFToken': text }),
    status: 403,
    worst: ['.', 'a.', '%ff'],
  },
  "'Content-Type'": {
    place: (text) => write('/api/accounts/auth/confirm/', { 'Content-Type': text }),
    status: 415,
    worst: [';', '; a=a', 'application/json;', ' '],
  },
  'idempotencyKeyHeader.name': {
    place: (text) => write('/api/courses/', { 'Idempotency-Key': text }, course),
    status: 400,
    worst: ['!', ' ', 'é'],
  },
  "'svix-id'": {
    place: (text) => write(webhook, { ...signature, 'svix-id': text }),
    status: 401,
    worst: ['.', ' '],
  },
  "'svix-timestamp'": {
    place: (text) => write(webhook, { ...signature, 'svix-timestamp': now() + text }),
    status: 401,
    worst: ['0', ' ', '.'],
  },
  "'svix-signature'": {
    place: (text) => write(webhook, { ...signature, 'svix-signature': text }),
    status: 401,
    worst: [' ', 'v1 ', 'v1,x ', 'v1,'],
  },
  "'If-None-Match'": {
    place: (text) => ({ path: '/calendar/unknown.ics', headers: { 'If-None-Match': text } }),
    status: 404,
    worst: ['"a",', 'W/"a", ', ' ', ','],
  },
  // Already a number: the runtime refuses anything else.
  "'Content-Length'": { place: page('X-Content-Length'), status: 200, worst: [] },
  // Waku's own header.
  'X-Waku-Etags': {
    place: (text) => ({ path: '/RSC/R/login.txt', headers: { 'X-Waku-Etags': text } }),
    status: 200,
    worst: ['[', '{"a":', '"', '\\u0000'],
  },
};

test('every header that the code reads is on the list of measured headers', () => {
  const sources = globSync('src/**/*.{ts,tsx}').map((file) => readFileSync(file, 'utf8'));
  const asked = sources.flatMap((source) =>
    [...source.matchAll(/\breq(?:uest)?\.header\(([^)]*)\)/g)].map(([, name]) => name),
  );
  // Other ways to read headers, which the search above misses; those of answers do not count.
  const others = sources.flatMap((source) => [
    ...source.matchAll(/\b(req\.raw|request|input)\.headers\b|languageDetector|\baccepts\(/g),
  ]);

  expect([...new Set(asked)].sort()).toEqual(
    Object.keys(headers)
      .filter((name) => name !== 'X-Waku-Etags')
      .sort(),
  );
  expect(others.map(([found]) => found)).toEqual([]);
});

costTest.each(Object.entries(headers))(
  '120 kB of the worst value in the header %s cost no more than of x',
  async (_name, { place, status, worst }) => {
    const answer = await askOnce(address, place('x'.repeat(headerLength)));
    expect(answer.status).toBe(status);
    await expectCheap(place, worst, headerLength);
  },
);

costTest.each<[string, Place]>([
  ['/', (text) => ({ path: `/x${text}` })],
  ['/api/', (text) => ({ path: `/api/${text}` })],
  ['/api/courses/', (text) => ({ path: `/api/courses/${text}/` })],
  ['/RSC/', (text) => ({ path: `/RSC/${text}` })],
  ['/RSC/R/', (text) => ({ path: `/RSC/R/${text}.txt` })],
])(
  'the worst path after %s costs no more than x, at the limit and far beyond it',
  async (_where, place) => {
    const worst = ['%ffx', '/', '%2f', '(/', 'a/', 'eyJ-', '.txt'];
    await expectCheap(place, worst, longestUrl);
    await expectCheap(place, worst, headerLength);
  },
);

costTest.each([
  '/confirm?token=',
  '/undo-address-change?token=',
  '/RSC/R/undo-address-change.txt?query=token%3D',
  '/login?error=',
  '/RSC/R/confirm.txt?query=token%3D',
  '/api/schema/?format=',
  '/api/accounts/auth/google/callback/?state=',
])(
  'the worst query after %s costs no more than x, at the limit and far beyond it',
  async (start) => {
    const worst = ['%ffx', '&', 'token=&', 'state=%ffx&', '%', '+'];
    await expectCheap((text) => ({ path: start + text }), worst, longestUrl);
    await expectCheap((text) => ({ path: start + text }), worst, headerLength);
  },
);

costTest.each([
  '__Host-session',
  '__Host-csrftoken',
  '__Host-bookmark',
  '__Host-browser',
  'language',
  'theme',
  'sidebar_state',
  'return_to',
  '__Host-google_0123456789abcdef',
])('the worst values of the cookie %s cost no more than x, at the limit', async (name) => {
  const callback = `/api/accounts/auth/google/callback/?state=${'0123456789abcdef'.repeat(4)}`;
  const places: Place[] = [
    (text) => ({ path: '/login', headers: { Cookie: `${name}=${text}` } }),
    (text) => ({ path: callback, headers: { Cookie: `${name}=${text}` } }),
    // The last of as many cookies as allowed.
    (text) => ({ path: '/login', headers: { Cookie: `${text}; ${name}=x` } }),
  ];
  for (const place of places) {
    await expectCheap(place, ['%ffx', '=;', '"'], longestCookies);
  }
});

/** Combining marks in the reverse of their canonical order, which take the longest to sort. */
const accents = '\u0345\u035d\u035c\u0315\u0301\u0323\u031b\u0327\u0334';
/** All-different letters, which take the longest to convert to ASCII in a domain. */
const letters = Array.from({ length: 5_000 }, (_, index) =>
  String.fromCodePoint(0x4e00 + index),
).join('');

costTest.each([
  ['first_name', accents],
  ['first_name', ' .'],
  ['last_name', '\u200c'],
  ['email', accents],
  ['email', `a@${letters}`],
  ['email', 'a@a.'],
  ['email', '\ufdfa'],
  ['email', '..'],
])('32 kB of a sign-up with the worst value in %s (%#) cost no more than x', (field, piece) => {
  const place: Place = (text) => {
    const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'x', [field]: text };
    return write('/api/accounts/auth/signup/', {}, JSON.stringify(person));
  };
  const bytes = Buffer.byteLength(JSON.stringify(piece)) - 2;
  return expectCheap(place, [piece], Math.floor((32_000 / bytes) * piece.length));
});

costTest.each([
  ['a name', (text: string) => JSON.stringify({ name: text, course_type: 'cohort' }), accents],
  ['brackets', (text: string) => text, '['],
  ['a deep object', (text: string) => text, '{"a":'],
  ['unknown fields', (text: string) => `{"":0${text}}`, ',"\\u0000":0'],
])('32 kB of a course with the worst value in %s cost no more than x', (_what, bodyOf, piece) => {
  const bytes = Buffer.byteLength(JSON.stringify(piece)) - 2;
  return expectCheap(
    (text) => write('/api/courses/', {}, bodyOf(text)),
    [piece],
    Math.floor((32_000 / bytes) * piece.length),
  );
});

costTest('the worst 250 kB from Resend cost no more than x', () =>
  expectCheap((text) => write(webhook, signature, text), ['[', '{"a":', '"', '\n'], 250_000),
);

costTest(
  'the worst error report costs no more than x, with 1 MB or a long first line',
  async () => {
    const send = (body: string) =>
      write('/api/error-reports/', { 'Content-Type': 'text/plain' }, body);
    await expectCheap(send, ['[', '{"a":', '"', '\n'], 1_000_000);
    await expectCheap((text) => send(`{"dsn":${text}\n`), ['[', '{"a":', '"'], 16_000);
  },
);

test.each([
  'eyJ-',
  'eyJa.',
  '(/',
  '(http://',
  'https://',
  '/',
  ' /',
  '(/?',
  `${'f'.repeat(63)}g`,
  'Bearer ',
  'token=;',
  '__Host-',
  'google_0123456789abcdef',
  '1/0',
])('120 kB of %j in an error message cost no more than x to clean', (piece) =>
  expectCheapHere((text) => withoutSecrets(text), piece),
);

test.each(['\n', '\n ', '\n at ', '\n at x', ' ', 'Error', 'Error: ', '\\n'])(
  '120 kB of %j in a library’s message cost no more than x to take over',
  (piece) => expectCheapHere((text) => failureOf(['Error during rendering:', text]), piece),
);

/** In this process, which measures its CPU time in microseconds. */
function expectCheapHere(work: (text: string) => unknown, piece: string): void {
  const costHere = (part: string) => {
    const text = part.repeat(Math.ceil(headerLength / part.length)).slice(0, headerLength);
    const before = process.cpuUsage();
    work(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const most = () => 5 * Math.max(floorMs, costHere('x'));
  // Other processes slow both down: best of several rounds.
  const losses = Array.from({ length: rounds }, () => costHere(piece) - most());
  expect(Math.min(...losses)).toBeLessThanOrEqual(0);
}

/** The worst input may cost five times as much as the same length of one letter, and no more. */
async function expectCheap(place: Place, worst: string[], length: number): Promise<void> {
  const most = 5 * Math.max(floorMs, await cost(place, 'x', length));
  for (const piece of worst) {
    const what = `${length} of ${JSON.stringify(piece.slice(0, 20))}`;
    if ((await cost(place, piece, length, most)) > most) {
      // A machine that has slowed down affects both.
      const now = 5 * Math.max(floorMs, await cost(place, 'x', length));
      expect(await cost(place, piece, length, now), what).toBeLessThanOrEqual(now);
    }
  }
}

/** The CPU time of one request, in ms; stops early once it is within the limit. */
async function cost(place: Place, piece: string, length: number, enough = 0): Promise<number> {
  const ask = place(piece.repeat(Math.ceil(length / piece.length)).slice(0, length));
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && least > enough; round += 1) {
    const before = cpuMilliseconds(workerd.pid);
    for (let count = 0; count < requests; count += 1) {
      await askOnce(address, ask);
    }
    least = Math.min(least, (cpuMilliseconds(workerd.pid) - before) / requests);
  }
  return least;
}

function now(): string {
  return String(Math.floor(Date.now() / 1000));
}
