import { expect, type TestContext } from 'vitest';

/**
 * The budgets that `npm test` checks, each with room for the next features (decision 81). Bytes are
 * those of `gzip -9`. `npm run budgets` prints everything else that is measured.
 */
export const budgets = {
  /** Scripts that the heaviest public page loads before any input, with error reporting on. */
  scriptsOfPublicPage: 109_000,
  /** The same for the heaviest page of people who are signed in. */
  scriptsOfApp: 125_000,
  /** The heaviest document, of someone with three courses and a cohort. */
  document: 23_000,
  /** All style sheets together. */
  styles: 34_000,
  /** Round trips to D1: a statement or a batch each. */
  trips: {
    page: 1,
    /** Shows nothing from the database. */
    anonymousPage: 0,
    read: 1,
    write: 2,
    /** After the answer, an email that goes out at once is held, then marked as sent. */
    email: 2,
  },
  /** Statements that read more rows when there are 100 times as many users. */
  growingStatements: 0,
  /** Steps of query plans that scan a table, or sort. */
  growingSteps: 0,
  /** Modules that an isolate evaluates before its first answer. */
  coldStart: 518_000,
} as const;

/** A line of the table that `npm run budgets` prints. */
export type Row = {
  what: string;
  measured: number;
  /** `B` for bytes; empty if `what` names the unit. */
  unit: 'B' | '';
  /** Absent if the figure is only printed. */
  budget?: number;
};

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: it extends an interface of Vitest.
  interface TaskMeta {
    rows?: Row[];
  }
}

/** Adds rows to the table, and fails if one is over its budget. */
export function checkBudgets(task: TestContext['task'], rows: Row[]): void {
  task.meta.rows = [...(task.meta.rows ?? []), ...rows];
  expect(rows.length).toBeGreaterThan(0);
  const over = rows.filter(({ measured, budget = Number.POSITIVE_INFINITY }) => measured > budget);
  expect(over, 'over budget; docs/performance.md says what to do').toEqual([]);
}

/** The largest of several figures with the budget, followed by all of them without one. */
export function largestOf(
  what: string,
  budget: number,
  rows: Pick<Row, 'what' | 'measured'>[],
): Row[] {
  const sorted = rows.toSorted((a, b) => b.measured - a.measured);
  const [largest] = sorted;
  const named = { what: `${what}: ${largest?.what}`, measured: largest?.measured ?? 0, budget };
  return [
    { ...named, unit: 'B' },
    ...sorted.map((row) => ({ ...row, what: `${what}, ${row.what}`, unit: 'B' as const })),
  ];
}

/** How many things were found that should not exist, followed by a row for each of them. */
export function noneOf(what: string, budget: number, found: string[]): Row[] {
  const rows = found.map((one) => ({ what: one, measured: 1, unit: '' as const, budget }));
  return [{ what, measured: found.length, unit: '', budget }, ...rows];
}
