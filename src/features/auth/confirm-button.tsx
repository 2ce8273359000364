'use client';

import { type ReactNode, useActionState, useEffect, useRef } from 'react';
import { callApi, type ProblemTexts, problemOf } from '#client/call-api.ts';
import type { Confirmed } from './schema.ts';

type ConfirmButtonProps = {
  /** The route that spends the link. */
  path: `/api/${string}`;
  token: string;
  texts: ProblemTexts & { label: string; pending: string };
  /** Shown until the link is spent. */
  question?: ReactNode;
  /** What it says then, where the answer leads nowhere: its `h1` and what follows. */
  done?: ReactNode;
  /** What there is to do when the link does not work any more. */
  children: ReactNode;
};

type State = 'waiting' | 'leaving' | 'done' | { problem: string; isFinal: boolean };

/** Spends the link, with this click and never before. */
export function ConfirmButton({
  path,
  token,
  texts,
  question,
  done,
  children,
}: ConfirmButtonProps) {
  const [state, confirm, isPending] = useActionState<State>(async (previous) => {
    // A second click, queued behind the first.
    if (previous === 'leaving' || previous === 'done') {
      return previous;
    }
    const result = await callApi<Partial<Confirmed>>(path, { input: { token } });
    if (!result.ok) {
      return { problem: problemOf(result, texts), isFinal: result.body?.code === 'link_invalid' };
    }
    if (result.data.redirect_to === undefined) {
      return 'done';
    }
    // A whole new document: nothing of the browser's former session is left in memory.
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
        // A form, because React hands on what was submitted before the page's scripts were ready.
        <form action={confirm}>
          <button type="submit" className="button button-primary" aria-disabled={isBusy}>
            {isBusy && <span className="spinner" aria-hidden="true" />}
            {isBusy ? texts.pending : texts.label}
          </button>
        </form>
      )}
    </>
  );
}

/** Moves the focus from the removed button to the heading, so that screen readers announce it. */
function Done({ children }: { children: ReactNode }) {
  const partRef = useRef<HTMLDivElement>(null);
  useEffect(() => partRef.current?.querySelector('h1')?.focus(), []);
  return <div ref={partRef}>{children}</div>;
}

/** Takes the token out of the address bar, and with it out of history, screenshots and the Referer. */
export function HideToken() {
  useEffect(() => {
    window.history.replaceState(window.history.state, '', window.location.pathname);
  }, []);
  return null;
}
