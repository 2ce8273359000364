'use client';

import { useLingui } from '@lingui/react';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { postJson } from '#api/client.ts';
import { errorMessages } from '#i18n/errors.ts';
import { apiPaths, paths } from '#paths.ts';
import { Alert } from '#ui/alert.tsx';
import type { Confirmed } from './schema.ts';

type ConfirmButtonProps = { token: string; label: string };

/** Spends the link, with this click and never before. */
export function ConfirmButton({ token, label }: ConfirmButtonProps) {
  const { i18n } = useLingui();
  const [isPending, setIsPending] = useState(false);
  const [problem, setProblem] = useState<{ text: string | null; isFinal: boolean } | null>(null);

  async function confirm() {
    setIsPending(true);
    setProblem(null);
    const result = await postJson<Confirmed>(apiPaths.confirm, { token });
    if (result.ok) {
      // A whole new document: nothing of the browser's former session is left in memory.
      window.location.assign(result.data.redirect_to);
      return;
    }
    const isFinal = result.body?.code === 'link_invalid';
    setProblem({ text: result.body?.message ?? null, isFinal });
    setIsPending(false);
  }

  return (
    <>
      <Alert>{problem && (problem.text ?? i18n._(errorMessages.internal))}</Alert>
      {problem?.isFinal ? (
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
        <button
          type="button"
          className="button button-primary"
          disabled={isPending}
          onClick={confirm}
        >
          {isPending && <span className="spinner" aria-hidden="true" />}
          {isPending ? <Trans>One moment…</Trans> : label}
        </button>
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
