import {
  type AnyExtension,
  Extension,
  getSchemaByResolvedExtensions,
  type KeyboardShortcutCommand,
  Mark,
  Node,
  textblockTypeInputRule,
  wrappingInputRule,
} from '@tiptap/core';
import { Blockquote } from '@tiptap/extension-blockquote';
import { Bold } from '@tiptap/extension-bold';
import { Code } from '@tiptap/extension-code';
import { CodeBlock } from '@tiptap/extension-code-block';
import { Document } from '@tiptap/extension-document';
import { HardBreak } from '@tiptap/extension-hard-break';
import { Heading } from '@tiptap/extension-heading';
import { HorizontalRule } from '@tiptap/extension-horizontal-rule';
import { Italic } from '@tiptap/extension-italic';
import { BulletList } from '@tiptap/extension-list/bullet-list';
import { ListItem } from '@tiptap/extension-list/item';
import { ListKeymap } from '@tiptap/extension-list/keymap';
import { OrderedList } from '@tiptap/extension-list/ordered-list';
import { Paragraph } from '@tiptap/extension-paragraph';
import { Strike } from '@tiptap/extension-strike';
import { TableCell } from '@tiptap/extension-table/cell';
import { TableHeader } from '@tiptap/extension-table/header';
import { TableRow } from '@tiptap/extension-table/row';
import { Table } from '@tiptap/extension-table/table';
import { Text } from '@tiptap/extension-text';
import { Gapcursor } from '@tiptap/extensions/gap-cursor';
import { UndoRedo } from '@tiptap/extensions/undo-redo';
import type { Node as DocumentNode } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { isFileKey, marks, maxAlt, maxDepth, nodes } from '#features/documents/nodes.ts';
import { videoOf } from '#features/documents/videos.ts';
import { linkTo } from './link-to.ts';

/** What nodes.ts lists, with what only an editor has to know. */
export const schemaSpec = {
  nodes: {
    ...nodes,
    heading: { ...nodes.heading, defining: true },
    listItem: { ...nodes.listItem, defining: true },
    blockquote: { ...nodes.blockquote, defining: true },
    codeBlock: { ...nodes.codeBlock, defining: true },
    table: { ...nodes.table, isolating: true },
    tableCell: { ...nodes.tableCell, isolating: true },
    tableHeader: { ...nodes.tableHeader, isolating: true },
    video: { ...nodes.video, draggable: true },
    image: { ...nodes.image, draggable: true },
    file: { ...nodes.file, draggable: true },
    hardBreak: { ...nodes.hardBreak, selectable: false, linebreakReplacement: true },
  },
  marks: {
    ...marks,
    // What is typed at its end is not part of it.
    link: { ...marks.link, inclusive: false },
    code: { ...marks.code, code: true },
  },
};

const Link = Mark.create({
  name: 'link',
  keepOnSplit: false,
  addAttributes: () => ({
    href: { parseHTML: (element) => linkTo(element.getAttribute('href') ?? '') },
  }),
  parseHTML: () => [
    {
      tag: 'a[href]',
      getAttrs: (element) => linkTo(element.getAttribute('href') ?? '') !== null && null,
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ['a', HTMLAttributes, 0],
});

/** Without its view, which needs the texts of a page. */
export const Video = Node.create({
  name: 'video',
  addAttributes: () => ({
    src: {
      parseHTML: (element) => element.getAttribute('data-video'),
      renderHTML: ({ src }) => ({ 'data-video': src }),
    },
    title: {
      parseHTML: (element) => lineOf(element.getAttribute('data-title') ?? '', 120),
      renderHTML: ({ title }) => ({ 'data-title': title }),
    },
  }),
  parseHTML: () => [
    {
      tag: 'div[data-video]',
      getAttrs: (element) => {
        const address = element.getAttribute('data-video') ?? '';
        return videoOf(address)?.address === address && null;
      },
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ['div', HTMLAttributes],
});

/** Images and files of the course, without their views. */
export const ImageNode = fileNode('image', 'alt', maxAlt);
export const FileNode = fileNode('file', 'name', 120);

function fileNode(name: 'image' | 'file', text: 'alt' | 'name', maxLength: number) {
  return Node.create({
    name,
    addAttributes: () => ({
      file: {
        parseHTML: (element) => element.getAttribute(`data-${name}`),
        renderHTML: ({ file }) => ({ [`data-${name}`]: file }),
      },
      [text]: {
        parseHTML: (element) => lineOf(element.getAttribute('data-title') ?? '', maxLength),
        renderHTML: (attributes) => ({ 'data-title': attributes[text] }),
      },
    }),
    parseHTML: () => [
      {
        tag: `div[data-${name}]`,
        getAttrs: (element) => isFileKey(element.getAttribute(`data-${name}`)) && null,
      },
    ],
    renderHTML: ({ HTMLAttributes }) => ['div', HTMLAttributes],
  });
}

/** A title as a document can have it. */
export function lineOf(title: string, maxLength: number): string {
  return title
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, maxLength)
    .toWellFormed();
}

function spans() {
  return {
    colspan: { default: 1, parseHTML: (cell: Element) => numberOf(cell, 'colspan', 1, 50) },
    rowspan: { default: 1, parseHTML: (cell: Element) => numberOf(cell, 'rowspan', 1, 500) },
  };
}

function numberOf(element: Element, name: string, least: number, most: number): number {
  const number = Number.parseInt(element.getAttribute(name) ?? '1', 10);
  return Number.isNaN(number) ? 1 : Math.min(Math.max(number, least), most);
}

type Keys = Record<string, KeyboardShortcutCommand>;

/** Tab leads out of the text, as everywhere on a page; lists are indented by buttons. */
function tabless(this: { parent: (() => Keys) | undefined }): Keys {
  const { Tab: _tab, 'Shift-Tab': _shiftTab, ...keys } = this.parent?.() ?? {};
  return keys;
}

/** Each block has the direction of its first letter, as `renderDocument` writes it. */
const Direction = Extension.create({
  name: 'direction',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      state: {
        init: (_config, { doc }) => directed(doc),
        apply: (tr, before) => (tr.docChanged ? directed(tr.doc) : before),
      },
      props: {
        decorations(state) {
          return this.getState(state);
        },
      },
    }),
  ],
});

function directed(doc: DocumentNode): DecorationSet {
  const blocks: Decoration[] = [];
  doc.forEach((block, at) => {
    blocks.push(Decoration.node(at, at + block.nodeSize, { dir: 'auto' }));
  });
  return DecorationSet.create(doc, blocks);
}

/** Refuses what could not be saved because its lists and quotes are nested too deep. */
const Depth = Extension.create({
  name: 'depth',
  addProseMirrorPlugins: () => [
    new Plugin({
      filterTransaction: (tr, { doc }) =>
        !tr.docChanged || depthOf(tr.doc) <= Math.max(maxDepth, depthOf(doc)),
    }),
  ],
});

/** How deep a document is nested, with the marks of its texts. */
function depthOf(node: DocumentNode): number {
  let deepest = node.marks.length > 0 ? 1 : 0;
  node.forEach((child) => {
    deepest = Math.max(deepest, 1 + depthOf(child));
  });
  return deepest;
}

/** All extensions except those with a view and the handling of what is pasted. */
export const extensions: AnyExtension[] = [
  Document,
  Paragraph,
  Heading.configure({ levels: [2, 3] }).extend({
    // One sign for the first level of a text, as people write Markdown.
    addInputRules() {
      const { type } = this;
      return [/^#{1,2}\s$/, /^#{3,6}\s$/].map((find, at) =>
        textblockTypeInputRule({ find, type, getAttributes: { level: at + 2 } }),
      );
    },
  }),
  BulletList,
  OrderedList.extend({
    addAttributes: () => ({
      start: { default: 1, parseHTML: (list) => numberOf(list, 'start', 0, 9_999) },
    }),
    addInputRules() {
      const rule = { find: /^(\d{1,4})\.\s$/, type: this.type };
      return [
        wrappingInputRule({ ...rule, getAttributes: ([, first]) => ({ start: Number(first) }) }),
      ];
    },
  }),
  ListItem.extend({ addKeyboardShortcuts: tabless }),
  Blockquote,
  CodeBlock,
  HorizontalRule,
  Table.configure({ View: null }).extend({
    renderHTML: () => ['div', { class: 'reading-table' }, ['table', ['tbody', 0]]],
    addKeyboardShortcuts() {
      // In the last cell, it leads out of the text.
      return { ...this.parent?.(), Tab: () => this.editor.commands.goToNextCell() };
    },
  }),
  TableRow,
  TableCell.extend({ addAttributes: spans }),
  TableHeader.extend({ addAttributes: spans }),
  HardBreak,
  Text,
  Link,
  Bold,
  Italic,
  Strike,
  Code,
  ListKeymap.extend({ addKeyboardShortcuts: tabless }),
  UndoRedo,
  Gapcursor,
  Direction,
  Depth,
];

/** What the editor and an import read. */
export const lessonSchema = getSchemaByResolvedExtensions(
  [...extensions, Video, ImageNode, FileNode],
  undefined,
  schemaSpec,
);
