'use client';

import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { Trans } from '@lingui/react/macro';
import { useActionState, useEffect } from 'react';
import { postJson, problemOf, say } from '#api/client.ts';
import { apiPaths, paths } from '#paths.ts';
import { Alert } from '#ui/alert.tsx';
import type { Confirmed } from './schema.ts';

type ConfirmButtonProps = { token: string; label: string };

type State = 'waiting' | 'leaving' | { problem: MessageDescriptor | string; isFinal: boolean };

/** Spends the link, with this click and never before. */
export function ConfirmButton({ token, label }: ConfirmButtonProps) {
  const { i18n } = useLingui();
  const [state, confirm, isPending] = useActionState<State>(async (previous) => {
    // A second click, queued behind the first.
    if (previous === 'leaving') {
      return previous;
    }
    const result = await postJson<Confirmed>(apiPaths.confirm, { token });
    if (result.ok) {
      // A whole new document: nothing of the browser's former session is left in memory.
      window.location.assign(result.data.redirect_to);
      return 'leaving';
    }
    return { problem: problemOf(result), isFinal: result.body?.code === 'link_invalid' };
  }, 'waiting');

  const failure = typeof state === 'object' && !isPending ? state : null;
  const isBusy = isPending || state === 'leaving';
  return (
    <>
      <Alert>{failure && say(i18n, failure.problem)}</Alert>
      {failure?.isFinal ? (
        <p className="flex flex-wrap gap-3">
          <a className="button" href={paths.login}>
            <Trans>Get a new link</Trans>
          </a>
          {/* In a second tab the link may be spent and the browser signed in. */}
          <a className="button" href={paths.home}>
            <Trans>Go to your home page</Trans>
          </a>
        </p>
      ) : (
        // A form, because React hands on what was submitted before the page's scripts were ready.
        <form action={confirm}>
          <button type="submit" className="button button-primary" aria-disabled={isBusy}>
            {isBusy && <span className="spinner" aria-hidden="true" />}
            {isBusy ? <Trans>One moment…</Trans> : label}
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
