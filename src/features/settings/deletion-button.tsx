import type { ReactNode } from 'react';
import { OpenButton } from '#ui/dialog.tsx';

type DeletionButtonProps = { dialogId: string; children: ReactNode };

/** Opens a dialog that deletes something. */
export function DeletionButton({ dialogId, children }: DeletionButtonProps) {
  return (
    <OpenButton dialogId={dialogId} className="button button-danger">
      <span className="icon icon-trash" />
      {children}
    </OpenButton>
  );
}
