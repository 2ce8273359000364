'use client';

import { useLingui } from '@lingui/react';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { postJson } from '#api/client.ts';
import { errorMessages } from '#i18n/errors.ts';
import { apiPaths, paths } from '#paths.ts';
import { Alert } from '#ui/alert.tsx';

/** Ends the session and leaves for /login. */
export function LogoutButton() {
  const { i18n } = useLingui();
  const [isPending, setIsPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function logOut() {
    setIsPending(true);
    setProblem(null);
    const result = await postJson(apiPaths.logout);
    if (result.ok) {
      // A whole new document: nothing of the session is left in memory.
      window.location.assign(paths.login);
      return;
    }
    setProblem(result.body?.message ?? i18n._(errorMessages.internal));
    setIsPending(false);
  }

  return (
    <>
      <Alert>{problem}</Alert>
      <button type="button" className="button button-small" disabled={isPending} onClick={logOut}>
        {isPending ? <Trans>Logging out…</Trans> : <Trans>Log out</Trans>}
      </button>
    </>
  );
}
