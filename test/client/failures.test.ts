import { afterEach, expect, test, vi } from 'vitest';
import { failureKind, waitingTime } from '#client/failures.ts';

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

const answered = (status: number) => ({ ok: false, status, body: null });
const unanswered = (thrown: unknown) => ({ ok: false, status: null, body: null, thrown });

test.each([
  ['a refusal', answered(422), 422],
  ['a proxy that reaches nothing', answered(502), 503],
  ['a proxy that waits in vain', answered(504), 503],
  ['an unusual status', answered(409), 'other'],
  ['a lost connection', unanswered(new TypeError('Failed to fetch')), 'network'],
  ['what an extension throws', unanswered(new Error('Broken')), 'error'],
  ['what a page throws', new TypeError('Broken'), 'error'],
  ['what is no error', 'Broken', 'unknown'],
])('%s is shown as a failure of its kind', (_, failure, kind) => {
  expect(failureKind(failure)).toBe(kind);
});
