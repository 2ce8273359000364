'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { CourseHue } from '#db/values.ts';
import { isBlank } from '#features/documents/document-text.ts';
import type { ShownFile } from '#features/files/schema.ts';
import type { ProblemTexts } from '#i18n/validation.ts';
import { showToast } from '#ui/toast.tsx';
import { ConflictDialog, type ConflictTexts, type Question } from './conflict-dialog.tsx';
import type { Content } from './draft-saver.ts';
import type { EditorTexts } from './editor/editor-texts.ts';
import { LessonEditor, type LessonEditorHandle } from './editor/lesson-editor.tsx';
import { KeptTexts, type KeptTextsTexts } from './kept-texts.tsx';
import { PreviewLink, PublishButton, type PublishTexts } from './lesson-actions.tsx';
import { LessonContext } from './lesson-context.ts';
import { lessonPaths } from './lesson-paths.ts';
import { SaveLine, type SaveLineTexts, textOf } from './save-line.tsx';
import type { Lesson } from './schema.ts';
import { useDraft } from './use-draft.ts';

type WriteTexts = PublishTexts & {
  back: string;
  title: string;
  draft: string;
  changed: string;
  preview: string;
  untitled: string;
  /** Why nothing can be published yet. */
  empty: string;
  uploading: string;
  line: SaveLineTexts;
  conflict: ConflictTexts;
  kept: KeptTextsTexts;
};

type WriteLessonProps = {
  lesson: Lesson;
  /** The document as the server has rendered it. */
  rendered: ReactNode;
  /** The files that it has. */
  files: ShownFile[];
  hue: CourseHue;
  viewerId: string;
  locale: string;
  texts: WriteTexts;
  editorTexts: EditorTexts;
  problems: ProblemTexts;
  /** The button with the menu of what is rarely done. */
  menu: ReactNode;
  /** On phones, a line below the title. */
  summary: ReactNode;
  /** Beside the text. */
  children: ReactNode;
};

/** The longest title that the server takes. */
const maxTitle = 120;

/** A lesson while it is written: its title and text, whether they are saved, and publishing. */
export function WriteLesson(props: WriteLessonProps) {
  const { lesson, hue, viewerId, locale, texts, problems } = props;
  const barRef = useRef<HTMLDivElement>(null);
  const editorRef = useRef<LessonEditorHandle>(null);
  const [title, setTitle] = useState(lesson.title);
  const titleRef = useRef(title);
  const typedAt = useRef(0);
  const [isReady, setIsReady] = useState(false);
  const [isUploading, setIsUploading] = useState(false);
  const [isEmpty, setIsEmpty] = useState(() => isBlank(lesson.document));
  const [question, setQuestion] = useState<Question | null>(null);

  function read(): Content | null {
    const document = editorRef.current?.read() ?? null;
    return document && { title: titleRef.current, document };
  }

  const { saver, state, words, version } = useDraft({
    lesson,
    viewerId,
    read,
    marked: barRef,
    problems,
    untitled: texts.untitled,
  });

  function put(content: Content): void {
    titleRef.current = content.title;
    setTitle(content.title);
    editorRef.current?.replace(content.document);
    setIsEmpty(isBlank(content.document));
  }

  function onTyped(): void {
    typedAt.current = Date.now();
    saver.changed();
  }

  async function saveFirst(): Promise<boolean> {
    const isSaved = await saver.flush();
    // Conflicts and ended sessions are handled in a dialog.
    if (['offline', 'refused', 'failed'].includes(saver.state.kind)) {
      showToast(textOf(saver.state, locale, texts.line), 'failed');
    }
    return isSaved;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` gives what is there now.
  useEffect(() => {
    const mine = state.kind === 'conflict' || state.kind === 'saved' ? read() : null;
    if (state.kind === 'conflict' && mine !== null) {
      setQuestion({ mine, at: typedAt.current || Date.now(), theirs: state.theirs });
    } else if (mine !== null) {
      setIsEmpty(isBlank(mine.document));
    }
  }, [state]);

  // After another tab has saved, the page is read again.
  const latest = useRef(put);
  useEffect(() => {
    latest.current = put;
  });
  const { draft_version: storedVersion, saved_at: storedAt } = lesson;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a version has one title and document.
  useEffect(() => {
    if (isReady) {
      saver.takeNewer(storedVersion, storedAt, () => latest.current(lesson));
    }
  }, [saver, isReady, storedVersion, storedAt]);

  const isPublished = lesson.state === 'published' && version === storedVersion && !saver.isBehind;
  const shown = lesson.state === 'draft' ? 'draft' : isPublished ? 'published' : 'changed';
  // On phones it stands above the title, and not in the bar.
  const chip = shown !== 'published' && (
    <span className="chip status lesson-chip" data-status={shown}>
      {shown === 'draft' ? texts.draft : texts.changed}
    </span>
  );
  return (
    <LessonContext value={{ saver, words, saveFirst }}>
      <div className="lesson-page">
        <div ref={barRef} className="writing-bar">
          <a
            className="icon-button lesson-back"
            href={lessonPaths.list}
            aria-label={texts.back}
            data-tip={texts.back}
          >
            <span className="icon icon-back" />
          </a>
          {chip}
          <SaveLine
            state={state}
            locale={locale}
            texts={texts.line}
            onHelp={() => void saver.flush()}
          />
          <div className="lesson-actions ms-auto flex flex-none items-center gap-3 max-[767.98px]:gap-0">
            <PreviewLink id={lesson.id} className="button button-quiet lesson-preview">
              {texts.preview}
            </PreviewLink>
            <PublishButton
              id={lesson.id}
              shown={shown}
              why={isUploading ? texts.uploading : isEmpty ? texts.empty : null}
              texts={texts}
            />
            {props.menu}
          </div>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] items-start @min-[54rem]/page:grid-cols-[minmax(0,42.5rem)_14rem] @min-[54rem]/page:justify-between @min-[54rem]/page:gap-14">
          <div className="lesson-main min-w-0 pt-3">
            <KeptTexts
              lesson={lesson}
              viewerId={viewerId}
              locale={locale}
              texts={texts.kept}
              isReady={isReady}
              onUse={(kept) => saver.takeKept(kept.version, () => put(kept.content))}
            />
            {chip}
            <div className="writing-title" data-value={title}>
              <textarea
                rows={1}
                aria-label={texts.title}
                value={title}
                maxLength={maxTitle}
                dir="auto"
                autoComplete="off"
                readOnly={!isReady}
                data-transient
                onChange={({ target }) => {
                  const line = target.value.replaceAll(/[\r\n]+/g, ' ');
                  titleRef.current = line;
                  setTitle(line);
                  onTyped();
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
                    event.preventDefault();
                    editorRef.current?.focus();
                  }
                }}
              />
            </div>
            {props.summary}
            <LessonEditor
              ref={editorRef}
              document={lesson.document}
              rendered={props.rendered}
              files={props.files}
              courseId={lesson.course_id}
              title={() => titleRef.current}
              locale={locale}
              hue={hue}
              texts={props.editorTexts}
              problems={problems}
              onReady={() => setIsReady(true)}
              onUploads={setIsUploading}
              onChange={(readDocument) => {
                onTyped();
                if (isEmpty) {
                  setIsEmpty(isBlank(readDocument()));
                }
              }}
            />
          </div>
          {props.children}
        </div>
      </div>
      {question && (
        <ConflictDialog
          question={question}
          locale={locale}
          texts={texts.conflict}
          onKeepMine={() => void saver.keepMine()}
          onTakeTheirs={() => void saver.takeTheirs(put)}
        />
      )}
    </LessonContext>
  );
}
