import { expect, test } from 'vitest';
import { documentOf, readMarkdown } from '#features/content-files/from-markdown.ts';
import { documentToMarkdown } from '#features/content-files/to-markdown.ts';
import type { LessonDocument } from '#features/documents/document.ts';
import { readDocument } from '#features/documents/read-document.ts';

const files: Record<string, 'image' | 'file'> = { '0000000001': 'image', '0000000002': 'file' };

function write(document: LessonDocument): string {
  return documentToMarkdown(document, (key) => `files/${key} (1).bin`);
}

const lessonId = '00000000-0000-4000-8000-000000000001';
const lost: string[] = [];

function read(markdown: string): LessonDocument {
  return documentOf(readMarkdown(markdown), {
    file(path) {
      const key = /^files\/(\w+)/.exec(path)?.[1] ?? '';
      return files[key] === undefined ? null : { key, kind: files[key] };
    },
    lesson: (path) => (path.startsWith('next.md') ? `lesson:${lessonId}` : null),
    onUnsupportedPlayer: (address) => lost.push(address),
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
    paragraph(text('[1] '), { ...linked('b'), text: 'https://b.test/' }),
  ]);
});

test('unsupported content becomes text or moves to where it is allowed', () => {
  const blocks = (markdown: string) => read(markdown).content;

  const bold = { ...text('word'), marks: [{ type: 'bold' }] };
  expect(blocks('A <b onclick="x()">word</b>\n\n<script>x()</script>')).toEqual([
    paragraph(text('A '), bold),
  ]);
  expect(blocks('Use <title>, <b> and <a-b> for <you>')).toEqual([
    paragraph(text('Use <title>, <b> and <a-b> for <you>')),
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
  const cell = { type: 'tableCell', content: [paragraph(text('a'))] };
  const row = { type: 'tableRow', content: [cell] };
  const table = '<table><tr><td onclick="x()">a<script>x()</script></td></tr></table>';
  expect(blocks(table)).toMatchObject([{ type: 'table', content: [row] }]);
  const deep = read(`${'> '.repeat(500)}${'- '.repeat(500)}deep`);
  expect(readDocument(deep)).toHaveProperty('json');
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

test.each<[string, object[]]>(
  [
    ['<p align="center"><img src="files/0000000001" alt="The map" width="400"></p>', ['image']],
    ['<h3 align="center">A <em>title</em></h3>', ['heading']],
    [
      '<a href="https://a.test/">a</a>, <strong>b</strong>, <em>c</em>, <code>d</code>',
      ['paragraph'],
    ],
    [
      '<ul>\n  <li>One</li>\n  <li>Two\n\n  [a](files/0000000002)</li>\n</ul>',
      ['bulletList', 'file'],
    ],
    [
      '<table class="x">\n\n<tr><td>\n\n![](files/0000000001)\n\nA</td></tr></table>',
      ['table', 'image'],
    ],
    ['<iframe src="https://www.youtube.com/embed/aaaaaaaaaaa"></iframe>', ['video']],
    ['https://youtu.be/aaaaaaaaaaa', ['video']],
    ['See [the sheet](files/0000000002) and [more](files/0000000002).', ['paragraph', 'file']],
    ['- [ ] Call\n- [x] Write', ['bulletList']],
    ['[![A thumb](files/0000000001)](files/0000000002)', ['image', 'file']],
    ['[![A thumb](https://a.test/t.png)](https://youtu.be/aaaaaaaaaaa)', ['video']],
    ['[![Logo](files/0000000001)](https://a.test/)', ['image', 'paragraph']],
    ['<video controls><source src="files/0000000002"></video>', ['file']],
    ['Look [![at](files/0000000001)](https://a.test/) this', ['paragraph', 'image', 'paragraph']],
    ['<object></object>\n\nNothing', ['paragraph']],
    ['<object data="files/0000000002"></object>', ['file']],
    ['<embed src="http://www.youtube.com/embed/aaaaaaaaaaa">', ['video']],
    ['<div align="center">\n\nNobody closes it', ['paragraph']],
    ['<svg><title>Logo</title><path d="M0 0"/></svg> Said', ['paragraph']],
  ].map(([markdown, types]) => [markdown as string, types as never]),
)('what Markdown files really contain comes in: %s', (markdown, types) => {
  const { content = [] } = read(markdown);

  expect(content.map(({ type }) => type)).toEqual(types);
  expect(readDocument({ type: 'doc', content })).toHaveProperty('json');
  expect(JSON.stringify(content)).not.toMatch(/</);
});

test('a large table keeps its cells', () => {
  const row = '| a '.repeat(101);
  const [table] = read(`${row}|\n${'| - '.repeat(101)}|\n${`${row}|\n`.repeat(100)}`).content ?? [];

  expect(JSON.stringify(table).match(/"text":"a"/g)).toHaveLength(101 * 101);
});

test('links lead to other lessons, bare addresses are links, and struck words stay struck', () => {
  const struck = { ...text('90'), marks: [{ type: 'strike' }] };
  const other = { type: 'link', attrs: { href: `lesson:${lessonId}` } };

  expect(
    read('Ask at https://a.test: ~~90~~ 80, [next](next.md#top), [gone](gone.md)').content,
  ).toEqual([
    paragraph(
      text('Ask at '),
      {
        ...linked('a'),
        text: 'https://a.test',
        marks: [{ type: 'link', attrs: { href: 'https://a.test' } }],
      },
      text(': '),
      struck,
      text(' 80, '),
      { ...text('next'), marks: [other] },
      text(', gone'),
    ),
  ]);
  lost.length = 0;
  const player = read('<iframe src="https://maps.test/x" title="maps"></iframe>');
  const map = { type: 'link', attrs: { href: 'https://maps.test/x' } };
  expect(player.content).toEqual([paragraph({ ...text('maps'), marks: [map] })]);
  expect(lost).toEqual(['https://maps.test/x']);
});
