'use client';

import { useLingui } from '@lingui/react';
import { Trans } from '@lingui/react/macro';
import { useActionState } from 'react';
import { postJson } from '#api/client.ts';
import { errorMessages } from '#i18n/errors.ts';
import { apiPaths, paths } from '#paths.ts';
import { Alert } from '#ui/alert.tsx';

type State = 'waiting' | 'leaving' | { problem: string };

/** Ends the session and leaves for /login. */
export function LogoutButton() {
  const { i18n } = useLingui();
  const [state, logOut, isPending] = useActionState<State>(async () => {
    const result = await postJson(apiPaths.logout);
    if (result.ok) {
      // A whole new document: nothing of the session is left in memory.
      window.location.assign(paths.login);
      return 'leaving';
    }
    return { problem: result.body?.message ?? i18n._(errorMessages.internal) };
  }, 'waiting');

  const isBusy = isPending || state === 'leaving';
  return (
    <>
      <Alert>{typeof state === 'object' && state.problem}</Alert>
      <form action={logOut}>
        <button type="submit" className="button button-small" disabled={isBusy}>
          {isBusy ? <Trans>Logging out…</Trans> : <Trans>Log out</Trans>}
        </button>
      </form>
    </>
  );
}
