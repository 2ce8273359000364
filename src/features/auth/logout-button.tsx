'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { apiPaths, paths } from '#paths.ts';

type LogoutButtonProps = { pendingLabel: string; className: string; children: ReactNode };

/** Ends the session and leaves for /login. */
export function LogoutButton(props: LogoutButtonProps) {
  return (
    <ActionButton
      {...props}
      path={apiPaths.logout}
      onDone={() => {
        // A whole new document: nothing of the session is left in memory.
        window.location.assign(paths.login);
        return 'leaving';
      }}
    />
  );
}
