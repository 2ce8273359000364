import { expect, test } from 'vitest';
import { withoutSecrets } from '#observability/without-secrets.ts';

const token = '0123456789abcdef'.repeat(4);

test.each([
  [`https://lectern.test/confirm?token=${token}`, 'https://lectern.test/confirm'],
  ['GET /RSC/R/confirm.txt?query=token%3Dabc [200]', 'GET /RSC/R/confirm.txt [200]'],
  ['see (https://lectern.test/a#token=x) there', 'see (https://lectern.test/a) there'],
  [`the token ${token} is bad`, 'the token [removed] is bad'],
  [`token%3D${token.toUpperCase()}`, '[removed]'],
  ['code=4%2F0abc&state=xyz', '[removed]&[removed]'],
  [`__Host-session=${token}; language=fr`, '[removed]; language=fr'],
  [`google_0123456789abcdef=${token}.a-verifier.${token}.1`, '[removed]'],
  ['{"code":"482913"}', '{"[removed]"}'],
  [String.raw`"{\"code\":\"482 913\"}"`, String.raw`"{\"[removed]\"}"`],
  ['the code: 482 913, then', 'the [removed], then'],
  ['Authorization: Bearer re_abc.def', 'Authorization: [removed]'],
  ['jwt eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln!', 'jwt [removed]!'],
  ['(/a (/b?token=x)/c?code=y', '(/a (/b)/c?[removed]'],
  ['key re_12345678_abcdefghijklmnop', 'key [removed]'],
  ['hook whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'hook [removed]'],
  ['ya29.a0AfH6SMBx and 4/0AbCdEfGhIjKl', '[removed] and [removed]'],
])('%s is reported as %s', (text, told) => {
  expect(withoutSecrets(text)).toBe(told);
});

test.each([
  'Failed query: select * from users where email = ?',
  'Are you sure? #1 of 2',
  '{"code":"link_invalid","status":400}',
  'ada@example.com, Ada Lovelace',
  'https://lectern.test/assets/index-B1x.js:1:2345',
  '3f1c0b1e-9a7d-4f57-8a51-0d3c7a1f2b4c',
])('%s is reported unchanged', (text) => {
  expect(withoutSecrets(text)).toBe(text);
});

test('secrets are found at any depth, also in keys, and values that are not strings are kept', () => {
  const data = {
    list: [{ href: '/confirm?token=x' }, 1, null, true],
    headers: { Authorization: 'anything', cookie: 'a=b' },
    bodies: [{ code: '482913' }, { code: '482 913' }, { code: 'link_invalid' }],
    [token]: 'a name',
  };

  expect(withoutSecrets(data)).toEqual({
    list: [{ href: '/confirm' }, 1, null, true],
    headers: { Authorization: '[removed]', cookie: '[removed]' },
    bodies: [{ code: '[removed]' }, { code: '[removed]' }, { code: 'link_invalid' }],
    '[removed]': 'a name',
  });
});

test('a known secret is found whatever it looks like', () => {
  expect(withoutSecrets('the word is swordfish', ['swordfish'])).toBe('the word is [removed]');
});
