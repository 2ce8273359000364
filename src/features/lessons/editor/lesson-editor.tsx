'use client';

import type { Ref } from 'react';
import type { CourseHue } from '#db/values.ts';
import type { LessonDocument } from '#features/documents/document.ts';
import type { EditorTexts } from './editor-texts.ts';

export type LessonEditorProps = {
  /** What it starts with. Later values are ignored: the page calls `replace`. */
  document: LessonDocument;
  /** The same as `renderDocument` has written it, shown until the editor has loaded. */
  html: string;
  /** The course's, for the covers of videos. */
  hue: CourseHue;
  texts: EditorTexts;
  /** Called on every change with a function that gives the text as it is then. */
  onChange: (read: () => LessonDocument) => void;
  /** Called when the stored text is in the editor and can be changed. */
  onReady?: () => void;
  ref?: Ref<LessonEditorHandle>;
};

/** What a page can do with the editor. */
export type LessonEditorHandle = {
  /** The text as it is now; null until the editor has loaded. */
  read: () => LessonDocument | null;
  /** Puts in another text, in one step that can be undone. Calls `onChange`. */
  replace: (document: LessonDocument) => void;
  focus: () => void;
};

/**
 * The text of a lesson with its toolbar. What the server has rendered stays readable until the
 * editor has loaded, which then takes its place. The toolbar sticks at `--editor-top`; on phones
 * it is at the bottom edge.
 */
export function LessonEditor({ html, hue, texts }: LessonEditorProps) {
  return (
    <div className="lesson-editor" data-hue={hue}>
      <div className="editor-tools" role="toolbar" aria-label={texts.toolbar} />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: renderDocument escapes all text. */}
      <div className="reading" dangerouslySetInnerHTML={{ __html: html }} />
    </div>
  );
}
