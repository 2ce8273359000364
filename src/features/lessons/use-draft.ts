'use client';

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { callApi } from '#client/call-api.ts';
import { problemOf, reportFailure } from '#client/failures.ts';
import { forgetText, keepText, keptTextKey } from '#client/kept-texts.ts';
import { onTabMessage, tellTabs } from '#client/tabs.ts';
import { markChanges } from '#client/unsaved.ts';
import { countWords } from '#features/documents/document-text.ts';
import type { ProblemTexts } from '#i18n/validation.ts';
import { outdatePages } from '#router/pages-at-hand.ts';
import { type Content, DraftSaver, type SaveState } from './draft-saver.ts';
import { lessonApi } from './lesson-paths.ts';

type Draft = {
  lesson: { id: string; draft_version: number; saved_at: string; words: number };
  viewerId: string;
  /** Null while the editor has not loaded. */
  read: () => Content | null;
  /** What is marked while leaving would lose something. */
  marked: RefObject<HTMLElement | null>;
  problems: ProblemTexts;
  untitled: string;
};

/** Saves a lesson while it is written, also when the page is left. */
export function useDraft({ lesson, viewerId, read, marked, problems, untitled }: Draft) {
  const [state, setState] = useState<SaveState>({ kind: 'saved', at: lesson.saved_at });
  const [words, setWords] = useState(lesson.words);
  const [version, setVersion] = useState(lesson.draft_version);
  const latest = useRef(read);
  useLayoutEffect(() => {
    latest.current = read;
  });
  const [saver] = useState(() => {
    // Made with the first text that is kept, and so in a browser.
    let key: string | null = null;
    return new DraftSaver(lesson.draft_version, lesson.saved_at, {
      untitled,
      read: () => latest.current(),
      async send(content, basedOn) {
        const result = await callApi(lessonApi.draft(lesson.id), {
          method: 'PUT',
          input: { ...content, based_on: basedOn },
          keepalive: true,
        });
        if (result.ok) {
          setWords(result.data.words);
          setVersion(result.data.draft_version);
        } else if (result.status === 401) {
          reportFailure(result, () => saver.flush());
        }
        return result;
      },
      keep(content, basedOn) {
        key ??= keptTextKey(lesson.id);
        const at = Date.now();
        const kept = { viewerId, version: basedOn, at, words: countWords(content.document) };
        return keepText(key, { ...kept, content });
      },
      forget: () => key !== null && forgetText(key),
      messageOf: (failure) =>
        failure.body?.fields?.['document']?.[0] ??
        failure.body?.fields?.['title']?.[0] ??
        problemOf(failure, problems),
      show: setState,
    });
  });

  // Before its editor is gone.
  useLayoutEffect(() => {
    saver.start();
    return () => {
      saver.stop();
      // What the way back would show is older than what was saved here.
      outdatePages();
    };
  }, [saver]);

  useEffect(() => {
    let toldVersion = saver.version;
    const controller = new AbortController();
    const { signal } = controller;
    const retry = () => saver.retry();
    const onHide = () => {
      if (document.visibilityState === 'hidden') {
        saver.hurry();
      }
      if (saver.version !== toldVersion) {
        toldVersion = saver.version;
        tellTabs({ kind: 'changed' });
      }
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      if (saver.isAtRisk) {
        event.preventDefault();
      }
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey) && !event.altKey) {
        event.preventDefault();
        void saver.flush();
      }
    };
    window.addEventListener('online', retry, { signal });
    window.addEventListener('pagehide', () => saver.keep(), { signal });
    window.addEventListener('beforeunload', onUnload, { signal });
    window.addEventListener('keydown', onKey, { signal });
    document.addEventListener('visibilitychange', onHide, { signal });
    const stopHearing = onTabMessage((message) => {
      if (message.kind === 'signed-in' && message.viewerId === viewerId) {
        retry();
      } else if (message.kind === 'signed-out') {
        saver.discard();
      }
    });
    return () => {
      controller.abort();
      stopHearing();
    };
  }, [saver, viewerId]);

  const isInTrouble = state.kind !== 'saved' && state.kind !== 'saving';
  // While all is well, what is unsaved goes out with the page.
  const isMarked = isInTrouble && saver.isAtRisk;
  useEffect(() => markChanges(marked.current, isMarked ? 'course' : null), [isMarked, marked]);

  return { saver, state, words, version, isInTrouble };
}
