import type { DocumentMark, DocumentNode } from '#features/documents/document.ts';
import { isSafeLink } from '#features/documents/nodes.ts';

/** Blocks of documents by the tags that are theirs alone. */
const blockTags: Record<string, string> = {
  paragraph: 'p',
  bulletList: 'ul',
  listItem: 'li',
  blockquote: 'blockquote',
  table: 'table',
  tableRow: 'tr',
};
const markTags: Record<string, string> = { bold: 'strong', italic: 'em', code: 'code' };

/** Tags as HTML from elsewhere has them, too. */
const blocksByTag: Record<string, DocumentNode> = {
  ...Object.fromEntries(Object.entries(blockTags).map(([type, tag]) => [tag, { type }])),
  h2: { type: 'heading', attrs: { level: 2 } },
  h3: { type: 'heading', attrs: { level: 3 } },
  ol: { type: 'orderedList' },
  pre: { type: 'codeBlock' },
  td: { type: 'tableCell' },
  th: { type: 'tableHeader' },
};
const marksByTag: Record<string, string> = {
  strong: 'bold',
  b: 'bold',
  em: 'italic',
  i: 'italic',
  code: 'code',
};
const textBlocks = ['paragraph', 'heading', 'codeBlock'];

/** A table as HTML, for what Markdown's own tables can't have. It has no blank line. */
export function tableHtml({ content = [] }: DocumentNode): string {
  return `<table>\n${content.map((row) => `${html(row)}\n`).join('')}</table>`;
}

function html({ type, attrs = {}, content = [], text = '', marks = [] }: DocumentNode): string {
  if (type === 'text') {
    return marks.reduceRight((inner, mark) => marked(inner, mark), escapeHtml(text));
  }
  const inside = content.map(html).join('');
  switch (type) {
    case 'hardBreak':
      return '<br>';
    case 'horizontalRule':
      return '<hr>';
    case 'heading':
      return `<h${attrs['level'] ?? 2}>${inside}</h${attrs['level'] ?? 2}>`;
    case 'codeBlock':
      return `<pre>${inside}</pre>`;
    case 'orderedList':
      return `<ol${attribute('start', attrs['start'])}>${inside}</ol>`;
    case 'tableCell':
    case 'tableHeader': {
      const tag = type === 'tableCell' ? 'td' : 'th';
      const spans = attribute('colspan', attrs['colspan']) + attribute('rowspan', attrs['rowspan']);
      return `<${tag}${spans}>${inside}</${tag}>`;
    }
    default:
      return `<${blockTags[type]}>${inside}</${blockTags[type]}>`;
  }
}

function attribute(name: string, value: unknown = 1): string {
  return value === 1 ? '' : ` ${name}="${value}"`;
}

function marked(inner: string, { type, attrs = {} }: DocumentMark): string {
  return type === 'link'
    ? `<a href="${escapeHtml(String(attrs['href']))}">${inner}</a>`
    : `<${markTags[type]}>${inner}</${markTags[type]}>`;
}

/** Line ends, too: a blank line would end the table. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Reads a table that `tableHtml` has written, or a plain one from elsewhere: nothing but the tags
 * that documents have.
 *
 * @returns null for any other HTML
 */
export function readTableHtml(source: string): DocumentNode | null {
  const root: DocumentNode = { type: 'doc', content: [] };
  const open: { tag: string; node: DocumentNode }[] = [{ tag: '', node: root }];
  const openMarks: { tag: string; mark: DocumentMark }[] = [];
  const add = (node: DocumentNode) => {
    const parent = open.at(-1)?.node;
    parent?.content?.push(node);
  };
  for (const [token, slash, name = '', given = ''] of source.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+="[^"]*")*)\s*\/?>|[^<]+|</gi,
  )) {
    const tag = name.toLowerCase();
    const attrs = attributesOf(given);
    const top = open.at(-1);
    if (token === '<' || top === undefined) {
      return null;
    }
    if (tag === '') {
      const text = unescapeHtml(token);
      if (textBlocks.includes(top.node.type) || text.trim() !== '') {
        addText(
          top.node,
          text,
          openMarks.map(({ mark }) => mark),
        );
      }
    } else if (tag === 'thead' || tag === 'tbody') {
      // Rows are rows.
    } else if (tag === 'br') {
      addInline(top.node, { type: 'hardBreak' });
    } else if (tag === 'hr') {
      add({ type: 'horizontalRule' });
    } else if (tag === 'a' || marksByTag[tag] !== undefined) {
      if (slash) {
        if (openMarks.pop()?.tag !== tag) {
          return null;
        }
      } else {
        openMarks.push({ tag, mark: markOf(tag, attrs) });
      }
    } else if (blocksByTag[tag] === undefined) {
      return null;
    } else if (slash) {
      if (open.pop()?.tag !== tag || openMarks.length > 0) {
        return null;
      }
    } else {
      const node: DocumentNode = { ...blocksByTag[tag], content: [] } as DocumentNode;
      const own = numbersOf(attrs, tag);
      if (own !== null) {
        node.attrs = own;
      }
      add(node);
      open.push({ tag, node });
    }
  }
  const [table, ...others] = root.content ?? [];
  return open.length === 1 && others.length === 0 && table?.type === 'table' && isWhole(table)
    ? table
    : null;
}

function markOf(tag: string, attrs: Record<string, string>): DocumentMark {
  return tag === 'a'
    ? { type: 'link', attrs: { href: attrs['href'] ?? '' } }
    : { type: marksByTag[tag] ?? '' };
}

function numbersOf(attrs: Record<string, string>, tag: string): Record<string, number> | null {
  const names =
    tag === 'ol' ? ['start'] : tag === 'td' || tag === 'th' ? ['colspan', 'rowspan'] : [];
  const given = names.flatMap((name) =>
    /^\d{1,4}$/.test(attrs[name] ?? '') ? [[name, Number(attrs[name])] as const] : [],
  );
  return tag.startsWith('h') && /\d/.test(tag)
    ? { level: Number(tag.slice(1)) }
    : given.length > 0
      ? Object.fromEntries(given)
      : null;
}

function addText(parent: DocumentNode, text: string, marks: DocumentMark[]): void {
  const isCode = parent.type === 'codeBlock';
  // Code has no other marks; and a link has to lead somewhere safe.
  const code = marks.filter(({ type }) => type === 'code');
  const kept = (code.length > 0 ? code.slice(0, 1) : marks).filter(
    ({ type, attrs }) => type !== 'link' || isSafeLink(attrs?.['href']),
  );
  addInline(parent, {
    type: 'text',
    text,
    ...(kept.length > 0 && !isCode && { marks: kept }),
  });
}

/** Text that stands in a cell by itself gets a paragraph. */
function addInline(parent: DocumentNode, node: DocumentNode): void {
  if (textBlocks.includes(parent.type)) {
    parent.content?.push(node);
    return;
  }
  const last = parent.content?.at(-1);
  if (last?.type === 'paragraph' && last.attrs?.['own'] === true) {
    last.content?.push(node);
  } else {
    parent.content?.push({ type: 'paragraph', attrs: { own: true }, content: [node] });
  }
}

/** Makes what was read one of the schema: cells and items have blocks, and nothing is empty. */
function isWhole(node: DocumentNode): boolean {
  const content = node.content ?? [];
  const { type } = node;
  if (node.attrs?.['own'] === true) {
    delete node.attrs;
  }
  if (textBlocks.includes(type)) {
    if (content.length === 0) {
      delete node.content;
    }
    return true;
  }
  if (type === 'text' || type === 'hardBreak' || type === 'horizontalRule') {
    return true;
  }
  if (content[0]?.type !== 'paragraph' && type === 'listItem') {
    content.unshift({ type: 'paragraph' });
  } else if (content.length === 0 && type !== 'table' && type !== 'tableRow') {
    content.push({ type: 'paragraph' });
  }
  const allowed: Record<string, string[]> = {
    table: ['tableRow'],
    tableRow: ['tableCell', 'tableHeader'],
    bulletList: ['listItem'],
    orderedList: ['listItem'],
  };
  const blocks = ['paragraph', 'heading', 'bulletList', 'orderedList', 'blockquote', 'codeBlock'];
  const fits = allowed[type] ?? [...blocks, 'horizontalRule'];
  return (
    content.length > 0 && content.every((child) => fits.includes(child.type) && isWhole(child))
  );
}

function attributesOf(given: string): Record<string, string> {
  return Object.fromEntries(
    [...given.matchAll(/([a-z-]+)="([^"]*)"/gi)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      unescapeHtml(value),
    ]),
  );
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|([a-z]+));/g, (whole, number, name) =>
    number === undefined ? (named[name] ?? whole) : characterOf(Number(number), whole),
  );
}

function characterOf(code: number, whole: string): string {
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : whole;
}
