import { expect, test } from 'vitest';
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
