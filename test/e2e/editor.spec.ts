import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { DocumentNode } from '#features/documents/document.ts';
import { attacks } from '#support/attacks.ts';
import { makeLesson, openEditor, savedLesson, textOf } from './lessons.ts';
import { biology } from './settings.ts';
import { expect, holdScripts, openReady, rest, signInWith, test, untilDrawn } from './support.ts';

test.use({ expectedErrors: [/Failed to load|ERR_FAILED/] });

const video = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';

test('the toolbar and the keys format a text, each step can be undone, and the keyboard alone gets to every tool', async ({
  page,
}) => {
  const { id } = await openEditor(page);
  await page.keyboard.type('Rooms');
  await pick(page, 'Heading');
  await page.keyboard.press('Enter');
  await page.keyboard.type('- one');
  await page.keyboard.press('Enter');
  await page.keyboard.type('two');
  await tool(page, 'Increase indent').click();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('bold');
  await page.keyboard.press('Control+b');
  await page.keyboard.press('Control+i');
  await page.keyboard.type('italic');
  await tool(page, 'Table').click();
  await page.keyboard.type('Who');
  await page.keyboard.press('Tab');
  await page.keyboard.type('What');
  await tool(page, 'Table').click();
  await page.getByRole('button', { name: 'Add row below' }).click();
  await expectStored(page, id, [
    'heading2: Rooms',
    'bulletList: (one (two))',
    'paragraph: *bold*/italic/',
    'table: (Who What) ( ) ( ) ( )',
  ]);

  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect(textOf(page).locator('table')).toHaveCount(0);
  await page.keyboard.press('Control+Shift+z');
  await expect(textOf(page).locator('table')).toHaveCount(1);

  // The keyboard alone gets into the toolbar, to every tool, and out of the text.
  await textOf(page).press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Alt+F10');
  await expect(page.getByRole('button', { name: 'Text style: Text' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(tool(page, 'Bold')).toBeFocused();
  await page.keyboard.press('End');
  await expect(tool(page, 'Redo')).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  const chosen = page.getByRole('option', { selected: true });
  await expect(chosen).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(chosen).not.toBeFocused();
  await page.keyboard.press('Enter');
  await expect(textOf(page)).toBeFocused();
  await page.keyboard.type('A heading');
  await expect(textOf(page).locator('h2')).toHaveText('A heading');

  await page.keyboard.press('Alt+F10');
  await page.keyboard.press('Escape');
  await expect(textOf(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(textOf(page)).not.toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(textOf(page)).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(page.locator('.editor-tools :focus')).toHaveCount(1);
});

const pasted = [
  'heading2: Two people, one kitchen',
  'paragraph: Everything that matters is in /the plates/, and he hears the *you*. Read [this page](https://example.com/rooms).',
  'heading3: What the room knows',
  'bulletList: (The drawer (closed with a hip)) (The cup)',
  'orderedList: (Who bought it?) (Who puts it back?)',
];

const programs = {
  'google-docs': [`video: ${video}`, 'table: (*Who* *What*) (Ana )'],
  notion: [
    'blockquote: People don’t say what they mean.',
    'video: https://vimeo.com/76979871',
    'horizontalRule: ',
    'table: (Who What) (Ana )',
    'paragraph: Press `Ctrl+S`.',
  ],
  word: [
    'blockquote: People don’t say what they mean.',
    'table: (*Who* *What*) (Ana )',
    'paragraph: My draft',
  ],
};

test('what was copied from Google Docs, Notion and Word keeps its headings, lists, links and tables; the address of a video becomes the video, and links lead to pages and mailboxes only', async ({
  page,
}) => {
  const { id } = await openEditor(page);
  for (const [program, rest] of Object.entries(programs)) {
    const file = path.join(import.meta.dirname, `pasted/${program}.html`);
    await paste(page, 'text/html', readFileSync(file, 'utf8'));
    await expectStored(page, id, [...pasted, ...rest]);
    await page.keyboard.press('Control+z');
    await expect(textOf(page)).toHaveText('');
  }

  const link = page.getByRole('dialog', { name: 'Link' });
  await page.keyboard.type('one');
  await page.keyboard.press('Shift+Home');
  // The editor hears of a selection with the next frame; a person takes longer.
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('one');
  await untilDrawn(page);
  await page.keyboard.press('Control+k');
  await link.getByLabel('Link').fill('javascript:alert(1)');
  await page.keyboard.press('Enter');
  await expect(link.getByText('Links can lead to web pages')).toBeVisible();
  await link.getByLabel('Link').fill('example.com/a');
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.type(', ');
  await page.keyboard.press('Control+k');
  await link.getByLabel('Link').fill('ines@example.com');
  await page.keyboard.press('Enter');
  await expect(textOf(page)).toBeFocused();

  await page.keyboard.press('Enter');
  await paste(page, 'text/plain', 'https://youtu.be/dQw4w9WgXcQ?t=4');
  await expect(page.getByText('Video on YouTube')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(textOf(page).locator('p').last()).toHaveText('https://youtu.be/dQw4w9WgXcQ?t=4');
  await page.keyboard.press('Control+Shift+z');
  await page.getByRole('button', { name: 'Edit video' }).click();
  const dialog = page.getByRole('dialog', { name: 'Video' });
  await dialog.getByLabel('Link to the video').fill('https://example.com/video');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This isn’t a link to a video')).toBeVisible();
  await dialog.getByLabel('Link to the video').fill('vimeo.com/76979871');
  await dialog.getByLabel('Title (optional)').fill('Two openings');
  await page.keyboard.press('Enter');
  await expect(textOf(page)).toBeFocused();
  await expectStored(page, id, [
    'paragraph: [one](https://example.com/a), [ines@example.com](mailto:ines@example.com)',
    'video: https://vimeo.com/76979871 Two openings',
  ]);
});

test('what looks like code is text, and of what other pages copy, nothing runs or leads to a script', async ({
  page,
}) => {
  const lines = [...['[x](javascript:alert(1))', '{{7*7}} &lt;b&gt;'], ...attacks]
    // Other keys, and other lines.
    .map((attack) => attack.replace(/\p{Cc}/gu, ' ').trim());
  const typed = lines.slice(0, 4);
  const { id } = await openEditor(page);
  for (const line of typed) {
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
  }
  await paste(page, 'text/plain', lines.join('\n'));
  const shown = [...typed, ...lines];
  const { document } = await savedLesson(page, id);
  const blocks = (document.content ?? []).map(({ type, content = [] }) => [type, content]);
  expect(blocks).toEqual(shown.map((text) => ['paragraph', [{ type: 'text', text }]]));
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Published.')).toBeVisible();
  await openReady(page, `/lessons/preview/${id}`);
  await expect(page.locator('.reading p')).toHaveText(shown);

  await openReady(page, `/lessons/${id}`);
  await textOf(page).press('Control+a');
  await page.keyboard.press('Delete');
  const copied = '<p onclick="alert(1)">a<a href="javascript:alert(1)">b</a></p>';
  for (const html of [...attacks, copied]) {
    await paste(page, 'text/html', html);
  }
  // Deeper than a lesson can have them.
  const lists = Array.from({ length: 30 }, (_, no) => `<ul><li>${no}.`).join('');
  await paste(page, 'text/html', lists);
  const json = JSON.stringify((await savedLesson(page, id)).document);
  expect(json).toContain('ab');
  expect(json).not.toMatch(/"(marks|attrs)"/);
  expect(json.match(/\d+\./g)).toHaveLength(30);
});

test('the text is readable before the editor is there, does not move when it comes, and stays where it cannot be loaded', async ({
  page,
}) => {
  await signInWith(page, [biology]);
  const { id } = await makeLesson(page, 'The kitchen', 'It was a dark night.', 'A dog barked.');
  const release = await holdScripts(page, '**/assets/start-editor*.js');
  await openReady(page, `/lessons/${id}`);
  const last = page.getByText('A dog barked.');
  await expect(last).toBeVisible();
  await rest(page);
  const before = await last.boundingBox();
  await last.click();
  release();
  await expect(textOf(page)).toBeFocused();
  expect(await last.boundingBox()).toEqual(before);
  await page.keyboard.type('!');
  await expect(textOf(page)).toContainText('!');
  await savedLesson(page, id);

  await page.route('**/assets/start-editor*.js', (route) => route.abort(), { times: 1 });
  await page.goto(`/lessons/${id}`);
  const problem = page.getByRole('alert').filter({ hasText: 'The editor couldn’t be loaded' });
  await expect(problem).toBeVisible();
  await expect(last).toBeVisible();
  await problem.getByRole('button', { name: 'Try again' }).click();
  await expect(textOf(page)).toContainText('It was a dark night.');
});

function tool(page: Page, name: string): Locator {
  return page.getByRole('toolbar').getByRole('button', { name, exact: true });
}

async function pick(page: Page, style: string): Promise<void> {
  await page.getByRole('button', { name: /^Text style/ }).click();
  await page.getByRole('option', { name: style, exact: true }).click();
  await expect(textOf(page)).toBeFocused();
}

async function paste(page: Page, type: string, content: string): Promise<void> {
  await textOf(page).evaluate(
    (element, [as = '', pastedText = '']) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData(as, pastedText);
      const options = { clipboardData, bubbles: true, cancelable: true };
      element.dispatchEvent(new ClipboardEvent('paste', options));
    },
    [type, content],
  );
}

/** Saves, and expects these blocks, beside empty lines. */
async function expectStored(page: Page, id: string, lines: string[]): Promise<void> {
  const { document } = await savedLesson(page, id);
  const blocks = (document.content ?? []).map(lineOf).filter((line) => line !== 'paragraph: ');
  expect(blocks).toEqual(lines);
}

function lineOf(block: DocumentNode): string {
  const { type, attrs = {} } = block;
  const shown = type === 'video' ? `${attrs['src']} ${attrs['title']}`.trim() : wordsOf(block);
  return `${type}${attrs['level'] ?? ''}: ${shown}`;
}

const signs: Record<string, string> = { bold: '*', italic: '/', code: '`' };

function wordsOf({ content = [], text: words = '', marks = [] }: DocumentNode): string {
  if (content.length === 0) {
    const link = marks.find(({ type }) => type === 'link');
    const others = marks.filter((mark) => mark !== link).map(({ type }) => signs[type]);
    const marked = others.join('') + words + others.reverse().join('');
    return link ? `[${marked}](${link.attrs?.['href']})` : marked;
  }
  return content
    .map((node) => (/^(listItem|tableRow)$/.test(node.type) ? `(${wordsOf(node)})` : wordsOf(node)))
    .join(content.every(({ type }) => type === 'text') ? '' : ' ');
}
