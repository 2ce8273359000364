'use client';

import { type ReactNode, useActionState, useEffect, useRef } from 'react';
import { callApi } from '#client/call-api.ts';
import { problemOf } from '#client/failures.ts';
import { tellTabs } from '#client/tabs.ts';
import type { ProblemTexts } from '#i18n/validation.ts';
import type { apiPaths } from '#paths.ts';
import { BusyLabels } from '#ui/busy-labels.tsx';

type ConfirmButtonProps = {
  path: typeof apiPaths.confirm | typeof apiPaths.undoAddressChange;
  token: string;
  texts: ProblemTexts & { label: string; pending: string };
  /** Shown until the link is used. */
  question?: ReactNode;
  /** The content after that, if the answer has no redirect: its `h1` and the rest. */
  done?: ReactNode;
  /** Below the button, as long as the link may work. */
  details?: ReactNode;
  /** What to do if the link no longer works, in the place of the button. */
  children: ReactNode;
};

type State = 'waiting' | 'leaving' | 'done' | { problem: string; isFinal: boolean };

/** Uses the link, on this click only. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { path, token, texts, question, done, details, children } = props;
  const [state, confirm, isPending] = useActionState<State>(async (previous) => {
    // A second click that was queued behind the first.
    if (previous === 'leaving' || previous === 'done') {
      return previous;
    }
    const result = await callApi(path, { input: { token } });
    if (!result.ok) {
      return { problem: problemOf(result, texts), isFinal: result.body?.code === 'link_invalid' };
    }
    if (!('redirect_to' in result.data)) {
      return 'done';
    }
    tellTabs({ kind: 'confirmed' });
    // A new document, so that nothing of the previous session stays in memory.
    window.location.assign(result.data.redirect_to);
    return 'leaving';
  }, 'waiting');

  if (state === 'done') {
    return <Done>{done}</Done>;
  }
  const failure = typeof state === 'object' && !isPending ? state : null;
  const isBusy = isPending || state === 'leaving';
  return (
    <>
      {question}
      <div role="alert">{failure && <div className="alert mb-6">{failure.problem}</div>}</div>
      {failure?.isFinal ? (
        children
      ) : (
        <>
          {/* A form, because React replays a submission from before the page was hydrated. */}
          <form action={confirm}>
            <button type="submit" className="button button-primary" aria-disabled={isBusy}>
              <BusyLabels isBusy={isBusy} busyLabel={texts.pending}>
                {texts.label}
              </BusyLabels>
            </button>
          </form>
          {details}
        </>
      )}
    </>
  );
}

/** Moves the focus from the removed button to the heading, so that screen readers announce it. */
function Done({ children }: { children: ReactNode }) {
  const partRef = useRef<HTMLDivElement>(null);
  useEffect(() => partRef.current?.querySelector('h1')?.focus(), []);
  return (
    <div ref={partRef} className="link-done">
      {children}
    </div>
  );
}

/** Removes the token from the address bar, and so from history, screenshots and the Referer. */
export function HideToken() {
  useEffect(() => {
    window.history.replaceState(window.history.state, '', window.location.pathname);
  }, []);
  return null;
}
