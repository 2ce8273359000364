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

/** Does something while the database fails one kind of statement, such as `DELETE ON links`. */
export async function whileFailing<Done>(kind: string, act: () => Promise<Done>): Promise<Done> {
  const fail = "BEGIN SELECT RAISE(ABORT, 'broken'); END";
  await env.DB.exec(`CREATE TRIGGER broken BEFORE ${kind} ${fail}`);
  return act().finally(() => env.DB.exec('DROP TRIGGER broken'));
}

/** A D1 that cannot be reached. */
export function brokenDatabase(message = 'D1_ERROR: Network connection lost.'): D1Database {
  const fail = () => {
    throw new Error(message);
  };
  return databaseWith({ prepare: fail, batch: fail });
}

/** A D1 that can be read but not written: D1 refuses a batch as a whole. */
export function unwritableDatabase(message: string): D1Database {
  const refuse = async () => {
    throw new Error(message);
  };
  const refused = { all: refuse, first: refuse, raw: refuse, run: refuse };
  const write = { bind: () => write, ...refused } as unknown as D1PreparedStatement;
  return databaseWith({
    prepare: (query) => (/^\s*select\b/i.test(query) ? env.DB.prepare(query) : write),
    batch: async <Row>(statements: D1PreparedStatement[]) =>
      statements.includes(write) ? refuse() : env.DB.batch<Row>(statements),
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

/** A D1 that never answers. */
export function hangingDatabase(): D1Database {
  const hang = () => new Promise<never>(() => {});
  const statement = { bind: () => statement, all: hang, first: hang, raw: hang, run: hang };
  return databaseWith({ prepare: () => statement as unknown as D1PreparedStatement, batch: hang });
}
