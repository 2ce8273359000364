'use client';

import { useEffect, useRef, useState } from 'react';
import { problemOf } from '#client/failures.ts';
import { markChanges } from '#client/unsaved.ts';
import { sizeWords } from '#features/files/shown-file.ts';
import type { ProblemTexts } from '#i18n/validation.ts';
import { readableName } from '#lib/text.ts';
import { showToast } from '#ui/toast.tsx';
import type { DownloadFailure, DownloadProgress } from './download-content.ts';
import type { DownloadTexts } from './download-texts.ts';

type State =
  | { kind: 'idle' | 'saved' }
  | { kind: 'running'; progress: DownloadProgress | null }
  | { kind: 'failed'; problem: string; file: string | null };

type DownloadProps = {
  courseId: string;
  courseName: string;
  locale: string;
  texts: DownloadTexts;
  problems: ProblemTexts;
};

/** A browser that can save while it reads; TypeScript doesn't know it. */
type SavingWindow = {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
};

/** Saves the lessons of a course as a zip, shows progress, and offers a retry. */
export function DownloadPanel(props: DownloadProps) {
  const { courseId, courseName, locale, texts, problems } = props;
  const fileName = `${readableName(courseName) || 'lessons'}.zip`;
  const [state, setState] = useState<State>({ kind: 'idle' });
  const [canStream, setCanStream] = useState(true);
  const stop = useRef<AbortController | null>(null);
  const without = useRef(new Set<string>());
  const ref = useRef<HTMLDivElement>(null);
  const isRunning = state.kind === 'running';

  useEffect(() => {
    setCanStream('showSaveFilePicker' in window);
    return () => stop.current?.abort();
  }, []);
  useEffect(() => {
    const { current: element } = ref;
    markChanges(element, isRunning ? 'course' : null);
    return () => markChanges(element, null);
  }, [isRunning]);

  async function start(): Promise<void> {
    const controller = new AbortController();
    stop.current = controller;
    const { signal } = controller;
    setState({ kind: 'running', progress: null });
    try {
      // First, while the browser remembers the click.
      const target = await chooseTarget(fileName);
      const { downloadContent } = await import('./download-content.ts');
      const zip = downloadContent({
        courseId,
        readme: texts.readme,
        without: without.current,
        onProgress: (progress) => setState({ kind: 'running', progress }),
        signal,
      });
      await save(zip, target, fileName, signal);
      setState({ kind: 'saved' });
      showToast(texts.saved);
    } catch (error) {
      const isStopped =
        signal.aborted || (error instanceof DOMException && error.name === 'AbortError');
      setState(isStopped ? { kind: 'idle' } : failed(error));
    }
  }

  function failed(error: unknown): State {
    const {
      at = null,
      key = null,
      failure = null,
    } = error instanceof Error && error.name === 'DownloadFailure'
      ? (error as DownloadFailure)
      : {};
    const reason =
      failure === null ? problems.connectionUnsupportedPlayer : problemOf(failure, problems);
    const problem =
      at === null
        ? error instanceof DOMException
          ? texts.notSaved
          : reason
        : `${texts.failedAt.replace('{name}', () => at)} ${reason}`;
    return { kind: 'failed', problem, file: key };
  }

  return (
    <div ref={ref} className="grid gap-4">
      {!canStream && <p className="hint">{texts.inMemory}</p>}
      {state.kind === 'running' && (
        <>
          <progress
            aria-label={texts.progress}
            max={state.progress?.of || 1}
            value={state.progress?.done}
          />
          <p role="status">{wordsOf(state.progress, texts, locale)}</p>
        </>
      )}
      {state.kind === 'failed' && (
        <div role="alert" className="alert">
          {state.problem}
        </div>
      )}
      {state.kind === 'saved' && <p role="status">{texts.saved}</p>}
      <div className="actions">
        {isRunning ? (
          <button type="button" className="button" onClick={() => stop.current?.abort()}>
            {texts.cancel}
          </button>
        ) : (
          <button type="button" className="button button-primary" onClick={() => void start()}>
            {state.kind === 'failed' ? texts.retry : texts.download}
          </button>
        )}
        {state.kind === 'failed' && state.file !== null && (
          <button
            type="button"
            className="button"
            onClick={() => {
              without.current.add(state.file ?? '');
              void start();
            }}
          >
            {texts.leaveOut}
          </button>
        )}
      </div>
    </div>
  );
}

function wordsOf(progress: DownloadProgress | null, texts: DownloadTexts, locale: string): string {
  if (progress === null) {
    return texts.preparing;
  }
  const { part, done, of } = progress;
  return part === 'lessons'
    ? texts.lessons.replace('{done}', String(done + 1)).replace('{all}', String(of))
    : texts.files
        .replace('{done}', sizeWords(done, locale))
        .replace('{all}', sizeWords(of, locale))
        .replace('{name}', () => progress.name);
}

/** Where the browser lets a page write while it reads; null where it does not. */
async function chooseTarget(name: string): Promise<FileSystemFileHandle | null> {
  const { showSaveFilePicker: choose } = window as SavingWindow;
  return choose === undefined ? null : choose.call(window, { suggestedName: name });
}

async function save(
  zip: ReadableStream<Uint8Array>,
  target: FileSystemFileHandle | null,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  if (target !== null) {
    // What was there stays if it fails.
    await zip.pipeTo(await target.createWritable(), { signal });
    return;
  }
  const blob = await new Response(zip, { headers: { 'Content-Type': 'application/zip' } }).blob();
  signal.throwIfAborted();
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
