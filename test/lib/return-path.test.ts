import { expect, test } from 'vitest';
import { returnPathOf } from '#lib/return-path.ts';
import { words } from '#support/words.ts';

const origin = 'https://lectern.test';

test.each([
  ['/', '/'],
  ['/settings', '/settings'],
  ['/settings/billing?a=b%2F&c=%C3%A9#sessions', '/settings/billing?a=b%2F&c=%C3%A9#sessions'],
  ['/ok?x=//evil.test', '/ok?x=//evil.test'],
  ['/%09/evil.test', '/%09/evil.test'],
  ['/a/../settings', '/settings'],
  ['/apiary', '/apiary'],
])('a page is where it says: %j', (next, path) => {
  expect(returnPathOf(next, origin)).toBe(path);
});

test.each([
  null,
  '',
  ...words(`settings https://evil.test ${origin}/settings //evil.test //lectern.test/settings`),
  ...words(
    '/\\evil.test \\\\evil.test /..//evil.test /.//evil.test /a/..//evil.test /..\\/evil.test',
  ),
  ...['/\t/evil.test', '/\n/evil.test', ' //evil.test', '/\u0000', '/settings\u0085'],
  ...words('javascript:alert(1) @evil.test ?next=/ #x /api/accounts/auth/logout/ /api'),
  ...words(`/settings/../api/health/ /RSC/R/settings.txt /${'a'.repeat(500)}`),
])('anything else is refused: %j', (next) => {
  expect(returnPathOf(next, origin)).toBeNull();
});
