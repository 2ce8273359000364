'use client';

import { type ReactNode, useActionState } from 'react';
import { callApi } from '#client/call-api.ts';
import { apiPaths } from '#paths.ts';
import { showToast } from '#ui/toast.tsx';

type GoogleButtonProps = {
  /** Google's origin: the browser goes nowhere else, even if the answer says so. */
  googleOrigin: string;
  texts: { pending: string; failed: string };
  children: ReactNode;
};

/** Goes to Google, which redirects back signed in, or with an error in the URL. */
export function GoogleButton({ googleOrigin, texts, children }: GoogleButtonProps) {
  const [isLeaving, start, isPending] = useActionState<boolean>(async (isLeaving) => {
    // A second click that was queued behind the first.
    if (isLeaving) {
      return true;
    }
    const result = await callApi(apiPaths.googleLogin);
    if (result.ok && URL.parse(result.data.redirect_url)?.origin === googleOrigin) {
      window.location.assign(result.data.redirect_url);
      return true;
    }
    showToast(texts.failed);
    return false;
  }, false);

  const isBusy = isPending || isLeaving;
  return (
    <form action={start}>
      <button type="submit" className="button w-full" aria-disabled={isBusy}>
        {isBusy ? (
          <>
            <span className="spinner" aria-hidden="true" />
            {texts.pending}
          </>
        ) : (
          children
        )}
      </button>
    </form>
  );
}
