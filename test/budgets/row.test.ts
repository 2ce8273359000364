import { expect, test } from 'vitest';
import { explain, isOver, type Row } from './row.ts';

const row: Row = {
  what: 'scripts of a page',
  measured: 97_000,
  budget: 95_000,
  unit: 'B',
  parts: { 'common.js': 70_000, 'settings.js': 21_904, 'charts.js': 5_096 },
};

test('a row over its budget says what has grown and by how much, largest first', () => {
  const before = { measured: 88_210, parts: { 'common.js': 71_000, 'settings.js': 17_210 } };

  expect(explain(row, before)).toBe(
    `scripts of a page: 97,000 B, which is 2,000 B over 95,000 B. It was accepted at 88,210 B; since then there has grown:
  charts.js: 5,096 B, new
  settings.js: 17,210 → 21,904 B (+4,694)`,
  );
});

test('a row that was never accepted, or has not grown, says that', () => {
  expect(explain(row)).toContain('It has never been accepted.');
  expect(explain(row, row)).toContain('It was accepted at 97,000 B, and nothing has grown since.');
});

test('a row is over its budget as soon as it is one above it', () => {
  expect(isOver({ ...row, measured: 95_000 })).toBe(false);
  expect(isOver({ ...row, measured: 95_001 })).toBe(true);
});
