'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import type { ApiCall } from '#client/call-api.ts';
import { useRefresh } from '#router/use-refresh.ts';
import { showToast } from '#ui/toast.tsx';
import { askToReauthenticate } from './ask-to-reauthenticate.ts';

type SettingsButtonProps = {
  path: `/api/${string}`;
  call: ApiCall;
  pendingLabel: string;
  /** Shown when it is done. */
  done: string;
  children: ReactNode;
};

/** A button that makes one change and refreshes the page. */
export function SettingsButton({ done, ...button }: SettingsButtonProps) {
  const refresh = useRefresh();
  return (
    <ActionButton
      {...button}
      className="button button-small"
      onFailure={askToReauthenticate}
      onDone={async () => {
        await refresh();
        showToast(done);
      }}
    />
  );
}
