import { expect, test } from 'vitest';
import { mailtoOf, maskEmail, parseEmail } from '#lib/email-address.ts';
import { words } from '#support/words.ts';

test.each([
  ['  Foo@Example.com ', 'foo@example.com'],
  ['ann+spring.2027@mail.example.com', 'ann+spring.2027@mail.example.com'],
  ["o'brien@example.ie", "o'brien@example.ie"],
  ['ann＠example.com', 'ann@example.com'],
  ['ａｎｎ@example.com', 'ann@example.com'],
  ['ann@Exämple.com', 'ann@xn--exmple-cua.com'],
])('%j is the address %j', (typed, canonical) => {
  expect(parseEmail(typed)?.canonical).toBe(canonical);
});

const invisible = ['\u00ad', '\u00ad'.repeat(5_000), '\u200b', '\u2060', '\ufe0f', ' ', '%6d'];

test.each([
  '',
  ...words('ann ann@ @example.com ann@localhost ann@example..com ann@-example.com ann@127.0.0.1'),
  ...words('ann@2130706433 attacker@evil.com＠victim.com attacker@evil.com﹫victim.com a@b@c.com'),
  ...words('"a@evil.com"@x.com a@b.com,evil.com a..b@example.com .a@example.com a.@example.com'),
  ...['a\u0000@b.com', 'a\r\nBcc: x@y.z@b.com', 'a b@c.com', '\ud800@example.com'],
  ...invisible.map((character) => `ann@exa${character}mple.com`),
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.com`,
  `${'a'.repeat(10_000)}@example.com`,
])('refuses what is not one address: %#', (typed) => {
  expect(parseEmail(typed)).toBeNull();
});

test('email goes to the spelling of its owner, at the normalized domain', () => {
  expect(parseEmail(' Ann.Smith＠Exämple。Com ')).toEqual({
    address: 'Ann.Smith@xn--exmple-cua.com',
    canonical: 'ann.smith@xn--exmple-cua.com',
  });
});

test('a masked address shows the first letter and the domain', () => {
  expect(maskEmail('anna@example.com')).toBe('a•••@example.com');
});

test('a link that writes to someone has a literal @, and no sign that would end the address', () => {
  expect(mailtoOf('nora.whitfield@example.com')).toBe('mailto:nora.whitfield@example.com');
  expect(mailtoOf("a?b&c=%40#d'@example.com")).toBe("mailto:a%3Fb%26c%3D%2540%23d'@example.com");
});
