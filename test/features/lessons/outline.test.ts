import { expect, test } from 'vitest';
import { findDrop } from '#features/lessons/find-drop.ts';
import { isInPlace, type Move, moved, stepOf } from '#features/lessons/outline-order.ts';

type Section = { id: string; lessons: { id: string }[] };

const outline: Section[] = outlineOf({ one: 'a b', two: '', three: 'c d' });

test('a lesson moves within its section, to the end of another one, and into an empty one', () => {
  expect(after({ kind: 'lesson', id: 'b', sectionId: 'one', before: 'a' })).toEqual(
    outlineOf({ one: 'b a', two: '', three: 'c d' }),
  );
  expect(after({ kind: 'lesson', id: 'a', sectionId: 'three', before: null })).toEqual(
    outlineOf({ one: 'b', two: '', three: 'c d a' }),
  );
  expect(after({ kind: 'lesson', id: 'c', sectionId: 'two', before: null })).toEqual(
    outlineOf({ one: 'a b', two: 'c', three: 'd' }),
  );
  expect(after({ kind: 'section', id: 'three', before: 'one' })).toEqual(
    outlineOf({ three: 'c d', one: 'a b', two: '' }),
  );
  expect(isInPlace(outline, { kind: 'lesson', id: 'a', sectionId: 'one', before: 'b' })).toBe(true);
});

test('a step up or down leads through every place of the outline, and ends at its ends', () => {
  const places: string[] = [];
  let [now, step] = [outline, stepOf(outline, 'lesson', 'a', 'down')];
  while (step !== null) {
    now = moved<{ id: string }, Section>(now, step);
    places.push(now.map(({ lessons }) => lessons.map(({ id }) => id).join('')).join(' '));
    step = stepOf(now, 'lesson', 'a', 'down');
  }
  expect(places).toEqual(['ba  cd', 'b a cd', 'b  acd', 'b  cad', 'b  cda']);

  while (true) {
    step = stepOf(now, 'lesson', 'a', 'up');
    if (step === null) {
      break;
    }
    now = moved<{ id: string }, Section>(now, step);
  }
  expect(now).toEqual(outline);
  expect(stepOf(outline, 'section', 'one', 'up')).toBeNull();
  expect(stepOf(outline, 'section', 'one', 'down')).toMatchObject({ before: 'three' });
  expect(stepOf(outline, 'section', 'three', 'down')).toBeNull();
});

test.each([
  ['6 of 15 stopped, which is the most', { a: [20, 20], b: [18, 15], c: [9, 7] }, ['b', 'c']],
  ['4 of 5 stopped: too few people to say so', { a: [5, 5], b: [1, 0], c: [0, 0] }, null],
  ['5 of 30 stopped: less than a fifth', { a: [30, 30], b: [25, 0], c: [0, 0] }, null],
  ['5 of 25 stopped: a fifth', { a: [25, 25], b: [20, 0], c: [0, 0] }, ['a', 'b']],
  ['nobody has opened anything', {}, null],
])('%s', (_, counts: Record<string, number[]>, expected) => {
  const entries = Object.entries(counts).map(
    ([id, [opened = 0, done = 0]]) => [id, { opened, done }] as const,
  );
  const drop = findDrop(['a', 'b', 'c'], new Map(entries));
  expect(drop && [drop.after, drop.next]).toEqual(expected);
});

function after(move: Move): Section[] {
  return moved<{ id: string }, Section>(outline, move);
}

function outlineOf(sections: Record<string, string>): Section[] {
  return Object.entries(sections).map(([id, lessons]) => ({
    id,
    lessons: lessons.split(' ').flatMap((lesson) => (lesson === '' ? [] : [{ id: lesson }])),
  }));
}
