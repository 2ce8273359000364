import { Node } from '@tiptap/pm/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentOf, readMarkdown } from '#features/content-files/from-markdown.ts';
import { documentToMarkdown } from '#features/content-files/to-markdown.ts';
import { readDocument } from '#features/documents/read-document.ts';
import { lessonSchema } from '#features/lessons/editor/extensions.ts';
import { documentBy, essence, files } from './documents.ts';

const { FUZZ_SEED: seed, EVERY_CASE: hasEveryCase } = import.meta.env;

const write = (document: Parameters<typeof documentToMarkdown>[0]) =>
  documentToMarkdown(document, (what) =>
    what.startsWith('lesson:') ? `${what.slice(7)}.md` : `files/${what} (1).bin`,
  );

function read(markdown: string) {
  return documentOf(readMarkdown(markdown), {
    file(path) {
      const key = /^files\/(\w+)/.exec(decodeURI(path))?.[1] ?? '';
      return files[key] === undefined ? null : { key, kind: files[key] };
    },
    lesson: (path) => (path.endsWith('.md') ? `lesson:${path.slice(0, -3)}` : null),
    onUnsupportedPlayer: () => undefined,
  });
}

test('a text from the editor is written as Markdown and read again as the same text', () => {
  const choices = fc.array(fc.nat(999), { maxLength: 150, size: 'max' });
  const property = fc.property(fc.noBias(choices), (all) => {
    const made = documentBy(all).toJSON();
    expect(readDocument(made)).toHaveProperty('json');
    const markdown = write(made);
    const back = Node.fromJSON(lessonSchema, read(markdown));
    back.check();
    expect([essence(back.toJSON()), write(back.toJSON())], markdown).toEqual([
      essence(made),
      markdown,
    ]);
  });
  fc.assert(property, { seed, numRuns: hasEveryCase ? 20_000 : 1_000 });
});

test.each([
  [22, undefined],
  [21, [{ type: 'bold' }]],
])('quotes as deep as a lesson can have them, %i, come back', (levels, marks) => {
  let block: object = { type: 'paragraph', content: [{ type: 'text', text: 'deep', marks }] };
  for (let level = 0; level < levels; level += 1) {
    block = { type: 'blockquote', content: [block] };
  }
  const made = Node.fromJSON(lessonSchema, { type: 'doc', content: [block] }).toJSON();

  expect(readDocument(made)).toHaveProperty('json');
  expect(essence(read(write(made)))).toEqual(essence(made));
});
