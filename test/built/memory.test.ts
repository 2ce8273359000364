import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { type Ask, createClient } from '../../bench/client.ts';
import type { HeapInspector } from '../../bench/heap.ts';
import { benchedWorker, mixedRequests, visitHome } from '../../bench/lectern.ts';
import { ada, addPerson, createTables, type SignedIn } from '../../bench/people.ts';
import { startWorkerd } from '../../bench/workerd.ts';
import { hasEveryCase } from '../every-case.ts';

const stateFolder = mkdtempSync(path.join(os.tmpdir(), 'lectern-memory-'));

const fewRequests = 200;
const manyRequests = hasEveryCase ? 1800 : 400;
/** Allowance for a busy machine; a leak grows with each round. */
const rounds = 3;
const connections = 8;

afterAll(() => rmSync(stateFolder, { recursive: true }));

test('mixed requests leave nothing in memory', { timeout: 600_000 }, () =>
  withInspected(async ({ person, address, inspector }) => {
    let asked = 0;

    async function askUpTo(count: number): Promise<Set<number>> {
      const statuses = new Set<number>();
      const client = createClient(address);
      await Promise.all(
        Array.from({ length: connections }, async () => {
          while (asked < count) {
            asked += 1;
            const kinds = everyKindOfRequest(person, asked);
            const next = kinds[asked % kinds.length];
            if (next?.hangUpAfterMs !== undefined) {
              await client.hangUp(next, next.hangUpAfterMs);
            } else if (next !== undefined) {
              statuses.add((await client.ask(next)).status);
            }
          }
        }),
      );
      // Aborted requests are still being completed.
      await wait(2_000);
      client.close();
      return statuses;
    }

    const statuses = await askUpTo(fewRequests);
    expect([...statuses].sort()).toEqual([200, 307, 401, 403, 404, 405, 421]);
    const first = await inspector.collect();
    let few = first;
    const growths: number[] = [];
    for (let round = 0; round < rounds && (growths.at(-1) ?? 2) > 1.05; round += 1) {
      await askUpTo(asked + manyRequests);
      const many = await inspector.collect();
      expect(many.requests).toBeLessThan(50);
      growths.push(many.bytes / few.bytes);
      few = many;
    }
    expect(growths.at(-1)).toBeLessThanOrEqual(1.05);
    // Flat in the end, and without slow growth on the way.
    expect(few.bytes / first.bytes).toBeLessThanOrEqual(1.1);
  }),
);

type Inspected = { person: SignedIn; address: URL; inspector: HeapInspector };

/** Runs the built worker with a signed-in user while a test looks at its memory. */
async function withInspected(use: (inspected: Inspected) => Promise<void>): Promise<void> {
  const ports = { appPort: 0, googlePort: 0, resendPort: 0, stripePort: 0 };
  const settings = { ...ports, stateFolder, limits: {}, sentryDsn: null };
  const workerd = await startWorkerd(settings, [benchedWorker(settings)], { isInspected: true });
  try {
    const database = await workerd.miniflare.getD1Database('DB', 'lectern');
    await createTables(database);
    const person = await visitHome(workerd, await addPerson(database, ada));
    const address = await workerd.addressOf('lectern');
    const inspector = await workerd.inspect('lectern');
    await use({ person, address, inspector });
    inspector.close();
  } finally {
    await workerd.close();
  }
}

/**
 * One of each kind.
 *
 * @param serial new for each request, so that caches cannot hide a leak
 */
function everyKindOfRequest(
  person: SignedIn,
  serial: number,
): (Ask & { hangUpAfterMs?: number })[] {
  const { cookie } = person;
  const longHeader = { 'x-long': 'x'.repeat(100_000) };
  const mix = mixedRequests(person);
  return [
    ...mix,
    // Without a session: a public page, and one that redirects to /login.
    { path: '/signup' },
    { path: '/' },
    { path: '/', method: 'HEAD', headers: { cookie } },
    { path: '/RSC/R/settings.txt', headers: { cookie } },
    { path: '/RSC/R/login.txt' },
    { path: '/api/courses/' },
    { path: '/api/schema/' },
    { path: `/nothing-here/${serial}?query=${serial}`, headers: { cookie } },
    { path: `/RSC/R/nothing-here/${serial}.txt` },
    { path: `/api/nothing-here/${serial}/` },
    { path: '/terms', headers: { cookie: `a${serial}=1`, 'accept-language': `fr-${serial}` } },
    { path: '/', method: 'POST' },
    { path: '/api/health/', method: 'DELETE' },
    { path: '/', headers: { host: 'elsewhere.test' } },
    { path: '/api/health/', headers: { host: 'elsewhere.test' } },
    { path: '/settings', headers: { cookie, ...longHeader } },
    { path: '/api/health/', headers: longHeader },
    // A client that disconnects immediately, or during the answer.
    ...[0, 5, 20, 60].flatMap((hangUpAfterMs) => [
      { path: '/settings', headers: { cookie }, hangUpAfterMs },
      { path: '/RSC/R/settings.txt', headers: { cookie }, hangUpAfterMs },
      ...mix.filter(({ method }) => method === 'PATCH').map((ask) => ({ ...ask, hangUpAfterMs })),
    ]),
  ];
}
