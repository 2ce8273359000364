import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFootnoteFromMarkdown } from 'mdast-util-gfm-footnote';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmFootnote } from 'micromark-extension-gfm-footnote';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import type { DocumentMark, DocumentNode, LessonDocument } from '#features/documents/document.ts';
import { isSafeLink, maxAlt } from '#features/documents/nodes.ts';
import { videoOf } from '#features/documents/videos.ts';
import { readTableHtml } from './table-html.ts';
import { emptyParagraph, lineBreak } from './to-markdown.ts';

type Tree = ReturnType<typeof fromMarkdown>['children'][number];

/** A file of the course that Markdown names by its path. */
export type NamedFile = { key: string; kind: 'image' | 'file' };

/** Finds a file that is imported, too, by its path as it is written; null if there is none. */
export type FindFile = (path: string, as: 'image' | 'link') => NamedFile | null;

type Reading = {
  fileOf: FindFile;
  /** Where reference links lead. */
  targets: Map<string, string>;
};

/** How deep lists and quotes may be nested; deeper ones are flattened. */
const maxContainers = 8;

/** HTML that only says how its text looks. What else looks like HTML may be text: “Dear <name>”. */
const appearance =
  /<!--[\s\S]*?-->|<\/?(?:aside|center|details|div|font|ins|kbd|mark|p|small|span|sub|summary|sup|u)\b[^<>]*>/gi;

/**
 * Reads Markdown as a document of a lesson, as far as lessons can have it: of HTML the text, links
 * that lead nowhere safe are only their words, and images of other sites their descriptions.
 */
export function markdownToDocument(markdown: string, fileOf: FindFile): LessonDocument {
  const { children } = treeOf(markdown);
  const targets = new Map(definitionsIn(children));
  const content = blocksOf(children, { fileOf, targets }, 0);
  return { type: 'doc', content: content.length > 0 ? content : [{ type: 'paragraph' }] };
}

/** Its first heading, if that is of the first level; and the Markdown after it. */
export function titleIn(markdown: string): { title: string; rest: string } | null {
  const [first] = treeOf(markdown).children;
  const end = first?.position?.end.offset;
  return first?.type === 'heading' && first.depth === 1 && end !== undefined
    ? { title: plainText(first), rest: markdown.slice(end) }
    : null;
}

function treeOf(markdown: string) {
  return fromMarkdown(markdown, {
    extensions: [gfmTable(), gfmStrikethrough(), gfmFootnote()],
    mdastExtensions: [
      gfmTableFromMarkdown(),
      gfmStrikethroughFromMarkdown(),
      gfmFootnoteFromMarkdown(),
    ],
  });
}

function definitionsIn(nodes: Tree[]): [string, string][] {
  return nodes.flatMap((node) =>
    node.type === 'definition'
      ? [[node.identifier, node.url] as [string, string]]
      : 'children' in node
        ? definitionsIn(node.children)
        : [],
  );
}

const wide = ['table', 'video', 'image', 'file'];

function isWide({ type }: DocumentNode): boolean {
  return wide.includes(type);
}

/** Blocks of a document; tables, videos and files among them, also of what is inside others. */
function blocksOf(nodes: Tree[], reading: Reading, depth: number): DocumentNode[] {
  return nodes.flatMap((node) => blockOf(node, reading, depth));
}

function blockOf(node: Tree, reading: Reading, depth: number): DocumentNode[] {
  switch (node.type) {
    case 'paragraph':
      return aloneOf(node.children, reading) ?? paragraphs(node.children, reading);
    case 'heading': {
      const [first, ...others] = paragraphs(node.children, reading);
      const heading = { type: 'heading', attrs: { level: node.depth < 3 ? 2 : 3 } };
      return first === undefined || isWide(first)
        ? [...(first === undefined ? [heading] : [first]), ...others]
        : [{ ...first, ...heading }, ...others];
    }
    case 'code':
      return [{ type: 'codeBlock', ...(node.value !== '' && { content: [textNode(node.value)] }) }];
    case 'thematicBreak':
      return [{ type: 'horizontalRule' }];
    case 'blockquote': {
      const blocks = blocksOf(node.children, reading, depth + 1);
      const content = blocks.length > 0 ? blocks : [{ type: 'paragraph' }];
      return depth >= maxContainers
        ? content
        : split(content, (own) => [{ type: 'blockquote', content: own }]);
    }
    case 'list':
      return listOf(node, reading, depth);
    case 'table':
      return tableOf(node, reading);
    case 'html':
      return htmlOf(node.value, reading, depth);
    case 'footnoteDefinition':
      return footnoteOf(node, reading, depth);
    default:
      return [];
  }
}

/** Blocks in a container, which wide ones end: they follow it, and then comes another one. */
function split(
  blocks: DocumentNode[],
  contain: (own: DocumentNode[]) => DocumentNode[],
): DocumentNode[] {
  const result: DocumentNode[] = [];
  let own: DocumentNode[] = [];
  for (const block of blocks) {
    if (isWide(block)) {
      result.push(...(own.length > 0 ? contain(own) : []), block);
      own = [];
    } else {
      own.push(block);
    }
  }
  return [...result, ...(own.length > 0 ? contain(own) : [])];
}

/** A list; what is wide in one of its items ends it, and another list continues it. */
function listOf(
  list: Extract<Tree, { type: 'list' }>,
  reading: Reading,
  depth: number,
): DocumentNode[] {
  const start = Math.min(list.start ?? 1, 9_999);
  const result: DocumentNode[] = [];
  let items: DocumentNode[] = [];
  let from = start;
  const end = () => {
    if (items.length > 0) {
      const ofNumbers = from === 1 ? {} : { attrs: { start: Math.min(from, 9_999) } };
      result.push(
        list.ordered
          ? { type: 'orderedList', ...ofNumbers, content: items }
          : { type: 'bulletList', content: items },
      );
    }
    items = [];
  };
  for (const [at, item] of list.children.entries()) {
    const blocks = blocksOf(item.children, reading, depth + 2);
    if (depth >= maxContainers) {
      result.push(...blocks);
      continue;
    }
    const cut = blocks.findIndex(isWide);
    const own = cut === -1 ? blocks : blocks.slice(0, cut);
    if (items.length === 0) {
      from = start + at;
    }
    if (cut !== 0) {
      items.push({ type: 'listItem', content: asItem(own) });
    }
    if (cut !== -1) {
      end();
      result.push(...blocks.slice(cut));
    }
  }
  end();
  return result;
}

/** Items begin with a paragraph. */
function asItem(blocks: DocumentNode[]): DocumentNode[] {
  return blocks[0]?.type === 'paragraph' ? blocks : [{ type: 'paragraph' }, ...blocks];
}

function tableOf(table: Extract<Tree, { type: 'table' }>, reading: Reading): DocumentNode[] {
  const after: DocumentNode[] = [];
  const width = table.children[0]?.children.length ?? 0;
  const rows = table.children.map((row, at) => {
    const cells = row.children.slice(0, width).map((cell) => {
      const blocks = paragraphs(cell.children, reading);
      after.push(...blocks.filter(isWide));
      const own = blocks.filter((block) => !isWide(block));
      return own.length > 0 ? own : [{ type: 'paragraph' }];
    });
    const missing = Array.from({ length: width - cells.length }, () => [{ type: 'paragraph' }]);
    return {
      type: 'tableRow',
      content: [...cells, ...missing].map((content) => ({
        type: at === 0 ? 'tableHeader' : 'tableCell',
        content,
      })),
    };
  });
  return [{ type: 'table', content: rows }, ...after];
}

function htmlOf(value: string, reading: Reading, depth: number): DocumentNode[] {
  if (value === emptyParagraph) {
    return [{ type: 'paragraph' }];
  }
  if (value === lineBreak) {
    return [{ type: 'paragraph', content: [{ type: 'hardBreak' }] }];
  }
  const table = value.startsWith('<table') ? readTableHtml(value) : null;
  if (table !== null) {
    return [table];
  }
  const text = value.replace(appearance, '');
  return text === value || depth >= maxContainers
    ? [{ type: 'paragraph', content: linesOf(value) }]
    : blocksOf(treeOf(text).children, reading, depth + 1);
}

/** The text of a footnote, where it stands, after its number. */
function footnoteOf(
  note: Extract<Footnote, { type: 'footnoteDefinition' }>,
  reading: Reading,
  depth: number,
): DocumentNode[] {
  const [first, ...others] = blocksOf(note.children, reading, depth);
  const number = textNode(`${footnoteNumber(note)} `);
  return first?.type === 'paragraph'
    ? [{ ...first, content: merged([number, ...(first.content ?? [])]) }, ...others]
    : [{ type: 'paragraph', content: [number] }, ...(first ? [first] : []), ...others];
}

type Footnote = Extract<Tree, { type: 'footnoteDefinition' | 'footnoteReference' }>;

function footnoteNumber({ label, identifier }: Footnote): string {
  return `[${label ?? identifier}]`;
}

/** A text with its lines, as it was typed. */
function linesOf(value: string): DocumentNode[] {
  return value
    .split('\n')
    .flatMap((line, at) => [
      ...(at > 0 ? [{ type: 'hardBreak' }] : []),
      ...(line === '' ? [] : [textNode(line)]),
    ]);
}

/** A video or a file that is all of a paragraph: a link to it. */
function aloneOf(nodes: Tree[], { fileOf }: Reading): DocumentNode[] | null {
  const [only] = nodes;
  if (nodes.length !== 1 || only?.type !== 'link') {
    return null;
  }
  const words = plainText(only);
  const video = videoOf(only.url);
  if (video !== null) {
    const title = words === only.url ? '' : asLine(words, 120);
    return [{ type: 'video', attrs: { src: video.address, title } }];
  }
  const file = fileOf(only.url, 'link');
  return file && [wideFile(file, words, only.url)];
}

/** A text as paragraphs, with the images between them. */
function paragraphs(nodes: Tree[], reading: Reading): DocumentNode[] {
  const content = merged(nodes.flatMap((node) => inlineOf(node, [], reading)));
  if (!content.some(isWide)) {
    return [content.length > 0 ? { type: 'paragraph', content } : { type: 'paragraph' }];
  }
  return split(content, (own) => {
    const texts = trimmed(own);
    return texts.length > 0 ? [{ type: 'paragraph', content: texts }] : [];
  });
}

/** Without the breaks and spaces that were around an image. */
function trimmed(content: DocumentNode[]): DocumentNode[] {
  const isBlank = ({ type, text = '' }: DocumentNode) =>
    type === 'hardBreak' || (type === 'text' && text.trim() === '');
  const from = content.findIndex((node) => !isBlank(node));
  const to = content.findLastIndex((node) => !isBlank(node));
  return from === -1 ? [] : content.slice(from, to + 1);
}

function wideFile({ key, kind }: NamedFile, words: string, path: string): DocumentNode {
  return kind === 'image'
    ? { type: 'image', attrs: { file: key, alt: asLine(words, maxAlt) } }
    : { type: 'file', attrs: { file: key, name: asLine(words || nameOf(path), 120) } };
}

function nameOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}

/** A text for an attribute, which has one line. */
function asLine(text: string, length: number): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, length)
    .toWellFormed();
}

function inlineOf(node: Tree, marks: DocumentMark[], reading: Reading): DocumentNode[] {
  const inside = (more: DocumentMark[]) =>
    ('children' in node ? (node.children as Tree[]) : []).flatMap((child) =>
      inlineOf(child, [...marks, ...more.filter((mark) => !has(marks, mark))], reading),
    );
  switch (node.type) {
    case 'text':
      return node.value === '' ? [] : [textNode(node.value.replace(/\n/g, ' '), marks)];
    case 'inlineCode':
      return node.value === '' ? [] : [textNode(node.value, [{ type: 'code' }])];
    case 'break':
      return [{ type: 'hardBreak' }];
    case 'strong':
      return inside([{ type: 'bold' }]);
    case 'emphasis':
      return inside([{ type: 'italic' }]);
    case 'link':
      return inside(linkTo(node.url));
    case 'linkReference':
      return inside(linkTo(reading.targets.get(node.identifier) ?? ''));
    case 'image':
      return imageOf(node.url, node.alt ?? '', marks, reading);
    case 'imageReference':
      return imageOf(reading.targets.get(node.identifier) ?? '', node.alt ?? '', marks, reading);
    case 'footnoteReference':
      return [textNode(footnoteNumber(node), marks)];
    case 'html':
      return htmlInText(node.value, marks);
    default:
      return inside([]);
  }
}

function imageOf(
  url: string,
  alt: string,
  marks: DocumentMark[],
  { fileOf }: Reading,
): DocumentNode[] {
  const file = fileOf(url, 'image');
  return file === null ? (alt === '' ? [] : [textNode(alt, marks)]) : [wideFile(file, alt, url)];
}

function htmlInText(value: string, marks: DocumentMark[]): DocumentNode[] {
  if (/^<br\s*\/?>$/i.test(value)) {
    return [{ type: 'hardBreak' }];
  }
  const text = value.replace(appearance, '');
  return text === '' ? [] : [textNode(text, marks)];
}

function linkTo(url: string): DocumentMark[] {
  const href = url.replace(/^http:\/\//i, 'https://');
  return isSafeLink(href) ? [{ type: 'link', attrs: { href } }] : [];
}

function has(marks: DocumentMark[], { type }: DocumentMark): boolean {
  return marks.some((one) => one.type === type);
}

const order = ['link', 'bold', 'italic', 'code'];

function textNode(text: string, marks: DocumentMark[] = []): DocumentNode {
  const sorted = marks.toSorted(
    (one, other) => order.indexOf(one.type) - order.indexOf(other.type),
  );
  // What no database keeps.
  const value = text.replaceAll('\0', '\ufffd').toWellFormed();
  return { type: 'text', text: value, ...(sorted.length > 0 && { marks: sorted }) };
}

/** Texts with the same marks are one. */
function merged(content: DocumentNode[]): DocumentNode[] {
  const result: DocumentNode[] = [];
  for (const node of content) {
    const before = result.at(-1);
    const isSame =
      node.type === 'text' &&
      before?.type === 'text' &&
      JSON.stringify(node.marks) === JSON.stringify(before.marks);
    if (isSame && before !== undefined) {
      result[result.length - 1] = { ...before, text: `${before.text}${node.text}` };
    } else {
      result.push(node);
    }
  }
  return result;
}

function plainText(node: Tree): string {
  return 'children' in node
    ? (node.children as Tree[]).map(plainText).join('')
    : node.type === 'break'
      ? ' '
      : 'value' in node
        ? node.value
        : 'alt' in node
          ? (node.alt ?? '')
          : '';
}
