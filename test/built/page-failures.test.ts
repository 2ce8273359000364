import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { payloadOf, person, serveSite, takeErrors, without } from './pages.ts';
import type { BuiltWorker, Visitor } from './worker.ts';

let built: BuiltWorker;
let ada: Visitor;

serveSite((site) => {
  ({ built, ada } = site);
});

test.each([
  ['/', 'Impossible de récupérer vos informations.'],
  ['/confirm?token=', ''],
  ['/undo-address-change?token=', ''],
])(
  'when %s cannot be rendered, people get plain words and a request id, and the log gets the cause',
  async (path, words) => {
    const token = 'b'.repeat(64);
    const address = path.endsWith('=') ? `${path}${token}` : path;
    const request = () => ada.get(address, { 'Accept-Language': 'fr' });
    const failed = await without(built, 'sessions', () => without(built, 'links', request));
    const { status, headers, text: html } = failed;
    const log = takeErrors(built);

    expect(status).toBe(500);
    expect(html).toContain('Une erreur est survenue');
    expect(html).toContain(words);
    expect(html).not.toMatch(/sessions|links|SQLITE|D1_ERROR|canary/i);
    const id = headers['x-request-id'] ?? 'none';
    expect(html).toContain(id);
    expect(log).toContain(id);
    expect(log).toContain('no such table');
    const secrets = [token, ada.cookies.get('__Host-session') ?? ''];
    for (const secret of secrets) {
      expect(log).not.toContain(secret);
      expect(log).not.toContain(createHash('sha256').update(secret).digest('hex'));
    }
    const [, nonce] = /<style nonce="([^"]+)">/.exec(html) ?? [];
    expect(headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`);
  },
);

test.each([
  ['its reader', 'users', 'email_verified_at'],
  // In one trip, so that the failing part is unknown.
  ['its courses', 'courses', 'updated_at'],
])(
  'when %s cannot be read, the page says so, and its payload is refused as a whole',
  async (_what, table, column) => {
    const both = async () =>
      [await ada.get('/cohorts'), await ada.get(payloadOf('/cohorts'))] as const;
    const [page, payload] = await without(built, table, both, column);
    const log = takeErrors(built);

    expect(page.status).toBe(500);
    expect(page.text).toContain('Failed to fetch user information.');
    const id = payload.headers['x-request-id'];
    expect(payload).toMatchObject({ status: 503, headers: { 'cache-control': 'no-store' } });
    expect(payload.text).toBe(`Service Unavailable\n${id}\n`);
    expect(log).toContain(id);
  },
);

test('a page is shown even if recording the visit fails', async () => {
  await built.sql('UPDATE sessions SET last_seen_at = last_seen_at - 172800000');
  await built.sql(
    "CREATE TRIGGER unwritable BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
  );
  const { status, headers, text } = await ada.get('/');
  const log = await vi.waitFor(() => {
    const lines = takeErrors(built);
    expect(lines).toContain('database or disk is full');
    return lines;
  }, 60_000);
  await built.sql('DROP TRIGGER unwritable');

  expect(status).toBe(200);
  expect(text).toContain(person.courseName);
  expect(log).toContain(headers['x-request-id']);
});
