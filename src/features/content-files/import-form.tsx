'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { problemOf } from '#client/failures.ts';
import { giveUpChanges, markChanges } from '#client/unsaved.ts';
import { sizeWords } from '#features/files/shown-file.ts';
import type { ProblemTexts } from '#i18n/validation.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { showToast } from '#ui/toast.tsx';
import { ImportRefusal } from './import-limits.ts';
import { ImportPreview } from './import-preview.tsx';
import type { ImportTexts } from './import-texts.ts';
import type { ImportPlan } from './plan-import.ts';

type ImportFormProps = {
  courseId: string;
  locale: string;
  texts: ImportTexts;
  problems: ProblemTexts;
  /** Where to go when it is done. */
  children: ReactNode;
};

/** What was chosen and understood, and what of it has been uploaded. */
type Ready = { plan: ImportPlan; keys: Map<string, string>; idempotencyKey: string };

type State =
  | { kind: 'choosing'; problem: string | null }
  | { kind: 'reading'; words: string; done: number; of: number }
  | { kind: 'ready'; problem: string | null; isFile: boolean }
  | { kind: 'importing'; words: string; done: number; of: number }
  | { kind: 'done' };

/** Imports lessons from files, after showing what becomes of them. */
export function ImportForm({ courseId, locale, texts, problems, children }: ImportFormProps) {
  const [state, setState] = useState<State>({ kind: 'choosing', problem: null });
  const [ready, setReady] = useState<Ready | null>(null);
  const stop = useRef<AbortController | null>(null);
  const ref = useRef<HTMLDivElement>(null);
  const shownRef = useRef<HTMLElement>(null);
  const refresh = useRefresh();
  const isBusy = state.kind === 'reading' || state.kind === 'importing';
  const isOpen = state.kind === 'ready' || state.kind === 'importing';

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
      const next = { plan, keys: new Map<string, string>(), idempotencyKey: crypto.randomUUID() };
      const { sendLessons } = await import('./run-import.ts');
      await sendLessons(
        { courseId, ...next },
        { isDry: true, idempotencyKey: next.idempotencyKey },
      );
      signal.throwIfAborted();
      setReady(next);
      setState({ kind: 'ready', problem: null, isFile: false });
    } catch (error) {
      setState({ kind: 'choosing', problem: signal.aborted ? null : wordsFor(error).problem });
    }
  }

  async function run({ plan, keys, idempotencyKey }: Ready, withFiles: boolean): Promise<void> {
    const signal = begin();
    try {
      const { sendLessons, uploadFiles } = await import('./run-import.ts');
      if (withFiles) {
        const of = plan.files.reduce((sum, { size }) => sum + size, 0);
        await uploadFiles({
          courseId,
          files: plan.files,
          keys,
          signal,
          onProgress: (file, sent) => {
            const before = plan.files.slice(0, plan.files.indexOf(file));
            const done = before.reduce((sum, { size }) => sum + size, sent);
            const words = texts.uploading
              .replace('{name}', file.name)
              .replace('{done}', sizeWords(done, locale))
              .replace('{all}', sizeWords(of, locale));
            setState({ kind: 'importing', words, done, of });
          },
        });
      }
      setState({ kind: 'importing', words: texts.adding, done: 0, of: 0 });
      await sendLessons({ courseId, plan, keys }, { isDry: false, idempotencyKey });
      giveUpChanges();
      await refresh();
      setReady(null);
      setState({ kind: 'done' });
      showToast(texts.imported);
    } catch (error) {
      const { problem, isFile } = wordsFor(error);
      const uploaded = texts.uploaded
        .replace('{done}', String(keys.size))
        .replace('{all}', String(plan.files.length));
      setState({
        kind: 'ready',
        problem: signal.aborted
          ? texts.stopped
          : `${problem}${plan.files.length > 0 ? ` ${uploaded}` : ''}`,
        isFile: isFile && !signal.aborted,
      });
    }
  }

  function begin(): AbortSignal {
    stop.current?.abort();
    stop.current = new AbortController();
    return stop.current.signal;
  }

  function wordsFor(error: unknown): { problem: string; isFile: boolean } {
    if (error instanceof ImportRefusal) {
      return { problem: texts.problems[error.problem].replace('{name}', error.at), isFile: false };
    }
    const { failure = null, file } = error as {
      failure?: Parameters<typeof problemOf>[0];
      file?: string;
    };
    const [field] = Object.values(failure?.body?.fields ?? {});
    const reason =
      failure === null
        ? file === undefined
          ? problems.internal
          : texts.unreadable
        : (field?.[0] ?? problemOf(failure, problems));
    return file === undefined
      ? { problem: reason, isFile: false }
      : { problem: `${texts.failedAt.replace('{name}', file)} ${reason}`, isFile: true };
  }

  return (
    <div ref={ref} className="import grid gap-6">
      {!isBusy && state.kind !== 'done' && (
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
      {isBusy && (
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
            <button
              type="button"
              className="button button-primary"
              onClick={() => void run(ready, true)}
            >
              {state.problem === null ? texts.import : texts.retry}
            </button>
            {state.isFile && (
              <button type="button" className="button" onClick={() => void run(ready, false)}>
                {texts.without}
              </button>
            )}
          </div>
          <ImportPreview plan={ready.plan} locale={locale} texts={texts} />
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
