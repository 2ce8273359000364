'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { mayLoseChanges } from '#client/unsaved.ts';
import { apiPaths, paths } from '#paths.ts';

type LogoutButtonProps = { pendingLabel: string; className: string; children: ReactNode };

/** Ends the session and goes to /login. */
export function LogoutButton(props: LogoutButtonProps) {
  return (
    <ActionButton
      {...props}
      path={apiPaths.logout}
      mayStart={mayLoseChanges}
      onDone={() => {
        // A new document, so that nothing of the session stays in memory.
        window.location.assign(paths.login);
        return 'leaving';
      }}
    />
  );
}
