'use client';

import { useActionState, useEffect, useRef, useState } from 'react';
import { callApi } from '#client/call-api.ts';
import { reportFailure } from '#client/failures.ts';
import { useRefresh } from '#router/use-load-page.ts';
import { BusyLabels } from '#ui/busy-labels.tsx';
import { useInBrowser } from '#ui/use-in-browser.ts';
import { keptMark, onKeptMarks, sendMark } from './kept-marks.ts';
import { learningApi, learningPaths } from './learning-paths.ts';

/** How long a lesson is in sight before it counts as opened. */
const openedMs = 3_000;

type DoneButtonProps = {
  /** Whose lesson it is: two people may share a device. */
  enrollmentId: string;
  courseId: string;
  lessonId: string;
  /** Where to go from here: the next lesson, or the course. */
  next: string;
  /** ISO 8601; null: not done. */
  doneAt: string | null;
  locale: string;
  texts: Record<'done' | 'next' | 'undo' | 'pending' | 'kept' | 'unknown' | 'wayBack', string> & {
    /** With `#` in the place of the day. */
    doneOn: string;
  };
};

/**
 * Marks a lesson as done and goes to the next one, or takes that back. A press that cannot be sent
 * is kept in this browser: see kept-marks.ts.
 */
export function DoneButton(props: DoneButtonProps) {
  const { enrollmentId, courseId, lessonId, next, doneAt, locale, texts } = props;
  const key = `${enrollmentId}/${courseId}/${lessonId}` as const;
  const refresh = useRefresh();
  const ref = useRef<HTMLDivElement>(null);
  const wasPressed = useRef(false);
  const [isUnknown, setUnknown] = useState(false);
  const kept = useInBrowser(() => keptMark(key), null, onKeptMarks);
  const [state, mark, isPending] = useActionState<'idle' | 'leaving', boolean>(press, 'idle');

  useEffect(
    () => reportOpened(courseId, lessonId, enrollmentId),
    [courseId, lessonId, enrollmentId],
  );
  useEffect(() => {
    // The browser may show this document again as it was left.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && window.location.reload();
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);

  useEffect(() => {
    // The button that was pressed has made room for another one.
    if (wasPressed.current && document.activeElement === document.body) {
      ref.current?.querySelector<HTMLElement>(doneAt === null ? 'button' : 'a')?.focus();
    }
    wasPressed.current = false;
  }, [doneAt]);

  async function press(before: 'idle' | 'leaving', isDone: boolean): Promise<'idle' | 'leaving'> {
    // A second press, queued after the first.
    if (before === 'leaving') {
      return before;
    }
    wasPressed.current = true;
    const result = await sendMark(key, isDone);
    setUnknown(!result.ok && result.status === 401);
    if (result.ok && isDone) {
      window.location.assign(next);
      return 'leaving';
    }
    if (result.ok || result.status === 404) {
      await refresh();
    } else if (result.status !== null && result.status !== 401) {
      reportFailure(result, () => mark(isDone));
    }
    return 'idle';
  }

  const isBusy = isPending || state === 'leaving';
  const isKept = kept !== null && kept !== (doneAt !== null) && !isBusy;
  return (
    <div ref={ref} className="flex max-w-full flex-wrap items-center gap-x-4 gap-y-3">
      {doneAt === null ? (
        <form action={() => mark(true)} className="noscript:hidden max-md:flex-[1_0_100%]">
          <button
            type="submit"
            className="button button-primary button-large"
            aria-disabled={isBusy}
            aria-describedby="done-state"
          >
            <BusyLabels isBusy={isBusy} busyLabel={texts.pending}>
              <span className="icon icon-check" />
              {texts.done}
            </BusyLabels>
          </button>
        </form>
      ) : (
        <>
          <div className="done-line flex flex-[1_0_100%] flex-wrap items-center gap-x-4 gap-y-2 text-[0.9375rem]">
            <span className="chip">
              <span className="icon icon-check text-good" />
              <DoneOn at={doneAt} locale={locale} text={texts.doneOn} />
            </span>
            <UndoForm undo={() => mark(false)} isBusy={isBusy} texts={texts} />
          </div>
          <a className="button button-primary button-large max-md:flex-[1_0_100%]" href={next}>
            {texts.next}
          </a>
        </>
      )}
      <p
        id="done-state"
        role="status"
        className="flex-[1_0_100%] text-sm/5 text-muted empty:hidden"
      >
        {isUnknown ? (
          <>
            {texts.unknown}{' '}
            <a className="link" href={learningPaths.course(courseId)}>
              {texts.wayBack}
            </a>
          </>
        ) : (
          isKept && texts.kept
        )}
      </p>
    </div>
  );
}

type UndoFormProps = Pick<DoneButtonProps, 'texts'> & { undo: () => void; isBusy: boolean };

function UndoForm({ undo, isBusy, texts }: UndoFormProps) {
  return (
    <form action={undo} className="noscript:hidden">
      <button type="submit" className="link min-h-11" aria-disabled={isBusy}>
        <BusyLabels isBusy={isBusy} busyLabel={texts.pending}>
          {texts.undo}
        </BusyLabels>
      </button>
    </form>
  );
}

type DoneOnProps = { at: string; locale: string; text: string };

/** The day by the clock of the reader; until scripts run, in UTC. */
function DoneOn({ at, locale, text }: DoneOnProps) {
  const day = (zone: { timeZone?: 'UTC' }) =>
    new Date(at).toLocaleDateString(locale, { month: 'long', day: 'numeric', ...zone });
  const shown = useInBrowser(() => day({}), day({ timeZone: 'UTC' }));
  return text.replace('#', shown);
}

/**
 * Tells the server once that a lesson was in sight for a while.
 *
 * @returns a function that stops waiting
 */
function reportOpened(courseId: string, lessonId: string, enrollmentId: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', wait);
  };
  const report = () => {
    stop();
    // A failure is not said: nothing was pressed.
    void callApi(learningApi.lesson(courseId, lessonId), {
      method: 'PUT',
      input: { opened: true, enrollment_id: enrollmentId },
      // They may leave right then.
      keepalive: true,
    });
  };
  function wait(): void {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') {
      timer = setTimeout(report, openedMs);
    }
  }
  wait();
  document.addEventListener('visibilitychange', wait);
  return stop;
}
