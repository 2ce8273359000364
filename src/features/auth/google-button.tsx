'use client';

import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { Trans } from '@lingui/react/macro';
import { useActionState } from 'react';
import { postJson, problemOf, say } from '#api/client.ts';
import { googleFailed } from '#i18n/errors.ts';
import { apiPaths } from '#paths.ts';
import { Alert } from '#ui/alert.tsx';
import { GoogleMark } from '#ui/google-mark.tsx';
import type { GoogleStarted } from './schema.ts';

type GoogleButtonProps = {
  /** Where Google is: the browser is sent nowhere else, whatever the answer says. */
  googleOrigin: string;
};

type State = 'waiting' | 'leaving' | { problem: MessageDescriptor | string };

/** Leaves for Google, which sends the browser back signed in or with an error in the address. */
export function GoogleButton({ googleOrigin }: GoogleButtonProps) {
  const { i18n } = useLingui();
  const [state, start, isPending] = useActionState<State>(async (previous) => {
    // A second click, queued behind the first.
    if (previous === 'leaving') {
      return previous;
    }
    const result = await postJson<GoogleStarted>(apiPaths.googleLogin);
    if (!result.ok) {
      return { problem: problemOf(result) };
    }
    if (URL.parse(result.data.redirect_url)?.origin !== googleOrigin) {
      return { problem: googleFailed };
    }
    window.location.assign(result.data.redirect_url);
    return 'leaving';
  }, 'waiting');

  const failure = typeof state === 'object' && !isPending ? state : null;
  const isBusy = isPending || state === 'leaving';
  return (
    <form action={start}>
      {failure && <Alert>{say(i18n, failure.problem)}</Alert>}
      <button type="submit" className="button w-full" aria-disabled={isBusy}>
        {isBusy ? <span className="spinner" aria-hidden="true" /> : <GoogleMark />}
        {isBusy ? <Trans>Taking you to Google…</Trans> : <Trans>Continue with Google</Trans>}
      </button>
    </form>
  );
}
