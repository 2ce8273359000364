'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { leaveSession } from '#client/leave.ts';
import { tellTabs } from '#client/tabs.ts';
import { mayLoseChanges } from '#client/unsaved.ts';
import { apiPaths } from '#paths.ts';

type LogoutButtonProps = { pendingLabel: string; className: string; children: ReactNode };

/** Ends the session and goes to /login, in all tabs of this browser. */
export function LogoutButton(props: LogoutButtonProps) {
  return (
    <ActionButton
      {...props}
      path={apiPaths.logout}
      mayStart={mayLoseChanges}
      onDone={() => {
        tellTabs({ kind: 'signed-out' });
        return leaveSession();
      }}
    />
  );
}
