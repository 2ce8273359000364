import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Ingest, placesIn, startIngest } from './ingest.ts';
import { person, without } from './pages.ts';
import {
  type BuiltWorker,
  createCohort,
  createParticipant,
  createVisitor,
  origin,
  signUpPerson,
  startBuiltWorker,
  type Visitor,
} from './worker.ts';

const name = `${person.firstName} ${person.lastName}`;
const token = 'b'.repeat(64);
const patience = { timeout: 60_000 };

let ingest: Ingest;
let built: BuiltWorker;
let ada: Visitor;
let nobody: Visitor;

/** With error reports, and without the two secrets of Stripe. */
beforeAll(async () => {
  ingest = await startIngest();
  const settings = { SENTRY_DSN: ingest.dsn, ENVIRONMENT: 'preview', RELEASE: '0.1.0+built' };
  built = await startBuiltWorker(settings, undefined, {});
  ada = await signUpPerson(built, person);
  nobody = createVisitor(built.server);
});

afterAll(async () => {
  await built.close();
  await ingest.close();
});

beforeEach(() => {
  ingest.envelopes.length = 0;
  ingest.requests.length = 0;
});

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
      await nobody.request(missing);
    }
    const request = () => ada.request(`${path}?token=${token}${hash}`);
    const both = async () => [await request(), await request()];
    const responses = await without(built, 'courses', both, 'updated_at');
    await vi.waitFor(() => expect(ingest.events().length).toBeGreaterThan(1), patience);

    expect(responses.map(({ status }) => status)).toEqual([500, 500]);
    // By the time of the second, nothing more comes of the first.
    expect(ingest.events().map(({ tags }) => tags?.['request_id'])).toEqual(
      responses.map(({ headers }) => headers.get('X-Request-Id')),
    );
    for (const event of ingest.events()) {
      expect(event).toMatchObject({
        environment: 'preview',
        release: '0.1.0+built',
        request: { method: 'GET', url: origin + path },
        user: { email: person.email, username: name },
      });
      expect(placesIn(event, 'server')).toContainEqual(
        expect.stringMatching(/^src\/features\/courses\/list-courses\.ts:\d+$/),
      );
    }
    expectNoSecret();
  },
);

test('a rendering error is reported with its request id, and is one line in the log', async () => {
  // Not a string, which every page expects.
  await built.sql("UPDATE users SET email = x'41'");
  built.server.clearLogs();
  const response = await ada.request('/');
  await built.sql('UPDATE users SET email = email_canonical');
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
  const { text: own } = await ada.get('/');
  const { text: strange } = await nobody.get('/login');

  for (const html of [own, strange]) {
    expect(html).toContain(String.raw`\"release\":\"0.1.0+built\"`);
    expect(html).toContain(String.raw`\"environment\":\"preview\"`);
  }
  expect(own).toContain(String.raw`\"username\":\"${name}\"`);
  expect(strange).toContain(String.raw`\"person\":null`);
});

test('the privacy page says what reports contain', async () => {
  const { text } = await nobody.get('/privacy');

  expect(text).toMatch(/Error reports.*sentryReplaySession/s);
  expect(text).not.toContain('no analytics');
});

test('without its two secrets no page mentions Stripe, even for a cohort that is paid first', async () => {
  const cohort = await createCohort(ada, { price_minor: 24_000, currency: 'EUR' });
  const { link } = await createParticipant(built, ada, cohort);
  await built.setCohort(cohort, "payment_mode = 'online_first'");
  for (const path of [
    ...['/settings', '/payments', '/privacy', `/cohorts/${cohort.id}/settings`],
    ...[`/c/${cohort.slug}`, `/p/${link}`],
  ]) {
    const { status, text } = await ada.get(`${path}?lang=en`);
    expect([path, status]).toEqual([path, 200]);
    expect(text, path).not.toMatch(/Stripe|Paid online|Pay online|Online, (first|later)|by card/);
  }
  expect((await ada.get('/settings/payments')).status).toBe(404);
});
