import { expect, test } from 'vitest';
import { clientNetworkOf, widerNetworkOf } from '#lib/client-network.ts';
import { words } from '#support/words.ts';

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
