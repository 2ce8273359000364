import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownToDocument } from '#features/content-files/from-markdown.ts';
import { documentToMarkdown } from '#features/content-files/to-markdown.ts';
import type { DocumentNode, LessonDocument } from '#features/documents/document.ts';
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

/**
 * What two documents have to have in common. Forgiven: how texts with the same marks are cut,
 * attributes that are as by default, line ends that browsers show as spaces, empty lines at the end,
 * and a video whose title is its address, which is shown without a title, too.
 */
function essence(node: DocumentNode): unknown {
  const { type, attrs = {}, content = [] } = node;
  const own: Record<string, unknown> = { level: 2, start: 1, colspan: 1, rowspan: 1, ...attrs };
  if (type === 'video' && attrs['title'] === attrs['src']) {
    own['title'] = '';
  }
  const texts: DocumentNode[] = [];
  for (const child of content) {
    const before = texts.at(-1);
    const text = type === 'codeBlock' ? child.text : child.text?.replace(/[\r\n]/g, ' ');
    const isSame =
      child.type === 'text' && JSON.stringify(child.marks) === JSON.stringify(before?.marks);
    if (isSame && before?.type === 'text') {
      before.text += text ?? '';
    } else {
      texts.push({ ...child, ...(text !== undefined && { text }) });
    }
  }
  const isText = texts.some((child) => child.type === 'text' || child.type === 'hardBreak');
  const last = texts.findLastIndex((child) => child.type !== 'paragraph' || child.content?.length);
  const blocks = type === 'doc' ? texts.slice(0, last + 1) : texts;
  return [type, own, isText ? texts : blocks.map(essence)];
}

test('a document comes back from Markdown with the same text and structure, and then the same Markdown', () => {
  fc.assert(
    fc.property(documents(), (document) => {
      fc.pre(typeof readDocument(document) !== 'string');
      const markdown = write(document);
      const back = read(markdown);
      expect(essence(back), markdown).toEqual(essence(document));
      expect(typeof readDocument(back)).toBe('object');
      expect(write(back)).toBe(markdown);
    }),
    { numRuns: env.EVERY_CASE === '1' ? 2_000 : 100, seed: 20261127 },
  );
});

test('comments go, details open, footnotes stay where they are, and links use https', () => {
  const markdown = [
    'A <u>note</u>[^1] for <name>. <!-- private -->',
    '<!-- private -->',
    '<details>\n<summary>More</summary>\n\n- One\n</details>',
    '[a](http://a.test/)',
    '[^1]: https://b.test/\n',
  ].join('\n\n');
  const content = (...nodes: object[]) => ({ type: 'paragraph', content: nodes });
  const text = (value: string) => ({ type: 'text', text: value });

  expect(read(markdown).content).toEqual([
    content(text('A note[1] for <name>. ')),
    content(text('More')),
    { type: 'bulletList', content: [{ type: 'listItem', content: [content(text('One'))] }] },
    content({ ...text('a'), marks: [{ type: 'link', attrs: { href: 'https://a.test/' } }] }),
    content(text('[1] https://b.test/')),
  ]);
});

test('what lessons cannot have stays as text, or goes where they can have it', () => {
  const blocks = (markdown: string) => read(markdown).content;
  const text = (value: string) => ({ type: 'text', text: value });

  expect(blocks('A <b onclick="x()">word</b>\n\n<script>x()</script>')).toEqual([
    { type: 'paragraph', content: [text('A <b onclick="x()">word</b>')] },
    { type: 'paragraph', content: [text('<script>x()</script>')] },
  ]);
  expect(
    blocks('[a](javascript:x()) [b][1] ![c](https://a.test/c.png)\n\n[1]: https://a.test/'),
  ).toEqual([
    {
      type: 'paragraph',
      content: [
        text('a '),
        { ...text('b'), marks: [{ type: 'link', attrs: { href: 'https://a.test/' } }] },
        text(' c'),
      ],
    },
  ]);
  expect(blocks('# One\n\n#### Four')).toMatchObject([
    { type: 'heading', attrs: { level: 2 } },
    { type: 'heading', attrs: { level: 3 } },
  ]);
  const image = { type: 'image', attrs: { file: '0000000001', alt: '' } };
  expect(blocks('1. One\n2. Two ![](files/0000000001)\n3. Three')).toMatchObject([
    { type: 'orderedList', content: [{}, {}] },
    image,
    { type: 'orderedList', attrs: { start: 3 }, content: [{}] },
  ]);
  expect(blocks('<table><tr><td onclick="x()">a</td></tr></table>')).toEqual([
    {
      type: 'table',
      content: [
        {
          type: 'tableRow',
          content: [{ type: 'tableCell', content: [{ type: 'paragraph', content: [text('a')] }] }],
        },
      ],
    },
  ]);
  const script = '<table><tr><td><script>x()</script></td></tr></table>';
  expect(blocks(script)).toEqual([{ type: 'paragraph', content: [text(script)] }]);
  expect(blocks(`${'> '.repeat(500)}deep`)?.length).toBe(1);
  expect(typeof readDocument(read(`${'> '.repeat(500)}${'- '.repeat(500)}deep`))).toBe('object');
});

test('a lesson looks as people write Markdown', () => {
  const markdown = [
    '## Scenes',
    'A **bold** word, « *une idée* » and [a link](https://lectern.test/).\\\nNext line.',
    '- One\n- Two\n  1. Inner\n  2. More',
    '> Quoted',
    '```\nlet x = 1;\n```',
    '| A | B |\n| - | - |\n| 1 | 2 |',
    '[How to](https://www.youtube.com/watch?v=aaaaaaaaaaa)',
  ]
    .join('\n\n')
    .replaceAll('*une idée*', '_une idée_');

  expect(write(read(markdown)).trim()).toBe(markdown);
});

/** Documents of everything that nodes.ts lists, with what is hard to write in Markdown. */
function documents(): fc.Arbitrary<LessonDocument> {
  const word = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        'Said',
        'is',
        'été',
        'l’idée',
        '“Quoted”',
        '中文',
        'e\u0301',
        '👩‍🏫',
      ),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ...[
          '* ',
          '- ',
          '+ ',
          '1. ',
          '2) ',
          '# ',
          '> ',
          '| ',
          '=== ',
          '---',
          '***',
          '```',
          '~~',
          '~',
        ],
        ...[
          '« ',
          ' »',
          '\u00a0:',
          '!',
          '[x](y)',
          '![',
          '](',
          '<br>',
          '<p></p>',
          '<!-- -->',
          '&amp;',
          '&#32;',
        ],
        ...[
          '\\',
          '`',
          '``',
          '_',
          '__',
          '*',
          '**',
          '$',
          '^',
          '[1]: /x',
          'https://a.test',
          'a@b.test',
          '|',
          ':-',
          '\t',
        ],
      ),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom(' ', '  ', '', '.', ',', '\n', '\u2028', '(', ')', '"', "'"),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
  );
  const text = fc
    .array(word, { minLength: 1, maxLength: 5 })
    .map((words) => words.join('').replaceAll('\0', '').toWellFormed())
    .filter((joined) => joined !== '');
  const hrefs = fc.constantFrom(
    ...['https://lectern.test/', 'https://a.test/x_y_(z)?q=1&copy=2#*', 'mailto:ada@lectern.test'],
    ...[
      'https://youtu.be/aaaaaaaaaaa',
      'https://a.test/<b>',
      'https://a.test/\\)',
      'https://a.test/`|',
    ],
  );
  const marks = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.constant([{ type: 'code' }]) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.option(hrefs, { freq: 2 }), fc.boolean(), fc.boolean())
        .map(([href, bold, italic]) => [
          ...(href === null ? [] : [{ type: 'link', attrs: { href } }]),
          ...(bold ? [{ type: 'bold' }] : []),
          ...(italic ? [{ type: 'italic' }] : []),
        ]),
    },
  );
  const texts = fc.tuple(text, marks).map(
    ([value, own]): DocumentNode => ({
      type: 'text',
      text: value,
      ...(own.length > 0 && { marks: [...own] }),
    }),
  );
  const inline = fc.array(
    fc.oneof(
      { weight: 5, arbitrary: texts },
      { weight: 1, arbitrary: fc.constant<DocumentNode>({ type: 'hardBreak' }) },
    ),
    { maxLength: 5 },
  );
  const withContent = (type: string, content: fc.Arbitrary<DocumentNode[]>) =>
    content.map((own) => ({ type, ...(own.length > 0 && { content: own }) }) as DocumentNode);
  const paragraph = withContent('paragraph', inline);
  const heading = fc
    .tuple(fc.constantFrom(2, 3), inline)
    .map(([level, content]) => ({ type: 'heading', attrs: { level }, content }) as DocumentNode);
  const code = fc
    .array(fc.constantFrom('```', '~~~', '`', '\n', ' ', '\t', 'let x;', '\n\n', '<b>', '&amp;'), {
      maxLength: 6,
    })
    .map((parts) => parts.join(''))
    .map(
      (value) =>
        ({
          type: 'codeBlock',
          ...(value !== '' && { content: [{ type: 'text', text: value }] }),
        }) as DocumentNode,
    );
  const { block } = fc.letrec<{ block: DocumentNode; item: DocumentNode }>((tie) => ({
    item: fc
      .tuple(paragraph, fc.array(tie('block'), { maxLength: 2 }))
      .map(([first, others]) => ({ type: 'listItem', content: [first, ...others] })),
    block: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 5, arbitrary: paragraph },
      { weight: 1, arbitrary: heading },
      { weight: 1, arbitrary: code },
      { weight: 1, arbitrary: fc.constant({ type: 'horizontalRule' }) },
      {
        weight: 2,
        arbitrary: withContent('bulletList', fc.array(tie('item'), { minLength: 1, maxLength: 3 })),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(
            fc.constantFrom(0, 1, 1, 2, 9, 9_999),
            fc.array(tie('item'), { minLength: 1, maxLength: 3 }),
          )
          .map(([start, content]) => ({ type: 'orderedList', attrs: { start }, content })),
      },
      {
        weight: 1,
        arbitrary: withContent(
          'blockquote',
          fc.array(tie('block'), { minLength: 1, maxLength: 3 }),
        ),
      },
    ),
  }));
  const cells = (type: string, content: fc.Arbitrary<DocumentNode[]>) =>
    fc
      .tuple(fc.constantFrom(1, 1, 1, 2), fc.constantFrom(1, 1, 1, 3), content)
      .map(
        ([colspan, rowspan, own]) =>
          ({ type, attrs: { colspan, rowspan }, content: own }) as DocumentNode,
      );
  const anyTable = withContent(
    'table',
    fc.array(
      withContent(
        'tableRow',
        fc.array(
          fc
            .constantFrom('tableCell', 'tableHeader')
            .chain((type) => cells(type, fc.array(block, { minLength: 1, maxLength: 2 }))),
          { minLength: 1, maxLength: 3 },
        ),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  );
  const plainTable = fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }))
    .chain(([width, height]) =>
      fc
        .array(fc.array(paragraph, { minLength: width, maxLength: width }), {
          minLength: height,
          maxLength: height,
        })
        .map((rows) => ({
          type: 'table',
          content: rows.map((row, at) => ({
            type: 'tableRow',
            content: row.map((own) => ({
              type: at === 0 ? 'tableHeader' : 'tableCell',
              content: [own],
            })),
          })),
        })),
    );
  const label = text.map((value) => value.replace(/\p{Cc}/gu, ' '));
  const wide = fc.oneof(
    { weight: 2, arbitrary: anyTable },
    { weight: 2, arbitrary: plainTable },
    {
      weight: 1,
      arbitrary: fc.oneof(label, fc.constant('')).map((title) => ({
        type: 'video',
        attrs: { src: 'https://www.youtube.com/watch?v=aaaaaaaaaaa', title },
      })),
    },
    {
      weight: 1,
      arbitrary: fc
        .oneof(label, fc.constant(''))
        .map((alt) => ({ type: 'image', attrs: { file: '0000000001', alt } })),
    },
    {
      weight: 1,
      arbitrary: label.map((name) => ({ type: 'file', attrs: { file: '0000000002', name } })),
    },
  );
  return fc
    .array(fc.oneof({ weight: 4, arbitrary: block }, { weight: 1, arbitrary: wide }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((content) => ({ type: 'doc' as const, content: content as DocumentNode[] }));
}
