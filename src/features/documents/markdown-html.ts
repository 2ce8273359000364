import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { escapeHtml } from './render-document.ts';

type Tree = ReturnType<typeof fromMarkdown>['children'][number];

/** How a Markdown text becomes HTML. */
type How = {
  /** Writes a text as HTML; `source` is how it stands in the file. */
  text: (text: string, source: string) => string;
  /** Writes HTML that is in the text, in a paragraph or as a block of its own. */
  html: (html: string, isBlock: boolean) => string;
};

type Reading = How & {
  /** Where reference links lead, by their names. */
  targets: Map<string, string>;
  markdown: string;
};

function asTyped(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>');
}

/** As a text that someone types: its lines end where they end, and its HTML is text. */
export const typedMarkdown: How = { text: asTyped, html: asTyped };

/**
 * Markdown as HTML: CommonMark with tables, strikethrough, footnotes and bare addresses. Addresses
 * are as they were typed, so the result is for parsers only, never for a page.
 */
export function markdownToHtml(given: string, how: How): string {
  const markdown = given.toWellFormed();
  const { children } = fromMarkdown(markdown, {
    extensions: [gfm()],
    // Its transform would find addresses in what was escaped, too.
    mdastExtensions: gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] })),
  });
  return html(children, { ...how, targets: new Map(definitionsIn(children)), markdown });
}

function definitionsIn(nodes: Tree[]): [string, string][] {
  return leavesOf(nodes).flatMap((node) =>
    node.type === 'definition' ? [[node.identifier, node.url] as [string, string]] : [],
  );
}

/** What has nothing in it, in its order, however deep it is. */
function leavesOf(nodes: Tree[]): Tree[] {
  const leaves: Tree[] = [];
  const open = nodes.toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('children' in node) {
      open.push(...node.children.toReversed());
    } else {
      leaves.push(node);
    }
  }
  return leaves;
}

const tags: Record<string, string> = {
  paragraph: 'p',
  blockquote: 'blockquote',
  strong: 'strong',
  emphasis: 'em',
  delete: 's',
};

/** Deeper than this, only texts are left of what hostile files nest. */
const deepest = 60;

function html(nodes: Tree[], reading: Reading, depth = 0, isFlow = true): string {
  const shown = depth < deepest ? nodes : leavesOf(nodes);
  return shown.map((node) => htmlOf(node, reading, depth, isFlow)).join('');
}

function sourceOf({ position, ...node }: Tree, { markdown }: Reading): string {
  const [from, to] = [position?.start.offset, position?.end.offset];
  return from === undefined || to === undefined || !('value' in node)
    ? ''
    : markdown.slice(from, to);
}

const flows = ['blockquote', 'listItem', 'list', 'footnoteDefinition'];

function htmlOf(node: Tree, reading: Reading, depth: number, isFlow: boolean): string {
  const inside = () =>
    html('children' in node ? node.children : [], reading, depth + 1, flows.includes(node.type));
  switch (node.type) {
    case 'text':
      return reading.text(node.value, sourceOf(node, reading));
    case 'html':
      return reading.html(node.value, isFlow);
    case 'break':
      return '<br>';
    case 'thematicBreak':
      return '<hr>';
    case 'code':
      return `<pre><code>${escapeHtml(node.value)}</code></pre>`;
    case 'inlineCode':
      return `<code>${escapeHtml(node.value)}</code>`;
    case 'heading':
      return `<h${node.depth}>${inside()}</h${node.depth}>`;
    case 'list':
      return node.ordered
        ? `<ol start="${node.start ?? 1}">${inside()}</ol>`
        : `<ul>${inside()}</ul>`;
    case 'listItem':
      return `<li>${typeof node.checked === 'boolean' ? begun(node.checked ? '☑ ' : '☐ ', inside()) : inside()}</li>`;
    case 'table':
      return tableOf(node, reading);
    case 'link':
      return link(node.url, inside());
    case 'linkReference':
      return link(reading.targets.get(node.identifier) ?? '', inside());
    case 'image':
      return image(node.url, node.alt);
    case 'imageReference':
      return image(reading.targets.get(node.identifier) ?? '', node.alt);
    case 'footnoteReference':
      return escapeHtml(numberOf(node));
    case 'footnoteDefinition':
      return begun(escapeHtml(`${numberOf(node)} `), inside());
    case 'definition':
      return '';
    default: {
      const tag = tags[node.type];
      return tag === undefined ? inside() : `<${tag}>${inside()}</${tag}>`;
    }
  }
}

/** Puts words before those of the first paragraph. */
function begun(words: string, blocks: string): string {
  return blocks.startsWith('<p>') ? `<p>${words}${blocks.slice(3)}` : `<p>${words}</p>${blocks}`;
}

type Footnote = Extract<Tree, { type: 'footnoteDefinition' | 'footnoteReference' }>;

function numberOf({ label, identifier }: Footnote): string {
  return `[${label ?? identifier}]`;
}

/** Of larger tables, rows are not made as wide as the first. */
const mostCells = 10_000;

/** All rows are as wide as the first. */
function tableOf({ children: rows }: Extract<Tree, { type: 'table' }>, reading: Reading): string {
  const head = rows[0]?.children.length ?? 0;
  // A few signs can make a table of millions of cells.
  const width = head * rows.length > mostCells ? 0 : head;
  const written = rows.map(({ children: cells }, at) => {
    const tag = at === 0 ? 'th' : 'td';
    const row = Array.from({ length: width || cells.length }, (_, no) =>
      html(cells[no]?.children ?? [], reading, 0, false),
    );
    return `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  });
  return `<table>${written.join('')}</table>`;
}

function link(url: string, words: string): string {
  return `<a href="${escapeHtml(url)}">${words}</a>`;
}

function image(url: string, alt: string | null | undefined): string {
  return `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt ?? '')}">`;
}
