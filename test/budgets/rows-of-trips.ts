import { depthOf, type Trip } from './counted-worker.ts';
import type { Row } from './row.ts';

/**
 * How many rows a read request may read: more than it returns, for joins, and because each of its
 * statements looks up whose rows it may read, and of which course. The people of a cohort are
 * counted, and those who came or changed lately are looked up. A scan also reads the next entry of
 * its index, if there is one, which depends on random ids.
 */
const rowsRead = (returned: number, statements: number) =>
  Math.floor(1.2 * returned + statements + 12);

/**
 * Further lookups of some requests: each kind of email that is due and who gets it, what people
 * know of each session, the entries that a balance adds up, courses that are gone, and the zones of
 * a ledger. See decisions 59, 62 and 72.
 */
const moreLookups: Record<string, number> = {
  'page /cohorts/[id]': 5,
  'page /cohorts/[id]/emails': 8,
  'page /payments': 4,
  'GET /api/cohorts/{id}/meetings/': 5,
  'GET /api/cohorts/{id}/ledger/': 10,
  'GET /api/courses/{id}/payments/': 4,
};

/** One request and its D1 statements. */
export type Driven = { what: string; budget: number; trips: Trip[]; isRead: boolean };

export function tripRows(driven: Driven[]): Row[] {
  return driven.map(({ what, budget, trips }) => ({
    what: `trips to D1, ${what}`,
    measured: trips.length,
    budget,
    unit: '',
    parts: sumByName(
      trips.map((trip) => [trip.statements.map(({ sql }) => nameOf(sql)).join(' + '), 1]),
    ),
  }));
}

/** The most sequential trips in one of these requests. */
export function depthRow(what: string, driven: Driven[]): Row {
  const parts = Object.fromEntries(driven.map((one) => [one.what, depthOf(one.trips)]));
  return {
    what: `depth of trips to D1, ${what}`,
    measured: Math.max(...Object.values(parts)),
    budget: 1,
    unit: '',
    parts,
  };
}

export function readRows(driven: Driven[]): Row[] {
  return driven
    .filter(({ isRead, trips }) => isRead && trips.length > 0)
    .map(({ what, trips }) => {
      const statements = trips.flatMap((trip) => trip.statements);
      return {
        what: `rows read, ${what}`,
        measured: statements.reduce((rows, { read }) => rows + read, 0),
        budget:
          (moreLookups[what] ?? 0) +
          rowsRead(
            statements.reduce((rows, { returned }) => rows + returned, 0),
            statements.length,
          ),
        unit: '',
        parts: sumByName(statements.map(({ sql, read }) => [nameOf(sql), read])),
      };
    });
}

/** A statement's kind and tables: `select sessions users courses`. */
function nameOf(sql: string): string {
  const verb = /\b(select|insert|update|delete)\b/i.exec(sql)?.[0].toLowerCase() ?? 'other';
  const tables = [...sql.matchAll(/\b(?:from|join|into|update)\s+"(\w+)"/gi)].map(
    ([, table]) => table,
  );
  return [verb, ...new Set(tables)].join(' ');
}

function sumByName(values: [name: string, value: number][]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, value] of values) {
    sums[name] = (sums[name] ?? 0) + value;
  }
  return sums;
}
