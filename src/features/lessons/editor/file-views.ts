import type { NodeViewRenderer } from '@tiptap/core';
import { groupOf } from '#features/files/file-types.ts';
import type { ShownFile } from '#features/files/schema.ts';
import { sizeWords } from '#features/files/shown-file.ts';
import type { EditorTexts } from './editor-texts.ts';
import type { KnownFiles } from './known-files.ts';
import { button } from './video-view.ts';

type Setup = {
  texts: EditorTexts;
  locale: string;
  files: KnownFiles;
  /** Asks for the description of the image that is selected. */
  describe: () => void;
};

/** An image as readers see it, with its description and buttons to change that and to delete it. */
export function imageView({ texts: { files: texts }, files, describe }: Setup): NodeViewRenderer {
  return ({ node, editor, getPos }) => {
    const dom = cardOf('lesson-image');
    const image = document.createElement('img');
    const alt = document.createElement('p');
    alt.dir = 'auto';
    const foot = footOf(
      alt,
      button('icon-pencil', texts.describe, () => {
        select(editor, getPos());
        describe();
      }),
      button('icon-trash', texts.deleteImage, () => remove(editor, getPos())),
    );
    dom.replaceChildren(image, foot);

    function show(attributes: Record<string, unknown>): void {
      const text = String(attributes['alt'] ?? '');
      image.alt = text;
      alt.textContent = text || texts.undescribed;
      alt.toggleAttribute('data-missing', text === '');
    }
    show(node.attrs);
    // An address works for two days, and a page can be open for longer.
    async function load(isFresh: boolean): Promise<void> {
      const file = await files.find(String(node.attrs['file']), isFresh).catch(() => undefined);
      if (!file) {
        image.replaceWith(note(file === null ? texts.missing : texts.unavailable));
        return;
      }
      image.onerror = () => {
        if (isFresh) {
          image.replaceWith(note(texts.unavailable));
        } else {
          void load(true);
        }
      };
      const { url: src, width, height } = file;
      Object.assign(image, { src, ...(width && height && { width, height }) });
    }
    void load(false);
    return viewOf(dom, node.attrs['file'], show);
  };
}

/** A file as readers see it, with a button to delete it. */
export function fileView({ texts: { files: texts }, locale, files }: Setup): NodeViewRenderer {
  return ({ node, editor, getPos }) => {
    const dom = cardOf('lesson-file');
    const name = document.createElement('strong');
    name.dir = 'auto';
    name.textContent = String(node.attrs['name']);
    const about = document.createElement('small');
    const words = document.createElement('span');
    words.replaceChildren(name, about);
    dom.replaceChildren(
      footOf(
        words,
        button('icon-trash', texts.deleteFile, () => remove(editor, getPos())),
      ),
    );
    const found = files.find(String(node.attrs['file'])).catch(() => undefined);
    void found.then((file) => {
      if (!file) {
        about.textContent = file === null ? texts.missing : texts.unavailable;
        return;
      }
      const size = sizeWords(file.size, locale);
      about.textContent =
        groupOf(file.content_type) === 'captions' ? `${size} · ${texts.captions}` : size;
      const player = playerOf(file);
      if (player !== null) {
        dom.insertBefore(player, dom.firstChild);
      }
    });
    return viewOf(dom, node.attrs['file'], () => {});
  };
}

function playerOf({ url, name, content_type: type }: ShownFile): HTMLElement | null {
  const group = groupOf(type);
  if (group !== 'audio' && group !== 'video') {
    return null;
  }
  const player = document.createElement(group);
  Object.assign(player, { src: url, controls: true, preload: 'metadata', ariaLabel: name });
  return player;
}

function cardOf(className: string): HTMLElement {
  const dom = document.createElement('div');
  dom.className = className;
  dom.contentEditable = 'false';
  return dom;
}

function footOf(...parts: HTMLElement[]): HTMLElement {
  const foot = document.createElement('div');
  foot.className = 'file-foot';
  foot.replaceChildren(...parts);
  return foot;
}

function note(text: string): HTMLElement {
  const place = document.createElement('p');
  place.className = 'file-missing';
  place.textContent = text;
  return place;
}

type Editor = Parameters<NodeViewRenderer>[0]['editor'];

function select(editor: Editor, at: number | undefined): void {
  if (at !== undefined) {
    editor.commands.setNodeSelection(at);
  }
}

function remove(editor: Editor, at: number | undefined): void {
  select(editor, at);
  editor.chain().deleteSelection().focus().run();
}

/** A view that shows other attributes of the same file. */
function viewOf(
  dom: HTMLElement,
  file: unknown,
  show: (attributes: Record<string, unknown>) => void,
) {
  return {
    dom,
    update({ attrs }: { attrs: Record<string, unknown> }) {
      if (attrs['file'] !== file) {
        return false;
      }
      show(attrs);
      return true;
    },
    stopEvent: ({ target }: Event) =>
      target instanceof Element && target.closest('button, audio, video') !== null,
    ignoreMutation: () => true,
  };
}
