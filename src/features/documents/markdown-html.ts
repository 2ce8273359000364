import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { escapeHtml } from './render-document.ts';

type Tree = ReturnType<typeof fromMarkdown>['children'][number];

type Reading = {
  /** Where reference links lead, by their names. */
  targets: Map<string, string>;
  /** Whether it was typed as a text, whose lines end where they end, and whose HTML is text. */
  isTyped: boolean;
};

/**
 * Markdown as HTML: CommonMark with tables, strikethrough, footnotes and bare addresses. Its own
 * HTML is as it was typed, and addresses are too, so the result is for parsers only, never for a
 * page.
 */
export function markdownToHtml(markdown: string, isTyped = false): string {
  const { children } = fromMarkdown(markdown.toWellFormed(), {
    extensions: [gfm()],
    // Its transform would find addresses in what was escaped, too.
    mdastExtensions: gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] })),
  });
  return html(children, { targets: new Map(definitionsIn(children)), isTyped });
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

const tags: Record<string, string> = {
  paragraph: 'p',
  blockquote: 'blockquote',
  strong: 'strong',
  emphasis: 'em',
  delete: 's',
};

/** Deeper than this, only texts are left of what hostile files nest. */
const deepest = 60;

function html(nodes: Tree[], reading: Reading, depth = 0): string {
  const shown = depth < deepest ? nodes : leavesOf(nodes);
  return shown.map((node) => htmlOf(node, reading, depth)).join('');
}

function leavesOf(nodes: Tree[]): Tree[] {
  const leaves: Tree[] = [];
  const open = [...nodes];
  for (let node = open.shift(); node !== undefined; node = open.shift()) {
    if ('children' in node) {
      open.unshift(...node.children);
    } else {
      leaves.push(node);
    }
  }
  return leaves;
}

function htmlOf(node: Tree, reading: Reading, depth: number): string {
  const inside = () => html('children' in node ? node.children : [], reading, depth + 1);
  switch (node.type) {
    case 'text':
      return escapeHtml(node.value).replaceAll('\n', reading.isTyped ? '<br>' : ' ');
    case 'html':
      // Not one of those that parsers make of an end without a beginning.
      return reading.isTyped
        ? escapeHtml(node.value).replaceAll('\n', '<br>')
        : node.value.replaceAll('<p></p>', '<p data-blank></p>');
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

/** All rows are as wide as the first. */
function tableOf({ children: rows }: Extract<Tree, { type: 'table' }>, reading: Reading): string {
  const width = rows[0]?.children.length ?? 0;
  const written = rows.map(({ children: cells }, at) => {
    const tag = at === 0 ? 'th' : 'td';
    const row = Array.from({ length: width }, (_, no) => html(cells[no]?.children ?? [], reading));
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
