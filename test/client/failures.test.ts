import { afterEach, expect, test, vi } from 'vitest';
import { waitingTime } from '#client/failures.ts';

afterEach(() => vi.unstubAllGlobals());

const hour = 60 * 60;

test.each([
  ['en', -5, 'now'],
  ['en', 0.2, 'in 1\u00a0second'],
  ['en', 61, 'in 2\u00a0minutes'],
  ['en', hour, 'in 60\u00a0minutes'],
  ['en', hour + 1, 'in 2\u00a0hours'],
  ['fr', 0, 'maintenant'],
  ['fr', 120, 'dans 2\u00a0minutes'],
])('in %s, a wait of %d seconds is never said to be shorter: %s', (lang, seconds, words) => {
  vi.stubGlobal('document', { documentElement: { lang } });

  expect(waitingTime(1_000_000 + seconds * 1000, 1_000_000)).toBe(words);
});
