import 'server-only';

/** What a request asks the database through: a session of D1, or D1 itself. */
export type Source = Pick<D1DatabaseSession, 'batch' | 'prepare'>;

/** Longer than D1 takes under load, shorter than people wait. */
const timeLimitMs = 8_000;

/**
 * The same database, except that it gives up on D1 when an answer takes too long: a request would hang with it. Whatever the
 * request asks afterwards is refused at once, so that nobody waits twice. What was given up on may still happen.
 */
export function withTimeLimit(source: Source): Source {
  let isStalled = false;

  async function limited<Result>(ask: () => Promise<Result>): Promise<Result> {
    if (isStalled) {
      throw new Error('D1 did not answer this request before');
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeLimit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isStalled = true;
        reject(new Error(`D1 did not answer within ${timeLimitMs} ms`));
      }, timeLimitMs);
    });
    try {
      return await Promise.race([ask(), timeLimit]);
    } finally {
      clearTimeout(timer);
    }
  }

  const unlimited = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

  function limitedStatement(statement: D1PreparedStatement): D1PreparedStatement {
    const same = new Proxy(statement, {
      get(target, name) {
        if (name === 'bind') {
          return (...values: unknown[]) => limitedStatement(target.bind(...values));
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function'
          ? (...args: unknown[]) => limited(() => Reflect.apply(value, target, args))
          : value;
      },
    });
    unlimited.set(same, statement);
    return same;
  }

  return {
    prepare: (query) => limitedStatement(source.prepare(query)),
    batch: (statements) =>
      limited(() =>
        source.batch(statements.map((statement) => unlimited.get(statement) ?? statement)),
      ),
  };
}
