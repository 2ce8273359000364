'use client';

import { useEffect, useRef } from 'react';
import { callApi } from '#client/call-api.ts';
import { reportFailure } from '#client/failures.ts';
import { useFinish } from '#client/use-finish.ts';
import { withStorage } from '#lib/browser-storage.ts';
import { showToast } from '#ui/toast.tsx';
import { lessonApi } from './lesson-paths.ts';

type TrashTexts = { done: string; undo: string; restored: string };

const storageKey = 'trashed-lesson';

/** Keeps which lesson was moved to the trash for the outline, where the next page is a new one. */
export function keepTrashed(id: string): void {
  withStorage('sessionStorage', (storage) => storage.setItem(storageKey, id));
}

/** Says that a lesson is in the trash, from where the toast brings it back. */
export function useTrashedToast(texts: TrashTexts): (id: string) => void {
  const finish = useFinish();

  async function restore(id: string): Promise<void> {
    const result = await callApi(lessonApi.restore(id));
    if (result.ok) {
      await finish(texts.restored);
    } else {
      reportFailure(result, () => restore(id));
    }
  }

  return (id) => showToast(texts.done, 'done', { label: texts.undo, run: () => void restore(id) });
}

/** Shows that toast for the lesson whose page was open before. */
export function TrashedToast({ texts }: { texts: TrashTexts }) {
  const show = useTrashedToast(texts);
  const latest = useRef(show);
  useEffect(() => {
    const id = withStorage('sessionStorage', (storage) => storage.getItem(storageKey));
    if (id !== null) {
      withStorage('sessionStorage', (storage) => storage.removeItem(storageKey));
      // The place where toasts appear comes later on the page, and listens then.
      setTimeout(() => latest.current(id));
    }
  }, []);
  return null;
}
