'use client';

import type { ReactNode } from 'react';
import { ActionButton } from '#client/action-button.tsx';
import { askToReauthenticate } from '#features/settings/ask-to-reauthenticate.ts';
import type { apiPaths } from '#paths.ts';
import { saveExport } from '#ui/save-export.ts';

type ExportButtonProps = {
  path: ReturnType<typeof apiPaths.accountExport>;
  pendingLabel: string;
  done: string;
  children: ReactNode;
};

/** Downloads everything that is stored about the user as a file. */
export function ExportButton({ done, ...button }: ExportButtonProps) {
  return (
    <ActionButton
      {...button}
      call={{ method: 'GET' }}
      onFailure={askToReauthenticate}
      onDone={(everything) => saveExport(everything, 'lectern', done)}
    />
  );
}
