import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { toYaml } from '#lib/yaml.ts';

test('YAML says what the data say, whatever they are', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // Minus zero is zero in JSON.
      const data = JSON.parse(JSON.stringify(value));

      expect(parse(toYaml(data))).toEqual(data);
    }),
  );
});

test.each([
  'true',
  'No',
  'null',
  '',
  '1.5',
  '0x1f',
  '1e3',
  '- item',
  'key: value',
  '# comment',
  'two\nlines',
])('a text that YAML could take for something else stays a text: %j', (text) => {
  expect(parse(toYaml([text]), { version: '1.1' })).toEqual([text]);
  expect(parse(toYaml([text]), { version: '1.2' })).toEqual([text]);
});

test('words, versions and lists are written as people write them', () => {
  const data = { openapi: '3.1.1', info: { tags: ['auth', 'two words'], empty: [] } };

  expect(toYaml(data)).toBe(
    [
      'openapi: 3.1.1',
      'info:',
      '  tags:',
      '    - auth',
      '    - "two words"',
      '  empty: []',
      '',
    ].join('\n'),
  );
});
