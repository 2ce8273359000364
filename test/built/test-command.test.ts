import { expect, test } from 'vitest';
import { runScript } from './operator.ts';

test('a word that is in the path of no test file is named, and nothing runs', async () => {
  const { said, code } = await runScript('test.ts', ['settings', 'no-such-test']);

  expect(said).toBe('No test file has "no-such-test" in its path.\n');
  expect(code).toBe(1);
});
