'use client';

import {
  type PointerEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import type { CourseHue } from '#db/values.ts';
import { emptyDocument, type LessonDocument } from '#features/documents/document.ts';
import type { ShownFile } from '#features/files/schema.ts';
import { showToast } from '#ui/toast.tsx';
import { LinkDialog, VideoDialog } from './asking.tsx';
import type { EditorTexts } from './editor-texts.ts';
import { EditorToolbar } from './editor-toolbar.tsx';
import type { LoadedEditor } from './start-editor.ts';
import type { Tools } from './tools.ts';

type LessonEditorProps = {
  /** What it starts with. Later values are ignored: the page calls `replace`. */
  document: LessonDocument;
  /** The same as readers see it, shown until the editor has loaded. */
  rendered: ReactNode;
  /** The files that it has when it starts. */
  files: ShownFile[];
  courseId: string;
  locale: string;
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
export function LessonEditor(props: LessonEditorProps) {
  const { rendered, hue, texts, ref } = props;
  const placeRef = useRef<HTMLDivElement>(null);
  const toolbarRef = useRef<HTMLDivElement>(null);
  const propsRef = useRef(props);
  const pressedRef = useRef<{ left: number; top: number }>(null);
  const [editor, setEditor] = useState<LoadedEditor | null>(null);
  const [tools, setTools] = useState<Tools | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const [asked, setAsked] = useState<{ what: 'link' | 'video'; no: number } | null>(null);

  // Each time a new dialog, filled with what is selected.
  const ask = useCallback(
    (what: 'link' | 'video') => setAsked((before) => ({ what, no: (before?.no ?? 0) + 1 })),
    [],
  );

  useEffect(() => {
    propsRef.current = props;
  });

  useEffect(() => {
    if (hasFailed) {
      return;
    }
    let started: LoadedEditor | null = null;
    let isOver = false;
    const { document: first } = propsRef.current;
    const start = ({ startEditor }: typeof import('./start-editor.ts')) => {
      const { current: element } = placeRef;
      if (isOver || element === null) {
        return;
      }
      started = startEditor({
        element,
        document: first,
        texts: propsRef.current.texts,
        onChange: (read) => propsRef.current.onChange(read),
        onTools: (now) => setTools((before) => (isSame(before, now) ? before : now)),
        onFile: () => showToast(propsRef.current.texts.soon),
        onAsk: ask,
        onLeave: () => toolbarRef.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
      });
      setEditor(started);
    };
    import('./start-editor.ts').then(start, () => setHasFailed(true));
    return () => {
      isOver = true;
      started?.end();
    };
  }, [hasFailed, ask]);

  useEffect(() => {
    if (editor !== null) {
      propsRef.current.onReady?.();
      // Where a reader has pressed while it was loading.
      if (pressedRef.current !== null) {
        editor.focus(pressedRef.current);
      } else if (isNew(propsRef.current.document) && !hasFocus()) {
        editor.focus();
      }
    }
  }, [editor]);

  useEffect(() => keepAboveKeyboard(toolbarRef.current), []);

  useImperativeHandle(
    ref,
    () => ({
      read: () => editor?.read() ?? null,
      replace: (document) => editor?.replace(document),
      focus: () => editor?.focus(),
    }),
    [editor],
  );

  return (
    <div className="lesson-editor" data-hue={hue}>
      <EditorToolbar
        ref={toolbarRef}
        tools={tools}
        texts={texts}
        onTool={(tool) => editor?.run(tool)}
        onAsk={ask}
        onFile={() => showToast(texts.soon)}
        onEscape={() => editor?.focus()}
      />
      {hasFailed && (
        <p role="alert" className="notice">
          {texts.failed}{' '}
          <button type="button" className="link" onClick={() => setHasFailed(false)}>
            {texts.retry}
          </button>
        </p>
      )}
      {editor === null && (
        <div
          onPointerUp={({ clientX, clientY }: PointerEvent) => {
            pressedRef.current = { left: clientX, top: clientY };
          }}
        >
          {rendered}
        </div>
      )}
      <div ref={placeRef} hidden={editor === null} />
      {editor !== null && asked?.what === 'link' && (
        <LinkDialog key={asked.no} editor={editor} texts={texts} />
      )}
      {editor !== null && asked?.what === 'video' && (
        <VideoDialog key={asked.no} editor={editor} texts={texts} />
      )}
    </div>
  );
}

/** Whether nothing was written yet, so that there is nothing to read either. */
function isNew(document: LessonDocument): boolean {
  return JSON.stringify(document) === JSON.stringify(emptyDocument);
}

/** Whether someone is at a control of the page, and not at its beginning. */
function hasFocus(): boolean {
  return !window.document.activeElement?.matches('body, main, h1');
}

/**
 * Tells a toolbar at the bottom edge how much of the window the keyboard of a phone covers.
 *
 * @returns a function that removes the listeners
 */
function keepAboveKeyboard(toolbar: HTMLElement | null): () => void {
  const { visualViewport: viewport } = window;
  const controller = new AbortController();
  const place = () => {
    // Enlarged by two fingers, the page is not covered.
    const covered =
      viewport === null || viewport.scale > 1
        ? 0
        : window.innerHeight - viewport.height - viewport.offsetTop;
    toolbar?.style.setProperty('--keyboard', `${Math.max(0, Math.round(covered))}px`);
  };
  viewport?.addEventListener('resize', place, { signal: controller.signal });
  viewport?.addEventListener('scroll', place, { signal: controller.signal });
  return () => controller.abort();
}

function isSame(one: Tools | null, other: Tools): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
