import path from 'node:path';
import { expect, test } from 'vitest';
import { runScript } from './operator.ts';

const root = path.join(import.meta.dirname, '../..');

test('a word that is in the path of no test file is named, and nothing runs', async () => {
  const { said, code } = await runScript(root, 'test.ts', ['settings', 'no-such-test']);

  expect(said).toBe('No test file has "no-such-test" in its path.\n');
  expect(code).toBe(1);
});

test('browser tests without a browser are refused, with how to get one', async () => {
  const { said, code } = await runScript(root, 'test.ts', ['e2e/settings'], {
    CHROMIUM_PATH: '/nowhere/chromium',
  });

  expect(said).toContain('The browser suite needs Chromium: install it with `apt-get install');
  expect(code).toBe(1);
});
