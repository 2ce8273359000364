import { expect, test } from 'vitest';
import { diff, diffBlocks, joined, wordsOf } from '#features/lessons/diff.ts';

test('the words that two texts don’t share are named, in their order', () => {
  expect(marked('No one may leave.', 'No one may stay or leave.')).toBe(
    'No one may [+stay +or ]leave. ',
  );
  expect(marked('Write 600 words', 'Write 400 words')).toBe('Write [-600 +400 ]words ');
  expect(marked('', 'New')).toBe('[+New ]');
  expect(marked('Same', 'Same')).toBe('Same ');
});

test('a block that was rewritten in its place is paired with what it was', () => {
  expect(diffBlocks(['Title', 'One', 'Two'], ['Title', '1', 'Two', 'Three'])).toEqual([
    { before: 'Title', after: 'Title' },
    { before: 'One', after: '1' },
    { before: 'Two', after: 'Two' },
    { before: null, after: 'Three' },
  ]);
});

test('long texts without anything in common are all removed and all added', () => {
  const [before, after] = [numbers(0), numbers(10_000)];
  const changes = diff(['Same', ...before], ['Same', ...after]);

  expect(changes.filter(({ kind }) => kind === 'removed').map(({ text }) => text)).toEqual(before);
  expect(changes.filter(({ kind }) => kind === 'added').map(({ text }) => text)).toEqual(after);
});

test('a text that was replaced as a whole is two pieces', () => {
  const [before, after] = [numbers(0), numbers(10_000)];
  expect(joined(diff(before, after))).toEqual([
    { kind: 'removed', text: before.join('') },
    { kind: 'added', text: after.join('') },
  ]);
});

function numbers(from: number): string[] {
  return Array.from({ length: 5_000 }, (_, index) => String(from + index));
}

/** Differences in brackets. */
function marked(before: string, after: string): string {
  const signs = { same: '', removed: '-', added: '+' };
  return diff(wordsOf(before), wordsOf(after))
    .map(({ kind, text }) => (kind === 'same' ? text : `[${signs[kind]}${text}]`))
    .join('')
    .replaceAll('][', '');
}
