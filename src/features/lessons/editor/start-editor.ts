import { type ChainedCommands, Editor, Extension } from '@tiptap/core';
import { createTable } from '@tiptap/extension-table/table';
import { Dropcursor } from '@tiptap/extensions/drop-cursor';
import { closeHistory } from '@tiptap/pm/history';
import { DOMParser, type Node, Slice } from '@tiptap/pm/model';
import {
  type EditorState,
  NodeSelection,
  Plugin,
  Selection,
  TextSelection,
  type Transaction,
} from '@tiptap/pm/state';
import { isInTable } from '@tiptap/pm/tables';
import type { EditorView } from '@tiptap/pm/view';
import type { LessonDocument } from '#features/documents/document.ts';
import { maxAlt } from '#features/documents/nodes.ts';
import { videoOf } from '#features/documents/videos.ts';
import { groupOf } from '#features/files/file-types.ts';
import type { ShownFile } from '#features/files/schema.ts';
import type { EditorTexts } from './editor-texts.ts';
import { extensions, FileNode, ImageNode, lineOf, schemaSpec, Video } from './extensions.ts';
import { fileView, imageView } from './file-views.ts';
import type { KnownFiles } from './known-files.ts';
import { linkTo } from './link-to.ts';
import { readsAsMarkdown, tidyHtml } from './paste.ts';
import type { Tool, Tools } from './tools.ts';
import { dropPlace, fillPlace, keepPlace, labelPlace, uploadPlaces } from './upload-places.ts';
import { videoView } from './video-view.ts';

type Setup = {
  element: HTMLElement;
  document: LessonDocument;
  texts: EditorTexts;
  onChange: (read: () => LessonDocument) => void;
  onTools: (tools: Tools) => void;
  /** The language of numbers. */
  locale: string;
  files: KnownFiles;
  /** Called with files that were pasted or dropped, and where. */
  onFiles: (files: File[], at: number) => void;
  /** The title of the lesson, which a pasted text may begin with, too. */
  title: () => string;
  /** Called where a text was pasted without its images, or as what it says in Markdown. */
  onPasted: (how: 'pasted' | 'formatted') => void;
  /** Opens the dialog of a link, a video or an image. */
  onAsk: (what: Asked) => void;
  /** Moves the focus to the toolbar. */
  onLeave: () => void;
};

/** What has a dialog. */
export type Asked = 'link' | 'video' | 'image';

type VideoAttributes = { src: string; title: string };
type ImageAttributes = { file: string; alt: string };

/** A running editor, as the island around it uses it. */
export type LoadedEditor = ReturnType<typeof startEditor>;

/** Starts the editor with a document in an element, which is empty. */
export function startEditor(setup: Setup) {
  const { element, document, texts, locale, files, onChange, onTools, onAsk, onLeave } = setup;
  const fileSetup = { texts, locale, files, describe: () => onAsk('image') };
  const editor = new Editor({
    element,
    content: document,
    schemaSpec,
    extensions: [
      ...extensions,
      Video.extend({ addNodeView: () => videoView(texts, () => onAsk('video')) }),
      ImageNode.extend({ addNodeView: () => imageView(fileSetup) }),
      FileNode.extend({ addNodeView: () => fileView(fileSetup) }),
      Dropcursor.configure({ color: 'var(--color-accent)', width: 2 }),
      Extension.create({
        name: 'lesson',
        // Before those of the lists.
        priority: 1_000,
        addKeyboardShortcuts: () => ({
          'Mod-k': () => ask('link'),
          'Alt-F10': () => {
            onLeave();
            return true;
          },
          Enter: () =>
            (selectedAt(editor, 'video') !== null && ask('video')) ||
            (selectedAt(editor, 'image') !== null && ask('image')),
        }),
        addProseMirrorPlugins: () => [
          uploadPlaces,
          new Plugin({
            props: {
              attributes: ({ doc }) => (isEmpty(doc) ? { 'data-empty': texts.placeholder } : {}),
            },
          }),
        ],
      }),
    ],
    injectCSS: false,
    enableInputRules: [
      ...['bulletList', 'orderedList', 'heading', 'blockquote', 'codeBlock', 'horizontalRule'],
      ...['bold', 'italic', 'strike', 'code'],
    ],
    enablePasteRules: false,
    editorProps: {
      attributes: { class: 'reading', 'aria-label': texts.label, 'aria-multiline': 'true' },
      transformPastedHTML(html) {
        const pasted = tidyHtml(html);
        if (pasted.hadImages) {
          setup.onPasted('pasted');
        }
        return pasted.html;
      },
      transformPastedText: (text) => text.toWellFormed().replaceAll('\0', ''),
      transformPasted: (slice, { state }) => withoutTitle(slice, setup.title(), state),
      handlePaste: (view, { clipboardData }, slice) =>
        clipboardData !== null &&
        (takeFiles(clipboardData, view.state.selection.from) ||
          pasteAddress(view, clipboardData.getData('text/plain')) ||
          pasteAfterTable(view, slice) ||
          pasteMarkdown(view, clipboardData, setup)),
      handleDrop: (view, { dataTransfer, clientX: left, clientY: top }) => {
        const at = view.posAtCoords({ left, top })?.pos ?? view.state.selection.from;
        return dataTransfer !== null && takeFiles(dataTransfer, at);
      },
    },
    onUpdate({ editor: { state } }) {
      onChange(() => toDocument(state.doc));
    },
    onTransaction: ({ editor: changed }) => onTools(toolsOf(changed)),
  });
  onTools(toolsOf(editor));

  function ask(what: Asked): true {
    onAsk(what);
    return true;
  }

  function takeFiles(data: DataTransfer, at: number): boolean {
    const html = data.getData('text/html');
    // Word adds a picture of what is copied, and browsers the page of an image that is copied.
    const isText = /\S/.test(data.getData('text/plain')) || /<(p|td|li)\b/i.test(html);
    if (data.files.length === 0 || isText) {
      return false;
    }
    setup.onFiles([...data.files], at);
    return true;
  }

  return {
    read: () => toDocument(editor.state.doc),
    replace(next: LessonDocument): void {
      const { state, view, schema } = editor;
      const tr = closeHistory(state.tr);
      view.dispatch(tr.replaceWith(0, state.doc.content.size, schema.nodeFromJSON(next).content));
      view.dispatch(closeHistory(editor.state.tr));
    },
    /** @param place in the window; without one, where the cursor was */
    focus(place?: { left: number; top: number }): void {
      const at = place && editor.view.posAtCoords(place);
      // At once: what is typed next is for the text, and the command waits for a frame.
      editor.view.focus();
      if (at) {
        editor.commands.focus(at.pos);
      } else {
        editor.commands.scrollIntoView();
      }
    },
    run(tool: Tool): void {
      if (tool === 'table') {
        editor.view.dispatch(
          insertWide(editor.state.tr, createTable(editor.schema, 3, 2, true)).scrollIntoView(),
        );
        editor.commands.focus();
      } else {
        commands[tool](editor.chain().focus()).run();
      }
    },
    /** The link at the selection, and whether a new one needs a text. */
    link(): { href: string; needsText: boolean } {
      const { selection, doc } = editor.state;
      const selected = doc.textBetween(selection.from, selection.to, ' ');
      const isIn = editor.isActive('link');
      return {
        href: isIn ? editor.getAttributes('link')['href'] : (linkTo(selected) ?? ''),
        needsText: selection.empty && !isIn,
      };
    },
    setLink(href: string, text: string): void {
      const chain = editor.chain().focus();
      if (text === '') {
        chain.extendMarkRange('link').setMark('link', { href }).run();
      } else {
        const link = { type: 'link', attrs: { href } };
        chain
          .insertContent({ type: 'text', text, marks: [link] })
          .unsetMark('link')
          .run();
      }
    },
    removeLink(): void {
      editor.chain().focus().extendMarkRange('link').unsetMark('link').run();
    },
    /** The selected video. */
    video: () => selectedAt(editor, 'video') as VideoAttributes | null,
    setVideo({ src, title }: VideoAttributes): void {
      const attributes = { src, title: lineOf(title.trim(), 120) };
      if (selectedAt(editor, 'video') !== null) {
        editor.chain().updateAttributes('video', attributes).focus().run();
      } else {
        const { state, view, schema } = editor;
        view.dispatch(
          insertWide(state.tr, schema.nodes['video']?.create(attributes)).scrollIntoView(),
        );
        editor.commands.focus();
      }
    },
    /** The selected image. */
    image: () => selectedAt(editor, 'image') as ImageAttributes | null,
    /** Describes all images that show a file. */
    setAlt(file: string, alt: string): void {
      const { tr, doc } = editor.state;
      doc.forEach((node, at) => {
        if (node.type.name === 'image' && node.attrs['file'] === file) {
          tr.setNodeAttribute(at, 'alt', lineOf(alt.trim(), maxAlt));
        }
      });
      editor.view.dispatch(tr);
      editor.commands.focus();
    },
    /** Where the cursor is. */
    cursor: () => editor.state.selection.from,
    /** Keeps a place for a file while it is uploaded; see upload-places.ts. */
    keepPlace: (id: string, label: string, at: number) =>
      editor.view.dispatch(keepPlace(editor.state, id, label, at)),
    labelPlace: (id: string, label: string) => labelPlace(editor.state, id, label),
    dropPlace: (id: string) => editor.view.dispatch(dropPlace(editor.state, id)),
    /** Puts an uploaded file there: an image with what it shows. */
    fillPlace(id: string, file: ShownFile, alt: string): void {
      files.add(file);
      const node =
        groupOf(file.content_type) === 'image'
          ? editor.schema.node('image', { file: file.key, alt: lineOf(alt.trim(), maxAlt) })
          : editor.schema.node('file', { file: file.key, name: lineOf(file.name, 120) });
      editor.view.dispatch(fillPlace(editor.state, id, node));
    },
    end: () => editor.destroy(),
  };
}

const commands: Record<Exclude<Tool, 'table'>, (chain: ChainedCommands) => ChainedCommands> = {
  text: (chain) =>
    chain
      .setParagraph()
      .command(
        ({ editor, commands }) => !editor.isActive('blockquote') || commands.unsetBlockquote(),
      ),
  heading: (chain) => chain.setHeading({ level: 2 }),
  subheading: (chain) => chain.setHeading({ level: 3 }),
  codeBlock: (chain) => chain.setCodeBlock(),
  bold: (chain) => chain.toggleBold(),
  italic: (chain) => chain.toggleItalic(),
  strike: (chain) => chain.toggleStrike(),
  code: (chain) => chain.toggleCode(),
  bullets: (chain) => chain.toggleBulletList(),
  numbers: (chain) => chain.toggleOrderedList(),
  quote: (chain) => chain.toggleBlockquote(),
  rule: (chain) => chain.setHorizontalRule(),
  outdent: (chain) => chain.liftListItem('listItem'),
  indent: (chain) => chain.sinkListItem('listItem'),
  undo: (chain) => chain.undo(),
  redo: (chain) => chain.redo(),
  rowBefore: (chain) => chain.addRowBefore(),
  rowAfter: (chain) => chain.addRowAfter(),
  columnBefore: (chain) => chain.addColumnBefore(),
  columnAfter: (chain) => chain.addColumnAfter(),
  deleteRow: (chain) => chain.deleteRow(),
  deleteColumn: (chain) => chain.deleteColumn(),
  deleteTable: (chain) => chain.deleteTable(),
};

function toolsOf(editor: Editor): Tools {
  const can = editor.can();
  const isCode = editor.isActive('codeBlock');
  const pressed: (Tools['pressed'][number] | false)[] = [
    editor.isActive('bold') && 'bold',
    editor.isActive('italic') && 'italic',
    editor.isActive('strike') && 'strike',
    editor.isActive('code') && 'code',
    editor.isActive('link') && 'link',
    editor.isActive('bulletList') && 'bullets',
    editor.isActive('orderedList') && 'numbers',
  ];
  const disabled: (Tools['disabled'][number] | false)[] = [
    isCode && 'bold',
    isCode && 'italic',
    isCode && 'strike',
    isCode && 'code',
    isCode && 'link',
    !can.undo() && 'undo',
    !can.redo() && 'redo',
    !can.sinkListItem('listItem') && 'indent',
  ];
  return {
    style: isCode
      ? 'codeBlock'
      : editor.isActive('heading', { level: 2 })
        ? 'heading'
        : editor.isActive('heading')
          ? 'subheading'
          : editor.isActive('blockquote')
            ? 'quote'
            : 'text',
    pressed: pressed.filter((tool) => tool !== false),
    disabled: disabled.filter((tool) => tool !== false),
    isInList: editor.isActive('listItem'),
    isInTable: editor.isActive('table'),
  };
}

function toDocument(doc: Node): LessonDocument {
  // The top node of its schema.
  return doc.toJSON() as LessonDocument;
}

function isEmpty({ childCount, firstChild }: Node): boolean {
  return childCount === 1 && firstChild?.type.name === 'paragraph' && firstChild.childCount === 0;
}

/** The attributes of the selected node, as nodes.ts has them for its type. */
function selectedAt({ state: { selection } }: Editor, type: string): object | null {
  const isIt = selection instanceof NodeSelection && selection.node.type.name === type;
  return isIt ? selection.node.attrs : null;
}

/** Whether the cursor is in an empty paragraph that is in nothing else. */
function isOnEmptyLine({ $from }: Selection): boolean {
  return (
    $from.depth === 1 && $from.parent.type.name === 'paragraph' && $from.parent.childCount === 0
  );
}

/**
 * Puts a table or a video after the block with the cursor, or in its place, and a line to continue
 * in after it. The cursor is then in the table, or after the video.
 */
function insertWide(
  tr: Transaction,
  node: Node | undefined,
  replacesBlock = isOnEmptyLine(tr.selection),
): Transaction {
  if (node === undefined) {
    return tr;
  }
  const { $from, to } = tr.selection;
  const after = $from.depth > 0 ? $from.after(1) : to;
  const start = replacesBlock ? $from.before(1) : after;
  tr.replaceWith(start, after, node);
  const end = start + node.nodeSize;
  if (!tr.doc.resolve(end).nodeAfter?.isTextblock) {
    tr.insert(end, node.type.schema.node('paragraph'));
  }
  const cursor = node.isAtom ? end + 1 : start + 1;
  return tr.setSelection(TextSelection.near(tr.doc.resolve(cursor)));
}

/**
 * Pastes an address: over a text as its link, on an empty line as the video that it leads to,
 * which the first undo makes a link, and elsewhere as a link.
 */
function pasteAddress(view: EditorView, pasted: string): boolean {
  const href = /^https?:\/\/\S+$/i.test(pasted.trim()) ? linkTo(pasted) : null;
  const { schema, selection, tr } = view.state;
  const { from, to, empty } = selection;
  const { parent } = selection.$from;
  if (href === null || !parent.inlineContent || parent.type.spec.code) {
    return false;
  }
  const link = schema.mark('link', { href });
  if (!empty) {
    view.dispatch(closeHistory(tr.addMark(from, to, link)));
    return true;
  }
  const isLine = isOnEmptyLine(selection);
  const text = schema.text(pasted.trim(), [link]);
  view.dispatch(closeHistory(tr).replaceSelectionWith(text, false).scrollIntoView());
  const video = videoOf(href);
  if (isLine && video !== null) {
    const card = schema.nodes['video']?.create({ src: video.address, title: '' });
    view.dispatch(insertWide(closeHistory(view.state.tr), card, true).scrollIntoView());
  }
  return true;
}

/** Without a first heading that says what the title says, at the beginning of a text. */
function withoutTitle(slice: Slice, title: string, { doc, selection }: EditorState): Slice {
  const { content } = slice;
  const [words, heading] = [title, content.firstChild?.textContent ?? ''].map((text) =>
    text.replace(/\s+/g, ' ').trim().toLowerCase(),
  );
  const isTitle = content.firstChild?.type.name === 'heading' && words === heading;
  const isBeginning = doc.textBetween(0, selection.from).trim() === '';
  return isTitle && isBeginning && content.childCount > 1
    ? Slice.maxOpen(content.cut(content.firstChild?.nodeSize))
    : slice;
}

/** What has merged cells is put after the table with the cursor: into its cells it does not fit. */
function pasteAfterTable(view: EditorView, { content }: Slice): boolean {
  let hasMerged = false;
  content.descendants(({ attrs }) => {
    hasMerged ||= attrs['colspan'] > 1 || attrs['rowspan'] > 1;
  });
  if (!hasMerged || content.firstChild?.type.name === 'tableRow' || !isInTable(view.state)) {
    return false;
  }
  const { tr, selection } = view.state;
  const after = selection.$from.after(1);
  tr.insert(after, content).setSelection(Selection.near(tr.doc.resolve(after + content.size), -1));
  view.dispatch(closeHistory(tr).scrollIntoView());
  return true;
}

/** Pastes Markdown as text, and then as what it says, which the first undo takes back. */
function pasteMarkdown(view: EditorView, data: DataTransfer, setup: Setup): boolean {
  const text = data.getData('text/plain');
  const { selection } = view.state;
  const isCode = selection.$from.parent.type.spec.code;
  if (data.types.includes('text/html') || isCode || !readsAsMarkdown(text)) {
    return false;
  }
  const before = view.state;
  view.pasteText(text);
  const { doc: pasted } = view.state;
  void import('#features/documents/markdown-html.ts').then(({ markdownToHtml, typedMarkdown }) => {
    // What was typed since is not part of it.
    if (view.state.doc !== pasted) {
      return;
    }
    const { html, hadImages } = tidyHtml(markdownToHtml(text, typedMarkdown));
    const { body } = new window.DOMParser().parseFromString(html, 'text/html');
    const read = DOMParser.fromSchema(view.state.schema).parseSlice(body);
    const slice = withoutTitle(read, setup.title(), before);
    const { from } = before.selection;
    const change = closeHistory(view.state.tr).replaceRange(from, view.state.selection.to, slice);
    view.dispatch(closeHistory(change).scrollIntoView());
    setup.onPasted(hadImages ? 'pasted' : 'formatted');
  });
  return true;
}
