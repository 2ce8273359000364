'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { firstProblemOf } from '#client/failures.ts';
import { giveUpChanges, markChanges } from '#client/unsaved.ts';
import type { Room } from '#features/files/find-room.ts';
import { sizeWords } from '#features/files/shown-file.ts';
import type { ProblemTexts } from '#i18n/validation.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { showToast } from '#ui/toast.tsx';
import { ImportRefusal } from './import-limits.ts';
import { ImportPreview } from './import-preview.tsx';
import type { ImportTexts } from './import-texts.ts';
import type { ImportPlan, PlannedFile } from './plan-import.ts';
import type { FileFailure, ImportFailure } from './run-import.ts';

type ImportFormProps = {
  courseId: string;
  hasFiles: boolean;
  /** What files take up and may, when the page is read. */
  room: Room;
  locale: string;
  texts: ImportTexts;
  problems: ProblemTexts;
  /** Where to go when it is done. */
  children: ReactNode;
};

/** What was chosen and understood, and what of it is uploaded, or is to be left out. */
type Ready = {
  plan: ImportPlan;
  keys: Map<string, string>;
  without: Set<PlannedFile>;
  idempotencyKey: string;
};

type State =
  | { kind: 'choosing'; problem: string | null }
  | { kind: 'reading'; words: string; done: number; of: number }
  | { kind: 'ready'; problem: string | null; failed: PlannedFile | null }
  | { kind: 'uploading'; words: string; done: number; of: number }
  | { kind: 'adding' }
  | { kind: 'done' };

/** What the failures of `run-import.ts` say. */
type Failure = Pick<FileFailure, 'file' | 'reason'> & Pick<ImportFailure, 'failure'>;

/** Imports lessons from files, after showing what becomes of them. */
export function ImportForm(props: ImportFormProps) {
  const { courseId, hasFiles, room, locale, texts, problems, children } = props;
  const [state, setState] = useState<State>({ kind: 'choosing', problem: null });
  const [ready, setReady] = useState<Ready | null>(null);
  const stop = useRef<AbortController | null>(null);
  const ref = useRef<HTMLDivElement>(null);
  const shownRef = useRef<HTMLElement>(null);
  const refresh = useRefresh();
  const isOpen = ['ready', 'uploading', 'adding'].includes(state.kind);

  const failed = state.kind === 'ready' ? state.failed : null;

  useEffect(() => () => stop.current?.abort(), []);
  useEffect(() => {
    const { current: element } = ref;
    markChanges(element, isOpen ? 'course' : null);
    return () => markChanges(element, null);
  }, [isOpen]);
  useEffect(() => {
    // From there, the next Tab leads to what can be done.
    if (state.kind === 'ready' || state.kind === 'done') {
      shownRef.current?.focus();
    }
  }, [state.kind]);

  async function read(chosen: File[]): Promise<void> {
    if (chosen.length === 0) {
      return;
    }
    const signal = begin();
    setReady(null);
    setState({ kind: 'reading', words: texts.opening, done: 0, of: 0 });
    try {
      const { planImport } = await import('./plan-import.ts');
      const plan = await planImport(
        chosen,
        (done, of) => {
          const words = texts.reading
            .replace('{done}', String(done + 1))
            .replace('{all}', String(of));
          setState({ kind: 'reading', words, done, of });
        },
        signal,
      );
      const next: Ready = {
        plan,
        keys: new Map(),
        without: new Set(hasFiles ? [] : plan.files),
        idempotencyKey: crypto.randomUUID(),
      };
      const { sendLessons } = await import('./run-import.ts');
      await sendLessons(
        { courseId, ...next },
        { isDry: true, idempotencyKey: next.idempotencyKey },
      );
      signal.throwIfAborted();
      setReady(next);
      setState({ kind: 'ready', problem: null, failed: null });
    } catch (error) {
      setState({ kind: 'choosing', problem: signal.aborted ? null : wordsFor(error) });
    }
  }

  async function run({ plan, keys, without, idempotencyKey }: Ready): Promise<void> {
    const signal = begin();
    const files = plan.files.filter((file) => !without.has(file));
    const of = files.reduce((sum, { size }) => sum + size, 0);
    try {
      const { sendLessons, uploadFiles } = await import('./run-import.ts');
      await uploadFiles({
        courseId,
        files,
        keys,
        signal,
        onProgress: (file, sent) => {
          const before = files.slice(0, files.indexOf(file));
          const done = before.reduce((sum, { size }) => sum + size, sent);
          const words = texts.uploading
            .replace('{done}', sizeWords(done, locale))
            .replace('{all}', sizeWords(of, locale))
            .replace('{name}', () => file.name);
          setState({ kind: 'uploading', words, done, of });
        },
      });
      setState({ kind: 'adding' });
      await sendLessons({ courseId, plan, keys }, { isDry: false, idempotencyKey });
      giveUpChanges();
      await refresh();
      setReady(null);
      setState({ kind: 'done' });
      showToast(texts.imported);
    } catch (error) {
      const uploaded = texts.uploaded
        .replace('{done}', String(keys.size))
        .replace('{all}', String(files.length));
      setState({
        kind: 'ready',
        problem: signal.aborted
          ? texts.stopped
          : `${wordsFor(error)}${files.length > 0 ? ` ${uploaded}` : ''}`,
        failed: signal.aborted ? null : ((error as Partial<Failure>).file ?? null),
      });
    }
  }

  function leaveOut(files: PlannedFile[]): void {
    if (ready !== null) {
      const without = new Set([...ready.without, ...files]);
      setReady({ ...ready, without });
      void run({ ...ready, without });
    }
  }

  function begin(): AbortSignal {
    stop.current?.abort();
    stop.current = new AbortController();
    return stop.current.signal;
  }

  /** @param error one of the failures of an import, or anything else that was thrown */
  function wordsFor(error: unknown): string {
    if (error instanceof ImportRefusal) {
      return texts.problems[error.problem].replace('{name}', () => error.at);
    }
    const { file, reason, failure } = error as Partial<Failure>;
    if (file !== undefined) {
      if (reason instanceof ImportRefusal) {
        return wordsFor(reason);
      }
      const what = texts.failedAt.replace('{name}', () => file.name);
      return `${what} ${reason ? firstProblemOf(reason, problems) : texts.unreadable}`;
    }
    return failure === undefined ? problems.internal : firstProblemOf(failure, problems);
  }

  return (
    <div ref={ref} className="import grid max-w-184 gap-6">
      {(state.kind === 'choosing' || state.kind === 'ready') && (
        <div className="field">
          <label htmlFor="import-files" className="label">
            {texts.choose}
          </label>
          <input
            id="import-files"
            type="file"
            multiple
            className="input"
            aria-describedby="import-files-hint"
            onChange={({ currentTarget }) => void read([...(currentTarget.files ?? [])])}
          />
          <p id="import-files-hint" className="hint">
            {texts.chooseHint}
          </p>
        </div>
      )}
      {state.kind === 'choosing' && state.problem !== null && (
        <div role="alert" className="alert">
          {state.problem}
        </div>
      )}
      {(state.kind === 'reading' || state.kind === 'uploading') && (
        <>
          <progress
            aria-label={texts.progress}
            max={state.of || 1}
            value={state.of === 0 ? undefined : state.done}
          />
          <p role="status">{state.words}</p>
          <div className="actions">
            <button type="button" className="button" onClick={() => stop.current?.abort()}>
              {texts.cancel}
            </button>
          </div>
        </>
      )}
      {state.kind === 'adding' && (
        <>
          <progress aria-label={texts.progress} />
          <p role="status">{texts.adding}</p>
        </>
      )}
      {state.kind === 'ready' && ready !== null && (
        <section
          ref={shownRef}
          tabIndex={-1}
          className="grid gap-6"
          aria-labelledby="import-preview import-problem"
        >
          {state.problem !== null && (
            <div id="import-problem" role="alert" className="alert">
              {state.problem}
            </div>
          )}
          <div className="actions">
            <button type="button" className="button button-primary" onClick={() => void run(ready)}>
              {state.problem === null ? texts.import : texts.retry}
            </button>
            {failed !== null && (
              <>
                <button type="button" className="button" onClick={() => leaveOut([failed])}>
                  {texts.withoutThis}
                </button>
                <button
                  type="button"
                  className="button"
                  onClick={() =>
                    leaveOut(ready.plan.files.filter(({ key }) => !ready.keys.has(key)))
                  }
                >
                  {texts.withoutRest}
                </button>
              </>
            )}
          </div>
          <ImportPreview {...ready} hasFiles={hasFiles} room={room} locale={locale} texts={texts} />
        </section>
      )}
      {state.kind === 'done' && (
        <section ref={shownRef} tabIndex={-1} className="grid gap-4" aria-label={texts.imported}>
          <p>{texts.imported}</p>
          <div className="actions">{children}</div>
        </section>
      )}
    </div>
  );
}
