import { env } from 'cloudflare:workers';
import { inArray, SQL } from 'drizzle-orm';
import { vi } from 'vitest';
import type { Context } from '#context.ts';
import { counters } from '#db/schema/counters.ts';
import type { Bindings } from '#env.ts';
import { uses as outboxUses } from '#features/letters/hold-mails.ts';
import { budgetUses, consume, counterKeys, type LimitUse } from '#features/limits/limit-on.ts';
import { settled } from './background.ts';
import type { Client, createClient } from './client.ts';
import { contextOn } from './context.ts';
import { db } from './factories.ts';
import { fakeGoogle } from './google.ts';
import { type Recorded, recordDatabase } from './recorder.ts';
import { fakeResend } from './resend.ts';
import { fakeStripe } from './stripe.ts';

/** An action of the app, with all its database requests. */
export type Operation = {
  name: string;
  /** Of a call of the API; null for the reads of a page, and for work by the clock. */
  method: string | null;
  /** The path of such a call, with the ids that it was made with. */
  path: string | null;
  statements: Recorded[];
  /** The number of its trips to the database. */
  trips: number;
  /** How many statements it built. */
  built: number;
};

type Options = NonNullable<Parameters<Client['request']>[3]>;

type Driver = {
  /** Where everything is recorded. */
  bindings: Partial<Bindings>;
  ctx: Context;
  resend: ReturnType<typeof fakeResend>;
  google: ReturnType<typeof fakeGoogle>;
  stripe: ReturnType<typeof fakeStripe>;
  /** Does something that is no call of a browser, such as the read of a page. */
  drive: (name: string, act: () => Promise<unknown>) => Promise<void>;
  /**
   * One request, such as `POST /api/courses/ 201`, with all that continues after its answer.
   *
   * @throws Error for another status, which is a mistake in the drive
   */
  call: (
    name: string,
    client: ReturnType<typeof createClient>,
    request: string,
    input?: unknown,
    options?: Options,
  ) => Promise<Response>;
};

/**
 * Does once what some part of the app can do with its database, with each branch of its verbs. It
 * creates its own users, whose ids and hashes fall in the middle of every index, and changes no
 * other rows, except those that are due or expired.
 */
export type Drive = (driver: Driver) => Promise<void>;

/** Records what the app does in a drive. */
export async function record(drive: Drive): Promise<Operation[]> {
  // Paused, so that no limit's window ends on the way.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const building = vi.spyOn(SQL.prototype, 'toQuery');
  try {
    await countSharedOnce();
    const { driver, driven } = createDriver(building);
    await drive(driver);
    return driven;
  } finally {
    building.mockRestore();
    vi.useRealTimers();
  }
}

function createDriver(building: { mock: { calls: unknown[] }; mockClear: () => unknown }) {
  const recording = recordDatabase(env.DB);
  const driven: Operation[] = [];
  const bindings = { DB: recording.db };

  async function drive(
    name: string,
    act: () => Promise<unknown>,
    { method, path }: Pick<Operation, 'method' | 'path'> = { method: null, path: null },
  ): Promise<void> {
    recording.take();
    building.mockClear();
    await act();
    driven.push({ name, method, path, ...recording.take(), built: building.mock.calls.length });
  }

  const call: Driver['call'] = async (name, client, request, input, options = {}) => {
    const [method = '', path = '', status] = request.split(' ');
    let response = new Response();
    if (!client.cookies.has('__Host-csrftoken')) {
      // Sets it, as loading a page would.
      await client.get('/api/health/');
    }
    const send = async () => {
      response = await client.request(method, path, input, {
        ...options,
        bindings: { ...bindings, ...options.bindings },
      });
      await settled();
    };
    await drive(name, send, { method, path });
    if (String(response.status) !== status) {
      throw new Error(`${name}: ${response.status} ${await response.text()}`);
    }
    return response;
  };

  const [resend, google, stripe] = [fakeResend(), fakeGoogle(), fakeStripe()];
  const driver: Driver = {
    bindings,
    ctx: contextOn(bindings),
    resend,
    google,
    stripe,
    drive,
    call,
  };
  return { driver, driven };
}

/**
 * Counts one email in the limits that all users share, so that each run finds one row of each.
 */
async function countSharedOnce(): Promise<void> {
  const ctx = contextOn();
  const unknown: LimitUse = { limit: 'unknown_addresses', subject: 'all' };
  const shared = [...budgetUses(false), ...Object.values(outboxUses), unknown];
  await db.delete(counters).where(inArray(counters.key, await counterKeys(ctx, shared)));
  await consume(ctx, shared, 'refuse');
}
