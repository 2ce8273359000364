import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ask, askOnce } from '../../bench/client.ts';
import { benchedWorker, benchSettings, visitHome } from '../../bench/lectern.ts';
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

/**
 * The CPU time that the worst input may cost, in ms: ten to twenty times what it costs now, so that
 * no test fails on a busy machine. A cost that grows with the square of the length takes seconds.
 */
const maxCpuMs = 150;
/** The best try counts, because other work of the same process is measured too. */
const tries = 3;

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
const settings = benchSettings({
  limits: Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, []])),
  // Nothing listens there, and no request here gets that far.
  sentryDsn: 'http://key@localhost:1/1',
});

// Another process's CPU time is in /proc, which only Linux has.
const costTest = test.skipIf(process.platform !== 'linux');

beforeAll(async () => {
  if (process.platform !== 'linux') {
    return;
  }
  await new Promise<void>((resolve) => resend.listen(0, '127.0.0.1', resolve));
  settings.resendPort = (resend.address() as AddressInfo).port;
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
  rmSync(settings.stateFolder, { recursive: true });
});

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
const logIn = '/api/accounts/auth/login/';
const logOut = '/api/accounts/auth/logout/';
const callback = '/api/accounts/auth/google/callback/';
const webhook = '/api/webhooks/resend/';
const signature = { 'svix-id': 'x', 'svix-timestamp': now(), 'svix-signature': 'v1,x' };

/** Values that some code is slow to parse, split or compare. */
const worstHeaderValues = [
  ...[' ', ',', ';', ':', '.', '!', '0', '"', '[', '%ff', '%ffx', '\\u0000', 'é', 'a,', 'a.', '1.'],
  ...[' ,', '=;', '{"a":', '"a",', 'W/"a", ', 'a;a=";', '; a=a', '*/*,', 'a;q=0.1,a;q=0.2,', 'fr-'],
  ...['Version/', 'Version/1 Safari', 'Chrome', '::1', 'https://', 'same-origin,', 'v1 ', 'v1,x '],
  ...['application/json;', '__Host-session="', 'language=;'],
];

/** Each header that the code reads, with a request that reads it and its answer to a long `x`. */
const headers: Record<string, [Place, number]> = {
  // The email names the requesting browser.
  'User-Agent': [
    (text) => write(logIn, { 'User-Agent': text }, JSON.stringify({ email: ada.email })),
    200,
  ],
  'CF-Connecting-IP': [(text) => ({ path: '/login', headers: { 'CF-Connecting-IP': text } }), 200],
  'Accept-Language': [(text) => ({ path: '/login', headers: { 'Accept-Language': text } }), 200],
  Cookie: [(text) => ({ path: '/login', headers: { Cookie: `language=${text}` } }), 431],
  Accept: [(text) => ({ path: callback, headers: { Accept: text } }), 302],
  Origin: [(text) => write(logOut, { Origin: text }), 403],
  'Sec-Fetch-Site': [(text) => write(logOut, { Origin: 'null', 'Sec-Fetch-Site': text }), 403],
  'X-CSRFToken': [(text) => write(logOut, { 'X-CSRFToken': text }), 403],
  'Content-Type': [(text) => write('/api/accounts/auth/confirm/', { 'Content-Type': text }), 415],
  'Idempotency-Key': [(text) => write('/api/courses/', { 'Idempotency-Key': text }, course), 400],
  'svix-id': [(text) => write(webhook, { ...signature, 'svix-id': text }), 401],
  'svix-timestamp': [
    (text) => write(webhook, { ...signature, 'svix-timestamp': now() + text }),
    401,
  ],
  'svix-signature': [(text) => write(webhook, { ...signature, 'svix-signature': text }), 401],
  'If-None-Match': [
    (text) => ({ path: '/calendar/unknown.ics', headers: { 'If-None-Match': text } }),
    404,
  ],
  // Waku's own header.
  'X-Waku-Etags': [
    (text) => ({ path: '/RSC/R/login.txt', headers: { 'X-Waku-Etags': text } }),
    200,
  ],
};

costTest.each(Object.entries(headers))(
  '120 kB of the worst value in the header %s cost little',
  async (_name, [place, status]) => {
    expect((await askOnce(address, place('x'.repeat(headerLength)))).status).toBe(status);
    await expectCheap(place, worstHeaderValues, headerLength);
  },
);

costTest('the worst path and query cost little, at the limit and far beyond it', async () => {
  const inPaths = ['%ffx', '/', '%2f', '(/', 'a/', 'eyJ-', '.txt'];
  const inQueries = ['%ffx', '&', 'token=&', 'state=%ffx&', '%', '+'];
  const paths = ['/x', '/api/', '/api/courses/', '/RSC/', '/RSC/R/'];
  const queries = [
    '/confirm?token=',
    '/RSC/R/undo-address-change.txt?query=token%3D',
    '/login?error=',
    '/api/schema/?format=',
    `${callback}?state=`,
  ];
  for (const start of [...paths, ...queries]) {
    const place: Place = (text) => ({ path: start + text });
    for (const length of [longestUrl, headerLength]) {
      await expectCheap(place, queries.includes(start) ? inQueries : inPaths, length);
    }
  }
});

costTest('the worst values of cookies cost little, at the limit', async () => {
  const state = '0123456789abcdef'.repeat(4);
  for (const name of [
    ...['__Host-session', '__Host-csrftoken', '__Host-bookmark', '__Host-browser', 'language'],
    ...['theme', 'sidebar_state', 'return_to', '__Host-google_0123456789abcdef'],
  ]) {
    for (const [path, cookieOf] of [
      ['/login', (text: string) => `${name}=${text}`],
      [`${callback}?state=${state}`, (text: string) => `${name}=${text}`],
      // The last of as many cookies as allowed.
      ['/login', (text: string) => `${text}; ${name}=x`],
    ] as const) {
      const place: Place = (text) => ({ path, headers: { Cookie: cookieOf(text) } });
      await expectCheap(place, ['%ffx', '=;', '"'], longestCookies);
    }
  }
});

/** Combining marks in the reverse of their canonical order, which take the longest to sort. */
const accents = '\u0345\u035d\u035c\u0315\u0301\u0323\u031b\u0327\u0334';
/** All-different letters, which take the longest to convert to ASCII in a domain. */
const letters = Array.from({ length: 5_000 }, (_, index) =>
  String.fromCodePoint(0x4e00 + index),
).join('');

costTest.each([
  ['first_name', [accents, ' .']],
  ['last_name', ['\u200c']],
  ['email', [accents, `a@${letters}`, 'a@a.', '\ufdfa', '..']],
])('32 kB of a sign-up with the worst value in %s cost little', async (field, worst) => {
  const place: Place = (text) => {
    const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'x', [field]: text };
    return write('/api/accounts/auth/signup/', {}, JSON.stringify(person));
  };
  for (const piece of worst) {
    await expectCheap(place, [piece], lengthIn(32_000, piece), 5);
  }
});

costTest('32 kB of the worst values in the body of a course cost little', async () => {
  for (const [bodyOf, piece] of [
    [(text: string) => JSON.stringify({ name: text, course_type: 'cohort' }), accents],
    [(text: string) => text, '['],
    [(text: string) => text, '{"a":'],
    [(text: string) => `{"":0${text}}`, ',"\\u0000":0'],
  ] as const) {
    const place: Place = (text) => write('/api/courses/', {}, bodyOf(text));
    await expectCheap(place, [piece], lengthIn(32_000, piece));
  }
});

costTest('the worst webhook of 250 kB and the worst error report of 1 MB cost little', async () => {
  const worst = ['[', '{"a":', '"', '\n'];
  const report = (body: string) =>
    write('/api/error-reports/', { 'Content-Type': 'text/plain' }, body);
  await expectCheap((text) => write(webhook, signature, text), worst, 250_000);
  await expectCheap(report, worst, 1_000_000);
  await expectCheap((text) => report(`{"dsn":${text}\n`), worst, 16_000);
});

test('120 kB of the worst error message cost little to clean', async () => {
  for (const piece of [
    ...['eyJ-', 'eyJa.', '(/', '(http://', 'https://', '/', ' /', '(/?', `${'f'.repeat(63)}g`],
    ...['Bearer ', 'token=;', '__Host-', 'google_0123456789abcdef', '1/0'],
  ]) {
    await expectLowCpu(piece, cpuHere, () => withoutSecrets(repeat(piece, headerLength)));
  }
  for (const piece of ['\n', '\n ', '\n at ', '\n at x', ' ', 'Error', 'Error: ', '\\n']) {
    const message = repeat(piece, headerLength);
    await expectLowCpu(piece, cpuHere, () => failureOf(['Error during rendering:', message]));
  }
});

/** @param times how often it is sent: the cost of all together counts */
async function expectCheap(
  place: Place,
  worst: string[],
  length: number,
  times = 1,
): Promise<void> {
  for (const piece of worst) {
    const ask = place(repeat(piece, length));
    const what = `${length} of ${JSON.stringify(piece.slice(0, 20))}`;
    const send = async () => {
      for (let count = 0; count < times; count += 1) {
        await askOnce(address, ask);
      }
    };
    await expectLowCpu(what, () => cpuMilliseconds(workerd.pid), send);
  }
}

/** @param cpu the CPU time so far, in ms */
async function expectLowCpu(what: string, cpu: () => number, work: () => unknown): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries && least > maxCpuMs; count += 1) {
    const before = cpu();
    await work();
    least = Math.min(least, cpu() - before);
  }
  expect(least, what).toBeLessThanOrEqual(maxCpuMs);
}

/** The CPU time of this process so far, in ms. */
function cpuHere(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function repeat(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

/** How many characters of a repeated piece fit into this many bytes of JSON. */
function lengthIn(bytes: number, piece: string): number {
  return Math.floor((bytes / (Buffer.byteLength(JSON.stringify(piece)) - 2)) * piece.length);
}

function now(): string {
  return String(Math.floor(Date.now() / 1000));
}
