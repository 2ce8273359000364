import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { Source } from '#db/client.ts';

/** A wrapper of the real D1 that overrides parts of its sessions. */
export function databaseWith(parts: Partial<Source>): D1Database {
  return {
    withSession: () => ({
      prepare: (query: string) => env.DB.prepare(query),
      batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
      getBookmark: () => null,
      ...parts,
    }),
    // The app only uses `withSession` of the binding.
  } as unknown as D1Database;
}

/**
 * The real database; runs a concurrent change before a batch.
 *
 * @param nth which batch; usually the first one reads, and the second one writes
 */
export function beforeWriting(meanwhile: () => Promise<void>, nth = 2): D1Database {
  let batches = 0;
  return databaseWith({
    batch: async <Row>(statements: D1PreparedStatement[]) => {
      batches += 1;
      if (batches === nth) {
        await meanwhile();
      }
      return env.DB.batch<Row>(statements);
    },
  });
}

/**
 * The real database, which writes and loses its answers: those of its second batch, which usually is
 * the first that writes, and of all later ones.
 */
export function forgetfulDatabase(lose: () => Promise<never>): D1Database {
  let batches = 0;
  return databaseWith({
    batch: async <Row>(statements: D1PreparedStatement[]) => {
      batches += 1;
      const results = await env.DB.batch<Row>(statements);
      return batches > 1 ? lose() : results;
    },
  });
}

/** Does something while the database fails one kind of statement, such as `DELETE ON links`. */
export async function whileFailing<Done>(kind: string, act: () => Promise<Done>): Promise<Done> {
  const fail = "BEGIN SELECT RAISE(ABORT, 'broken'); END";
  await env.DB.exec(`CREATE TRIGGER broken BEFORE ${kind} ${fail}`);
  return act().finally(() => env.DB.exec('DROP TRIGGER broken'));
}

/** What D1 says without a connection. */
export function lostConnection(): Promise<never> {
  return Promise.reject(new Error('D1_ERROR: Network connection lost.'));
}

/** No answer. */
export function hang(): Promise<never> {
  return new Promise(() => {});
}

/** A D1 that cannot be reached. */
export function brokenDatabase(): D1Database {
  return databaseWith({ batch: lostConnection });
}

/** A D1 that never answers. */
export function hangingDatabase(): D1Database {
  return databaseWith({ batch: hang });
}

/** A D1 that can be read but not written: D1 refuses a batch as a whole. */
export function unwritableDatabase(message: string): D1Database {
  let isWrite = false;
  return databaseWith({
    prepare: (query) => {
      isWrite ||= !/^\s*select\b/i.test(query);
      return env.DB.prepare(query);
    },
    batch: async <Row>(statements: D1PreparedStatement[]) => {
      const isRefused = isWrite;
      isWrite = false;
      return isRefused ? Promise.reject(new Error(message)) : env.DB.batch<Row>(statements);
    },
  });
}

/** A D1 whose statements take this long by the clock of a test. */
export function slowDatabase(ms: number): D1Database {
  return databaseWith({
    prepare: (query) => {
      vi.setSystemTime(Date.now() + ms);
      return env.DB.prepare(query);
    },
  });
}
