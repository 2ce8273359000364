import type { D1Database, D1PreparedStatement, D1Result } from '@cloudflare/workers-types';

/** One statement as sent to the database. */
export type Recorded = {
  sql: string;
  params: unknown[];
  rowsReturned: number;
  /** As reported by the database; null for a failed statement. */
  rowsRead: number | null;
  rowsWritten: number | null;
};

type Bare = Pick<Recorded, 'sql' | 'params'>;

/** A database that records its statements. */
type Recording = {
  db: D1Database;
  /** Returns what was recorded since the last call. */
  take: () => { statements: Recorded[]; trips: number };
};

type Bound = { sql: string; params: unknown[]; statement: D1PreparedStatement };

/** What `D1Database` and its sessions have in common. */
type Statements = Pick<D1Database, 'prepare' | 'batch'>;

/**
 * Wraps a real D1 and records each statement with the rows it read and wrote (`meta`). A batch is
 * one trip.
 *
 * `raw()`, which Drizzle uses to return columns, has no `meta`. A read is therefore repeated with
 * `all()` before its result is returned: the rows read do not depend on the format, and nothing was
 * written in between. A write cannot be repeated: it is sent with `all()`, and the values of its
 * rows are returned. They equal those of `raw()`, because `RETURNING` names columns of one table,
 * so none hides another.
 */
export function recordDatabase(database: D1Database): Recording {
  let statements: Recorded[] = [];
  let trips = 0;
  const boundOf = new WeakMap<D1PreparedStatement, Bound>();

  function note({ sql, params }: Bound, result: D1Result | null): void {
    statements.push({
      sql,
      params,
      rowsReturned: result?.results?.length ?? 0,
      rowsRead: result?.meta.rows_read ?? null,
      rowsWritten: result?.meta.rows_written ?? null,
    });
  }

  async function issue<Row>(bound: Bound): Promise<D1Result<Row>> {
    trips += 1;
    try {
      const result = await bound.statement.all<Row>();
      note(bound, result);
      return result;
    } catch (error) {
      note(bound, null);
      throw error;
    }
  }

  function wrapStatement(bound: Bound): D1PreparedStatement {
    const { sql, statement } = bound;
    const wrapped = {
      bind: (...params: unknown[]) =>
        wrapStatement({ sql, params, statement: statement.bind(...params) }),
      all: <Row>() => issue<Row>(bound),
      run: <Row>() => issue<Row>(bound),
      first: async (column?: string) => {
        const [row] = (await issue<Record<string, unknown>>(bound)).results;
        return (column === undefined ? row : row?.[column]) ?? null;
      },
      raw: async () => {
        if (!isRead(sql)) {
          const { results } = await issue<Record<string, unknown>>(bound);
          return results.map((row) => Object.values(row));
        }
        await issue(bound);
        return statement.raw();
      },
    } as D1PreparedStatement;
    boundOf.set(wrapped, bound);
    return wrapped;
  }

  function wrap(inner: Statements): Statements {
    return {
      prepare: (sql) => wrapStatement({ sql, params: [], statement: inner.prepare(sql) }),
      batch: async <Row>(wrapped: D1PreparedStatement[]) => {
        const batch = wrapped.map((statement) => boundOf.get(statement) as Bound);
        trips += 1;
        try {
          const results = await inner.batch<Row>(batch.map(({ statement }) => statement));
          batch.forEach((bound, index) => {
            note(bound, results[index] ?? null);
          });
          return results;
        } catch (error) {
          for (const bound of batch) {
            note(bound, null);
          }
          throw error;
        }
      },
    };
  }

  const db = {
    ...wrap(database),
    withSession: (constraint?: string) => {
      const session = database.withSession(constraint);
      return { ...wrap(session), getBookmark: () => session.getBookmark() };
    },
  } as D1Database;

  return {
    db,
    take: () => {
      const taken = { statements, trips };
      statements = [];
      trips = 0;
      return taken;
    },
  };
}

/** SQLite's query plan: one line per step, such as `SEARCH users USING INDEX … (id=?)`. */
export async function planOf(database: D1Database, statement: Bare): Promise<string[]> {
  const [plan = []] = await plansOf(database, [statement]);
  return plan;
}

/** The plans of several statements, in one trip. */
export async function plansOf(database: D1Database, statements: Bare[]): Promise<string[][]> {
  const explained = statements.map(({ sql, params }) =>
    database.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...params),
  );
  const answers = await database.batch<{ detail: string }>(explained);
  return answers.map(({ results }) => results.map(({ detail }) => detail));
}

/** Steps whose rows may be sorted, because they do not grow with the data of others. */
const boundedSteps = [
  // The cohorts of one course, 200 at most, and the sessions of what one person takes part in.
  /^SEARCH (cohorts|c) USING (COVERING )?INDEX \w+ \(owner_id=\? AND course_id=\?/,
  /INDEX enrollments_person_id_owner_id_index \(person_id=\?\)/,
  // The lessons of one course, 300 at most: the order of their sections is in no index with theirs.
  /^SEARCH (l|lessons) USING INDEX lessons_(course|published|section)_index \(owner_id=\? AND (course|section)_id=\?\)/,
  // The sections of one cohort that open on a date of their own, 50 at most.
  /^SEARCH cohort_sections USING INDEX cohort_sections_cohort_index \(owner_id=\? AND cohort_id=\?\)/,
  // Recent changes in one cohort, and a list that the request contains.
  /INDEX enrollments_changed_index \(cohort_id=\?/,
  /^SCAN w VIRTUAL TABLE/,
  // The entries of one course, cohort, account or person, which are added up.
  /^SEARCH l USING (COVERING )?INDEX ledger_entries_(sums|account|person)_index \((owner_id=\? AND (course_id|person_id)|enrollment_id)=\?/,
  // The emails that are due, and ten mailboxes at most.
  /INDEX mails_due_due_at_index \(due_at<\?\)/,
  /^(CO-ROUTINE|MATERIALIZE) mailboxes$/,
];

/**
 * The steps of a plan that grow with the data: table scans, and sorting in temporary B-trees.
 * Walking through a statement's own `VALUES` or JSON, or through what its other steps have found,
 * does not count.
 */
export function growingSteps(plan: string[]): string[] {
  const isBounded = plan.some((step) => boundedSteps.some((form) => form.test(step)));
  const found = plan.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (.+)$/.exec(step)?.[1] ?? []);
  // The statements that materialize `room` read it as `c`.
  const names = found.includes('room') ? [...found, 'c'] : found;
  return plan.filter((step) => {
    const [, scanned] = /^SCAN (.+)$/.exec(step) ?? [];
    return scanned === undefined
      ? step.includes('TEMP B-TREE') && !isBounded
      : !/^(\d+ )?CONSTANT ROWS?$| VIRTUAL TABLE /.test(scanned) && !names.includes(scanned);
  });
}

/**
 * The statements that read more rows than the same ones did before, in words.
 *
 * @param allowed how many more rows a statement may read
 */
export function grownReads(before: Recorded[], after: Recorded[], allowed = 0): string[] {
  return after.flatMap(({ sql, rowsRead }, index) => {
    const [rows, rowsBefore] = [rowsRead ?? 0, before[index]?.rowsRead ?? 0];
    return rows > rowsBefore + allowed ? [`${shapeOf(sql)}: ${rowsBefore} → ${rows} rows`] : [];
  });
}

/** A statement without what differs between requests: value lists of any length are equal. */
export function shapeOf(sql: string): string {
  return sql
    .replace(/\s+/g, ' ')
    .replace(/\(\?(, \?)*\)(, \(\?(, \?)*\))*/g, '(…)')
    .trim();
}

function isRead(sql: string): boolean {
  return /^\s*select\b/i.test(sql);
}
