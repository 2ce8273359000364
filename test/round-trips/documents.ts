import type { ContentMatch, Mark, Node, NodeType } from '@tiptap/pm/model';
import type { DocumentNode } from '#features/documents/document.ts';
import { lessonSchema } from '#features/lessons/editor/extensions.ts';

/** The keys of files that a course has, by what they are. */
export const files: Record<string, 'image' | 'file'> = {
  aaaaaaaaa1: 'image',
  aaaaaaaaa2: 'file',
};

const words = [
  ...[
    'Said',
    'is',
    'été',
    'l’idée',
    '“Quoted”',
    '中文',
    'e\u0301',
    '👩‍🏫',
    'שלום',
    ' ',
    '  ',
    '.',
    ',',
  ],
  ...['* ', '- ', '+ ', '1. ', '2) ', '# ', '> ', '| ', '=== ', '---', '***', '```', '~~', '~'],
  ...['« ', ' »', '\u00a0:', '!', '[x](y)', '![', '](', '<br>', '<p></p>', '<!-- -->', '&amp;'],
  ...['&#32;', '\\', '`', '``', '_', '__', '*', '**', '$', '^', '[1]: /x', 'https://a.test', '|'],
  ...['a@b.test', ':-', '\t', '\n', '\u2028', '(', ')', '"', "'", '[[x]]', '==x==', '%%x%%'],
];
const titles = ['', 'How to', ' a | b ', '[x](y)', '"q" \\', '<b>', '&amp;', '中文'];
/** What attributes can be; all others are as by default. */
const attributes: Record<string, unknown[]> = {
  'heading level': [2, 3],
  'orderedList start': [1, 0, 2, 9, 9_999],
  'tableCell colspan': [1, 1, 1, 2],
  'tableCell rowspan': [1, 1, 1, 3],
  'tableHeader colspan': [1, 1, 1, 2],
  'tableHeader rowspan': [1, 1, 1, 3],
  'video src': ['https://www.youtube.com/watch?v=aaaaaaaaaaa'],
  'video title': titles,
  'image file': ['aaaaaaaaa1'],
  'image alt': titles,
  'file file': ['aaaaaaaaa2'],
  // Without a name, a file is imported under that of its file.
  'file name': titles.filter((title) => title !== ''),
  'link href': [
    ...['https://lectern.test/', 'https://a.test/x_y_(z)?q=1&copy=2#*', 'mailto:ada@lectern.test'],
    'lesson:00000000-0000-4000-8000-000000000001',
    ...['https://youtu.be/aaaaaaaaaaa', 'https://a.test/<b>', 'https://a.test/\\)'],
  ],
};

/** Makes choices by numbers. When these have run out, `pick` takes the first, and `some` none. */
export function chooser(choices: readonly number[]) {
  const left = [...choices];
  const choose = (count: number) => (left.shift() ?? 0) % count;
  return {
    choose,
    pick: <Item>(items: readonly Item[]) => items[choose(items.length)] as Item,
    /** Fewer than so many items, to go through. */
    some: (most: number) => Array.from({ length: choose(most) }),
    /** The next of the numbers, for something that chooses by itself. */
    rest: (count: number) => left.splice(0, count),
  };
}

/**
 * A document that the editor can make: any node and mark that its schema allows in each place. When
 * the choices have run out it ends as soon as possible, so fewer choices make a smaller document.
 */
export function documentBy(choices: readonly number[]): Node {
  const { choose, pick } = chooser(choices);

  function attrsOf(name: string, attrs: object = {}) {
    const given = Object.keys(attrs).map((attr) => [attr, attributes[`${name} ${attr}`] ?? []]);
    return Object.fromEntries(
      given.flatMap(([attr, values]) =>
        values?.length ? [[attr, pick(values as unknown[])]] : [],
      ),
    );
  }

  function marksIn(parent: NodeType): readonly Mark[] {
    const allowed = Object.values(lessonSchema.marks).filter((mark) => parent.allowsMarkType(mark));
    return allowed
      .filter(() => choose(4) === 1)
      .reduce<readonly Mark[]>(
        (set, type) => type.create(attrsOf(type.name, type.spec.attrs)).addToSet(set),
        [],
      );
  }

  function build(type: NodeType, parent: NodeType | null, depth: number): Node {
    const marks = type.isInline && parent !== null ? marksIn(parent) : [];
    if (type.isText) {
      const text = Array.from({ length: 1 + choose(4) }, () => pick(words)).join('');
      return lessonSchema.text(text, marks);
    }
    return type.create(attrsOf(type.name, type.spec.attrs), childrenOf(type, depth), marks);
  }

  function childrenOf(type: NodeType, depth: number): Node[] {
    const children: Node[] = [];
    let match = type.contentMatch;
    while (match.edgeCount > 0) {
      if (match.validEnd && choose(children.length === 0 ? 6 : 3) === 0) {
        break;
      }
      const [first, ...others] = edgesOf(match);
      const shallow = others.filter(({ type: { isTextblock, isLeaf } }) => isTextblock || isLeaf);
      const edge = pick([first, ...(depth < 5 ? others : shallow)]);
      if (edge === undefined) {
        break;
      }
      children.push(build(edge.type, type, depth + 1));
      match = edge.next;
    }
    return children;
  }

  return build(lessonSchema.topNodeType, null, 0);
}

/** What can come next, the simplest first. */
function edgesOf(match: ContentMatch) {
  return Array.from({ length: match.edgeCount }, (_, at) => match.edge(at));
}

/**
 * What two documents must have in common. Ignores where texts with the same marks are split,
 * attributes with their default values, line ends that browsers show as spaces, empty paragraphs at
 * the end, and that a video's title is its address, which is not shown.
 */
export function essence(node: DocumentNode): unknown {
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
