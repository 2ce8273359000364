import 'server-only';

/** A D1 session, or D1 itself. */
export type Source = Pick<D1DatabaseSession, 'batch' | 'prepare'>;

/** The database of one request; only `ask` uses it. Writes are a batch: D1 has no transactions. */
export type Database = {
  batch: (statements: { sql: string; params: unknown[] }[]) => Promise<D1Result[]>;
};

/** How many requests this invocation of the worker has made to D1 and Resend. */
export type RequestCount = { made: number };

/** Longer than D1 takes under load, shorter than users wait. */
const timeLimitMs = 8_000;

/**
 * Times out if D1 does not answer, so that the request does not hang. After a timeout, all further
 * queries of the request fail immediately. A write that timed out may still happen.
 */
export function openDatabase(source: Source, requests: RequestCount = { made: 0 }): Database {
  let isStalled = false;
  return {
    async batch(statements) {
      requests.made += 1;
      if (isStalled) {
        throw new Error('D1 did not answer this request before');
      }
      const prepared = statements.map(({ sql, params }) => source.prepare(sql).bind(...params));
      let timer: ReturnType<typeof setTimeout> | undefined;
      const timeLimit = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          isStalled = true;
          reject(new Error(`D1 did not answer within ${timeLimitMs} ms`));
        }, timeLimitMs);
      });
      try {
        return await Promise.race([source.batch(prepared), timeLimit]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
