import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import type { DocumentMark, DocumentNode, LessonDocument } from '#features/documents/document.ts';
import { lessonLink } from '#features/documents/nodes.ts';
import { renderInline, renderTable } from '#features/documents/render-document.ts';
import { videoOf } from '#features/documents/videos.ts';

/** What Markdown consists of, for the packages that write it. */
type Tree = Parameters<typeof toMarkdown>[0];
type Block = Extract<Tree, { type: 'root' }>['children'][number];
type Inline = Extract<Tree, { type: 'paragraph' }>['children'][number];
type Item = Extract<Tree, { type: 'listItem' }>;

/** HTML for what Markdown can’t express. The reader knows each, and no text looks like one. */
export const emptyParagraph = '<p></p>';
export const lineBreak = '<br>';
/** Keeps a link that stands alone from becoming a video. */
export const notAlone = '<!-- -->';

/**
 * Writes a document as Markdown, which `documentOf` reads back as the same text and structure.
 */
export function documentToMarkdown(document: LessonDocument, pathOf: PathOf): string {
  const content = document.content ?? [];
  // The editor keeps a line to continue in after an image or a file.
  const last = content.findLastIndex((node) => node.type !== 'paragraph' || node.content);
  const children = content.slice(0, last + 1).map((node) => block(node, pathOf));
  return toMarkdown(
    { type: 'root', children },
    {
      bullet: '-',
      bulletOther: '*',
      // So that bold beside italic is no run of three asterisks.
      emphasis: '_',
      rule: '*',
      fences: true,
      listItemIndent: 'one',
      extensions: [
        gfmToMarkdown({ tablePipeAlign: false }),
        // In HTML, text is that of the tables only.
        { handlers: { html: ({ value }: { value: string }) => value } },
      ],
    },
  );
}

/** Where a file of the course is beside it by its key, or another lesson by its link; or null. */
type PathOf = (what: string) => string | null;

function block(node: DocumentNode, pathOf: PathOf): Block {
  const { type, attrs = {}, content = [] } = node;
  const inside = () => content.map((child) => block(child, pathOf));
  switch (type) {
    case 'heading':
      return {
        type: 'heading',
        depth: attrs['level'] === 3 ? 3 : 2,
        children: inline(content, { breaks: 'html', pathOf }),
      };
    case 'bulletList':
    case 'orderedList': {
      const items = content.map((item) => listItem(item, pathOf));
      return {
        type: 'list',
        ordered: type === 'orderedList',
        start: type === 'orderedList' ? Number(attrs['start'] ?? 1) : null,
        spread: items.some(({ spread }) => spread),
        children: items,
      };
    }
    case 'blockquote':
      return { type: 'blockquote', children: inside() as never };
    case 'codeBlock':
      return { type: 'code', value: content.map(({ text = '' }) => text).join('') };
    case 'horizontalRule':
      return { type: 'thematicBreak' };
    case 'table':
      return table(node, pathOf);
    case 'video': {
      const [src, title] = [String(attrs['src']), String(attrs['title'] ?? '')];
      return alone({ type: 'link', url: src, children: [{ type: 'text', value: title || src }] });
    }
    case 'image':
    case 'file': {
      const path = pathOf(String(attrs['file']));
      const label = String(attrs[type === 'image' ? 'alt' : 'name'] ?? '');
      if (path === null) {
        return paragraph(label === '' ? [] : [{ type: 'text', text: label }], pathOf);
      }
      return type === 'image'
        ? alone({ type: 'image', url: path, alt: label })
        : alone({ type: 'link', url: path, children: [{ type: 'text', value: label }] });
    }
    default:
      return paragraph(content, pathOf);
  }
}

function alone(node: Inline): Block {
  return { type: 'paragraph', children: [node] };
}

function paragraph(content: DocumentNode[], pathOf: PathOf): Block {
  if (content.length === 0) {
    return { type: 'html', value: emptyParagraph };
  }
  const children = inline(content, { breaks: 'markdown', pathOf });
  const [only] = children;
  // Alone, it is a block of its own, which ends at a blank line.
  if (children.length === 1 && only?.type === 'html') {
    return { ...only, value: `<p>${only.value}</p>` };
  }
  const said = content.filter(({ text = '' }) => text.trim() !== '');
  if (said.length > 0 && said.every(leadsToVideo)) {
    children.push({ type: 'html', value: notAlone });
  }
  return { type: 'paragraph', children };
}

function leadsToVideo({ marks = [] }: DocumentNode): boolean {
  return marks.some(({ attrs }) => videoOf(String(attrs?.['href'])) !== null);
}

function listItem({ content = [] }: DocumentNode, pathOf: PathOf): Item {
  const children = content.map((child) => block(child, pathOf));
  const [first, second, third] = children;
  // Otherwise blank lines keep blocks apart.
  const isTight =
    first?.type === 'paragraph' &&
    third === undefined &&
    (second === undefined ||
      (second.type === 'list' && !second.spread && (second.start ?? 1) === 1));
  return { type: 'listItem', spread: !isTight, children: children as never };
}

/** A table with one row of headers and a line in each cell; others have no Markdown. */
function table(node: DocumentNode, pathOf: PathOf): Block {
  const rows = (node.content ?? []).map(({ content = [] }) => content);
  const width = rows[0]?.length ?? 0;
  const isPlain = rows.every(
    (cells, at) =>
      cells.length === width &&
      cells.every(
        ({ type, attrs = {}, content = [] }) =>
          type === (at === 0 ? 'tableHeader' : 'tableCell') &&
          (attrs['colspan'] ?? 1) === 1 &&
          (attrs['rowspan'] ?? 1) === 1 &&
          content.length === 1 &&
          content[0]?.type === 'paragraph' &&
          isPlainLine(content[0].content ?? []),
      ),
  );
  if (!isPlain) {
    return { type: 'html', value: renderTable(node) };
  }
  return {
    type: 'table',
    children: rows.map((cells) => ({
      type: 'tableRow',
      children: cells.map(({ content = [] }) => ({
        type: 'tableCell',
        children: inline(content[0]?.content ?? [], { breaks: 'html', pathOf }),
      })),
    })),
  };
}

function isPlainLine(content: DocumentNode[]): boolean {
  const text = content.map((child) => child.text ?? '').join('');
  // In code, a pipe has no escape of its own after a backslash.
  const isOdd = ({ text: own = '', marks = [] }: DocumentNode) =>
    marks.some(({ type }) => type === 'code') && /[|\\]/.test(own);
  return (
    content.every((child) => child.type === 'text' && !isOdd(child)) &&
    text === text.trim() &&
    !/[\r\n]/.test(text)
  );
}

type How = { breaks: 'html' | 'markdown'; pathOf: PathOf };

/** A text in which all marks, line breaks and code are nodes of a tree. */
function inline(content: DocumentNode[], { breaks, pathOf }: How): Inline[] {
  const last = content.length - 1;
  const isKept = ({ attrs }: DocumentMark) => hrefOf(attrs?.['href'], pathOf) !== null;
  const grouped = (nodes: DocumentNode[], offset: number, without: DocumentMark[]): Inline[] => {
    const result: Inline[] = [];
    for (let at = 0; at < nodes.length; ) {
      const node = nodes[at] as DocumentNode;
      const marks = (node.marks ?? []).filter(
        (mark) => isKept(mark) && !without.some((one) => isSame(one, mark)),
      );
      if (isBreak(node)) {
        // At the end of a text, Markdown would have a backslash; and it has no breaks with marks.
        const isHtml = breaks === 'html' || offset + at === last || marks.length > 0;
        const value = renderInline([{ ...node, marks }]);
        result.push(isHtml ? { type: 'html', value } : { type: 'break' });
        at += 1;
        continue;
      }
      const [run, mark] = longest(nodes, at, marks);
      const inner = nodes.slice(at, at + run);
      if (mark === null) {
        result.push({ type: 'text', value: oneLine(node.text ?? '') });
      } else if (mark.type === 'code') {
        result.push({ type: 'inlineCode', value: oneLine(inner.map(textOf).join('')) });
      } else {
        const children = grouped(inner, offset + at, [...without, mark]);
        result.push(...marked(mark, children, pathOf));
      }
      at += run;
    }
    return joined(result);
  };
  return grouped(content, 0, []);
}

function isBreak(node: DocumentNode | undefined): boolean {
  return node?.type === 'hardBreak';
}

function marked({ type, attrs }: DocumentMark, children: Inline[], pathOf: PathOf): Inline[] {
  const inside = children as never;
  if (type === 'link') {
    return [{ type, url: hrefOf(attrs?.['href'], pathOf) ?? '', children: inside }];
  }
  if (type !== 'strike') {
    return [{ type: type === 'bold' ? 'strong' : 'emphasis', children: inside }];
  }
  const [first, last] = [children[0], children.at(-1)];
  // Signs beside other signs or spaces strike nothing.
  const isPlain =
    first?.type === 'text' &&
    last?.type === 'text' &&
    /^[\p{L}\p{N}]/u.test(first.value) &&
    /[\p{L}\p{N}]$/u.test(last.value);
  return isPlain
    ? [{ type: 'delete', children: inside }]
    : [{ type: 'html', value: '<s>' }, ...children, { type: 'html', value: '</s>' }];
}

/** Where a link leads from the file of its lesson; null if that is not beside it. */
function hrefOf(href: unknown, pathOf: PathOf): string | null {
  return typeof href === 'string' && lessonLink.test(href) ? pathOf(href) : String(href);
}

/** How many nodes from one on have a mark, for the mark that most have; the outermost of equals. */
function longest(
  nodes: DocumentNode[],
  from: number,
  marks: DocumentMark[],
): [number, DocumentMark | null] {
  let best: [number, DocumentMark | null] = [1, null];
  for (const mark of marks) {
    let end = from;
    while (
      nodes[end]?.marks?.some((one) => isSame(one, mark)) &&
      !(mark.type === 'code' && isBreak(nodes[end]))
    ) {
      end += 1;
    }
    while (isBreak(nodes[end - 1])) {
      end -= 1;
    }
    if (best[1] === null || end - from > best[0]) {
      best = [end - from, mark];
    }
  }
  return best;
}

function isSame(one: DocumentMark, other: DocumentMark): boolean {
  return one.type === other.type && one.attrs?.['href'] === other.attrs?.['href'];
}

/** Texts beside each other are one. */
function joined(nodes: Inline[]): Inline[] {
  const result: Inline[] = [];
  for (const node of nodes) {
    const before = result.at(-1);
    if (node.type === 'text' && before?.type === 'text') {
      before.value += node.value;
    } else {
      result.push(node);
    }
  }
  return result;
}

function textOf({ text = '' }: DocumentNode): string {
  return text;
}

/** As browsers show a line end that is no line break. */
function oneLine(text: string): string {
  return text.replace(/\r\n|[\r\n]/g, ' ');
}
