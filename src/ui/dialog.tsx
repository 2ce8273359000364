import type { ComponentProps, ReactNode } from 'react';

type DialogProps = {
  /** The id that `OpenButton` opens it by. */
  id: string;
  title: string;
  /** The label of a button at the top that closes it, unless the dialog has another such button. */
  close?: string;
  children: ReactNode;
};

/** A modal dialog. The browser opens and closes it, and traps and restores the focus. */
export function Dialog({ id, title, close, children }: DialogProps) {
  return (
    <dialog id={id} className="dialog" aria-labelledby={`${id}-title`} closedby="any">
      <div className="dialog-body">
        <h2 id={`${id}-title`}>{title}</h2>
        {children}
        {/* Last in the DOM so that the focus starts in the content; CSS puts it at the top. */}
        {close && (
          <button
            type="button"
            className="icon-button dialog-close"
            aria-label={close}
            data-tip={close}
            command="close"
            commandfor={id}
          >
            <span className="icon icon-close" />
          </button>
        )}
      </div>
    </dialog>
  );
}

type OpenButtonProps = ComponentProps<'button'> & { dialogId: string };

export function OpenButton({ dialogId, ...button }: OpenButtonProps) {
  return <button type="button" command="show-modal" commandfor={dialogId} {...button} />;
}

export function closeDialog(id: string): void {
  (document.getElementById(id) as HTMLDialogElement | null)?.close();
}

export function CloseButton({ dialogId, children }: { dialogId: string; children: ReactNode }) {
  return (
    <button type="button" className="button" command="close" commandfor={dialogId}>
      {children}
    </button>
  );
}
