import { Node } from '@tiptap/pm/model';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { documentOf, readMarkdown } from '#features/content-files/from-markdown.ts';
import { documentToMarkdown } from '#features/content-files/to-markdown.ts';
import type { DocumentNode, LessonDocument } from '#features/documents/document.ts';
import { emptyDocument } from '#features/documents/document.ts';
import { blockTexts } from '#features/documents/document-text.ts';
import { readDocument } from '#features/documents/read-document.ts';
import { renderDocument } from '#features/documents/render-document.ts';
import { lessonSchema } from '#features/lessons/editor/extensions.ts';
import { knownFiles } from '#features/lessons/editor/known-files.ts';
import { startEditor } from '#features/lessons/editor/start-editor.ts';
import type { Tool } from '#features/lessons/editor/tools.ts';
import { essence } from '../../round-trips/documents.ts';

const { FUZZ_SEED: seed, EVERY_CASE: hasEveryCase } = import.meta.env;

/** Texts by their names, which only pages need to be right. */
const texts: object = new Proxy(
  {},
  { get: (_, name) => (name === 'files' ? texts : String(name)) },
);

let running: ReturnType<typeof start> | null = null;

function start(title = '', document: LessonDocument = emptyDocument) {
  const element = window.document.body.appendChild(window.document.createElement('div'));
  // As the product's styles have it.
  element.style.whiteSpace = 'pre-wrap';
  const said: string[] = [];
  const editor = startEditor({
    ...{ element, document, texts: texts as never, locale: 'en', files: knownFiles('', []) },
    ...{ title: () => title, onPasted: (how) => said.push(how), onChange: () => undefined },
    ...{ onTools: () => undefined, onFiles: () => undefined, onAsk: () => undefined },
    onLeave: () => undefined,
  });
  editor.focus();
  return {
    ...editor,
    said,
    paste(data: Record<string, string>) {
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(data)) {
        clipboardData.setData(type, text);
      }
      const event = { clipboardData, bubbles: true, cancelable: true };
      window.document.activeElement?.dispatchEvent(new ClipboardEvent('paste', event));
    },
    end() {
      editor.end();
      element.remove();
    },
  };
}

afterEach(() => {
  running?.end();
  running = null;
});

/** Each block by its type and its text, with the marks that it begins with. */
function shapeOf({ content = [] }: DocumentNode): string[] {
  return content
    .map((block) => [block.type, ...blockTexts(block)].join(': '))
    .filter((shape) => shape !== 'paragraph');
}

test.each<[string, string, string[]]>([
  ['# Said', 'a heading', ['heading: Said']],
  ['### Said', 'a subheading', ['heading: Said']],
  ['> Said', 'a quote', ['blockquote: Said']],
  ['``` let x', 'code', ['codeBlock: let x']],
  ['---Said', 'a divider', ['horizontalRule', 'paragraph: Said']],
  ['1. One', 'a list', ['orderedList: One']],
  ['12345. One', 'text, as no list begins there', ['paragraph: 12345. One']],
  ['A **bold** word', 'bold words', ['paragraph: A bold word']],
  ['~~90~~ 80', 'struck words', ['paragraph: 90 80']],
])('%s, as it is typed, is %s', async (typed, _, shape) => {
  running = start();

  await userEvent.keyboard(typed.replaceAll('[', '[[').replaceAll('{', '{{'));

  expect(shapeOf(running.read())).toEqual(shape);
  expect(readDocument(running.read())).toHaveProperty('json');
});

const cell = (text: string, spans = '') => `<td${spans}>${text}</td>`;
const merged = `<table><tr>${cell('A')}${cell('B')}${cell('C', ' rowspan="2"')}</tr><tr>${cell('D')}${cell('E')}</tr></table>`;
const webItem = (text: string, level: number, tag = 'ol') =>
  `<div class="ListContainerWrapper"><${tag}><li data-aria-level="${level}"><p>${text}</p></li></${tag}></div>`;

test.each<[string, string, string[]]>([
  ['a bold address', '<p><b>School<br>Main Street</b></p>', ['paragraph: School\nMain Street']],
  [
    'code of an editor',
    '<div style="font-family:Consolas;white-space:pre"><div>def f():</div><div><span>    </span><span>return 1</span></div></div>',
    ['codeBlock: def f():\n    return 1'],
  ],
  [
    'code of a chat',
    '<pre><div><span>python</span><button>Copy code</button></div><div><code>def f():<br>  <span>return</span> 1</code></div></pre>',
    ['codeBlock: def f():\n  return 1'],
  ],
  [
    'code of several pieces',
    '<pre><code>one</code>\n<code>two</code></pre>',
    ['codeBlock: one\ntwo'],
  ],
  [
    'a list of Word for the web',
    [webItem('One', 1), webItem('Two', 2), webItem('Three', 1)].join(''),
    ['orderedList: One: Two: Three'],
  ],
  [
    'a checklist',
    '<ul><li role="checkbox" aria-checked="true"><img width="17" src="data:,"><p>Call</p></li></ul>',
    ['bulletList: ☑ Call'],
  ],
  [
    'struck words',
    '<p><span style="text-decoration:line-through">90</span> 80</p>',
    ['paragraph: 90 80'],
  ],
  [
    'a player',
    '<p>See</p><iframe src="https://www.youtube.com/embed/aaaaaaaaaaa"></iframe>',
    ['paragraph: See', 'video: https://www.youtube.com/watch?v=aaaaaaaaaaa'],
  ],
  [
    'a table in a list',
    `<ul><li>One${merged}</li></ul>`,
    ['bulletList: One', 'table: A: B: C: D: E'],
  ],
  ['a first heading with the title', '<h1>Week  One</h1><p>Said</p>', ['paragraph: Said']],
])('%s is pasted as it is, without a word about images', (_, html, shape) => {
  running = start('Week one');

  running.paste({ 'text/html': html });

  expect(shapeOf(running.read())).toEqual(shape);
  expect(readDocument(running.read())).toHaveProperty('json');
  expect(running.said).toEqual([]);
});

test('a table with merged cells that is pasted into a table follows it', () => {
  running = start();
  running.run('table');

  running.paste({ 'text/html': merged });

  expect(shapeOf(running.read())).toEqual(['table', 'table: A: B: C: D: E']);
});

test('pasted Markdown is read, and undo brings it back as it was pasted', async () => {
  running = start();

  running.paste({ 'text/plain': '# Said\n\n- **One** <b>\n- Two\nthree\n\n<p></p>\n' });

  await expect.poll(() => running?.said).toEqual(['formatted']);
  expect(shapeOf(running.read())).toEqual([
    'heading: Said',
    'bulletList: One <b>: Two\nthree',
    'paragraph: <p></p>',
  ]);
  running.run('undo');
  expect(shapeOf(running.read())).toEqual([
    'paragraph: # Said',
    'paragraph: - **One** <b>',
    'paragraph: - Two',
    'paragraph: three',
    'paragraph: <p></p>',
  ]);
});

const keys = [
  ...[
    'a',
    'B',
    ' ',
    '1',
    '中',
    'é',
    '. ',
    '# ',
    '## ',
    '> ',
    '- ',
    '1. ',
    '12345. ',
    '**a**',
    '`x`',
    '---',
  ],
  ...[
    '``` ',
    '~~b~~',
    '{Enter}',
    '{Enter}',
    '{Shift>}{Enter}{/Shift}',
    '{Backspace}',
    '{Delete}',
    '{Tab}',
  ],
  ...['{ArrowLeft}', '{ArrowUp}', '{ArrowDown}', '{End}', '{Home}', '{Shift>}{ArrowLeft}{/Shift}'],
  ...[
    '{Shift>}{ArrowUp}{/Shift}',
    '{Control>}a{/Control}',
    '{Control>}b{/Control}',
    '{Control>}i{/Control}',
  ],
  ...['{Control>}e{/Control}', '{Control>}z{/Control}', '{Control>}{Shift>}z{/Shift}{/Control}'],
];
const tools: Tool[] = [
  ...(['text', 'heading', 'subheading', 'quote', 'codeBlock', 'bold', 'italic', 'code'] as const),
  ...(['strike', 'bullets', 'numbers', 'rule', 'outdent', 'indent', 'table', 'rowAfter'] as const),
  ...(['columnBefore', 'deleteRow', 'deleteColumn', 'undo', 'redo'] as const),
];
const pastes = [
  ...['<p><b>a<br>b</b></p>', '<p><a href="https://a.test/">a<br>b</a></p>', '<code>a<br>b</code>'],
  ...[
    merged,
    '<ul><li>1<ol start="20260101"><li>2</li></ol></li></ul>',
    '<ol start="-3"><li>a</li></ol>',
  ],
  ...[
    '<h1>a</h1><h4><s>b</s></h4>',
    '<table><tr></tr></table>',
    '<td colspan="60">a</td>',
    '<li>a</li>',
  ],
  ...[
    '<blockquote><table><tr><td><ul><li>a</li></ul></td></tr></table></blockquote>',
    '<hr>a<br><br>',
  ],
  ...[`${'<ul><li>'.repeat(14)}deep`, `${'<blockquote>'.repeat(30)}deep`, '<pre>a\n<b>b</b></pre>'],
  ...[
    '<p>https://youtu.be/aaaaaaaaaaa</p>',
    '<div data-image="aaaaaaaaa1" data-title=" x "></div>',
  ],
];

test('texts that random keys, buttons and pastes make can be saved, published, downloaded and imported', async () => {
  const action = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...keys).map((key) => ({ key })) },
    { weight: 2, arbitrary: fc.constantFrom(...tools).map((tool) => ({ tool })) },
    { weight: 1, arbitrary: fc.constantFrom(...pastes).map((html) => ({ html })) },
  );
  const property = fc.asyncProperty(
    fc.array(action, { minLength: 5, maxLength: 30 }),
    async (all) => {
      const editor = start();
      try {
        for (const one of all) {
          if ('key' in one) {
            await userEvent.keyboard(one.key);
          } else if ('tool' in one) {
            editor.run(one.tool);
          } else {
            editor.paste({ 'text/html': one.html });
          }
        }
        const made = editor.read();
        expect(readDocument(made)).toHaveProperty('json');
        expect(renderDocument(made)).not.toContain('undefined');
        const files = (key: string) => `files/${key}.png`;
        const back = documentOf(readMarkdown(documentToMarkdown(made, files)), {
          file: (path) => ({ key: path.slice(6, 16), kind: 'image' }),
          lesson: () => null,
          onUnsupportedPlayer: () => undefined,
        });
        Node.fromJSON(lessonSchema, back).check();
        expect(essence(back)).toEqual(essence(made));
      } finally {
        editor.end();
      }
    },
  );
  await fc.assert(property, { seed, numRuns: hasEveryCase ? 2_000 : 60 });
});
