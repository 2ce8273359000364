import { expect, test } from 'vitest';
import { linksInText } from '#lib/links-in-text.ts';

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
