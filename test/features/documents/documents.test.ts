import { describe, expect, test } from 'vitest';
import type { DocumentNode, LessonDocument } from '#features/documents/document.ts';
import { wordCount } from '#features/documents/document-text.ts';
import { readDocument } from '#features/documents/read-document.ts';
import { partsOf, renderDocument } from '#features/documents/render-document.ts';
import type { Lesson } from '#features/lessons/schema.ts';
import { attacks } from '#support/attacks.ts';
import {
  addLesson,
  createWriter,
  documentOf,
  lessonOf,
  paragraph,
  save,
} from '../lessons/support.ts';

describe.each(attacks)('%j', (attack) => {
  test('is text where it is typed', () => {
    const content = [{ type: 'text', text: attack }];
    const link = [{ ...content[0], marks: [linkTo('https://example.com/')] }];
    const document: LessonDocument = {
      type: 'doc',
      content: [
        { type: 'paragraph', content },
        { type: 'codeBlock', content },
        { type: 'paragraph', content: link as DocumentNode[] },
      ],
    };
    expect(readDocument(document)).toMatchObject({ json: JSON.stringify(document) });
    const html = renderDocument(document);
    expect(tagsIn(html)).toEqual(['p', 'pre', 'code', 'p', 'a']);
    expect(partsOf(html)).toEqual([{ html }]);
  });

  test('is refused as a link, and as a video', () => {
    expect(readDocument(linked(attack))).toMatchObject({
      refusal: { code: 'document_invalid_near' },
    });
    expect(readDocument(videoAt(attack))).toMatchObject({
      refusal: { code: 'document_invalid_near' },
    });
  });

  test('is text in the title of a video', () => {
    const title = attack.replace(/\p{Cc}/gu, '');
    const document = videoAt('https://vimeo.com/76979871', title);
    expect(readDocument(document)).toMatchObject({ words: 0 });
    const video = 'https://vimeo.com/76979871';
    expect(partsOf(renderDocument(document))).toEqual([{ kind: 'video', address: video, title }]);
  });
});

test.each([
  'http://example.com/',
  '//example.com/',
  '/login',
  'https://',
  'https:example.com',
  'https://user:password@example.com/',
  'https://exam ple.com/',
  `https://example.com/${'x'.repeat(2_000)}`,
  'mailto: x@example.com',
  'ftp://example.com/',
  'blob:https://example.com/1',
  '',
  null,
  7,
])('%j is refused as a link', (href) => {
  expect(readDocument(linked(href))).toMatchObject({ refusal: { code: 'document_invalid_near' } });
});

test('links lead away safely, and name their host', () => {
  const href = 'https://www.example.com/?a="b"&c=<d>';
  const document = inParagraph({ type: 'text', text: 'a page', marks: [linkTo(href)] });

  expect(readDocument(document)).toMatchObject({ words: 2 });
  expect(renderDocument(document)).toBe(
    '<p dir="auto"><a href="https://www.example.com/?a=&quot;b&quot;&amp;c=&lt;d&gt;" rel="noopener noreferrer" data-host="example.com">a page</a></p>',
  );
});

test.each([
  ['https://evil.example/', 'my-evil.example', true],
  ['https://evil.example/', 'https://evil.example.bank.test/', true],
  ['https://evil.example/', 'https://bank.test/?to=evil.example', true],
  ['https://evil.example/', 'bank.test@evil.example', true],
  ['https://good.example/a', ' www.Good.example', false],
  ['https://www.good.example/a', 'https://good.example/a?b', false],
  ['mailto:ada@good.example', 'Ada', false],
])('a link to %s with the text “%s” shows its host unless it is an address there', (...row) => {
  const [href, words, isShown] = row;
  const link = inParagraph({ type: 'text', text: words, marks: [linkTo(href)] });
  expect(renderDocument(link).includes(' data-host="')).toBe(isShown);
});

const text = { type: 'text', text: 'A text.' };
const bold = [{ type: 'bold' }];

test.each<[string, unknown]>([
  ['an unknown node', { type: 'doc', content: [{ type: 'image', attrs: { src: 'x' } }] }],
  ['a node called like a method', { type: 'doc', content: [{ type: 'constructor' }] }],
  ['an unknown mark', inParagraph({ ...text, marks: [{ type: 'underline' }] })],
  ['an attribute too many', inBlock({ type: 'paragraph', attrs: { class: 'x' }, content: [text] })],
  ['a key too many', inBlock({ type: 'paragraph', content: [text], style: 'x' })],
  ['a prototype', JSON.parse('{"type":"doc","__proto__":{},"content":[{"type":"paragraph"}]}')],
  ['a heading of level 1', inBlock({ type: 'heading', attrs: { level: 1 }, content: [text] })],
  ['a level that is text', inBlock({ type: 'heading', attrs: { level: '2' }, content: [text] })],
  ['a list that starts at NaN', inBlock(listFrom('NaN'))],
  ['a cell over too many columns', tableWith({ colspan: 1e9 })],
  ['a table in a quote', inBlock({ type: 'blockquote', content: tableWith({}).content })],
  ['a mark on a block', inBlock({ type: 'paragraph', marks: bold, content: [text] })],
  ['a mark in code', inBlock({ type: 'codeBlock', content: [{ ...text, marks: bold }] })],
  ['an empty text', inParagraph({ type: 'text', text: '' })],
  ['a NUL', documentOf('a\0b')],
  ['a lone surrogate', documentOf('a\ud800b')],
  ['no block', { type: 'doc', content: [] }],
  ['a list as content', { type: 'doc', content: [[{ type: 'paragraph' }]] }],
  ['a text instead of content', { type: 'doc', content: 'paragraph' }],
  ['300 levels', nested(300)],
  ['another root', paragraph('A text.')],
  ['nothing', null],
])('a document with %s is refused', (_what, document) => {
  expect(readDocument(document)).toMatchObject({ refusal: { code: 'document_invalid_near' } });
});

test('a document with everything that it can have is kept as it is, and rendered', () => {
  const document = {
    type: 'doc',
    content: [
      { type: 'heading', attrs: { level: 3 }, content: [{ type: 'text', text: 'Said' }] },
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'both ', marks: [{ type: 'bold' }] },
          { type: 'text', text: 'and', marks: [{ type: 'bold' }, { type: 'italic' }] },
          { type: 'hardBreak', marks: [{ type: 'bold' }] },
          { type: 'text', text: 'was ', marks: [{ type: 'bold' }, { type: 'strike' }] },
          { type: 'text', text: 'x < y', marks: [{ type: 'code' }] },
        ],
      },
      listFrom(3),
      { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph('one')] }] },
      { type: 'blockquote', content: [paragraph('quoted')] },
      { type: 'horizontalRule' },
      ...(tableWith({ colspan: 2 }).content ?? []),
      paragraph(''),
    ],
  } satisfies LessonDocument;

  expect(readDocument(document)).toEqual({ json: JSON.stringify(document), words: 10 });
  expect(renderDocument(document)).toBe(
    [
      '<h3 dir="auto">Said</h3><p dir="auto"><strong>both <em>and</em><br><s>was </s></strong><code>x &lt; y</code></p>',
      '<ol dir="auto" start="3"><li><p>first</p></li></ol><ul dir="auto"><li><p>one</p></li></ul>',
      '<blockquote dir="auto"><p>quoted</p></blockquote><hr>',
      '<div class="reading-table" tabindex="0" dir="auto"><table><tbody><tr><td colspan="2"><p>cell</p></td></tr></tbody></table></div>',
    ].join(''),
  );
});

test('a refusal names the text near what cannot be stored', () => {
  const wrong = inParagraph({
    ...text,
    text: `Here ${'x'.repeat(99)}`,
    marks: [{ type: 'blink' }],
  });
  const content = [paragraph('Before.'), ...(wrong.content ?? []), paragraph('After.')];
  const near = `Here ${'x'.repeat(55)}`;

  expect(readDocument({ type: 'doc', content })).toMatchObject({ refusal: { values: { near } } });
});

test('blank lines beside a video are not published, and others are', () => {
  const [video] = videoAt('https://vimeo.com/76979871').content ?? [];
  const [blank, said] = [{ type: 'paragraph' }, paragraph('Said')];
  const content = [blank, said, blank, said, blank, blank, video as DocumentNode, blank];

  expect(renderDocument({ type: 'doc', content })).toMatch(
    /^(<p dir="auto"><br><\/p><p dir="auto">Said<\/p>){2}<div data-video="[^"]*" data-title=""><\/div>$/,
  );
});

test('what has a great many empty lines, or is no document, is answered in time', () => {
  const lines = Array.from({ length: 24_000 }, () => ({ type: 'paragraph' }));
  expect(renderDocument({ type: 'doc', content: lines })).toHaveLength(24_000 * 22);
  const wrong = inBlock({ type: 'paragraph', content: Array.from({ length: 240_000 }, () => 0) });
  expect(readDocument(wrong)).toHaveProperty('refusal');
});

type Refusal = { fields?: { document: string[] } };

test('what cannot be stored is refused with a message, and what is stored stays', async () => {
  const { client, lesson } = await createWriter(documentOf('As it was.'));
  for (const [document, status, words] of [
    [linked('javascript:alert(1)'), 400, /can’t have/],
    [documentOf('x'.repeat(50_001)), 400, /50,000 characters/],
    [documentOf(...Array.from({ length: 9_000 }, () => 'x')), 400, /much formatting/],
    [documentOf('x'.repeat(900_000)), 413, null],
    [nested(300), 400, /can’t have/],
  ] as const) {
    const saved = await save<Refusal>(client, lesson.id, document, 0);
    expect(saved.status).toBe(status);
    expect(saved.body.fields?.document[0] ?? null).toEqual(words && expect.stringMatching(words));
    const input = { title: 'Another', document };
    const created = await client.post(`/api/courses/${lesson.course_id}/lessons/`, input);
    expect(created.status).toBe(status);
  }
  expect(await lessonOf(client, lesson.id)).toEqual(lesson);
});

test('50,000 characters of emoji, accents and control characters come back as they were', async () => {
  const { client, course } = await createWriter();
  const document = documentOf(
    '👩‍🎨'.repeat(16_000),
    'e\u0301\u0007\u001b\u2028\u00a0\ufeff'.repeat(250),
  );
  const { id } = await addLesson(client, course.id, { document });
  const stored: Lesson = await lessonOf(client, id);
  expect(stored.document).toEqual(document);
});

function tagsIn(html: string): string[] {
  return [...html.matchAll(/<(\w[^\s>]*)/g)].map(([, tag = '']) => tag);
}

function linkTo(href: unknown) {
  return { type: 'link', attrs: { href } };
}

function inBlock(node: object): LessonDocument {
  return { type: 'doc', content: [node as DocumentNode] };
}

function inParagraph(node: object): LessonDocument {
  return inBlock({ type: 'paragraph', content: [node] });
}

function linked(href: unknown): LessonDocument {
  return inParagraph({ type: 'text', text: 'here', marks: [linkTo(href)] });
}

function videoAt(src: string, title = ''): LessonDocument {
  return inBlock({ type: 'video', attrs: { src, title } });
}

function listFrom(start: unknown): DocumentNode {
  const item = { type: 'listItem', content: [paragraph('first')] };
  return { type: 'orderedList', attrs: { start }, content: [item] };
}

function tableWith(attrs: Record<string, unknown>): LessonDocument {
  const cell = { type: 'tableCell', attrs, content: [paragraph('cell')] };
  return inBlock({ type: 'table', content: [{ type: 'tableRow', content: [cell] }] });
}

function nested(levels: number): LessonDocument {
  let node = paragraph('deep');
  for (let level = 0; level < levels; level += 1) {
    node = { type: 'blockquote', content: [node] };
  }
  return inBlock(node);
}

test.each([
  ['It’s a well-known fact: l’été 2027 über alles', 8],
  ['한국어 문장입니다', 2],
  ['我们从基本的原则开始学习写作，然后练习描述人物和地点。'.repeat(300), 4_200],
  ['私は毎日本を読みます。東京に住んでいて、コーヒーを飲みます。'.repeat(100), 1_500],
  ['ฉันชอบอ่านหนังสือทุกวันและเขียนเรื่องสั้น '.repeat(100), 1_000],
  ['iPhone 15写作', 3],
])('%#: words are counted in every script, with or without spaces', (text, words) => {
  expect(Math.abs(wordCount(text) / words - 1)).toBeLessThan(0.15);
});
