import { env } from 'cloudflare:workers';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';
import { settled } from './background.ts';
import { closedLists } from './closed-lists.ts';
import { noise, takeNoise, written } from './console.ts';
import { leaksIn } from './secrets.ts';

const levels = ['debug', 'error', 'info', 'log', 'warn'] as const;

/** Everything written is kept and searched. */
beforeEach(() => {
  written.length = 0;
  for (const level of levels) {
    vi.spyOn(console, level).mockImplementation((...args) => {
      const line = args.join(' ');
      written.push(line);
      if (level === 'error' || level === 'warn') {
        noise.push(line);
      }
    });
  }
});

/**
 * After every test of the suite: no log contains a secret or an address that the test has seen, and
 * every line is JSON. Unexpected noise is a failure; a test that expects some removes it with
 * `takeNoise`.
 */
afterEach(async () => {
  // Later, pending work would meet the next test's mocks, or none.
  await settled();
  vi.useRealTimers();
  vi.restoreAllMocks();
  expect(leaksIn(written.join('\n'))).toEqual([]);
  expect(written.filter((line) => !isJson(line))).toEqual([]);
  expect(takeNoise()).toEqual([]);
});

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return !line.includes('\n');
  } catch {
    return false;
  }
}

/**
 * After every file: the remaining data in its database contains no secret, and every value of a
 * closed list is in it. Addresses may be in the columns made for them.
 */
afterAll(async () => {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const contents = await env.DB.batch<Record<string, unknown>>(
    tables.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`)),
  );
  const rows = new Map(tables.map(({ name }, index) => [name, contents[index]?.results ?? []]));
  for (const [column, list] of Object.entries(closedLists)) {
    const [table = '', field = ''] = column.split('.');
    const values = new Set((rows.get(table) ?? []).map((row) => row[field]));
    values.delete(null);
    expect(list, column).toEqual(expect.arrayContaining([...values]));
  }
  const dump = [...rows.values()].map((found) => JSON.stringify(found));
  expect(leaksIn(dump.join('\n'), { addressesToo: false })).toEqual([]);
  // A file may leave ten thousand users.
}, 180_000);
