'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { forgetTextsOf, mayForgetTextsOf } from '#client/kept-texts.ts';
import { leaveSession } from '#client/leave.ts';
import { tellTabs } from '#client/tabs.ts';
import { mayLoseChanges } from '#client/unsaved.ts';
import { apiPaths } from '#paths.ts';

type LogoutButtonProps = {
  viewerId: string;
  pendingLabel: string;
  className: string;
  children: ReactNode;
};

/** Ends the session and goes to /login, in all tabs of this browser. */
export function LogoutButton({ viewerId, ...props }: LogoutButtonProps) {
  return (
    <ActionButton
      {...props}
      path={apiPaths.logout}
      mayStart={async () => (await mayLoseChanges()) && mayForgetTextsOf(viewerId)}
      onDone={() => {
        forgetTextsOf(viewerId);
        tellTabs({ kind: 'signed-out' });
        return leaveSession();
      }}
    />
  );
}
