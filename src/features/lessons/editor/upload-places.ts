import { closeHistory } from '@tiptap/pm/history';
import type { Node } from '@tiptap/pm/model';
import {
  type EditorState,
  Plugin,
  PluginKey,
  TextSelection,
  type Transaction,
} from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';

type Change = { add: Decoration } | { remove: string };

const key = new PluginKey<DecorationSet>('upload places');

/** Keeps the places in a text at which files appear when they have been uploaded. */
export const uploadPlaces = new Plugin<DecorationSet>({
  key,
  state: {
    init: () => DecorationSet.empty,
    apply(tr, before) {
      const places = before.map(tr.mapping, tr.doc);
      // Only the functions below write it.
      const change = tr.getMeta(key) as Change | undefined;
      if (change === undefined) {
        return places;
      }
      return 'add' in change
        ? places.add(tr.doc, [change.add])
        : places.remove(placesOf(places, change.remove));
    },
  },
  props: {
    decorations: (state) => key.getState(state),
  },
});

/**
 * Marks a place after the block at a position, or after the one with the cursor.
 *
 * @param label what stands there until the file does
 */
export function keepPlace(state: EditorState, id: string, label: string, at: number): Transaction {
  const $at = state.doc.resolve(at);
  const element = document.createElement('p');
  element.className = 'upload-place';
  element.dir = 'auto';
  element.textContent = label;
  const spec = { id, element, side: 1 };
  const place = Decoration.widget($at.depth > 0 ? $at.after(1) : at, element, spec);
  return state.tr.setMeta(key, { add: place } satisfies Change);
}

/** Says something else at a place, such as that the upload failed. */
export function labelPlace(state: EditorState, id: string, label: string): void {
  for (const { spec } of placesOf(key.getState(state) ?? DecorationSet.empty, id)) {
    (spec as { element: HTMLElement }).element.textContent = label;
  }
}

export function dropPlace(state: EditorState, id: string): Transaction {
  return state.tr.setMeta(key, { remove: id } satisfies Change);
}

/**
 * Puts a node at its place, over an empty line before it, or at the end if the place is gone. The
 * cursor stays where it is, but not in a line that is no longer there.
 */
export function fillPlace(state: EditorState, id: string, node: Node): Transaction {
  const tr = closeHistory(dropPlace(state, id));
  const [place] = placesOf(key.getState(state) ?? DecorationSet.empty, id);
  const $place = tr.doc.resolve(place?.from ?? tr.doc.content.size);
  const end = $place.depth > 0 ? $place.after(1) : $place.pos;
  const before = tr.doc.resolve(end).nodeBefore;
  const isEmpty = before?.type.name === 'paragraph' && before.childCount === 0;
  const start = isEmpty ? end - before.nodeSize : end;
  const { head } = tr.selection;
  tr.replaceWith(start, end, node);
  const after = start + node.nodeSize;
  if (!tr.doc.resolve(after).nodeAfter?.isTextblock) {
    tr.insert(after, node.type.schema.node('paragraph'));
  }
  return head > start && head < end
    ? tr.setSelection(TextSelection.near(tr.doc.resolve(after + 1)))
    : tr;
}

function placesOf(places: DecorationSet, id: string): Decoration[] {
  return places.find(undefined, undefined, (spec) => spec['id'] === id);
}
