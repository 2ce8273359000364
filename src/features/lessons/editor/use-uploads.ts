import { useEffect, useRef, useState } from 'react';
import { firstProblemOf } from '#client/failures.ts';
import type { ShownFile } from '#features/files/schema.ts';
import { UnreadableImage, UploadFailure, uploadFile } from '#features/files/upload-file.ts';
import type { ProblemTexts } from '#i18n/validation.ts';
import type { EditorTexts } from './editor-texts.ts';

/** A file on its way into a lesson. */
export type EditorUpload = {
  id: string;
  name: string;
  /** In bytes; null while it waits for others. */
  sent: number | null;
  size: number;
  /** Why it failed, and whether another try can help; null unless it has failed. */
  problem: { words: string; canRetry: boolean } | null;
};

type Running = { file: File; stop: AbortController };

type Uses = {
  courseId: string;
  texts: EditorTexts;
  problems: ProblemTexts;
  /** Puts an uploaded file into the text. */
  onDone: (id: string, file: ShownFile) => void;
  /** Says at the place that is kept for it that it failed, or is on its way again. */
  onFailed: (id: string, name: string) => void;
  onRetry: (id: string, name: string) => void;
  /** Takes back the place that was kept for it. */
  onCancel: (id: string) => void;
};

/** Uploads files one after the other. Those that fail stay in the list until they are given up. */
export function useUploads(uses: Uses) {
  const usesRef = useRef(uses);
  const running = useRef(new Map<string, Running>());
  const queue = useRef(Promise.resolve());
  const [uploads, setUploads] = useState<EditorUpload[]>([]);

  useEffect(() => {
    usesRef.current = uses;
  });
  useEffect(() => {
    const { current: all } = running;
    return () => {
      for (const { stop } of all.values()) {
        stop.abort();
      }
    };
  }, []);

  function change(id: string, changed: Partial<EditorUpload>): void {
    setUploads((before) => before.map((one) => (one.id === id ? { ...one, ...changed } : one)));
  }

  function forget(id: string): void {
    running.current.delete(id);
    setUploads((before) => before.filter((one) => one.id !== id));
  }

  async function run(id: string): Promise<void> {
    const { file, stop } = running.current.get(id) ?? {};
    if (file === undefined || stop === undefined) {
      return;
    }
    const { signal } = stop;
    const { courseId, texts, problems, onDone, onFailed } = usesRef.current;
    const onProgress = (sent: number, size: number) => change(id, { sent, size });
    try {
      const uploaded = await uploadFile({ courseId, file, onProgress, signal });
      forget(id);
      onDone(id, uploaded);
    } catch (error) {
      if (!signal.aborted) {
        change(id, { problem: problemFor(error, texts, problems), sent: null });
        onFailed(id, file.name);
      }
    }
  }

  function enqueue(id: string): void {
    queue.current = queue.current.then(() => run(id));
  }

  return {
    uploads,
    /** @param id chosen by the caller, who keeps a place in the text under it */
    start(id: string, file: File): void {
      running.current.set(id, { file, stop: new AbortController() });
      const upload = { id, name: file.name, sent: null, size: file.size, problem: null };
      setUploads((before) => [...before, upload]);
      enqueue(id);
    },
    retry(id: string): void {
      change(id, { problem: null });
      usesRef.current.onRetry(id, running.current.get(id)?.file.name ?? '');
      enqueue(id);
    },
    cancel(id: string): void {
      running.current.get(id)?.stop.abort();
      forget(id);
      usesRef.current.onCancel(id);
    },
  };
}

function problemFor(
  error: unknown,
  { files }: EditorTexts,
  problems: ProblemTexts,
): NonNullable<EditorUpload['problem']> {
  if (error instanceof UnreadableImage) {
    return { words: files.unreadable, canRetry: false };
  }
  if (!(error instanceof UploadFailure)) {
    return { words: problems.internal, canRetry: true };
  }
  const { failure } = error;
  const { code, fields = {} } = failure.body ?? {};
  const isAboutFile = code === 'file_too_large' || code === 'file_type_mismatch';
  return {
    words: firstProblemOf(failure, problems),
    canRetry: !isAboutFile && Object.keys(fields).length === 0,
  };
}
