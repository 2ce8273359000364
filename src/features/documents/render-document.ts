import type { NodeSpec } from 'prosemirror-model';
import type { DocumentMark, DocumentNode } from './document.ts';
import { lessonLink, nodes } from './nodes.ts';

/**
 * Writes the HTML of a document that readDocument has accepted. All text is escaped, and no other
 * HTML gets into it. Videos, images and files are placeholders: see `partsOf`.
 */
export function renderDocument({ content = [] }: DocumentNode): string {
  const [before, after] = [wideBeside(content), wideBeside(content.toReversed()).reverse()];
  // The editor leaves empty lines to continue in around what is wide.
  const shown = content.filter((node, at) => !isEmptyLine(node) || !(before[at] || after[at]));
  // Each block of its own has the direction of its first letter.
  return blocks(shown, { dir: ' dir="auto"', isPage: true });
}

/** For each block, whether it or the last one before it that is no empty line is wide. */
function wideBeside(content: DocumentNode[]): boolean[] {
  let isBeside = false;
  return content.map((node) => {
    isBeside = isEmptyLine(node) ? isBeside : isWide(node);
    return isBeside;
  });
}

/** Writes the HTML of a table for other programs, in one line. */
export function renderTable(table: DocumentNode): string {
  return block(table, { dir: '', isPage: false }).replaceAll('\n', '&#10;');
}

/** The same for what is in a paragraph. */
export function renderInline(content: DocumentNode[]): string {
  return inline(content, false);
}

/** The attribute of each block, and whether it is for a page of ours. */
type How = { dir: string; isPage: boolean };

const wide = new Set(
  Object.entries<NodeSpec>(nodes).flatMap(([name, { group }]) => (group === 'wide' ? [name] : [])),
);

/** Whether a block stands between the others and never inside of one. */
function isWide({ type }: DocumentNode): boolean {
  return wide.has(type);
}

function isEmptyLine({ type, content = [] }: DocumentNode): boolean {
  return type === 'paragraph' && content.length === 0;
}

const tags: Record<string, string> = {
  paragraph: 'p',
  bulletList: 'ul',
  listItem: 'li',
  blockquote: 'blockquote',
  tableRow: 'tr',
};

const tagsOfMarks: Record<string, string> = {
  link: 'a',
  bold: 'strong',
  italic: 'em',
  strike: 's',
  code: 'code',
};

function blocks(content: DocumentNode[], how: How): string {
  return content.map((node) => block(node, how)).join('');
}

function block({ type, attrs = {}, content = [] }: DocumentNode, how: How): string {
  const { dir, isPage } = how;
  const inside = () =>
    isInline(content) ? inline(content, isPage) : blocks(content, { ...how, dir: '' });
  switch (type) {
    case 'heading': {
      const tag = attrs['level'] === 3 ? 'h3' : 'h2';
      return `<${tag}${dir}>${inside()}</${tag}>`;
    }
    case 'orderedList': {
      const start = attrs['start'] ?? 1;
      return `<ol${dir}${start === 1 ? '' : ` start="${start}"`}>${inside()}</ol>`;
    }
    case 'codeBlock':
      return `<pre${dir}><code>${content.map(({ text = '' }) => escapeHtml(text)).join('')}</code></pre>`;
    case 'horizontalRule':
      return '<hr>';
    // It scrolls inside its own box, which the keyboard has to reach.
    case 'table':
      return isPage
        ? `<div class="reading-table" tabindex="0"${dir}><table><tbody>${inside()}</tbody></table></div>`
        : `<table>${inside()}</table>`;
    case 'tableCell':
      return `<td${spansOf(attrs)}>${inside()}</td>`;
    case 'tableHeader':
      return `<th${spansOf(attrs)}>${inside()}</th>`;
    case 'video':
      return placeholder('video', attrs['src'], attrs['title']);
    case 'image':
      return placeholder('image', attrs['file'], attrs['alt']);
    case 'file':
      return placeholder('file', attrs['file'], attrs['name']);
    default: {
      const tag = tags[type];
      return tag === undefined
        ? ''
        : `<${tag}${dir}>${inside() || (isPage && tag === 'p' ? '<br>' : '')}</${tag}>`;
    }
  }
}

function placeholder(kind: string, value: unknown, text: unknown): string {
  return `<div data-${kind}="${escapeHtml(String(value))}" data-title="${escapeHtml(String(text ?? ''))}"></div>`;
}

function spansOf({ colspan = 1, rowspan = 1 }: Record<string, unknown>): string {
  return (
    (colspan === 1 ? '' : ` colspan="${colspan}"`) + (rowspan === 1 ? '' : ` rowspan="${rowspan}"`)
  );
}

function isInline(content: DocumentNode[]): boolean {
  return content.some(({ type }) => type === 'text' || type === 'hardBreak');
}

/** Texts with their marks. A mark that the next text has, too, stays open. */
function inline(content: DocumentNode[], isPage: boolean): string {
  let html = '';
  let open: DocumentMark[] = [];
  const closeTo = (count: number) => {
    for (const mark of open.slice(count).reverse()) {
      html += `</${tagsOfMarks[mark.type]}>`;
    }
    open = open.slice(0, count);
  };
  for (const [at, { type, text = '', marks = [] }] of content.entries()) {
    const same = open.findIndex((mark, no) => !isSame(mark, marks[no]));
    closeTo(same === -1 ? open.length : same);
    for (const mark of marks.slice(open.length)) {
      html += opening(mark, content.slice(at), isPage);
    }
    open = marks;
    // Elsewhere, a line end could be one of Markdown.
    const line = isPage ? text : text.replace(/\r\n|[\r\n]/g, ' ');
    html += type === 'hardBreak' ? '<br>' : escapeHtml(line);
  }
  closeTo(0);
  return html;
}

function opening(
  { type, attrs = {} }: DocumentMark,
  rest: DocumentNode[],
  isPage: boolean,
): string {
  if (type !== 'link') {
    return `<${tagsOfMarks[type]}>`;
  }
  const href = String(attrs['href']);
  if (!isPage || lessonLink.test(href)) {
    return `<a href="${escapeHtml(href)}">`;
  }
  const host = hostOf(href);
  const end = rest.findIndex(({ marks = [] }) => marks[0]?.attrs?.['href'] !== href);
  const linked = end === -1 ? rest : rest.slice(0, end);
  const text = linked.map((node) => node.text ?? '').join('');
  // Readers see where a link leads, unless its text says so. The style sheet shows it.
  const shown = host === '' || isAddressAt(host, text) ? '' : ` data-host="${escapeHtml(host)}"`;
  return `<a href="${escapeHtml(href)}" rel="noopener noreferrer"${shown}>`;
}

export function hostOf(href: string): string {
  return URL.parse(href)?.hostname.replace(/^www\./, '') ?? '';
}

/** Whether a text is an address at a host: one that it has elsewhere may be of another address. */
function isAddressAt(host: string, text: string): boolean {
  const address = text
    .trim()
    .toLowerCase()
    .replace(/^(https:\/\/)?(www\.)?/, '');
  return address.startsWith(host) && /^([/?#]|$)/.test(address.slice(host.length));
}

function isSame(one: DocumentMark, other: DocumentMark | undefined): boolean {
  return one.type === other?.type && one.attrs?.['href'] === other.attrs?.['href'];
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');
}

const placeholderPattern = /<div data-(video|image|file)="([^"]*)" data-title="([^"]*)"><\/div>/;

/** A piece of a lesson: HTML, or what the page shows in the language of its reader. */
export type ReadingPart =
  | { html: string }
  | { kind: 'video'; address: string; title: string }
  | { kind: 'image'; file: string; alt: string }
  | { kind: 'file'; file: string; name: string };

/** Splits rendered HTML at its placeholders. No text can look like one, because it is escaped. */
export function partsOf(html: string): ReadingPart[] {
  const pieces = html.split(placeholderPattern);
  return pieces.flatMap((piece, at): ReadingPart[] => {
    if (at % 4 === 0) {
      return piece === '' ? [] : [{ html: piece }];
    }
    const [value, text] = [pieces[at + 1] ?? '', pieces[at + 2] ?? ''].map(unescapeHtml) as [
      string,
      string,
    ];
    return at % 4 !== 1
      ? []
      : piece === 'video'
        ? [{ kind: piece, address: value, title: text }]
        : piece === 'image'
          ? [{ kind: piece, file: value, alt: text }]
          : [{ kind: 'file', file: value, name: text }];
  });
}

/** The words of rendered HTML, with those of its placeholders. */
export function textOf(html: string): string {
  const words = partsOf(html).map((part) =>
    'html' in part
      ? unescapeHtml(
          part.html.replace(/<\/?(strong|em|code|a|s)\b[^>]*>/g, '').replace(/<[^>]*>/g, ' '),
        )
      : part.kind === 'video'
        ? part.title
        : part.kind === 'image'
          ? part.alt
          : part.name,
  );
  return words.join(' ').replace(/\s+/g, ' ');
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}
