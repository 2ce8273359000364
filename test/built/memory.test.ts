import { expect, test, vi } from 'vitest';
import { type Ask, askOnce, createClient } from '../../bench/client.ts';
import type { LiveHeap } from '../../bench/heap.ts';
import { type Lectern, mixedRequests, withLectern } from '../../bench/lectern.ts';
import type { SignedIn } from '../../bench/people.ts';
import { hasEveryCase } from '../every-case.ts';

const fewRequests = 200;
const manyRequests = hasEveryCase ? 1800 : 400;
/** Allowance for a busy machine; a leak grows with each round. */
const rounds = 3;
const connections = 8;

test('mixed requests leave nothing in memory', { timeout: 600_000 }, () =>
  withLectern({}, measure, { isInspected: true }),
);

async function measure({ workerd, address, person }: Lectern): Promise<void> {
  const inspector = await workerd.inspect('lectern');
  let asked = 0;

  async function askUpTo(count: number): Promise<Set<number>> {
    const statuses = new Set<number>();
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (asked < count) {
          asked += 1;
          const kinds = everyKindOfRequest(person, asked);
          const next = kinds[asked % kinds.length];
          if (next?.hangUpAfterMs !== undefined) {
            await createClient(address).hangUp(next, next.hangUpAfterMs);
          } else if (next !== undefined) {
            // On a connection of its own, which cannot have been closed for its age.
            statuses.add((await askOnce(address, next)).status);
          }
        }
      }),
    );
    return statuses;
  }

  /** What is left when aborted requests have been completed. */
  function collect(): Promise<LiveHeap> {
    const atRest = async () => {
      const heap = await inspector.collect();
      return heap.requests === 0 && heap;
    };
    return vi.waitUntil(atRest, { timeout: 60_000, interval: 100 });
  }

  const statuses = await askUpTo(fewRequests);
  expect([...statuses].sort()).toEqual([200, 307, 401, 403, 404, 405, 421]);
  const first = await collect();
  let few = first;
  const growths: number[] = [];
  for (let round = 0; round < rounds && (growths.at(-1) ?? 2) > 1.05; round += 1) {
    await askUpTo(asked + manyRequests);
    const many = await collect();
    growths.push(many.bytes / few.bytes);
    few = many;
  }
  expect(growths.at(-1)).toBeLessThanOrEqual(1.05);
  // Flat in the end, and without slow growth on the way.
  expect(few.bytes / first.bytes).toBeLessThanOrEqual(1.1);
  inspector.close();
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
