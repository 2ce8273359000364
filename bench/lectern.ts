import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { LegacyWorkerOptions } from 'miniflare';
import { ensureSecrets, type LocalSettings } from '../scripts/local/settings.ts';
import { builtWorker } from '../scripts/local/worker.ts';
import { type Ask, askOnce } from './client.ts';
import { ada, addPerson, createTables, type Database, type SignedIn } from './people.ts';
import { startWorkerd, type Workerd } from './workerd.ts';

const origin = 'https://lectern.test';

/**
 * The built worker as it is measured: without its static files, which Cloudflare serves before it
 * in production.
 */
export function benchedWorker(settings: LocalSettings): LegacyWorkerOptions {
  ensureSecrets();
  const { assets: _, ...worker } = builtWorker(settings);
  return {
    ...worker,
    bindings: { ...worker.bindings, APP_ORIGIN: origin },
    // The flood limit is called as usual, and lets everything through.
    ratelimits: {
      FLOOD_LIMIT: floodLimit('1001'),
      FLOOD_LIMIT_NETWORK: floodLimit('1003'),
      REPORTS: floodLimit('1002'),
    },
  };
}

/** Settings with free ports and a folder of its own, without limits. */
export function benchSettings(given: Partial<LocalSettings> = {}): LocalSettings {
  return {
    appPort: 0,
    googlePort: 0,
    resendPort: 0,
    stripePort: 0,
    stateFolder: mkdtempSync(path.join(os.tmpdir(), 'lectern-bench-')),
    limits: {},
    sentryDsn: null,
    ...given,
  };
}

export type Lectern = { workerd: Workerd; address: URL; database: Database; person: SignedIn };

/** Runs the built worker alone, with a user who has visited it, while a callback uses it. */
export async function withLectern(
  given: Partial<LocalSettings>,
  use: (lectern: Lectern) => Promise<void>,
  options: { isInspected?: boolean } = {},
): Promise<void> {
  const settings = benchSettings(given);
  const workerd = await startWorkerd(settings, [benchedWorker(settings)], options);
  try {
    const database = await workerd.miniflare.getD1Database('DB', 'lectern');
    await createTables(database);
    const person = await visitHome(workerd, await addPerson(database, ada));
    await use({ workerd, address: await workerd.addressOf('lectern'), database, person });
  } finally {
    await workerd.close();
    rmSync(settings.stateFolder, { recursive: true });
  }
}

function floodLimit(namespaceId: string) {
  return { namespace_id: namespaceId, simple: { limit: 1e9, period: 60 as const } };
}

/** A browser's first request, which also gives it a CSRF token. */
export async function visitHome(workerd: Workerd, person: SignedIn): Promise<SignedIn> {
  const { headers } = await askOnce(await workerd.addressOf('lectern'), homeOf(person));
  const token = /__Host-csrftoken=[^;]+/.exec(headers['set-cookie']?.join() ?? '')?.[0];
  if (token === undefined) {
    throw new Error('The home page has given no CSRF token.');
  }
  return { ...person, cookie: `${person.cookie}; ${token}` };
}

export function homeOf({ cookie }: SignedIn): Ask {
  return { path: '/', headers: { cookie } };
}

export function listOf({ cookie }: SignedIn): Ask {
  return { path: '/api/courses/', headers: { cookie } };
}

/** A call that changes something, as our own pages make it. */
export function write({ cookie }: SignedIn, method: string, path: string, input?: object): Ask {
  const [, csrfToken = ''] = /csrftoken=([^;]+)/.exec(cookie) ?? [];
  return {
    path,
    method,
    headers: {
      cookie,
      origin,
      'x-csrftoken': csrfToken,
      ...(input && { 'content-type': 'application/json' }),
    },
    ...(input && { body: JSON.stringify(input) }),
  };
}

/** Reads and writes, signed in and not. */
export function mixedRequests(person: SignedIn): Ask[] {
  const { cookie, courseIds } = person;
  const [first = '', second = ''] = courseIds;
  const read = (path: string): Ask => ({ path, headers: { cookie } });
  return [
    read('/'),
    read('/settings'),
    read('/api/courses/'),
    { path: '/login' },
    write(person, 'PATCH', `/api/courses/${first}/`, { name: 'Introduction to Biology' }),
    read('/'),
    read('/api/courses/'),
    write(person, 'POST', `/api/courses/${second}/select/`),
    read('/'),
    write(person, 'POST', `/api/courses/${first}/select/`),
  ];
}
