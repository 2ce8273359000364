import type { NodeViewRenderer } from '@tiptap/core';
import { videoOf } from '#features/documents/videos.ts';
import type { EditorTexts } from './editor-texts.ts';

/** A video as readers see it before it plays, with buttons to change and delete it. */
export function videoView(texts: EditorTexts, edit: () => void): NodeViewRenderer {
  return ({ node, editor, getPos }) => {
    const dom = document.createElement('div');
    dom.className = 'video-card';
    dom.contentEditable = 'false';
    const title = document.createElement('p');
    title.dir = 'auto';
    const sign = document.createElement('span');
    sign.className = 'video-sign';
    const cover = document.createElement('div');
    cover.className = 'cover video-cover';
    cover.replaceChildren(title, sign);
    const foot = document.createElement('div');
    foot.className = 'video-foot';
    const about = document.createElement('strong');
    const select = () => {
      const at = getPos();
      if (at !== undefined) {
        editor.commands.setNodeSelection(at);
      }
    };
    foot.replaceChildren(
      about,
      button('icon-pencil', texts.editVideo, () => {
        select();
        edit();
      }),
      button('icon-trash', texts.deleteVideo, () => {
        select();
        editor.chain().deleteSelection().focus().run();
      }),
    );
    dom.replaceChildren(cover, foot);

    function show({ src, title: name }: Record<string, unknown>): void {
      title.textContent = String(name);
      about.textContent = texts.videoOn.replace('{provider}', videoOf(String(src))?.provider ?? '');
    }
    show(node.attrs);
    return {
      dom,
      update(now) {
        if (now.type !== node.type) {
          return false;
        }
        show(now.attrs);
        return true;
      },
      stopEvent: ({ target }) => target instanceof Element && target.closest('button') !== null,
      ignoreMutation: () => true,
    };
  };
}

/** A button with an icon in the text. */
export function button(name: string, label: string, act: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'icon-button';
  element.ariaLabel = label;
  element.dataset['tip'] = label;
  element.replaceChildren(icon(name));
  element.addEventListener('click', act);
  return element;
}

function icon(name: string): HTMLElement {
  const element = document.createElement('span');
  element.className = `icon ${name}`;
  return element;
}
