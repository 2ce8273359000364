import 'server-only';

/** What a request asks the database through: a session of D1, or D1 itself. */
export type Source = Pick<D1DatabaseSession, 'batch' | 'prepare'>;

/** The database of one request, which `ask` alone uses. Writes are a batch: D1 has no transactions. */
export type Database = {
  batch: (statements: { sql: string; params: unknown[] }[]) => Promise<D1Result[]>;
};

/** Longer than D1 takes under load, shorter than people wait. */
const timeLimitMs = 8_000;

/**
 * Gives up on D1 when an answer takes too long: a request would hang with it. Everything that the
 * request asks afterwards is refused at once, so that nobody waits twice. What was given up on may
 * still happen.
 */
export function openDatabase(source: Source): Database {
  let isStalled = false;
  return {
    async batch(statements) {
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
