'use client';

import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { Trans } from '@lingui/react/macro';
import { useActionState } from 'react';
import { postJson, problemOf, say } from '#api/client.ts';
import { apiPaths, paths } from '#paths.ts';
import { Alert } from '#ui/alert.tsx';

type State = 'waiting' | 'leaving' | { problem: MessageDescriptor | string };

/** Ends the session and leaves for /login. */
export function LogoutButton() {
  const { i18n } = useLingui();
  const [state, logOut, isPending] = useActionState<State>(async (previous) => {
    // A second click, queued behind the first.
    if (previous === 'leaving') {
      return previous;
    }
    const result = await postJson(apiPaths.logout);
    if (result.ok) {
      // A whole new document: nothing of the session is left in memory.
      window.location.assign(paths.login);
      return 'leaving';
    }
    return { problem: problemOf(result) };
  }, 'waiting');

  const isBusy = isPending || state === 'leaving';
  return (
    <>
      <Alert>{typeof state === 'object' && say(i18n, state.problem)}</Alert>
      <form action={logOut}>
        <button type="submit" className="button button-small" aria-disabled={isBusy}>
          {isBusy ? <Trans>Logging out…</Trans> : <Trans>Log out</Trans>}
        </button>
      </form>
    </>
  );
}
