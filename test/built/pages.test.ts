import { createHash } from 'node:crypto';
import { globSync, readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  type BuiltWorker,
  createVisitor,
  origin,
  signUpNewcomer,
  signUpPerson,
  startBuiltWorker,
  tokenIn,
  type Visitor,
} from './worker.ts';

/** Pages that anybody may see; what else is in src/pages shows something of somebody. */
const publicPages = [
  '404',
  'confirm',
  'login',
  'privacy',
  'signup',
  'terms',
  'undo-address-change',
];

/** Every signed-in page, and where Waku serves it to our router, without the document. */
const signedInPages = globSync('**/*.tsx', { cwd: 'src/pages' })
  .filter((file) => !file.startsWith('_'))
  .map((file) => file.replace(/(\/index)?\.tsx$/, ''))
  .filter((page) => !publicPages.includes(page))
  .map((page) =>
    page === 'index' ? ['/', '/RSC/R/_root.txt'] : [`/${page}`, `/RSC/R/${page}.txt`],
  ) as [page: string, payload: string][];

const firstCourse = '/onboarding/course';
/** Those that belong to a course. */
const coursePages = signedInPages.filter(([page]) => page !== firstCourse);

const person = {
  email: 'canary.ada@example.com',
  firstName: 'CanaryAda',
  lastName: 'CanaryLovelace',
  courseName: 'CanaryCourse',
};
/** In every one of these; on pages an address is broken before its @. */
const canary = 'canary';

let built: BuiltWorker;
let ada: Visitor;
/** Has an account and no course. */
let alan: Visitor;

beforeAll(async () => {
  // One place plays many people.
  built = await startBuiltWorker({ LIMITS: { mails_per_ip: [] } });
  ada = await signUpPerson(built, person);
  alan = await signUpNewcomer(built, {
    email: 'alan@example.com',
    firstName: 'Alan',
    lastName: 'Turing',
  });
});

afterAll(async () => {
  await built.close();
});

afterEach(() => {
  expect(takeLogs()).toBe('[]');
});

test.each(signedInPages)(
  '%s and its payload hold nothing of anybody without a session',
  async (page, payload) => {
    const expired = createVisitor(built.server);
    expired.cookies.set('__Host-session', 'a'.repeat(64));
    const stranger = createVisitor(built.server);
    for (const browser of [stranger, expired]) {
      const document = await browser.request(page);
      expect(document.status).toBe(307);
      expect(document.headers.get('Location')).toBe('/login');
      expect(await document.text()).toBe('');

      for (const headers of [
        {},
        { 'X-Waku-Etags': '{"junk":' },
        { 'X-Waku-Etags': '{"page:/":"x"}' },
      ]) {
        const response = await browser.request(payload, { headers });
        const text = await response.text();
        expect(text).toContain(String.raw`\"location\":\"/login\"`);
        expect(text.toLowerCase()).not.toContain(canary);
      }
    }
  },
);

test('there are signed-in pages to ask for', () => {
  expect(signedInPages.map(([page]) => page).sort()).toEqual([
    '/',
    '/cohorts',
    '/onboarding/course',
    '/payments',
    '/settings',
    '/settings/billing',
  ]);
});

test.each(coursePages)(
  'the payload of %s is where the tests look for it',
  async (_page, payload) => {
    const response = await ada.request(payload);

    expect(response.status).toBe(200);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const text = await response.text();
    expect(text).toContain(person.courseName);
    expect(text).toContain(person.firstName);
  },
);

test('so is that of the first course', async () => {
  const newcomer = await signUpNewcomer(built, {
    email: 'emmy@example.com',
    firstName: 'Newcomer',
    lastName: 'Noether',
  });
  const payload = await newcomer.request('/RSC/R/onboarding/course.txt');

  expect(payload.headers.get('Cache-Control')).toBe('no-store');
  expect(await payload.text()).toContain('Newcomer');
});

test.each(coursePages)(
  '%s shows its own user, and never what is for the server alone',
  async (page, payload) => {
    await built.sql(
      `UPDATE users SET google_sub = 'a-name-at-google' WHERE email = '${person.email}'`,
    );
    await built.sql("UPDATE courses SET idempotency_key = 'a-key-of-a-request'");
    const [row = {}] = await built.sql(
      `SELECT sessions.id, sessions.token_hash, users.id AS user_id, users.google_sub,
         users.email_verified_at, courses.idempotency_key
       FROM users JOIN sessions ON sessions.user_id = users.id
         JOIN courses ON courses.id = users.selected_course_id
       WHERE users.email = '${person.email}'`,
    );
    // The settings change the account and end sessions, which they call by their ids.
    const { id, user_id: userId, ...rest } = row;
    const kept = page === '/settings' ? Object.values(rest) : [id, userId, ...Object.values(rest)];
    const secrets = [...kept.map(String), ada.cookies.get('__Host-session') ?? ''];
    expect(secrets).toHaveLength(page === '/settings' ? 5 : 7);
    expect(secrets.every(({ length }) => length >= 13)).toBe(true);
    for (const path of [page, payload]) {
      const text = await (await ada.request(path)).text();

      expect(text).toContain(`${person.firstName} ${person.lastName}`);
      expect(text).toContain('canary.ada');
      for (const secret of secrets) {
        expect(text).not.toContain(secret);
      }
    }
  },
);

test('home greets its own user', async () => {
  expect(await (await ada.request('/')).text()).toContain(`Welcome, ${person.firstName}`);
});

test.each(['/terms', '/privacy'])(
  '%s is for anybody, in both languages, and holds nothing of anybody',
  async (page) => {
    for (const browser of [createVisitor(built.server), ada]) {
      for (const [language, title] of [
        ['en', { '/terms': 'Terms of use', '/privacy': 'Privacy' }[page]],
        ['fr', { '/terms': 'Conditions d’utilisation', '/privacy': 'Confidentialité' }[page]],
      ] as const) {
        const response = await browser.request(page, { headers: { 'Accept-Language': language } });
        const html = await response.text();

        expect(response.status).toBe(200);
        expect(html).toContain(`<html lang="${language}">`);
        expect(html).toContain(`<title>${title} · Lectern</title>`);
        expect(html.toLowerCase()).not.toContain(canary);
      }
    }
  },
);

test('what the browser keeps of the looks is there with the page, and nothing else in its place', async () => {
  const browser = createVisitor(built.server);
  browser.cookies.set('__Host-session', ada.cookies.get('__Host-session') ?? '');
  const looks = async (theme: string, sidebar: string) => {
    browser.cookies.set('theme', theme).set('sidebar_state', sidebar);
    const html = await (await browser.request('/')).text();
    return [/<html[^>]*>/, /data-sidebar="\w+"/].map((pattern) => pattern.exec(html)?.[0]);
  };

  expect(await looks('dark', 'false')).toEqual([
    '<html lang="en" data-theme="dark">',
    'data-sidebar="icons"',
  ]);
  expect(await looks('light', 'true')).toEqual([
    '<html lang="en" data-theme="light">',
    'data-sidebar="open"',
  ]);
  expect(await looks('neon', 'junk')).toEqual(['<html lang="en">', 'data-sidebar="open"']);
});

test('a picture of Google’s is shown, and the policy lets it be loaded', async () => {
  const picture = 'https://lh3.googleusercontent.com/a/canary';
  await built.sql(`UPDATE users SET avatar_url = '${picture}' WHERE email = '${person.email}'`);
  const response = await ada.request('/');

  expect(await response.text()).toContain(`src="${picture}"`);
  expect(response.headers.get('Content-Security-Policy')).toContain(
    "img-src 'self' data: https://*.googleusercontent.com;",
  );
});

test('somebody else’s page holds nothing of Ada', async () => {
  const other = await signUpPerson(built, {
    email: 'grace@example.com',
    firstName: 'Grace',
    lastName: 'Hopper',
    courseName: 'Compilers',
  });
  for (const [page, payload] of signedInPages) {
    for (const path of [page, payload]) {
      const text = await (await other.request(path)).text();
      expect(text.toLowerCase()).not.toContain(canary);
    }
  }
});

test.each(coursePages)(
  'whoever has no course is sent from %s to make one, and its payload holds nothing else',
  async (page, payload) => {
    const response = await alan.request(page);

    expect(response.status).toBe(307);
    expect(response.headers.get('Location')).toBe(firstCourse);
    expect(await response.text()).toBe('');
    const text = await (await alan.request(payload)).text();
    expect(text).toContain(String.raw`\"location\":\"${firstCourse}\"`);
    expect(text).not.toContain('Turing');
  },
);

test('whoever is signed in has no business at the door, and whoever has a course none at the first', async () => {
  expect((await alan.request('/login')).headers.get('Location')).toBe('/');
  expect((await alan.request('/signup')).headers.get('Location')).toBe('/');
  expect((await alan.request(firstCourse)).status).toBe(200);
  expect((await ada.request('/login')).headers.get('Location')).toBe('/');
  expect((await ada.request(firstCourse)).headers.get('Location')).toBe('/');
});

test('a link that was opened by GET five times and by HEAD once still works, and says whose it is', async () => {
  const browser = createVisitor(built.server);
  await browser.post('/api/accounts/auth/login/', { email: person.email });
  const token = tokenIn((await built.mailsTo(person.email)).at(-1));
  const before = await built.sql('SELECT * FROM links');
  const scanner = createVisitor(built.server);
  for (const method of ['HEAD', 'GET', 'GET', 'GET', 'GET', 'GET']) {
    const headers = { 'Sec-Purpose': 'prefetch', 'User-Agent': 'HeadlessChrome' };
    const response = await scanner.request(`/confirm?token=${token}`, { method, headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('Referrer-Policy')).toBe('strict-origin');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.getSetCookie().join()).not.toContain('session');
    if (method === 'GET') {
      const html = await response.text();
      expect(html).toContain('c•••@example.com');
      expect(html).not.toContain(person.email);
    }
  }

  expect(await built.sql('SELECT * FROM links')).toEqual(before);
  expect(
    (await createVisitor(built.server).post('/api/accounts/auth/confirm/', { token })).status,
  ).toBe(200);
});

test('opening another account’s link warns and changes nothing before the click', async () => {
  const browser = createVisitor(built.server);
  await browser.post('/api/accounts/auth/login/', { email: 'grace@example.com' });
  const token = tokenIn((await built.mailsTo('grace@example.com')).at(-1));
  const html = await (await ada.request(`/confirm?token=${token}`)).text();

  expect(html).toContain('g•••@example.com');
  expect(html).toContain('be logged out of that account');
  expect(await (await ada.request('/api/accounts/auth/user/')).json()).toMatchObject({
    email: person.email,
  });
});

test('the link of an address change says which address it is for, and spends nothing', async () => {
  const mover = await signUpNewcomer(built, {
    email: 'mae@example.com',
    firstName: 'Mae',
    lastName: 'Jemison',
  });
  const account = await mover.request('/api/accounts/auth/user/');
  const { id } = (await account.json()) as { id: string };
  await mover.send('PATCH', `/api/accounts/${id}/`, { email: 'new.mae@example.com' });
  const token = tokenIn((await built.mailsTo('new.mae@example.com')).at(-1));
  const html = await (await createVisitor(built.server).request(`/confirm?token=${token}`)).text();

  expect(html).toContain('Use a new email address');
  expect(html).toContain('n•••@example.com');
  expect(html).not.toContain('mae@example.com');
  expect(await (await mover.request('/api/accounts/auth/user/')).json()).toMatchObject({
    email: 'mae@example.com',
    pending_email: 'new.mae@example.com',
  });
});

/**
 * Somebody whose address is about to change, or has changed, and the token that was mailed to the
 * one they have had.
 */
async function moving(name: string, kind: 'stop' | 'restore') {
  const [email, newEmail] = [`${name}@example.com`, `new.${name}@example.com`];
  const mover = await signUpNewcomer(built, { email, firstName: 'Mae', lastName: 'Jemison' });
  const account = await mover.request('/api/accounts/auth/user/');
  const { id } = (await account.json()) as { id: string };
  await mover.send('PATCH', `/api/accounts/${id}/`, { email: newEmail });
  if (kind === 'restore') {
    const token = tokenIn((await built.mailsTo(newEmail)).at(-1));
    await mover.post('/api/accounts/auth/confirm/', { token });
  }
  return { email, newEmail, mover, token: tokenIn((await built.mailsTo(email)).at(-1)) };
}

test.each([
  ['stop', 'Stop this change', 'stopped'],
  ['restore', 'Undo the address change', 'restored'],
] as const)(
  'a link to %s an address change that was opened by GET five times and by HEAD once still works, and says whose it is',
  async (kind, title, outcome) => {
    const { email, newEmail, mover, token } = await moving(`opened.${kind}`, kind);
    const tables = ['users', 'sessions', 'links', 'address_restores'];
    const rows = () => Promise.all(tables.map((table) => built.sql(`SELECT * FROM ${table}`)));
    const before = await rows();
    const scanner = createVisitor(built.server);
    const address = `/undo-address-change?token=${token}`;
    const payload = `/RSC/R/undo-address-change.txt?query=token%3D${token}`;
    for (const [method, path] of [
      ['HEAD', address],
      ...Array(4).fill(['GET', address]),
      ['GET', payload],
    ]) {
      const headers = { 'Sec-Purpose': 'prefetch', 'User-Agent': 'HeadlessChrome' };
      const response = await scanner.request(path, { method, headers });
      expect(response.status).toBe(200);
      expect(response.headers.get('Referrer-Policy')).toBe('strict-origin');
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(response.headers.getSetCookie().join()).not.toContain('session');
      if (method === 'GET') {
        const text = await response.text();
        expect(text).toContain(title);
        expect(text).toContain(kind === 'stop' ? 'o•••@example.com' : 'n•••@example.com');
        for (const told of [email, newEmail, 'Jemison', 'canary']) {
          expect(text).not.toContain(told);
        }
      }
    }

    expect(await rows()).toEqual(before);
    expect((await mover.request('/api/accounts/auth/user/')).status).toBe(200);
    const clicked = await scanner.post('/api/accounts/auth/undo-address-change/', { token });
    expect(clicked.status).toBe(200);
    expect(await clicked.json()).toEqual({ outcome });
    const again = await (await scanner.request(address)).text();
    expect(again).toContain('This link does not work');
    expect(again).not.toContain('•••');
  },
);

test('the settings of somebody whose address is marked say why no mail comes, in both languages', async () => {
  const marked = await signUpPerson(built, {
    email: 'rosalind@example.com',
    firstName: 'Rosalind',
    lastName: 'Franklin',
    courseName: 'Crystals',
  });
  const settingsIn = async (language: string) =>
    (await marked.request('/settings', { headers: { 'Accept-Language': language } })).text();
  const words = [
    ['bounced', 'en', 'An email to this address came back, so we send no more there'],
    ['bounced', 'fr', 'Un e-mail envoyé à cette adresse nous est revenu'],
    ['complained', 'en', 'Our email to this address was reported as spam'],
    ['complained', 'fr', 'Un de nos e-mails à cette adresse a été signalé comme indésirable'],
  ] as const;
  for (const [, language, sentence] of words) {
    expect(await settingsIn(language)).not.toContain(sentence);
  }
  for (const [reason, language, sentence] of words) {
    await built.sql(
      `INSERT OR REPLACE INTO undeliverable_addresses VALUES ('rosalind@example.com', '${reason}', 1)`,
    );
    expect(await settingsIn(language)).toContain(sentence);
  }
  // The built worker too checks what it is told: the library for it is in there.
  const unsigned = await createVisitor(built.server).request('/api/webhooks/resend/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"type":"email.bounced"}',
  });
  expect(unsigned.status).toBe(401);
});

test('the clock has the worker remove what has expired', async () => {
  await built.sql("INSERT INTO counters VALUES ('long gone', 0, 1, 1)");
  const { outcome } = await built.server.getWorker().scheduled({ cron: '17 * * * *' });

  expect(outcome).toBe('ok');
  expect(await built.sql("SELECT * FROM counters WHERE key = 'long gone'")).toEqual([]);
});

test.each([
  '/confirm/',
  '/confirm/index.html',
  '/RSC/R/confirm.txt',
  '/undo-address-change/',
  '/undo-address-change/index.html',
  '/RSC/R/undo-address-change.txt',
])('%s is careful with its address too', async (path) => {
  const response = await createVisitor(built.server).request(`${path}?token=x&query=token%3Dx`);

  expect(response.headers.get('Referrer-Policy')).toBe('strict-origin');
});

test.each([
  '',
  '?token=',
  '?token=%',
  '?token[]=a',
  '?token=a&token=b',
  `?token=${'a'.repeat(64)}`,
  `?token=${'x'.repeat(3_000)}`,
])('a link that does not work says so and offers a new one: %#', async (query) => {
  const response = await createVisitor(built.server).request(`/confirm${query}`);
  const html = await response.text();

  expect(response.status).toBe(200);
  expect(html).toContain('Authentication failed. Please try again');
  expect(html).toContain('href="/login"');

  const undo = await createVisitor(built.server).request(`/undo-address-change${query}`);
  expect(undo.status).toBe(200);
  const text = await undo.text();
  expect(text).toContain('This link does not work');
  expect(text).toContain(
    'If the address has already changed, the email about the change contains a link',
  );
  expect(text).not.toContain('•••');
});

test.each([
  ['POST', '/RSC/F/a/b.txt', 'text/plain'],
  ['POST', '/RSC/R/login.txt', 'text/plain'],
  ['POST', '/login', 'multipart/form-data; boundary=x'],
  ['POST', '/login', 'application/x-www-form-urlencoded'],
  ['PUT', '/', 'application/json'],
  ['DELETE', '/onboarding/course', 'application/json'],
  ['PATCH', '/nowhere', 'application/json'],
  ['POST', '/%61pi/accounts/auth/logout/', 'application/json'],
])('%s %s with a body never reaches a page', async (method, path, contentType) => {
  const response = await ada.request(path, {
    method,
    headers: { 'Content-Type': contentType },
    body: '--x--',
  });

  // The encoded path is our API's, which decodes it and guards it like any other.
  expect(response.status).toBe(path.startsWith('/%61') ? 403 : 405);
});

test.each([
  '/nowhere',
  '/RSC/F/node:os/userInfo.txt',
  '/RSC/',
  '/RSC/%52/_root.txt',
  '/RSC/S/slice.txt',
  '/RSC/R/login',
  '/@vite/client',
  '/@fs/etc/passwd',
  '/src/env.ts',
  '/.env',
  '/.dev.vars',
  '/.git/HEAD',
  '/__waku_internal_build_static_files',
  '/api%2Fhealth/',
  '//api/health/',
  '/API/health/',
])('%s is not there', async (path) => {
  const response = await ada.request(path);
  const text = await response.text();

  expect(response.status).toBe(404);
  expect(text).not.toMatch(/APP_SECRET|import |root:/);
});

test.each([
  '/RSC/R/nowhere.txt',
  '/RSC/R/%.txt',
  '/RSC/R/..%2f..%2fenv.txt',
  '/RSC/R/_root.txt?query=%',
  '/RSC/R/login.txt?query=error%3D%3Cscript%3E',
  '/%',
  '/%00',
  '/login?%',
  `/${'x'.repeat(8_000)}`,
])('whatever %# asks for, it is no failure of ours', async (path) => {
  const response = await createVisitor(built.server).request(path);

  expect(response.status).toBeLessThan(500);
});

test('an unknown page has words, a way on and the language of its reader', async () => {
  const response = await createVisitor(built.server).request('/nowhere', {
    headers: { 'Accept-Language': 'fr' },
  });
  const html = await response.text();

  expect(html).toContain('<html lang="fr">');
  expect(html).toContain('Cette page n’existe pas');
  expect(html).toContain('href="/"');
});

test.each([
  ['a page', '/login', 200],
  ['a redirect', '/', 307],
  ['a missing page', '/nowhere', 404],
  ['a payload', '/RSC/R/login.txt', 200],
  ['an answer of the API', '/api/health/', 200],
  ['a refusal of the API', '/api/courses/', 401],
  ['a missing path of the API', '/api/nowhere/', 404],
  ['what Waku is not asked', '/RSC/x', 404],
])('%s carries every security header', async (_what, path, status) => {
  const response = await createVisitor(built.server).request(path);
  const { headers } = response;

  expect(response.status).toBe(status);
  expectGuards(headers);
  expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('Server')).toBeNull();
  expect(headers.get('X-Powered-By')).toBeNull();
  const policy = headers.get('Content-Security-Policy') ?? '';
  expect(policy).toMatch(/script-src 'self' 'nonce-[^']{22,}'/);
  expect(policy).not.toContain('unsafe');
  for (const directive of [
    "default-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ]) {
    expect(policy).toContain(directive);
  }
});

test('the nonce is new for each answer and the one that the page’s scripts carry', async () => {
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

test('a first page brings the CSRF cookie, so that the first form goes through', async () => {
  const browser = createVisitor(built.server);
  await browser.request('/login');
  const response = await browser.post('/api/accounts/auth/login/', { email: 'nobody@example.com' });

  expect(response.status).toBe(404);
});

test('another host than ours is told where we are, and gets no cookie', async () => {
  const response = await built.server
    .getWorker()
    .fetch('https://evil.test/login', { redirect: 'manual' });

  expect(response.status).toBe(421);
  expect(await response.text()).toContain(origin);
  expect(response.headers.getSetCookie()).toEqual([]);
});

test('nothing of a page is prerendered, so nothing is shared between people', () => {
  const files = readdirSync('dist/public', { recursive: true }).map(String);

  expect(files.filter((file) => /\.(html|txt)$/.test(file))).toEqual(['robots.txt']);
});

test.each(['.css', '.js', '.woff2'])(
  'hashed assets (%s) are kept for ever and carry headers of their own',
  async (extension) => {
    const [asset] = readdirSync('dist/public/assets').filter((file) => file.endsWith(extension));
    const { headers, status } = await built.server.fetch(`${origin}/assets/${asset}`);

    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expectGuards(headers);
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  },
);

test.each(['/favicon.svg', '/robots.txt'])('%s is kept for a day', async (path) => {
  const { headers, status } = await built.server.fetch(`${origin}${path}`);

  expect(status).toBe(200);
  expect(headers.get('Cache-Control')).toBe('public, max-age=86400');
});

test.each(['/login', '/signup', '/terms', '/privacy'])(
  '%s says in a sentence what it is about, in both languages',
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
  ['/', 'Impossible de récupérer vos informations d’utilisateur.'],
  ['/settings', 'Impossible de récupérer vos informations d’utilisateur.'],
  ['/confirm?token=', ''],
  ['/undo-address-change?token=', ''],
])(
  'when %s cannot be made, people get plain words and a number, and the log the rest',
  async (path, words) => {
    const token = 'b'.repeat(64);
    const tables = ['sessions', 'links'];
    for (const table of tables) {
      await built.sql(`ALTER TABLE ${table} RENAME TO ${table}_away`);
    }
    const address = path.endsWith('=') ? `${path}${token}` : path;
    const response = await ada.request(address, { headers: { 'Accept-Language': 'fr' } });
    const html = await response.text();
    for (const table of tables) {
      await built.sql(`ALTER TABLE ${table}_away RENAME TO ${table}`);
    }
    const log = takeLogs();

    expect(response.status).toBe(500);
    expect(html).toContain('Une erreur est survenue');
    expect(html).toContain(words);
    expect(html).not.toMatch(/sessions|links|SQLITE|D1_ERROR|canary/i);
    const id = response.headers.get('X-Request-Id') ?? '';
    expect(html).toContain(id);
    expect(log).toContain(id);
    expect(log).toContain('no such table');
    const secrets = [token, ada.cookies.get('__Host-session') ?? ''];
    for (const secret of secrets) {
      expect(log).not.toContain(secret);
      expect(log).not.toContain(createHash('sha256').update(secret).digest('hex'));
    }
    const [, nonce] = /<style nonce="([^"]+)">/.exec(html) ?? [];
    expect(response.headers.get('Content-Security-Policy')).toContain(
      `style-src 'self' 'nonce-${nonce}'`,
    );
  },
);

test.each([
  ['its reader', 'users', 'email_verified_at'],
  // In the same trip, so that nobody can tell which it was.
  ['its courses', 'courses', 'updated_at'],
])(
  'when %s cannot be read, a page says so, and its payload is refused as a whole',
  async (_what, table, column) => {
    await built.sql(`ALTER TABLE ${table} RENAME COLUMN ${column} TO ${column}_away`);
    const page = await ada.request('/cohorts');
    const payload = await ada.request('/RSC/R/cohorts.txt');
    await built.sql(`ALTER TABLE ${table} RENAME COLUMN ${column}_away TO ${column}`);
    const log = takeLogs();

    expect(page.status).toBe(500);
    expect(await page.text()).toContain('Failed to fetch user information.');
    expect(payload.status).toBe(503);
    expect(payload.headers.get('Cache-Control')).toBe('no-store');
    const id = payload.headers.get('X-Request-Id');
    expect(await payload.text()).toBe(`Service Unavailable\n${id}\n`);
    expect(log).toContain(payload.headers.get('X-Request-Id'));
  },
);

test('a page whose visit cannot be written down is there all the same', async () => {
  await built.sql('UPDATE sessions SET last_seen_at = last_seen_at - 172800000');
  await built.sql(
    "CREATE TRIGGER unwritable BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
  );
  const page = await ada.request('/');
  const html = await page.text();
  const log = await vi.waitFor(() => {
    const lines = takeLogs();
    expect(lines).toContain('database or disk is full');
    return lines;
  });
  await built.sql('DROP TRIGGER unwritable');

  expect(page.status).toBe(200);
  expect(html).toContain(person.courseName);
  expect(log).toContain(page.headers.get('X-Request-Id'));
});

test.each([
  ['en', 414, `/${'x'.repeat(5_000)}`, {}, 'This web address is too long.'],
  ['fr', 414, `/RSC/R/${'x'.repeat(5_000)}.txt`, {}, 'Cette adresse web est trop longue.'],
  ['en', 431, '/', { Cookie: `a=${'x'.repeat(9_000)}` }, 'delete the cookies for this site'],
])(
  'what is too long to be read is refused in plain words, with a number (%s, %i)',
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

/** What the worker logged as an error since the last look. Left unlooked at, it fails the test. */
function takeLogs(): string {
  const errors = built.server.getLogs().filter(({ level }) => level === 'error');
  built.server.clearLogs();
  return JSON.stringify(errors);
}

/** What every answer carries, whoever gives it. */
function expectGuards(headers: { get(name: string): string | null }): void {
  expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains');
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');
  expect(headers.get('Permissions-Policy')).toContain('camera=()');
  expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
}
