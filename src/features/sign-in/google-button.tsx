'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { apiPaths } from '#paths.ts';
import { showToast } from '#ui/toast.tsx';

type GoogleButtonProps = {
  /** Google's origin: the browser goes nowhere else, even if the answer says so. */
  googleOrigin: string;
  pendingLabel: string;
  failed: string;
  children: ReactNode;
};

/** Goes to Google, which redirects back signed in, or with an error in the URL. */
export function GoogleButton({ googleOrigin, failed, ...button }: GoogleButtonProps) {
  return (
    <ActionButton
      {...button}
      path={apiPaths.googleLogin}
      className="button"
      onFailure={() => {
        showToast(failed, 'failed');
        return true;
      }}
      onDone={({ redirect_url: url }) => {
        if (URL.parse(url)?.origin === googleOrigin) {
          window.location.assign(url);
          return 'leaving';
        }
        return showToast(failed, 'failed');
      }}
    />
  );
}
