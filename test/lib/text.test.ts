import { expect, test } from 'vitest';
import { browserName, isHandheld } from '#lib/browser-name.ts';
import { linksInText } from '#lib/links-in-text.ts';
import { visibleText } from '#lib/text.ts';

test.each([
  ['Biology\u00a0101', 'Biology 101'],
  ['\u200bBio\u00adlogy\u2060 101\ufeff', 'Biology 101'],
  ['\u202eBiology\u2069 101\u200f', 'Biology 101'],
  ['Cafe\u0301', 'Café'],
  ['❤\ufe0f', '❤'],
  ['the <b>bold</b> tag', 'the <b>bold</b> tag'],
])('%j looks like %j', (text, other) => {
  expect(visibleText(text)).toBe(visibleText(other));
});

test.each([
  ['Biology 101', 'biology 101'],
  ['the <b>bold</b> tag', 'the bold tag'],
])('%j does not look like %j', (text, other) => {
  expect(visibleText(text)).not.toBe(visibleText(other));
});

const hrefs = (text: string) => linksInText(text).flatMap(({ href }) => href ?? []);

test('addresses in a text are links, as they were typed, and the text stays whole', () => {
  const text = 'See https://example.com/a_(b)?c=d#e (or https://Example.org/x).\nBring a pen.';

  expect(hrefs(text)).toEqual(['https://example.com/a_(b)?c=d#e', 'https://Example.org/x']);
  expect(
    linksInText(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

test.each([
  ['http://example.com'],
  ['javascript:alert(1)'],
  ['data:text/html,https'],
  ['example.com'],
  ['https://'],
  ['https://.'],
  ['https://bank.example@evil.example/'],
])('%s is no link', (text) => {
  expect(hrefs(text)).toEqual([]);
});

test.each([
  ['“https://example.com/a”', 'https://example.com/a'],
  ['« https://example.com/é »', 'https://example.com/é'],
  ['<https://example.com>', 'https://example.com'],
  ['https://example.com/a, then', 'https://example.com/a'],
  ['Really https://example.com/a?!', 'https://example.com/a'],
  ['(see (https://example.com/a_(b)).)', 'https://example.com/a_(b)'],
  ['[https://example.com/x]', 'https://example.com/x'],
  ['**https://example.com/a[0]**', 'https://example.com/a[0]'],
])('what surrounds an address stays outside: %s', (text, href) => {
  expect(hrefs(text)).toEqual([href]);
});

// In time that grows with the square of the length, these would take minutes.
test.each([')', '.', '(', 'https://'])('a long run of %s takes linear time', (sign) => {
  const many = sign.repeat(300_000);

  expect(linksInText(`https://a.b/${many}x ${many}`).length).toBeGreaterThan(0);
});

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'Firefox (Windows)',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Edge (Windows)',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari (macOS)',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
    'Chrome (iOS)',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'Samsung Internet (Android)',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/142.0.0.0 Safari/537.36', 'Chrome (Linux)'],
  ['', null],
  ['Win money at http://evil.biz <b>now</b>', null],
])('%s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148', true],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/142.0.0.0 Mobile Safari/537.36', true],
  ['Mozilla/5.0 (Android 15; Tablet; rv:145.0) Gecko/145.0 Firefox/145.0', true],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0', false],
  ['', false],
])('%s is handheld: %j', (userAgent, expected) => {
  expect(isHandheld(userAgent)).toBe(expected);
});
