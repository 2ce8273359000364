import { expect, test } from 'vitest';
import { clientNetworkOf, widerNetworkOf } from '#lib/client-network.ts';
import { mailtoOf, maskEmail, parseEmail } from '#lib/email-address.ts';
import { returnPathOf } from '#lib/return-path.ts';
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

test('an IPv4 address is a client network of its own', () => {
  expect(clientNetworkOf('203.0.113.7')).toBe('203.0.113.7');
  expect(clientNetworkOf(' 203.0.113.7 ')).toBe('203.0.113.7');
  expect(clientNetworkOf('203.0.113.8')).toBe('203.0.113.8');
});

test.each([
  ...words('2001:db8:0:1:: 2001:db8:0:1::1 2001:db8::1:0:0:0:1 2001:db8:0:1:ffff:ffff:ffff:ffff'),
  ...words('2001:0db8:0000:0001:0000:0000:0000:0001 2001:DB8:0:1::ABCD 2001:db8:0:1::192.0.2.1'),
  '  2001:db8:0:1::2\t',
])('the IPv6 address %j is in the /64 of its first half', (address) => {
  expect(clientNetworkOf(address)).toBe('2001:db8:0:1::/64');
});

test.each(
  words('2001:db8:0:0:ffff:ffff:ffff:ffff 2001:db8::1 2001:db8:0:2::1 2001:db9:0:1::1 ::1'),
)('%s is in another /64', (address) => {
  expect(clientNetworkOf(address)).not.toBe(clientNetworkOf('2001:db8:0:1::1'));
  expect(clientNetworkOf(address)).toMatch(/^[0-9a-f:]+::\/64$/);
});

test.each([
  ...words('::ffff:1.2.3.4 ::FFFF:1.2.3.4 ::ffff:102:304 ::ffff:0102:0304'),
  ...words('0:0:0:0:0:ffff:1.2.3.4 0000:0000:0000:0000:0000:ffff:0102:0304'),
])('%s contains the IPv4 address, a client network of its own', (address) => {
  expect(clientNetworkOf(address)).toBe('1.2.3.4');
});

test.each([
  ['2001:db8:7:1::1', '2001:db8:7::/48'],
  ['2001:DB8:0007:ffff:ffff:ffff:ffff:ffff', '2001:db8:7::/48'],
  ['2001:db8:8::1', '2001:db8:8::/48'],
  ['::1', '0:0:0::/48'],
  ['1:2:3::ffff:1.2.3.4', '1:2:3::/48'],
])('the IPv6 address %j is in the network %s', (address, network) => {
  expect(widerNetworkOf(address)).toBe(network);
});

test.each([
  undefined,
  '',
  ...words('unknown 203.0.113.7 ::ffff:1.2.3.4 ::ffff:102:304 2001:db8::g'),
])('%j has no larger network', (address) => {
  expect(widerNetworkOf(address)).toBeNull();
});

test.each([
  undefined,
  '',
  '   ',
  ...words('unknown example.com 1.2.3 1.2.3.4.5 1.2.3.4:80 0x1.2.3.4 1234.1.1.1 256.0.0.1'),
  ...words('[2001:db8::1]:443 2001:db8::1/64 2001:db8::1::2 2001:db8:::1 2001:db8:1:2:3:4:5'),
  ...words('2001:db8:1:2:3:4:5:6:7 2001:db8::12345 2001:db8::g ::1]@[::2 : . ٢٠٠١:db8::1'),
  '1.2.3.4, 5.6.7.8',
  '2001:db8::1, 2001:db8::2',
])('%j is not an address: all of these are one client network', (address) => {
  expect(clientNetworkOf(address)).toBe('unknown');
});

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
