import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleCalls, fillIn, keepThings, type Things } from '#support/examples.ts';
import { defaultLimits } from '#vocabulary.ts';
import {
  codeIn,
  createVisitor,
  signUpNewcomer,
  signUpPerson,
  tokenIn,
  type Visitor,
} from '../built/worker.ts';
import { pageList } from '../page-list.ts';
import { bounceOf } from './bounce.ts';
import { holdBudgets } from './budget.ts';
import { type CountedWorker, depthOf, startCountedWorker, type Trip } from './counted-worker.ts';
import { createReaders, participantPages, type Readers } from './pages.ts';
import { callAsParticipants } from './participant-calls.ts';
import { type Driven, depthRow, readRows, tripRows } from './rows-of-trips.ts';

/** Requests to D1, each a statement or a batch. */
const budgets = {
  page: 1,
  /** Shows nothing from the database. */
  anonymousPage: 0,
  read: 1,
  write: 2,
  /** After the answer: emails to participants are held, then marked as sent. */
  outbox: 2,
  /** Google's answer comes in between. */
  newFromGoogle: 3,
  /** Counted in a trip before, because reading a list or telling people costs more. */
  counted: 3,
  /** The visit is recorded after the answer. */
  firstPageOfTheDay: 2,
};

/** The link is looked up for every visitor. */
const linkPages: string[] = ['/confirm', '/undo-address-change'];

/** What these show is looked up for every visitor too. */
const readPages: string[] = [...linkPages, '/c/[slug]', ...participantPages];

type Ask = { budget: number; status: number; isRead?: boolean };

let google: Server;

let built: CountedWorker;

let readers: Readers;

beforeAll(async () => {
  google = await startGoogle();
  const { port } = google.address() as AddressInfo;
  built = await startCountedWorker({
    LIMITS: generousLimits(),
    GOOGLE_TOKEN_URL: `http://localhost:${port}/token`,
  });
  readers = await createReaders(built);
});

afterAll(async () => {
  await built.close();
  google.close();
});

test('every page makes one trip to the database, and none for an anonymous visitor', async ({
  task,
}) => {
  const driven = await drivePages(readers, built, '');
  const { instructor } = readers;
  const page = { budget: budgets.page, status: 200, isRead: true };
  const payload = () => instructor.request('/RSC/R/cohorts.txt');
  driven.push(await drive('payload of /cohorts', page, payload));
  for (const linked of linkPages) {
    const link = () => instructor.request(readers.addressOf(linked));
    driven.push(await drive(`page ${linked}, to somebody signed in`, page, link));
  }
  await built.sql('UPDATE sessions SET last_seen_at = last_seen_at - 172800000');
  driven.push(
    await drive('first page of the day', { budget: budgets.firstPageOfTheDay, status: 200 }, () =>
      instructor.request('/'),
    ),
  );

  const signedIn = driven.filter(({ budget }) => budget === budgets.page);
  // If the binding sent trips another way, they would not be counted.
  expect(signedIn.map(({ trips }) => trips.length)).not.toContain(0);
  holdBudgets(task, [...tripRows(driven), depthRow('pages', signedIn), ...readRows(driven)]);
});

test('every page makes no more trips with error reporting on, and reports name the user', async ({
  task,
}) => {
  const reporting = await startCountedWorker({
    LIMITS: generousLimits(),
    SENTRY_DSN: 'http://a1b2c3@localhost:9/42',
  });
  try {
    const where = ', where errors are reported';
    const theirs = await createReaders(reporting);
    const driven = await drivePages(theirs, reporting, where);
    const page = { budget: budgets.page, status: 200 };
    for (const linked of linkPages) {
      const link = () => theirs.instructor.request(theirs.addressOf(linked));
      const what = `page ${linked}, to somebody signed in${where}`;
      driven.push(await drive(what, page, link, reporting));
    }

    holdBudgets(task, tripRows(driven));
  } finally {
    await reporting.close();
  }
});

test('every API call makes one trip to read and two to write', async ({ task }) => {
  const { driven, visited } = await driveApi();
  const response = await readers.nobody.request('/api/schema/');
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, unknown>> };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  const missing = documented.filter((route) => {
    const form = new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`);
    return ![...visited].some((visit) => form.test(visit));
  });

  expect(documented.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
  const reads = driven.filter(({ isRead }) => isRead);
  holdBudgets(task, [
    ...tripRows(driven),
    depthRow('calls of the API that read', reads),
    ...readRows(driven),
  ]);
});

test('sequential and parallel trips are counted separately', () => {
  const trip = (start: number, end: number): Trip => ({ start, end, statements: [] });

  expect(depthOf([])).toBe(0);
  expect(depthOf([trip(1, 3), trip(2, 4)])).toBe(1);
  expect(depthOf([trip(1, 2), trip(3, 4)])).toBe(2);
  expect(depthOf([trip(1, 6), trip(2, 3), trip(4, 5), trip(7, 8)])).toBe(3);
});

/** One request and everything it triggers; an unexpected status is a mistake in this file. */
async function drive(
  what: string,
  { budget, status, isRead = false }: Ask,
  ask: () => ReturnType<Visitor['request']>,
  worker = built,
): Promise<Driven & { text: string }> {
  await worker.takeTrips();
  const response = await ask();
  const text = await response.text();
  expect(response.status, `${what}: ${text}`).toBe(status);
  const trips = await worker.takeTrips();
  const has = (words: string) =>
    trips.some(({ statements }) => statements.some(({ sql }) => sql.includes(words)));
  if (!has('INTO mails_due')) {
    return { what, budget, isRead, text, trips };
  }
  // The outbox may still be at work.
  await new Promise((resolve) => setTimeout(resolve, 100));
  trips.push(...(await worker.takeTrips()));
  return { what, budget: budget + budgets.outbox, isRead, text, trips };
}

async function drivePages(
  people: Readers,
  worker: CountedWorker,
  suffix: string,
): Promise<Driven[]> {
  const driven: Driven[] = [];
  for (const { path: page, reader } of pageList) {
    const isAnonymous = reader === 'nobody' && !readPages.includes(page);
    const budget = isAnonymous ? budgets.anonymousPage : budgets.page;
    driven.push(
      await drive(
        `page ${page}${suffix}`,
        { budget, status: 200, isRead: true },
        () => people[reader].request(people.addressOf(page)),
        worker,
      ),
    );
  }
  return driven;
}

/** Each API route with a request that succeeds, and a second one if it takes other steps. */
async function driveApi(): Promise<{ driven: Driven[]; visited: Set<string> }> {
  const driven: Driven[] = [];
  const visited = new Set<string>();

  /** Words after the path name a special case. */
  async function call(
    browser: Visitor,
    [method, path, status, special = '']: [string, string, number, string?],
    { input, isExport, budget = method === 'GET' ? budgets.read : budgets.write }: Call = {},
  ): Promise<string> {
    // Sets the CSRF token, as loading a page would.
    await browser.request('/api/health/');
    const address = path.replace(/\?.*/, '');
    const what = `${method} ${address.replace(/[\da-f]{8}-[\da-f-]{27}|(winter|closed)-\w+/g, '{id}')}`;
    // An export finds most emails twice: by enrollment, and by address.
    const isRead = method === 'GET' && budget === budgets.read && !isExport;
    const one = await drive(
      `${what}${special && `, ${special}`}`,
      { budget, status, isRead },
      () => (method === 'GET' ? browser.request(path) : browser.send(method, path, input)),
    );
    driven.push(one);
    visited.add(`${method} ${address}`);
    return one.text;
  }

  const { instructor, nobody } = readers;
  await call(nobody, ['GET', '/api/health/', 200]);
  await call(nobody, ['GET', '/api/schema/', 200], { budget: 0 });
  await call(nobody, ['POST', '/api/error-reports/', 404], { budget: 0 });

  // The routes that features have examples of.
  for (const [index, calls] of exampleCalls.entries()) {
    const { caller, things } = await createCaller(`caller${index}@example.com`);
    for (const example of calls) {
      const { method, path, input } = fillIn(example, things);
      const usual = method !== 'GET' || example.limit !== undefined ? 'write' : 'read';
      const budget = budgets[/\/(imports|move)\/$/.test(path) ? 'counted' : usual];
      const text = await call(caller, [method, path, example.status], { input, budget });
      keepThings(example, things, text, path);
    }
  }
  // The first one has cohorts with people.
  const selected = (await idsOf(instructor)).courses.at(-1);
  await instructor.post(`/api/courses/${selected}/select/`, {});
  // It has people.
  await instructor.send('DELETE', `/api${readers.addressOf('/cohorts/[id]')}/`, {});
  await call(instructor, ['DELETE', `/api/courses/${selected}/`, 204, 'the selected course']);

  // Login by email, and logout.
  const browser = createVisitor(built.server);
  const [grace, mary] = ['grace@example.com', 'mary@example.com'];
  const names = { first_name: 'Grace', last_name: 'Hopper' };
  await call(browser, ['POST', '/api/accounts/auth/signup/', 201], {
    input: { ...names, email: grace },
  });
  await call(browser, ['POST', '/api/accounts/', 201], { input: { ...names, email: mary } });
  const confirm = '/api/accounts/auth/confirm/';
  await call(browser, ['POST', confirm, 200, 'of a sign-up'], { input: await linkMailedTo(grace) });
  await call(browser, ['POST', '/api/accounts/auth/logout/', 204]);
  await call(browser, ['POST', '/api/accounts/auth/login/', 200], { input: { email: grace } });
  await call(browser, ['POST', confirm, 200, 'of a login'], { input: await linkMailedTo(grace) });
  await browser.post('/api/accounts/auth/login/', { email: grace });
  await call(browser, ['POST', confirm, 400, 'of a wrong code'], { input: { code: 'wrong' } });
  await call(browser, ['POST', confirm, 200, 'of a code'], {
    input: { code: codeIn((await built.mailsTo(grace)).at(-1)) },
  });

  // The account.
  const account = `/api/accounts/${(await idsOf(browser)).account}/`;
  const moved = 'hopper@example.com';
  await call(browser, ['PATCH', account, 200, 'the address'], { input: { email: moved } });
  await call(browser, ['POST', confirm, 200, 'of another address'], {
    input: await linkMailedTo(moved),
  });
  const undo = '/api/accounts/auth/undo-address-change/';
  await call(nobody, ['POST', undo, 200, 'of one that was made'], {
    input: await linkMailedTo(grace),
  });
  await nobody.post('/api/accounts/auth/login/', { email: grace });
  await browser.post(confirm, await linkMailedTo(grace));
  await browser.send('PATCH', account, { email: moved });
  await call(nobody, ['POST', undo, 200, 'of one that waits'], {
    input: await linkMailedTo(grace),
  });
  await call(browser, ['DELETE', '/api/accounts/auth/sessions/others/', 204]);
  await call(browser, ['DELETE', account, 204]);
  const person = { email: 'joan@example.com', firstName: 'Joan', lastName: 'Clarke' };
  const leaving = await signUpNewcomer(built, person);
  await call(leaving, ['DELETE', '/api/accounts/auth/sessions/current/', 204]);

  // Google.
  const start = '/api/accounts/auth/google/login/';
  await signUpPerson(built, { ...googlePerson('linked'), courseName: 'Analytical Engines' });
  for (const [name, special, budget] of [
    ['nina', 'somebody new', budgets.newFromGoogle],
    ['nina', 'somebody known', budgets.write],
    ['linked', 'somebody known by address', budgets.newFromGoogle],
  ] as const) {
    const coming = createVisitor(built.server);
    const began = (await (await coming.post(start, {})).json()) as { redirect_url: string };
    const query = callbackQuery(new URL(began.redirect_url), googlePerson(name));
    const callback = `/api/accounts/auth/google/callback/?${query}`;
    await call(coming, ['GET', callback, 302, special], { budget });
  }
  await call(createVisitor(built.server), ['POST', start, 200], { input: {} });

  await callAsParticipants(built, readers, call);

  // From Resend.
  const webhook = '/api/webhooks/resend/';
  driven.push(
    await drive(`POST ${webhook}`, { budget: budgets.write, status: 200 }, () =>
      nobody.request(webhook, { method: 'POST', ...bounceOf(mary) }),
    ),
  );
  visited.add(`POST ${webhook}`);
  return { driven, visited };
}

type Call = { input?: unknown; budget?: number; isExport?: true };

/** Someone with the things that examples name. */
async function createCaller(email: string): Promise<{ caller: Visitor; things: Things }> {
  const person = { email, firstName: 'Ada', lastName: 'Lovelace', courseName: 'Looms' };
  const caller = await signUpPerson(built, person);
  for (const name of ['Difference Engines', 'Analytical Engines']) {
    await caller.post('/api/courses/', { name, course_type: 'evergreen' });
  }
  const { account, courses } = await idsOf(caller);
  const [course = '', , otherCourse = ''] = courses;
  return { caller, things: { account, email, course, otherCourse } };
}

async function idsOf(browser: Visitor): Promise<{ account: string; courses: string[] }> {
  const [user, courses] = await Promise.all(
    ['/api/accounts/auth/user/', '/api/courses/'].map(async (path) =>
      (await browser.request(path)).json(),
    ),
  );
  const [{ id }, list] = [user as { id: string }, courses as { id: string }[]];
  return { account: id, courses: list.map((course) => course.id) };
}

async function linkMailedTo(email: string): Promise<{ token: string }> {
  return { token: tokenIn((await built.mailsTo(email)).at(-1)) };
}

/** All production limits, counted as in production, but too high to be reached here. */
function generousLimits(): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(defaultLimits).map(([name, rates]) => [
      name,
      rates.map((rate) => rate.replace(/^\d+/, '100000')),
    ]),
  );
}

type GooglePerson = { email: string; firstName: string; lastName: string };

function googlePerson(name: string): GooglePerson {
  return { email: `${name}@gmail.com`, firstName: 'Nina', lastName: 'Simone' };
}

/** Google's token endpoint: the code itself contains the answer. */
async function startGoogle(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    const claims = new URLSearchParams(body).get('code') ?? '';
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify({
        access_token: 'unused',
        token_type: 'Bearer',
        expires_in: 3599,
        // The signature is not checked.
        id_token: `${encode({ alg: 'RS256', typ: 'JWT' })}.${claims}.signature`,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Google's redirect after a person has chosen their account. */
function callbackQuery(url: URL, { email, firstName, lastName }: GooglePerson): URLSearchParams {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: 'https://accounts.google.com',
    aud: url.searchParams.get('client_id'),
    iat: now,
    exp: now + 3600,
    nonce: url.searchParams.get('nonce'),
    sub: email,
    email,
    email_verified: true,
    given_name: firstName,
    family_name: lastName,
  };
  const state = url.searchParams.get('state') ?? '';
  return new URLSearchParams({ state, code: encode(claims) });
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
