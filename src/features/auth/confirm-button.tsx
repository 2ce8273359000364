'use client';

import { type ReactNode, useActionState, useEffect } from 'react';
import { callApi, type ProblemTexts, problemOf } from '#api/browser/client.ts';
import { apiPaths } from '#paths.ts';
import type { Confirmed } from './schema.ts';

type ConfirmButtonProps = {
  token: string;
  texts: ProblemTexts & { label: string; pending: string };
  /** What there is to do when the link does not work any more. */
  children: ReactNode;
};

type State = 'waiting' | 'leaving' | { problem: string; isFinal: boolean };

/** Spends the link, with this click and never before. */
export function ConfirmButton({ token, texts, children }: ConfirmButtonProps) {
  const [state, confirm, isPending] = useActionState<State>(async (previous) => {
    // A second click, queued behind the first.
    if (previous === 'leaving') {
      return previous;
    }
    const result = await callApi<Confirmed>(apiPaths.confirm, { input: { token } });
    if (result.ok) {
      // A whole new document: nothing of the browser's former session is left in memory.
      window.location.assign(result.data.redirect_to);
      return 'leaving';
    }
    return { problem: problemOf(result, texts), isFinal: result.body?.code === 'link_invalid' };
  }, 'waiting');

  const failure = typeof state === 'object' && !isPending ? state : null;
  const isBusy = isPending || state === 'leaving';
  return (
    <>
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

/** Takes the token out of the address bar, and with it out of history, screenshots and the Referer. */
export function HideToken() {
  useEffect(() => {
    window.history.replaceState(window.history.state, '', window.location.pathname);
  }, []);
  return null;
}
