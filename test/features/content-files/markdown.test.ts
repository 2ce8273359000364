import { expect, test } from 'vitest';
import { markdownToDocument } from '#features/content-files/from-markdown.ts';
import { documentToMarkdown } from '#features/content-files/to-markdown.ts';
import type { LessonDocument } from '#features/documents/document.ts';
import { readDocument } from '#features/documents/read-document.ts';

const files: Record<string, 'image' | 'file'> = { '0000000001': 'image', '0000000002': 'file' };

function write(document: LessonDocument): string {
  return documentToMarkdown(document, (key) => `files/${key} (1).bin`);
}

function read(markdown: string): LessonDocument {
  return markdownToDocument(markdown, (path) => {
    const key = /^files\/(\w+)/.exec(path)?.[1] ?? '';
    return files[key] === undefined ? null : { key, kind: files[key] };
  });
}

const text = (value: string) => ({ type: 'text', text: value });
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const inside = (type: string, ...content: object[]) => ({ type, content });

function linked(value: string) {
  const link = { type: 'link', attrs: { href: `https://${value}.test/` } };
  return { ...text(value), marks: [link] };
}

test('comments go, details open, footnotes stay where they are, and links use https', () => {
  const markdown = [
    'A <u>note</u>[^1] for <name>. <!-- private -->',
    '<!-- private -->',
    '<details>\n<summary>More</summary>\n\n- One\n</details>',
    '[a](http://a.test/)',
    '[^1]: https://b.test/\n',
  ].join('\n\n');

  expect(read(markdown).content).toEqual([
    paragraph(text('A note[1] for <name>. ')),
    paragraph(text('More')),
    inside('bulletList', inside('listItem', paragraph(text('One')))),
    paragraph(linked('a')),
    paragraph(text('[1] https://b.test/')),
  ]);
});

test('what lessons cannot have stays as text, or goes where they can have it', () => {
  const blocks = (markdown: string) => read(markdown).content;

  expect(blocks('A <b onclick="x()">word</b>\n\n<script>x()</script>')).toEqual([
    paragraph(text('A <b onclick="x()">word</b>')),
    paragraph(text('<script>x()</script>')),
  ]);
  const links = '[a](javascript:x()) [b][1] ![c](https://a.test/c.png)\n\n[1]: https://b.test/';
  expect(blocks(links)).toEqual([paragraph(text('a '), linked('b'), text(' c'))]);
  expect(blocks('# One\n\n#### Four')).toMatchObject([
    { type: 'heading', attrs: { level: 2 } },
    { type: 'heading', attrs: { level: 3 } },
  ]);
  expect(blocks('1. One\n2. Two ![](files/0000000001)\n3. Three')).toMatchObject([
    { type: 'orderedList', content: [{}, {}] },
    { type: 'image', attrs: { file: '0000000001', alt: '' } },
    { type: 'orderedList', attrs: { start: 3 }, content: [{}] },
  ]);
  const cell = inside('tableCell', paragraph(text('a')));
  expect(blocks('<table><tr><td onclick="x()">a</td></tr></table>')).toEqual([
    inside('table', inside('tableRow', cell)),
  ]);
  const script = '<table><tr><td><script>x()</script></td></tr></table>';
  expect(blocks(script)).toEqual([paragraph(text(script))]);
  expect(blocks(`${'> '.repeat(500)}deep`)?.length).toBe(1);
  expect(typeof readDocument(read(`${'> '.repeat(500)}${'- '.repeat(500)}deep`))).toBe('object');
});

test('a lesson looks as people write Markdown', () => {
  const markdown = [
    '## Scenes',
    'A **bold** word, « _une idée_ » and [a link](https://lectern.test/).\\\nNext line.',
    '- One\n- Two\n  1. Inner\n  2. More',
    '> Quoted',
    '```\nlet x = 1;\n```',
    '| A | B |\n| - | - |\n| 1 | 2 |',
    '[How to](https://www.youtube.com/watch?v=aaaaaaaaaaa)',
  ].join('\n\n');

  expect(write(read(markdown)).trim()).toBe(markdown);
});
