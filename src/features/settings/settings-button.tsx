'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#api/browser/action-button.tsx';
import type { ApiCall } from '#api/browser/client.ts';
import { useRefresh } from '#router/use-refresh.ts';
import { showToast } from '#ui/toast.tsx';
import { demandProof } from './demand-proof.ts';

type SettingsButtonProps = {
  path: `/api/${string}`;
  call: ApiCall;
  pendingLabel: string;
  /** Said when it is done. */
  done: string;
  children: ReactNode;
};

/** One change behind one button; then the page shows it. */
export function SettingsButton({ done, ...button }: SettingsButtonProps) {
  const refresh = useRefresh();
  return (
    <ActionButton
      {...button}
      className="button button-small"
      onFailure={demandProof}
      onDone={async () => {
        await refresh();
        showToast(done);
      }}
    />
  );
}
