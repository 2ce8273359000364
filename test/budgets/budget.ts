import { expect, type TestContext } from 'vitest';
import { explain, isOver, type Row } from './row.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: it widens one of Vitest's own.
  interface TaskMeta {
    budgets?: Row[];
  }
}

/**
 * Records a measurement for the table, and fails if it is over its budget, saying what has grown.
 */
export function holdBudgets(task: TestContext['task'], rows: Row[]): void {
  task.meta.budgets = rows;
  expect(rows.length).toBeGreaterThan(0);
  const failing = rows.filter(isOver);
  if (failing.length > 0) {
    expect.fail(failing.map((row) => explain(row)).join('\n'));
  }
}
