import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pageList } from '../page-list.ts';
import { payloadOf, person, publicPages, serveEmpty } from './pages.ts';
import { createReaders, type Readers } from './readers.ts';
import { type BuiltWorker, createVisitor, signUpPerson, type Visitor } from './worker.ts';

/** Every signed-in page. */
const signedInPages = pageList
  .filter(({ file }) => !publicPages.includes(file.replace(/\/index$/, '')))
  .map(({ path }) => path);

const firstCourse = '/onboarding/course';

/** Pages of a course. */
const coursePages = signedInPages.filter((page) => page !== firstCourse);

/** Part of everything that is Ada's; pages can wrap an address before its @. */
const canary = 'canary';

let built: BuiltWorker;
let readers: Readers;
let ada: Visitor;
/** Has an account and no course. */
let alan: Visitor;

serveEmpty(async (worker) => {
  built = worker;
  readers = await createReaders(built, person);
  ({ instructor: ada, newcomer: alan } = readers);
  await built.sql("UPDATE people SET name = 'CanaryGuest', email = 'canary@example.com'");
  await built.sql("UPDATE meetings SET title = 'Canary'");
  await built.sql("UPDATE users SET google_sub = 'a-name-at-google' WHERE email = ?", person.email);
  await built.sql("UPDATE courses SET idempotency_key = 'a-key-of-a-request-' || name");
  await built.sql("UPDATE lessons SET title = 'CanaryLesson', published_title = 'CanaryLesson'");
});

/** The address of a page, and that of its payload. */
function addressesOf(page: string): [page: string, payload: string] {
  const address = readers.addressOf(page);
  return [address, payloadOf(address)];
}

/** Visits a page that leads elsewhere, and nothing else is said. */
async function expectRedirect(visitor: Visitor, pattern: string, to: string): Promise<void> {
  const [page, payload] = addressesOf(pattern);
  const { status, headers, text } = await visitor.get(page);
  expect([status, headers['location'], text]).toEqual([307, to, '']);
  for (const known of [{}, { 'X-Waku-Etags': '{"page:/":"x"}' }]) {
    const { text } = await visitor.get(payload, known);
    expect(text).toContain(String.raw`\"location\":\"${to}\"`);
    expect(text).not.toMatch(/canary|turing/i);
  }
}

test.each(signedInPages)(
  '%s and its payload contain no user data without a session',
  async (pattern) => {
    const [page] = addressesOf(pattern);
    const expired = createVisitor(built.server);
    expired.cookies.set('__Host-session', 'a'.repeat(64));
    for (const browser of [createVisitor(built.server), expired]) {
      const back = [page !== '/' && `next=${page}`, browser === expired && 'reason=expired'];
      const login = ['/login', back.filter(Boolean).join('&')].filter(Boolean).join('?');
      await expectRedirect(browser, pattern, login);
    }
  },
);

test.each(coursePages)(
  'a user without a course is sent from %s to the first course, and its payload contains nothing else',
  (page) => expectRedirect(alan, page, firstCourse),
);

test.each(coursePages)(
  '%s and its payload show their own user, and no server-only data',
  async (page) => {
    const [row = {}] = await built.sql(
      `SELECT sessions.id, sessions.token_hash, users.google_sub, users.email_verified_at,
         courses.idempotency_key
       FROM users JOIN sessions ON sessions.user_id = users.id
         JOIN courses ON courses.id = users.selected_course_id
       WHERE users.email = '${person.email}'`,
    );
    // The settings end sessions, so they contain their ids. The account's own id is on every page: by
    // it, a tab knows whose drafts are whose.
    const { id, ...rest } = row;
    const kept = page === '/settings' ? Object.values(rest) : [id, ...Object.values(rest)];
    const secrets = [...kept.map(String), ada.cookies.get('__Host-session') ?? ''];
    expect(secrets).toHaveLength(page === '/settings' ? 5 : 6);
    expect(secrets.every(({ length }) => length >= 13)).toBe(true);
    for (const path of addressesOf(page)) {
      const { status, headers, text } = await ada.get(path);

      expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
      // Learners see only the course beside a lesson, and so does its preview.
      const isLessonPreview = page.startsWith('/lessons/preview/');
      expect(text.includes(`${person.firstName} ${person.lastName}`)).toBe(!isLessonPreview);
      expect(text).toContain(person.courseName);
      // Neither the public page of a cohort nor its preview shows an address.
      const isCohortPreview = /^\/cohorts\/(.*\/)?preview$/.test(page);
      expect(text.includes('canary.ada')).toBe(!isLessonPreview && !isCohortPreview);
      for (const secret of secrets) {
        expect(text).not.toContain(secret);
      }
    }
  },
);

test('stored display settings are applied on the server, and invalid ones are ignored', async () => {
  const browser = createVisitor(built.server);
  browser.cookies.set('__Host-session', ada.cookies.get('__Host-session') ?? '');
  const looks = async (theme: string, sidebar: string) => {
    browser.cookies.set('theme', theme).set('sidebar_state', sidebar);
    const { text: html } = await browser.get('/');
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

test('a Google picture is shown, and the policy allows it', async () => {
  const picture = 'https://lh3.googleusercontent.com/a/canary';
  await built.sql(`UPDATE users SET avatar_url = '${picture}' WHERE email = '${person.email}'`);
  const { headers, text } = await ada.get('/');

  expect(text).toContain(`src="${picture}"`);
  expect(headers['content-security-policy']).toContain(
    "img-src 'self' data: https://*.googleusercontent.com;",
  );
});

test('a session says when it was last active, in whole days, and what it runs on', async () => {
  const email = 'edsger@example.com';
  const names = { firstName: 'Edsger', lastName: 'Dijkstra', courseName: 'Structures' };
  const edsger = await signUpPerson(built, { ...names, email });
  const hourMs = 60 * 60 * 1000;
  for (const [hours, userAgent] of [
    [3, 'Firefox/145.0 (X11; Linux x86_64)'],
    [30, 'Firefox/145.0 (Android 15; Mobile)'],
  ] as const) {
    await built.sql(
      `INSERT INTO sessions (id, token_hash, user_id, user_agent, created_at, last_seen_at)
         SELECT '${crypto.randomUUID()}', '${crypto.randomUUID()}', id, '${userAgent}',
           ${Date.now() - 100 * hourMs}, ${Date.now() - hours * hourMs}
         FROM users WHERE email = '${email}'`,
    );
  }
  const { text } = await edsger.get('/settings');
  const rows = text.match(/<li>.*?<\/li>/g)?.filter((row) => row.includes('Logged in')) ?? [];
  const texts = rows.map((row) => row.replaceAll(/<!-- -->|<[^>]+>/g, '|').replaceAll(/\|+/g, '|'));

  expect(texts).toEqual([
    expect.stringContaining('|Active now| · |Logged in |just now|This device|'),
    expect.stringContaining('|Firefox (Linux)|Active in the last 24 hours'),
    expect.stringContaining('|Firefox (Android)|Last active |yesterday|'),
  ]);
  expect(rows.map((row) => row.includes('icon-phone'))).toEqual([false, false, true]);
});

test('another user’s page contains nothing about Ada', async () => {
  const other = await signUpPerson(built, {
    email: 'grace@example.com',
    firstName: 'Grace',
    lastName: 'Hopper',
    courseName: 'Compilers',
  });
  const pages = [...signedInPages, `/payments?cohort=${readers.cohortId}`];
  for (const page of pages) {
    for (const path of addressesOf(page)) {
      const { status, text } = await other.get(path);
      // A time zone.
      const rest = text.replaceAll('Canary=Canaries', '');
      expect(rest.toLowerCase()).not.toContain(canary);
      if (page.includes('[') && !path.startsWith('/RSC/')) {
        expect(status, path).toBe(404);
      }
    }
  }
});

test('a cohort in the trash has only the page that restores it, and its preview', async () => {
  const setDeleted = (at: string) =>
    built.sql(`UPDATE cohorts SET deleted_at = ${at} WHERE id = '${readers.cohortId}'`);
  await setDeleted('1');
  const others = signedInPages.filter(
    (page) => page.startsWith('/cohorts/[id]/') && !page.endsWith('/preview'),
  );
  for (const page of others) {
    const { headers } = await ada.get(readers.addressOf(page));
    expect(headers['location'], page).toBe(`/cohorts/${readers.cohortId}`);
  }
  await setDeleted('NULL');
});

test('signed-in users are redirected from the login pages, and users with a course from the first course', async () => {
  for (const [visitor, path] of [
    ...([alan, ada] as const).flatMap((one) => [
      [one, '/login'] as const,
      [one, '/signup'] as const,
    ]),
    [ada, firstCourse] as const,
  ]) {
    expect((await visitor.get(path)).headers['location']).toBe('/');
  }
  const { status, headers, text } = await alan.get(firstCourse);
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(text).toContain('Turing');
});

test('no page is prerendered, so no content is shared between users', () => {
  const files = readdirSync('dist/public', { recursive: true }).map(String);

  expect(files.filter((file) => /\.(html|txt)$/.test(file))).toEqual(['robots.txt']);
});
