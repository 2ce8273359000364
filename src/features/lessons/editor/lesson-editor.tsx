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
import { fileTypes, groupOf, typeOfName } from '#features/files/file-types.ts';
import { firstBytesOf, isImage } from '#features/files/first-bytes.ts';
import type { ShownFile } from '#features/files/schema.ts';
import type { ProblemTexts } from '#i18n/validation.ts';
import { showToast } from '#ui/toast.tsx';
import { ImageDialog, LinkDialog, VideoDialog } from './asking.tsx';
import type { EditorTexts } from './editor-texts.ts';
import { EditorToolbar } from './editor-toolbar.tsx';
import { knownFiles } from './known-files.ts';
import type { Asked, LoadedEditor } from './start-editor.ts';
import type { Tools } from './tools.ts';
import { UploadList } from './upload-list.tsx';
import { useUploads } from './use-uploads.ts';

type LessonEditorProps = {
  /** What it starts with. Later values are ignored: the page calls `replace`. */
  document: LessonDocument;
  /** The same as readers see it, shown until the editor has loaded. */
  rendered: ReactNode;
  /** The files that it has when it starts. */
  files: ShownFile[];
  courseId: string;
  /** What the lesson is called now. */
  title: () => string;
  locale: string;
  problems: ProblemTexts;
  /** The course's, for the covers of videos. */
  hue: CourseHue;
  texts: EditorTexts;
  /** Called on every change with a function that gives the text as it is then. */
  onChange: (read: () => LessonDocument) => void;
  /** Called when uploads for it begin, and when all are over. */
  onUploads: (areRunning: boolean) => void;
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
  const { rendered, hue, texts, locale, ref } = props;
  const placeRef = useRef<HTMLDivElement>(null);
  const toolbarRef = useRef<HTMLDivElement>(null);
  const propsRef = useRef(props);
  const pressedRef = useRef<{ left: number; top: number }>(null);
  const [editor, setEditor] = useState<LoadedEditor | null>(null);
  const [tools, setTools] = useState<Tools | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const [asked, setAsked] = useState<{ what: Asked; no: number; upload?: string } | null>(null);
  const chooserRef = useRef<HTMLInputElement>(null);
  /** What images show whose upload is not over, and the keys of those whose is. */
  const described = useRef(new Map<string, string>());
  const uploaded = useRef(new Map<string, string>());

  // Each time a new dialog, filled with what is selected.
  const ask = useCallback(
    (what: Asked, upload?: string) =>
      setAsked((before) => ({ what, no: (before?.no ?? 0) + 1, ...(upload && { upload }) })),
    [],
  );

  const { uploads, start, retry, cancel } = useUploads({
    courseId: props.courseId,
    texts,
    problems: props.problems,
    onDone(id, file) {
      uploaded.current.set(id, file.key);
      editor?.fillPlace(id, file, described.current.get(id) ?? '');
    },
    onFailed: (id, name) => editor?.labelPlace(id, labelOf(texts.files.failed, name)),
    onRetry: (id, name) => editor?.labelPlace(id, labelOf(texts.files.uploading, name)),
    onCancel(id) {
      editor?.dropPlace(id);
      editor?.focus();
    },
  });

  function add(loaded: LoadedEditor, files: readonly File[], at: number): void {
    if (texts.files.disabledReason !== null) {
      showToast(texts.files.disabledReason, 'failed');
      return;
    }
    for (const file of files) {
      const id = crypto.randomUUID();
      loaded.keepPlace(id, labelOf(texts.files.uploading, file.name), at);
      start(id, file);
      // Of several, each has a button for it.
      if (files.length === 1 && groupOf(typeOfName(file.name) ?? file.type) === 'image') {
        // Not about images whose upload will fail, such as a HEIC photo named .jpg.
        void firstBytesOf(file).then((bytes) => isImage(bytes) && ask('image', id));
      }
    }
  }

  function describe(upload: string | undefined, alt: string): void {
    const key = upload === undefined ? editor?.image()?.file : uploaded.current.get(upload);
    if (key !== undefined) {
      editor?.setAlt(key, alt);
    } else if (upload !== undefined) {
      described.current.set(upload, alt);
      editor?.focus();
    }
  }

  const addRef = useRef(add);
  useEffect(() => {
    propsRef.current = props;
    addRef.current = add;
  });

  useEffect(() => {
    if (hasFailed) {
      return;
    }
    let started: LoadedEditor | null = null;
    let isOver = false;
    const { document: first, files, courseId } = propsRef.current;
    const start = ({ startEditor }: typeof import('./start-editor.ts')) => {
      const { current: element } = placeRef;
      if (isOver || element === null) {
        return;
      }
      const loaded: LoadedEditor = startEditor({
        element,
        document: first,
        texts: propsRef.current.texts,
        locale: propsRef.current.locale,
        files: knownFiles(courseId, files),
        onChange: (read) => propsRef.current.onChange(read),
        onTools: (now) => setTools((before) => (isSame(before, now) ? before : now)),
        onFiles: (dropped, at) => addRef.current(loaded, dropped, at),
        title: () => propsRef.current.title(),
        onPasted: (how) =>
          showToast(propsRef.current.texts.files[how], how === 'pasted' ? 'warned' : 'done'),
        onAsk: ask,
        onLeave: () => toolbarRef.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
      });
      started = loaded;
      setEditor(loaded);
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

  const areRunning = uploads.some(({ problem }) => problem === null);
  useEffect(() => propsRef.current.onUploads(areRunning), [areRunning]);

  useEffect(() => {
    if (editor === null) {
      return;
    }
    // Beside the text, a browser would leave the page for the file.
    return takeDrops((files) => addRef.current(editor, files, editor.cursor()));
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
        onChoose={(what) => {
          const { current: chooser } = chooserRef;
          if (chooser !== null) {
            chooser.accept = acceptedFor(what);
            chooser.click();
          }
        }}
        onEscape={() => editor?.focus()}
      />
      <input
        ref={chooserRef}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          if (editor !== null) {
            add(editor, [...(target.files ?? [])], editor.cursor());
          }
          // So that the same file can be chosen again.
          target.value = '';
        }}
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
      {editor !== null && asked?.what === 'image' && (
        <ImageDialog
          key={asked.no}
          alt={asked.upload === undefined ? (editor.image()?.alt ?? '') : ''}
          texts={texts}
          onSave={(alt) => describe(asked.upload, alt)}
        />
      )}
      <UploadList
        uploads={uploads}
        locale={locale}
        texts={texts.files}
        onRetry={retry}
        onCancel={cancel}
      />
    </div>
  );
}

function labelOf(text: string, name: string): string {
  return text.replace('{name}', () => name);
}

/** What the browser lets one choose. */
function acceptedFor(what: 'image' | 'file'): string {
  return Object.entries(fileTypes)
    .filter(([, { group }]) => what === 'file' || group === 'image')
    .flatMap(([, { endings }]) => endings.map((ending) => `.${ending}`))
    .join();
}

/**
 * Takes files that are dropped anywhere on the page, if nothing else does.
 *
 * @returns a function that removes the listeners
 */
function takeDrops(take: (files: File[]) => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const allow = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) {
      event.preventDefault();
    }
  };
  window.addEventListener('dragover', allow, { signal });
  window.addEventListener(
    'drop',
    (event) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (!event.defaultPrevented && files.length > 0) {
        event.preventDefault();
        take(files);
      }
    },
    { signal },
  );
  return () => controller.abort();
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
