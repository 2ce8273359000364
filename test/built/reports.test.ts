import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Ingest, placesIn, startIngest } from './ingest.ts';
import { without } from './pages.ts';
import {
  type BuiltWorker,
  createVisitor,
  origin,
  signUpPerson,
  startBuiltWorker,
  type Visitor,
} from './worker.ts';

const person = {
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  courseName: 'Analytical Engines',
};
const token = 'b'.repeat(64);
const patience = { timeout: 15_000 };

let ingest: Ingest;
let built: BuiltWorker;
let ada: Visitor;

beforeAll(async () => {
  ingest = await startIngest();
  built = await startBuiltWorker({
    SENTRY_DSN: ingest.dsn,
    ENVIRONMENT: 'preview',
    RELEASE: '0.1.0+built',
  });
  ada = await signUpPerson(built, person);
});

afterAll(async () => {
  await built.close();
  await ingest.close();
});

beforeEach(() => {
  ingest.envelopes.length = 0;
  ingest.requests.length = 0;
});

async function onlyEvent() {
  await vi.waitFor(() => expect(ingest.events().length).toBeGreaterThan(0), patience);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const [event, ...others] = ingest.events();
  expect(others).toEqual([]);
  if (event === undefined) {
    throw new Error('Nothing has arrived.');
  }
  return event;
}

function expectNoSecret(): void {
  const text = Buffer.concat(ingest.requests.map(({ bytes }) => bytes)).toString();
  const secrets = [token, ...ada.cookies.values()].flatMap((value) => value.split('.'));
  const hashes = secrets.map((secret) => createHash('sha256').update(secret).digest('hex'));
  expect(secrets.length).toBeGreaterThan(3);
  expect(
    [...secrets, ...hashes].filter((secret) => secret.length > 15 && text.includes(secret)),
  ).toEqual([]);
  expect(text).not.toMatch(/token=|code=|state=|__Host-/);
  for (const { headers } of ingest.requests) {
    expect(Object.keys(headers)).not.toContain('cookie');
    expect(Object.keys(headers)).not.toContain('authorization');
    expect(Object.keys(headers)).not.toContain('cf-connecting-ip');
  }
}

test.each([
  ['an API failure', '/api/courses/', '#code=y'],
  ['a page that cannot be read', '/cohorts', ''],
])(
  '%s is reported once, with its request id and user, as a path without a query, and its source maps resolve; missing pages are not',
  async (_what, path, hash) => {
    for (const missing of ['/nowhere', '/.env', '/RSC/R/nowhere.txt']) {
      await createVisitor(built.server).request(missing);
    }
    const request = () => ada.request(`${path}?token=${token}${hash}`);
    const response = await without(built, 'courses', request, 'updated_at');
    expect(response.status).toBe(500);
    const event = await onlyEvent();

    expect(event).toMatchObject({
      environment: 'preview',
      release: '0.1.0+built',
      tags: { request_id: response.headers.get('X-Request-Id') },
      request: { method: 'GET', url: origin + path },
      user: { email: person.email, username: 'Ada Lovelace' },
    });
    expect(placesIn(event, 'server')).toContainEqual(
      expect.stringMatching(/^src\/features\/courses\/list-courses\.ts:\d+$/),
    );
    expectNoSecret();
  },
);

test('a rendering error is reported with its request id, and is one line in the log', async () => {
  // Not a string, which every page expects.
  await built.sql("UPDATE users SET email = x'41' WHERE first_name = 'Ada'");
  built.server.clearLogs();
  const response = await ada.request('/');
  await built.sql("UPDATE users SET email = email_canonical WHERE first_name = 'Ada'");
  const failures = () =>
    built.server.getLogs().filter(({ level }) => level === 'error' || level === 'warn');
  await vi.waitFor(
    () => expect(failures().at(-1)?.message).toContain('could not be rendered'),
    patience,
  );
  const lines = failures();
  // The page shows the address more than once. Each failing part is reported once, but the page as
  // a whole, the last line, is not. Later reports would be mistaken for those of the next test.
  await vi.waitFor(() => expect(ingest.events()).toHaveLength(lines.length - 1), patience);

  expect(response.status).toBe(500);
  const id = response.headers.get('X-Request-Id');
  for (const event of ingest.events()) {
    expect(event).toMatchObject({ tags: { request_id: id }, request: { url: `${origin}/` } });
    expect(placesIn(event, 'server')).toContainEqual(
      expect.stringMatching(/^src\/ui\/email-address\.tsx:\d+$/),
    );
  }
  expect(lines.length).toBeGreaterThan(1);
  for (const { message } of lines) {
    expect(JSON.parse(message)).toMatchObject({ event: 'failure', request_id: id });
  }
  expectNoSecret();
});

test('pages contain the DSN and the user’s id, for that user only', async () => {
  const own = await (await ada.request('/')).text();
  const strange = await (await createVisitor(built.server).request('/login')).text();

  for (const html of [own, strange]) {
    expect(html).toContain(String.raw`\"release\":\"0.1.0+built\"`);
    expect(html).toContain(String.raw`\"environment\":\"preview\"`);
  }
  expect(own).toContain(String.raw`\"username\":\"Ada Lovelace\"`);
  expect(strange).toContain(String.raw`\"person\":null`);
});

test('the privacy page says what reports contain', async () => {
  const html = await (await createVisitor(built.server).request('/privacy')).text();

  expect(html).toContain('Error reports');
  expect(html).toContain('sentryReplaySession');
  expect(html).not.toContain('no analytics');
});
