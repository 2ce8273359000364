import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { person, serveSite, takeErrors, without } from './pages.ts';
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
    const headers = { 'Accept-Language': 'fr' };
    const request = () => ada.request(address, { headers });
    const response = await without(built, 'sessions', () => without(built, 'links', request));
    const html = await response.text();
    const log = takeErrors(built);

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
  // In one trip, so that the failing part is unknown.
  ['its courses', 'courses', 'updated_at'],
])(
  'when %s cannot be read, the page says so, and its payload is refused as a whole',
  async (_what, table, column) => {
    const both = async () =>
      [await ada.request('/cohorts'), await ada.request('/RSC/R/cohorts.txt')] as const;
    const [page, payload] = await without(built, table, both, column);
    const log = takeErrors(built);

    expect(page.status).toBe(500);
    expect(await page.text()).toContain('Failed to fetch user information.');
    expect(payload.status).toBe(503);
    expect(payload.headers.get('Cache-Control')).toBe('no-store');
    const id = payload.headers.get('X-Request-Id');
    expect(await payload.text()).toBe(`Service Unavailable\n${id}\n`);
    expect(log).toContain(payload.headers.get('X-Request-Id'));
  },
);

test('a page is shown even if recording the visit fails', async () => {
  await built.sql('UPDATE sessions SET last_seen_at = last_seen_at - 172800000');
  await built.sql(
    "CREATE TRIGGER unwritable BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
  );
  const page = await ada.request('/');
  const html = await page.text();
  const log = await vi.waitFor(() => {
    const lines = takeErrors(built);
    expect(lines).toContain('database or disk is full');
    return lines;
  }, 10_000);
  await built.sql('DROP TRIGGER unwritable');

  expect(page.status).toBe(200);
  expect(html).toContain(person.courseName);
  expect(log).toContain(page.headers.get('X-Request-Id'));
});
