import type { ReactNode } from 'react';

type DeletionButtonProps = { dialogId: string; children: ReactNode };

/** Opens a dialog that deletes something. */
export function DeletionButton({ dialogId, children }: DeletionButtonProps) {
  return (
    <button
      type="button"
      className="button button-danger"
      command="show-modal"
      commandfor={dialogId}
    >
      <span className="icon icon-trash" />
      {children}
    </button>
  );
}
